package examples_test

import (
	"net/http"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/testneeds"
)

const (
	brotliModule = "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so"
	script       = "/assets/app-94321350.js"
)

func TestNginx(t *testing.T) {
	needNginx(t)
	dir, address := site(t), freeAddress(t)
	words(t, dir)
	startNginx(t, nginxExample(t, dir, address), address)

	media := "application/javascript"
	if types := read(t, "/etc/nginx/mime.types"); !strings.Contains(types, media) {
		media = "text/javascript" // of newer releases
	}
	for _, q := range []question{
		{script, "br", "br", media, immutable},
		{script, "gzip, deflate, br, zstd", "br", media, immutable},
		{script, "gzip", "gzip", media, immutable},
		{script, "br;q=0, gzip", "gzip", media, immutable},
		{script, "zstd", "", media, immutable},
		{script, "identity", "", media, immutable},
		{"/", "br", "br", "text/html", validate},
		{"/", "identity", "", "text/html", validate},
		{"/icons/rail.svg", "gzip, br", "br", "image/svg+xml", validate},
		{"/icons/rail.svg", "gzip", "", "image/svg+xml", validate}, // has no .gz
		{"/img/logo.png", "br, gzip", "", "image/png", validate},
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

// needNginx skips a test if nginx or its brotli module is not installed.
func needNginx(t *testing.T) {
	t.Helper()
	testneeds.Programs(t, "nginx")
	testneeds.File(t, "libnginx-mod-http-brotli-static", brotliModule)
}

// nginxExample returns the example's configuration with another directory and
// address.
func nginxExample(t *testing.T, dir, address string) string {
	t.Helper()
	config := read(t, "nginx", "nginx.conf")
	config = replaced(t, config, "listen 8080;", "listen "+address+";")
	return replaced(t, config, "root /srv/site;", "root "+dir+";")
}

// startNginx runs nginx with a configuration. It replaces the paths that another
// nginx on the same machine may use.
func startNginx(t *testing.T, config, address string) {
	t.Helper()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	prefix := t.TempDir()
	config = replaced(t, config, "http {", `http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path       proxy;
    fastcgi_temp_path     fastcgi;
    scgi_temp_path        scgi;
    uwsgi_temp_path       uwsgi;`)
	file := filepath.Join(prefix, "nginx.conf")
	write(t, file, config)
	start(t, address, exec.Command("nginx", "-p", prefix, "-c", file, "-e", "stderr",
		"-g", "daemon off; pid nginx.pid; user "+me.Username+";"))
}
