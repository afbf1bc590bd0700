package examples_test

import (
	"net/http"
	"os"
	"os/exec"
	"testing"

	"github.com/precompress/precompress/internal/testneeds"
)

func TestCaddy(t *testing.T) {
	testneeds.Programs(t, "caddy")
	dir, address := site(t), freeAddress(t)
	words(t, dir)
	startCaddy(t, "caddy/Caddyfile", dir, address)

	const media = "text/javascript"
	for _, q := range []question{
		{script, "br", "br", media, immutable},
		{script, "gzip, deflate, br, zstd", "br", media, immutable},
		{script, "zstd", "zstd", media, immutable},
		{script, "gzip, zstd", "zstd", media, immutable},
		{script, "gzip", "gzip", media, immutable},
		{script, "br;q=0.5, gzip", "gzip", media, immutable},
		{script, "br;q=0, gzip", "gzip", media, immutable},
		{script, "identity", "", media, immutable},
		{"/", "br", "br", "text/html", validate},
		{"/", "identity", "", "text/html", validate},
		{"/icons/rail.svg", "gzip, br", "br", "image/svg+xml", validate},
		{"/icons/rail.svg", "gzip", "", "image/svg+xml", validate}, // has no .gz
		{"/img/logo.png", "br, zstd, gzip", "", "image/png", validate},
	} {
		ask(t, address, dir, q)
	}
	wordsAreValidated(t, address)
	get(t, address, "/precompress-manifest.json", nil, http.StatusNotFound)
	header, _ := get(t, address, "/assets/app-00000000.js", nil, http.StatusNotFound)
	if got := header.Get("Cache-Control"); got == immutable {
		t.Errorf("Cache-Control is %q where nothing is found", got)
	}
}

// startCaddy runs Caddy with a configuration file that gets the directory and the
// address from the same environment variables as the example.
func startCaddy(t *testing.T, file, dir, address string) {
	t.Helper()
	home := t.TempDir()
	command := exec.Command("caddy", "run", "--config", file)
	command.Env = append(os.Environ(), "SITE_ADDRESS=http://"+address, "SITE_ROOT="+dir,
		"HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "CADDY_ADMIN="+freeAddress(t))
	start(t, address, command)
}
