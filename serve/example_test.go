package serve_test

import (
	"embed"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing/fstest"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

//go:embed all:testdata/dist
var dist embed.FS

// show prints the response to a GET.
func show(h http.Handler, path, acceptEncoding string) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Encoding", acceptEncoding)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Printf("%d %s %q %d bytes\n", w.Code, w.Header().Get("Content-Type"), w.Header().Get("Content-Encoding"), w.Body.Len())
}

// A front end that is embedded in the program.
func Example() {
	site, err := fs.Sub(dist, "testdata/dist")
	if err != nil {
		log.Fatal(err)
	}
	handler, err := serve.New(site, serve.Options{Immutable: serve.Fingerprinted})
	if err != nil {
		log.Fatal(err)
	}
	// http.Handle("/", handler)
	show(handler, "/", "gzip, br")
	show(handler, "/", "identity")
	// Output:
	// 200 text/html; charset=utf-8 "br" 92 bytes
	// 200 text/html; charset=utf-8 "" 201 bytes
}

// A directory, with a log line for every response.
func ExampleDir() {
	handler, err := serve.Dir("testdata/dist", serve.Options{
		Decoders: decode.All(), // checks the variants in a directory without a manifest
		Observe: func(e serve.Event) {
			fmt.Println(e.Request.Method, e.Request.URL.Path, e.Status, e.Coding, e.Bytes)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer handler.Close()
	server := httptest.NewServer(handler) // or an http.Server
	defer server.Close()
	response, err := http.Get(server.URL + "/assets/app-3f8a91c2.js")
	if err != nil {
		log.Fatal(err)
	}
	response.Body.Close()
	// Output:
	// GET /assets/app-3f8a91c2.js 200 gzip 357
}

// Any file system will do. For a directory, Dir is better: it follows symbolic links
// that stay inside.
func ExampleNew() {
	handler, err := serve.New(os.DirFS("testdata/dist"), serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	show(handler, "/assets/app-3f8a91c2.js", "zstd")
	// Output:
	// 200 text/javascript; charset=utf-8 "zstd" 345 bytes
}

// Under a prefix. With routers like chi:
//
//	router.Handle("/static/*", http.StripPrefix("/static", handler))
func ExampleHandler_prefix() {
	handler, err := serve.New(os.DirFS("testdata/dist"), serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/static/", http.StripPrefix("/static", handler))
	show(mux, "/static/", "br")
	show(mux, "/", "br")
	// Output:
	// 200 text/html; charset=utf-8 "br" 92 bytes
	// 404 text/plain; charset=utf-8 "" 19 bytes
}

// A single-page application and an API: navigations to names that are not in the tree
// get the application, everything else goes to the API.
func ExampleNew_singlePage() {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, "{}")
	})
	handler, err := serve.New(os.DirFS("testdata/dist"), serve.Options{
		Fallback: "index.html",
		Next:     api,
		// All names in the directory have a fingerprint.
		Immutable: func(path string) bool { return strings.HasPrefix(path, "assets/") },
	})
	if err != nil {
		log.Fatal(err)
	}
	show(handler, "/cart", "br")
	show(handler, "/api/v1.json", "br")
	// Output:
	// 200 text/html; charset=utf-8 "br" 92 bytes
	// 200 application/json "" 2 bytes
}

// In a program's tests, Check finds variants that would not be sent, such as those of
// a file that was edited after the build.
func ExampleHandler_Check() {
	edited := fstest.MapFS{"index.html": &fstest.MapFile{Data: []byte("<title>Edited</title>\n")}}
	for _, name := range []string{manifest.Name, "index.html.br"} {
		data, err := dist.ReadFile("testdata/dist/" + name)
		if err != nil {
			log.Fatal(err)
		}
		edited[name] = &fstest.MapFile{Data: data}
	}
	handler, err := serve.New(edited, serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	findings, err := handler.Check()
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range findings {
		fmt.Println(f) // in a test: t.Error(f)
	}
	// Output:
	// index.html: br: stale
	// index.html: zstd: missing
	// index.html: gzip: missing
}

// With http.FileServer, or any handler for an http.FileSystem. It sends no variants,
// and hides their files.
func ExampleFileSystem() {
	handler, err := serve.Dir("testdata/dist", serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer handler.Close()
	plain := http.FileServer(handler.FileSystem())
	show(plain, "/assets/app-3f8a91c2.js", "br")
	show(plain, "/assets/app-3f8a91c2.js.br", "br")
	// Output:
	// 200 text/javascript; charset=utf-8 "" 854 bytes
	// 404 text/plain; charset=utf-8 "" 19 bytes
}
