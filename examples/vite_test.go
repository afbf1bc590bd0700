package examples_test

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestVite(t *testing.T) {
	need(t, "npm", "node")
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

	// Vite empties dist: what is there after the second build is of that build.
	write(t, filepath.Join(dist, "index.html.br"), "of the first build")
	write(t, filepath.Join(dist, "leftover"), "")
	run(t, dir, "npm", "run", "build")
	compressed(t, dist)
	if !maps.Equal(first, files(t, dist)) {
		t.Error("the second build is not the same as the first")
	}
}

// reaches tells whether npm's registry answers.
func reaches(dir string) bool {
	command := exec.Command("npm", "ping", "--fetch-timeout=10000", "--fetch-retries=0")
	command.Dir = dir
	return command.Run() == nil
}
