package decode_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

// A handler with decoders checks the variants in a tree without a manifest, and can
// serve a tree without sources.
func ExampleAll() {
	handler, err := serve.Dir("../testdata/dist", serve.Options{Decoders: decode.All(), VariantOnly: true})
	if err != nil {
		log.Fatal(err)
	}
	defer handler.Close()
	findings, err := handler.Check()
	fmt.Println(findings, err)
	// Output:
	// [] <nil>
}

// Reading a variant.
func ExampleBrotli() {
	name := "../testdata/dist/index.html"
	file, err := os.Open(name + manifest.Brotli.Suffix())
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	r, err := decode.Brotli(file)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		log.Fatal(err)
	}
	line, _, _ := strings.Cut(string(content), "\n")
	fmt.Println(line)
	// Output:
	// <!doctype html>
}
