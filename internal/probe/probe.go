package probe

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/precompress/precompress/manifest"
)

// Options says how to ask. The zero value means the defaults.
type Options struct {
	Timeout   time.Duration // of a request, with the content of its answer. Default: 10 s
	Jobs      int           // how many requests are under way at once. Default: 4
	Rate      float64       // how many requests are sent a second, over all. Default: 20
	MaxBody   int64         // content above this many bytes, also once decoded, is not looked at. Default: 32 MiB
	UserAgent string        // Default: "precompress-probe"
	// Header is sent with every request; "Host" names another host than that of the
	// URL. [CheckHeader] tells what is allowed.
	Header http.Header
	TLS    *tls.Config // Default: that of package crypto/tls
	// Fingerprint finds the names that caches may keep for long.
	Fingerprint manifest.Fingerprint
	// Observe is told of each result, in the order that Run returns them in, as soon
	// as it and all before it are there; of one at a time.
	Observe func(*Result)
}

func (o Options) withDefaults() (Options, error) {
	for name := range o.Header {
		if err := CheckHeader(name, line(o.Header, name)); err != nil {
			return o, err
		}
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Jobs <= 0 {
		o.Jobs = 4
	}
	if o.Rate <= 0 {
		o.Rate = 20
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 32 << 20
	}
	if o.UserAgent == "" {
		o.UserAgent = "precompress-probe"
	}
	return o, nil
}

// Target is a URL to ask for.
type Target struct {
	URL   *url.URL        // absolute; see [ParseURL]
	Asset *manifest.Asset // what the build knows of it; nil for nothing
}

// Result is what was found out about one URL.
type Result struct {
	URL      string // as given, without user and password
	Final    string // where redirects have led to; as URL if there were none
	Asset    string // the path in the manifest, if there is one
	Answers  []*Answer
	Findings []Finding // sorted by word, coding and text
	Passed   []Check   // what was looked at and is fine, sorted by word
	// Err is why not everything was asked: a request that had no answer
	// ([RequestError]), or a redirect to another host ([RedirectError]). What was
	// answered before it was looked at.
	Err error
}

// Faults returns how many findings are faults.
func (r *Result) Faults() int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == Fault {
			n++
		}
	}
	return n
}

// Run asks about every target and returns a result for each, sorted by URL. When
// the context ends, it returns those that are complete, and the context's error.
// Any other error is about the options.
func Run(ctx context.Context, targets []Target, opts Options) ([]*Result, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	targets = slices.Clone(targets)
	slices.SortStableFunc(targets, func(a, b Target) int { return strings.Compare(bare(a.URL), bare(b.URL)) })
	asker := newAsker(opts)
	all := &collected{results: make([]*Result, len(targets)), observe: opts.Observe}
	group := new(errgroup.Group)
	group.SetLimit(opts.Jobs) // of one URL, one request is under way at a time
	for i, t := range targets {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			if r := examine(ctx, asker, t); ctx.Err() == nil {
				all.put(i, r)
			}
			return nil
		})
	}
	_ = group.Wait() // no function returns an error
	return all.end(), ctx.Err()
}

// collected are the results by the index of their target, some of them not there
// yet.
type collected struct {
	mu      sync.Mutex // guards all
	results []*Result
	told    int // those before it were told of
	observe func(*Result)
}

// put adds a result, and tells of those that it was waited for.
func (c *collected) put(i int, r *Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.results[i] = r
	for c.told < len(c.results) && c.results[c.told] != nil {
		c.tell(c.results[c.told])
		c.told++
	}
}

// end tells of what is left, and returns all that there is.
func (c *collected) end() []*Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.results[c.told:] {
		if r != nil {
			c.tell(r)
		}
	}
	return slices.DeleteFunc(c.results, func(r *Result) bool { return r == nil })
}

func (c *collected) tell(r *Result) {
	if c.observe != nil {
		c.observe(r)
	}
}
