package serve_test

import (
	"embed"
	"io/fs"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

//go:embed all:testdata/dist
var dist embed.FS

// A front end in the program itself.
func Example() {
	site, err := fs.Sub(dist, "testdata/dist")
	if err != nil {
		log.Fatal(err)
	}
	handler, err := serve.New(site, serve.Options{Immutable: serve.Fingerprinted})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/", handler)
}

// A directory, with a log line for every request.
func ExampleDir() {
	handler, err := serve.Dir("dist", serve.Options{
		Decoders: decode.All(), // the directory may have no manifest
		Observe: func(e serve.Event) {
			log.Printf("%s %s %d %s %d bytes %v", e.Request.Method, e.Request.URL.Path, e.Status, e.Coding, e.Bytes, e.Duration)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Addr:              "localhost:8080",
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}

// Behind a prefix. Routers in the style of chi mount it the same way:
//
//	router.Handle("/static/*", http.StripPrefix("/static", handler))
func ExampleHandler_prefix() {
	handler, err := serve.New(os.DirFS("static"), serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /static/", http.StripPrefix("/static", handler))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		app, err := handler.Asset("app.js")
		if err != nil {
			http.Error(w, "no app", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Link", "</static/"+app.Path+">; rel=preload; as=script")
	})
}

// A single-page application beside an API: navigations to unknown names get
// the application, everything else that is not in the tree goes to the API.
func ExampleNew_singlePage() {
	api := http.NotFoundHandler()
	handler, err := serve.New(os.DirFS("dist"), serve.Options{
		Fallback: "index.html",
		Next:     api,
		// All that Vite puts there has a fingerprint in its name.
		Immutable: func(path string) bool { return strings.HasPrefix(path, "assets/") },
	})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/", handler)
}

// With http.FileServer: no variants, but none of their files either.
func ExampleFileSystem() {
	handler, err := serve.Dir("dist", serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/plain/", http.StripPrefix("/plain", http.FileServer(handler.FileSystem())))
}
