// Command site is a web server with its site embedded. The site is compressed at
// build time, and every request is served from memory:
//
//	go get -tool github.com/precompress/precompress/cmd/precompress
//	go generate
//	go run .
package main

import (
	"embed"
	"flag"
	"io/fs"
	"log"
	"net/http"

	"github.com/precompress/precompress/serve"
)

// The version is that of the tool line in go.mod, which go get -tool adds.
//go:generate go tool precompress dist

// The prefix all: includes names that start with a dot, such as .well-known.
//
//go:embed all:dist
var dist embed.FS

func main() {
	address := flag.String("addr", "localhost:8080", "listen on `HOST:PORT`")
	flag.Parse()
	handler, err := newHandler()
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(*address, handler))
}

func newHandler() (http.Handler, error) {
	site, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return serve.New(site, serve.Options{Immutable: serve.Fingerprinted})
}
