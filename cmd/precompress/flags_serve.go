package main

import (
	"fmt"
	"net"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr      string
	options   serve.Options
	immutable bool
	names     manifest.Fingerprint
	cert, key string
	outputFlags
	origins origins
}

func (f *serveFlags) register(fs *pflag.FlagSet) {
	fs.SortFlags = false
	f.addr = "localhost:8080"
	fs.Var(parsed(&f.addr, "HOST:PORT", f.addr, parseAddress), "addr", "listen here; without HOST on every interface, with port 0 on one that is free")
	f.options.Index = "index.html"
	fs.Var(named(&f.options.Index, "FILE"), "index", "answer for a directory with its file of this name")
	fs.Var(named(&f.options.Fallback, "FILE"), "fallback", "answer navigations to unknown names with this file of DIR (single-page applications)")
	fs.Var(named(&f.options.NotFound, "FILE"), "not-found", "answer other unknown names with this file of DIR and a 404")
	fs.BoolVar(&f.immutable, "immutable", false, "let caches keep names with a fingerprint (app.3f8a91c2d4.js) for a year without asking")
	fs.Var(parsed(&f.names, "REGEXP", "", manifest.NewFingerprint), "fingerprint", "what REGEXP matches in a file's name, or its group, is its fingerprint: give the build's")
	fs.Var(named(&f.cert, "FILE"), "tls-cert", "serve over TLS with the certificates in this PEM file")
	fs.Var(named(&f.key, "FILE"), "tls-key", "the private key of --tls-cert, in PEM")
	f.registerQuiet(fs)
}

const addressAdvice = "write it like localhost:8080, or :8080 for every interface"

// parseAddress checks an address to listen on. Names in it are looked up when that is
// done.
func parseAddress(s string) (string, error) {
	if s == "" {
		return nonEmpty(s)
	}
	_, port, err := net.SplitHostPort(s)
	if n, notNumber := strconv.Atoi(port); err == nil && (port == "" || notNumber == nil && (n < 0 || n > 65535)) {
		err = fmt.Errorf("address %s: %q is no port", s, port)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, addressAdvice)
	}
	return s, nil
}

// pairedFiles refuses a certificate without its key, and the other way round.
func pairedFiles(cert, key string) error {
	switch {
	case cert == "" && key != "":
		return usageErrorf("tls-key", "--tls-key needs a certificate: name it with --tls-cert")
	case cert != "" && key == "":
		return usageErrorf("tls-cert", "--tls-cert needs its private key: name it with --tls-key")
	}
	return nil
}
