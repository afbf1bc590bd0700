package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// peer is a server that can be measured.
type peer struct {
	name  string
	short string // heads the column of ratios to it; "" for this project's servers
	// command returns the command that serves a directory at an address, or an
	// error that says why it cannot run on this machine.
	command func(addr, dir string) (*exec.Cmd, error)
}

// peers returns all servers. Their configuration files are written to base.
func peers(precompress, base string) []peer {
	return []peer{
		{statigzName(), "statigz", program("statigz")},
		{caddyName(), "Caddy", caddy(base)},
		{nginxName() + ", `brotli_static on`", "nginx", nginx(base)},
		{"`precompress serve --quiet`", "", func(addr, dir string) (*exec.Cmd, error) {
			return exec.Command(precompress, "serve", "--quiet", "--addr", addr, dir), nil
		}},
		{"package `serve` with its `Listener`", "", program("joined")},
		{"package `serve`, `http.ListenAndServe`", "", program("plain")},
	}
}

// program returns the command that runs one of the programs in this binary.
func program(name string) func(string, string) (*exec.Cmd, error) {
	return func(addr, dir string) (*exec.Cmd, error) {
		self, err := os.Executable()
		return exec.Command(self, "program", name, addr, dir), err
	}
}

func statigzName() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "github.com/vearutop/statigz" {
				return "statigz " + m.Version
			}
		}
	}
	return "statigz"
}

func caddyName() string {
	version := ""
	if path, err := exec.LookPath("caddy"); err == nil {
		if info, err := buildinfo.ReadFile(path); err == nil {
			version = " " + info.Main.Version
		}
	}
	return "Caddy" + version + ", `file_server` with `precompressed br`"
}

func caddy(base string) func(string, string) (*exec.Cmd, error) {
	return func(addr, dir string) (*exec.Cmd, error) {
		file := filepath.Join(base, "Caddyfile")
		config := fmt.Sprintf(`{
	admin off
	auto_https off
	persist_config off
}
http://%s {
	root * %s
	file_server {
		precompressed br
	}
}
`, addr, dir)
		if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
			return nil, err
		}
		if _, err := exec.LookPath("caddy"); err != nil {
			return nil, err
		}
		return exec.Command("caddy", "run", "--config", file, "--adapter", "caddyfile"), nil
	}
}

func nginxName() string {
	about, _ := exec.Command("nginx", "-v").CombinedOutput() // no nginx, no version
	if _, version, ok := strings.Cut(string(about), "nginx/"); ok {
		return "nginx " + strings.TrimSpace(version)
	}
	return "nginx"
}

// modulesPath finds the directory of modules in the output of nginx -V.
var modulesPath = regexp.MustCompile(`--modules-path=(\S+)`)

func nginx(base string) func(string, string) (*exec.Cmd, error) {
	return func(addr, dir string) (*exec.Cmd, error) {
		about, err := exec.Command("nginx", "-V").CombinedOutput()
		if err != nil {
			return nil, err
		}
		load := "" // the module may be built in
		if found := modulesPath.FindSubmatch(about); found != nil {
			module := filepath.Join(string(found[1]), "ngx_http_brotli_static_module.so")
			if _, err := os.Stat(module); err == nil {
				load = "load_module " + module + ";"
			}
		}
		file := filepath.Join(base, "nginx.conf")
		config := fmt.Sprintf(`%s
daemon off;
worker_processes auto;
pid %[4]s/nginx.pid;
error_log stderr;
events {}
http {
	types { text/javascript js; }
	access_log off;
	sendfile on;
	tcp_nopush on;
	keepalive_requests 1000000;
	brotli_static on;
	server {
		listen %[2]s;
		root %[3]s;
	}
}
`, load, addr, dir, base)
		if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
			return nil, err
		}
		if out, err := exec.Command("nginx", "-t", "-q", "-c", file).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		return exec.Command("nginx", "-c", file), nil
	}
}
