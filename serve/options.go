package serve

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/precompress/precompress/manifest"
)

// Options are the options of a [Handler]. The zero value is the defaults, which are
// safe for any tree.
type Options struct {
	// Codings are the content codings to offer. Of variants with equal qvalue and
	// size, the first wins. Default: [manifest.Codings].
	Codings []manifest.Coding
	// Decoders decode variants; package serve/decode has one for every coding. They
	// have two uses. In a tree without a manifest they check that variants decode to
	// their sources; without a decoder, a variant is used if it is smaller than its
	// source, not older, and correctly framed. And they send an asset that
	// VariantOnly left without a source to clients that accept none of its variants.
	// The decoder for gzip is built in.
	Decoders map[manifest.Coding]Decoder

	// Index is the name of the index page of directories. Default: "index.html".
	Index string
	// NotFound is the path in the tree of the page to send with a 404.
	NotFound string
	// Fallback is the path in the tree of the page of a single-page application. It
	// answers navigations to names that are not in the tree: a GET or HEAD for a path
	// whose last element has no file extension. If the client sends Sec-Fetch-Mode,
	// it must be "navigate"; else if it sends Accept, it must have text/html or */*.
	Fallback string
	// Next answers requests, of any method, for names that are not in the tree and
	// that the Fallback does not answer. Default: a 404.
	Next http.Handler

	// CacheControl returns the Cache-Control field of an asset, or "" for the
	// default. It is called once per asset and index, not for every request.
	CacheControl func(Asset) string
	// Immutable reports whether a path has the content's fingerprint in its name, so
	// that a cache may keep it for a year without validating; see [Fingerprinted]. It
	// does not apply to HTML. Default: no path; every use of a cached response is
	// validated ("no-cache"). But for the assets that the manifest makes dictionaries
	// of, which are useless unless fresh, the default is those with a Fingerprint.
	Immutable func(path string) bool
	// Fingerprint finds fingerprints where Immutable is nil. Default: those of
	// [Fingerprinted].
	Fingerprint manifest.Fingerprint
	// Header may change the header of every response about an asset (200, 206, 304,
	// 406, 412, 416, and a 404 with the NotFound page) just before it is sent. It must
	// replace the values that are there, not change them: requests share them.
	Header func(h http.Header, r *http.Request, a Asset)
	// Observe is called after every response, except for those of Next.
	Observe func(Event)

	// MemoryLimit is how many bytes of content to keep in memory, of files of at most
	// 256 KiB each. Default: 64 MiB. Negative: none.
	MemoryLimit int64
	// VariantOnly serves assets that have variants but no source in the tree. To
	// clients that accept none of the variants it sends one decoded on the fly, if
	// Decoders has its coding, or else a 406. With a manifest, only the variants that
	// it lists count; without one, every name with a variant's suffix and no source,
	// except name.tar.gz and the like.
	VariantOnly bool
	// NoDictionaries turns compression dictionaries off (RFC 9842): deltas are not
	// sent, and no asset is offered as a dictionary.
	NoDictionaries bool
	// Dev reads the tree again for every request. It is for development only.
	Dev bool
	// Dotfiles serves files and directories whose names start with a dot. Default:
	// only /.well-known (RFC 8615).
	Dotfiles bool
	// Strict responds with 406 to a client that accepts no representation (RFC 9110,
	// section 15.5.7). Default: it disregards the client's Accept-Encoding and sends
	// the asset without a coding.
	Strict bool
}

// Decoder returns a reader of the decoded content of a stream. The reader must
// return an error at the end of an incomplete stream.
type Decoder func(io.Reader) (io.ReadCloser, error)

// Event describes a response for [Options.Observe].
type Event struct {
	Request  *http.Request
	Asset    string          // path in the tree; "" if the response is about no asset
	Coding   manifest.Coding // of the body; "" for none
	Status   int
	Bytes    int64 // of the body, as passed to the connection
	Duration time.Duration
	// Err is why the status is 500 or 403, or why the body was cut short, usually
	// because the client went away.
	Err error
}

// OptionError is the error for a field of [Options].
type OptionError struct {
	Field string // such as "Fallback"
	Err   error
}

// Error returns a text such as "option Fallback: app.html: file does not exist".
func (e *OptionError) Error() string { return "option " + e.Field + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *OptionError) Unwrap() error { return e.Err }

const (
	defaultIndex       = "index.html"
	defaultMemoryLimit = 64 << 20
	// smallBody is the largest size of content that is kept in memory, in bytes.
	smallBody = 256 << 10
)

// withDefaults fills in the defaults and checks the rest.
func (o Options) withDefaults() (Options, error) {
	if len(o.Codings) == 0 {
		o.Codings = manifest.Codings()
	}
	o.Codings = slices.Clone(o.Codings)
	for i, c := range o.Codings {
		if c.Suffix() == "" {
			return o, &OptionError{"Codings", fmt.Errorf("unknown coding %q", c)}
		}
		if slices.Contains(o.Codings[:i], c) {
			return o, &OptionError{"Codings", fmt.Errorf("coding %s is named twice", c)}
		}
	}
	if o.Index == "" {
		o.Index = defaultIndex
	}
	if o.MemoryLimit == 0 {
		o.MemoryLimit = defaultMemoryLimit
	}
	decoders := map[manifest.Coding]Decoder{manifest.Gzip: decodeGzip}
	for c, d := range o.Decoders {
		if d != nil {
			decoders[c] = d
		}
	}
	o.Decoders = decoders
	return o, nil
}

func decodeGzip(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }
