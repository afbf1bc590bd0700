package examples_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/testneeds"
	"github.com/precompress/precompress/manifest"
)

// probed runs probe over a tree's assets. It returns, for each check with a finding,
// the first asset concerned.
func probed(t *testing.T, dir, address string, flags ...string) map[string]string {
	t.Helper()
	args := append([]string{"probe", "--json", "--rate", "100000", "--manifest", filepath.Join(dir, manifest.Name), "http://" + address + "/"}, flags...)
	output, err := exec.Command("precompress", args...).Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 3) {
		t.Fatalf("precompress %q: %v\n%s", args, err, output)
	}
	var document struct {
		URLs []struct {
			Asset    string `json:"asset"`
			Error    string `json:"error"`
			Findings []struct {
				Check    string `json:"check"`
				Severity string `json:"severity"`
				Message  string `json:"message"`
			} `json:"findings"`
		} `json:"urls"`
	}
	if err := json.Unmarshal(output, &document); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for _, u := range document.URLs {
		for _, f := range u.Findings {
			if _, known := found[f.Check]; !known {
				found[f.Check] = u.Asset
				t.Logf("%s: %s: %s: %s", u.Asset, f.Severity, f.Check, f.Message)
			}
		}
	}
	return found
}

// wantChecks compares the names of the checks with findings.
func wantChecks(t *testing.T, found map[string]string, want string) {
	t.Helper()
	var words []string
	for word := range found {
		words = append(words, word)
	}
	slices.Sort(words)
	if got := strings.Join(words, " "); got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestProbeNginx checks what the probe finds with the example's configuration and
// with others. gzip_vary omits Vary for assets that have a .br and no .gz. The example
// does not recognize the fingerprint in one name.
func TestProbeNginx(t *testing.T) {
	needNginx(t)
	dir := site(t, "--codings", "br,gzip", "-x", "*.map", "-x", "*.webmanifest") // whose types depend on the machine
	plain := "events {}\nhttp {\n    include /etc/nginx/mime.types;\n    server {\n        listen ADDRESS;\n        root DIR;\n        SETTINGS\n    }\n}\n"
	for name, test := range map[string]struct {
		settings string // "" for the example
		want     string
	}{
		"example":   {"", "cache-control-odd"},
		"as it is":  {"# nothing", "cache-control-missing variant-missing"},
		"gzip":      {"gzip on; gzip_types application/javascript;", "cache-control-missing etag-weak length-missing recompressed variant-missing vary"},
		"gzip_vary": {"gzip_static on; brotli_static on; gzip_vary on;", "cache-control-missing vary"},
		"no Vary":   {"gzip_static on; brotli_static on;", "cache-control-missing vary"},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "example" {
				testneeds.Long(t, "one more server")
			}
			address := freeAddress(t)
			config := nginxExample(t, dir, address)
			if test.settings != "" {
				config = "load_module " + brotliModule + ";\n" + strings.NewReplacer("ADDRESS", address, "DIR", dir, "SETTINGS", test.settings).Replace(plain)
			}
			startNginx(t, config, address)
			wantChecks(t, probed(t, dir, address), test.want)
		})
	}
}

// TestProbeCaddy checks the same for Caddy.
func TestProbeCaddy(t *testing.T) {
	testneeds.Programs(t, "caddy")
	dir := site(t, "-x", "*.map", "-x", "*.webmanifest")
	for name, test := range map[string]struct {
		settings string
		want     string
	}{
		"example":            {"", "cache-control-odd"},
		"as it is":           {"file_server", "cache-control-missing variant-missing"},
		"encode":             {"encode gzip\nfile_server", "cache-control-missing length-missing not-modified-fields recompressed variant-missing"},
		"precompressed gzip": {"file_server {\nprecompressed gzip\n}", "cache-control-missing variant-missing"},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "example" {
				testneeds.Long(t, "one more server")
			}
			address := freeAddress(t)
			file := "caddy/Caddyfile"
			if test.settings != "" {
				file = filepath.Join(t.TempDir(), "Caddyfile")
				write(t, file, "{$SITE_ADDRESS} {\nroot * {$SITE_ROOT}\n"+test.settings+"\n}\n")
			}
			startCaddy(t, file, dir, address)
			wantChecks(t, probed(t, dir, address), test.want)
		})
	}
}
