package examples_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/precompress/precompress/internal/testneeds"
)

func TestVite(t *testing.T) {
	testneeds.Programs(t, "npm", "node")
	testneeds.Long(t, "installs and runs Vite, three times")
	var major, minor int
	version := run(t, ".", "node", "--version")
	if _, err := fmt.Sscanf(version, "v%d.%d", &major, &minor); err != nil {
		t.Fatalf("node --version says %q: %v", version, err)
	}
	if major < 20 || major == 20 && minor < 19 {
		t.Skipf("Vite needs Node.js 20.19 or newer, this is %s", version)
	}
	dir := example(t, "vite")
	if !reaches(dir) {
		t.Skip("the npm registry cannot be reached")
	}
	t.Setenv("PRECOMPRESS_CACHE_DIR", t.TempDir())
	run(t, dir, "npm", "ci", "--no-audit", "--no-fund", "--prefer-offline")

	dist := filepath.Join(dir, "dist")
	run(t, dir, "npm", "run", "build")
	compressed(t, dist)
	first := files(t, dist)

	// Vite empties dist, so everything in it is from the second build.
	write(t, filepath.Join(dist, "index.html.br"), "of the first build")
	write(t, filepath.Join(dist, "leftover"), "")
	run(t, dir, "npm", "run", "build")
	compressed(t, dist)
	if !maps.Equal(first, files(t, dist)) {
		t.Error("the second build is not the same as the first")
	}

	// Vite alone writes no variants. precompress restores all of them from the cache.
	run(t, dir, "npx", "vite", "build")
	restored(t, run(t, dir, "precompress", "--json", "dist"))
}

// restored checks that, by the JSON output of a build, every encoding came from the
// cache.
func restored(t *testing.T, text string) {
	t.Helper()
	var output struct {
		Trees []struct {
			Assets []struct {
				Path     string
				Variants []struct {
					Coding string
					Cached bool
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &output); err != nil {
		t.Fatal(err)
	}
	for _, asset := range output.Trees[0].Assets {
		for _, variant := range asset.Variants {
			if !variant.Cached {
				t.Errorf("%s: %s was encoded again", asset.Path, variant.Coding)
			}
		}
	}
}

// reaches reports whether the npm registry answers.
func reaches(dir string) bool {
	command := exec.Command("npm", "ping", "--fetch-timeout=10000", "--fetch-retries=0")
	command.Dir = dir
	return command.Run() == nil
}
