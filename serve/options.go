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

// Options says how to serve a tree. The zero value means the defaults, which
// are safe for any tree.
type Options struct {
	// Codings are the content codings to offer. Between variants of equal
	// qvalue and equal size the one named first wins. Default: every coding
	// that package manifest knows.
	Codings []manifest.Coding
	// Decoders decode variants; package serve/decode has one for each coding.
	// They are needed for two things only: to compare variants with their
	// sources in a tree without a manifest (without one, a sibling is believed
	// if it is smaller than its source, not older, and looks sound), and to
	// send an asset of which VariantOnly left no source to a client that does
	// not accept its variants. One for gzip is built in.
	Decoders map[manifest.Coding]Decoder

	// Index is the file that answers for its directory. Default: "index.html".
	Index string
	// NotFound is the path, in the tree, of the page to send with a 404.
	NotFound string
	// Fallback is the path, in the tree, of the page of a single-page
	// application. It answers navigations to names that the tree does not
	// have: a GET or HEAD, the last path element without a file extension,
	// and, where the client sends Sec-Fetch-Mode or Accept, "navigate" or an
	// Accept that takes text/html, by name or as */*. Anything else stays a miss.
	Fallback string
	// Next answers for names that are neither in the tree nor answered by the
	// Fallback, whatever the method. Default: a 404.
	Next http.Handler

	// CacheControl returns the Cache-Control field of an asset; "" stands for
	// the default. It is called once an asset and index, not once a request.
	CacheControl func(Asset) string
	// Immutable tells which paths have their content's fingerprint in their
	// name, so that a cache may keep them for a year without asking; see
	// [Fingerprinted]. HTML is never marked so, whatever it returns. Default:
	// none; every use of a cached answer is validated ("no-cache"). Only for
	// assets that the manifest makes dictionaries of, which are of no use
	// without a lifetime, the default is those that have a Fingerprint.
	Immutable func(path string) bool
	// Fingerprint finds fingerprints where Immutable is nil. Default: as
	// [Fingerprinted] does.
	Fingerprint manifest.Fingerprint
	// Header may add to the header of every answer that has to do with an
	// asset (200, 206, 304, 406, 412, 416, and a 404 with the NotFound page),
	// just before it is sent. Values that are there already must be replaced,
	// not changed in place: requests share them.
	Header func(h http.Header, r *http.Request, a Asset)
	// Observe is told of every answer but those of Next, after it was sent.
	Observe func(Event)

	// MemoryLimit is how many bytes of content to keep in memory; files of
	// more than 256 KiB never are. Default: 64 MiB. Negative: none.
	MemoryLimit int64
	// VariantOnly serves assets of which the tree has variants but no source.
	// Clients that accept none of the variants get one that is decoded on the
	// fly, where Decoders has its coding, or else a 406. With a manifest, only
	// what it lists counts as a variant; without, every name with a variant's
	// suffix and no source, except that name.tar.gz stays what it is.
	VariantOnly bool
	// NoDictionaries switches compression dictionaries off (RFC 9842): no delta
	// is sent, and no asset is said to be a dictionary.
	NoDictionaries bool
	// Dev looks at the disk at every request instead of once. For development:
	// every request walks the tree.
	Dev bool
	// Dotfiles serves files and directories whose names start with a dot, too.
	// Default: only /.well-known (RFC 8615).
	Dotfiles bool
	// Strict answers 406 to a client that refuses all there is (RFC 9110,
	// section 15.5.7), instead of disregarding its Accept-Encoding and sending
	// the asset without a coding.
	Strict bool
}

// Decoder returns a reader of what a stream in some content coding decodes
// to. The reader fails at its end if the stream is incomplete.
type Decoder func(io.Reader) (io.ReadCloser, error)

// Event is what [Options.Observe] is told about an answer.
type Event struct {
	Request  *http.Request
	Asset    string          // path in the tree; "" if no asset was involved
	Coding   manifest.Coding // of the body, "" for none
	Status   int
	Bytes    int64 // of the body, as handed to the connection
	Duration time.Duration
	// Err is why a status is 500 or 403, or why a body was cut short: most
	// often a client that went away.
	Err error
}

const (
	defaultIndex       = "index.html"
	defaultMemoryLimit = 64 << 20
	// smallBody is the size up to which content may be kept in memory.
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
			return o, fmt.Errorf("options: unknown coding %q", c)
		}
		if slices.Contains(o.Codings[:i], c) {
			return o, fmt.Errorf("options: coding %s is named twice", c)
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
