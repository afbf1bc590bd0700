// Command site is a server that carries its site inside. Compressing happens
// at build time, so it answers every request from memory:
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

// The tool line that go get -tool adds to go.mod pins the version that this runs.
//go:generate go tool precompress dist

// With all:, names that start with a dot are embedded as well, such as
// .well-known.
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
