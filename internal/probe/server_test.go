package probe_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

// reply is an answer before it is sent.
type reply struct {
	status int
	header http.Header
	body   []byte
	asIs   bool   // Content-Length is left as it is
	byHand bool   // with the body whatever the method, and nothing added
	raw    string // all that is sent, if there is something
}

// server answers for one file without a fault, but for what ask makes of the
// request before it is read, and change of the reply before it is sent.
type server struct {
	path     string // "/app.js"
	asked    string // the path that is asked for, "" for path
	query    string // that is asked for, with its question mark
	files    map[string][]byte
	modified time.Time
	ask      func(r *http.Request)
	change   func(s *server, r *http.Request, a *reply)
}

const script = "/app.js"

// source is the content of the file.
var source = []byte(strings.Repeat("export function greet(name) { return `Hello, ${name}!`; }\n", 40) + "// the end\n")

// newServer returns a server without faults.
func newServer() *server {
	s := &server{path: script, modified: time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)}
	s.files = maps.Clone(sourceFiles())
	return s
}

// sourceFiles are the source and its variants, which no test changes in place.
var sourceFiles = sync.OnceValue(func() map[string][]byte {
	files := map[string][]byte{"": source}
	for _, c := range manifest.Codings() {
		files[string(c)] = encode(new(testing.T), c, source)
	}
	return files
})

func encode(t testing.TB, c manifest.Coding, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch c {
	case "":
		return content
	case manifest.Brotli:
		w = brotli.NewWriterLevel(&b, 6)
	case manifest.Zstd:
		w, err = zstd.NewWriter(&b)
	case manifest.Gzip:
		w = gzip.NewWriter(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// asset is what a manifest says of the server's file.
func (s *server) asset() *manifest.Asset {
	a := &manifest.Asset{Path: strings.TrimPrefix(s.path, "/"), Size: int64(len(source)), Digest: manifest.Sum(source)}
	for _, c := range manifest.Codings() {
		if data, ok := s.files[string(c)]; ok {
			a.Variants = append(a.Variants, manifest.Variant{Coding: c, Size: int64(len(data)), Digest: manifest.Sum(data)})
		}
	}
	return a
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.ask != nil {
		s.ask(r)
	}
	a := s.answer(r)
	if s.change != nil {
		s.change(s, r, a)
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if a.status != http.StatusNotModified && !a.asIs {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	if a.byHand || a.raw != "" {
		a.write(w)
		return
	}
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		w.Write(a.body)
	}
}

// write sends the reply past package http, which would have it right.
func (a *reply) write(w http.ResponseWriter) {
	conn, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	defer buffer.Flush()
	if a.raw != "" {
		buffer.WriteString(a.raw)
		return
	}
	fmt.Fprintf(buffer, "HTTP/1.1 %d Whatever\r\n", a.status)
	w.Header().Write(buffer)
	buffer.WriteString("\r\n")
	buffer.Write(a.body)
}

// choose negotiates. Without an Accept-Encoding nothing is coded.
func (s *server) choose(r *http.Request) string {
	var offers []serve.Offer
	for c, data := range s.files {
		offers = append(offers, serve.Offer{Coding: manifest.Coding(c), Size: int64(len(data))})
	}
	lines := r.Header.Values("Accept-Encoding")
	if len(lines) == 0 {
		return ""
	}
	if i, ok := serve.Negotiate(lines, offers); ok {
		return string(offers[i].Coding)
	}
	return ""
}

func etagOf(data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf(`"%x"`, sum[:8])
}

// header returns the fields of a representation.
func (s *server) header(coding string) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Etag", etagOf(s.files[coding]))
	h.Set("Last-Modified", s.modified.Format(http.TimeFormat))
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	return h
}

func (s *server) answer(r *http.Request) *reply {
	if r.URL.Path != s.path {
		return &reply{status: http.StatusNotFound, header: http.Header{"Content-Type": {"text/plain"}}, body: []byte("not found\n")}
	}
	coding := s.choose(r)
	a := &reply{status: http.StatusOK, header: s.header(coding), body: s.files[coding]}
	unmodified := false
	if match := r.Header.Get("If-None-Match"); match != "" {
		unmodified = match == "*" || lists(match, a.header.Get("Etag"))
	} else if since, err := http.ParseTime(r.Header.Get("If-Modified-Since")); err == nil {
		unmodified = !s.modified.After(since)
	}
	if unmodified {
		a.status, a.body = http.StatusNotModified, nil
		a.header.Del("Content-Encoding")
		a.header.Del("Content-Type")
		return a
	}
	if condition := r.Header.Get("If-Range"); condition == "" || condition == a.header.Get("Etag") {
		a.cut(r)
	}
	return a
}

// lists compares entity tags weakly.
func lists(match, tag string) bool {
	for m := range strings.SplitSeq(match, ", ") {
		if strings.TrimPrefix(m, "W/") == tag {
			return true
		}
	}
	return false
}

// cut makes a whole reply one of a part.
func (a *reply) cut(r *http.Request) {
	text, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes=")
	if !ok || r.Method != http.MethodGet {
		return
	}
	from, to, _ := strings.Cut(text, "-")
	first, _ := strconv.Atoi(from)
	last, err := strconv.Atoi(to)
	if err != nil || last >= len(a.body) {
		last = len(a.body) - 1
	}
	if first > last {
		*a = reply{status: http.StatusRequestedRangeNotSatisfiable, header: http.Header{"Content-Range": {fmt.Sprintf("bytes */%d", len(a.body))}}}
		return
	}
	a.status = http.StatusPartialContent
	a.header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, len(a.body)))
	a.body = a.body[first : last+1]
}
