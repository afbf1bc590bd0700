package probe_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/precompress/precompress/internal/probe"
)

// TestRequests: what is sent is what is asked, and nothing that the transport
// would add; every request has the header of the options and the user of the URL.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := newServer()
	var mu sync.Mutex
	var asked []string
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if r.Header.Get("User-Agent") != "agent/1" || r.Header.Get("X-Key") != "secret" || user != "u" || password != "p" || r.Host != "other.example" {
			t.Errorf("host %s, header %v", r.Host, r.Header)
		}
		mu.Lock()
		asked = append(asked, r.Method+" "+strings.Join(r.Header["Accept-Encoding"], "+"))
		mu.Unlock()
		s.ServeHTTP(w, r)
	}))
	defer live.Close()
	opts := fast()
	opts.UserAgent = "agent/1"
	opts.Header = http.Header{"X-Key": {"secret"}, "Host": {"other.example"}}
	u := parse(t, strings.Replace(live.URL, "http://", "http://u:p@", 1)+script)
	r := run(t, []probe.Target{{URL: u}}, opts)[0]
	if len(r.Findings) != 0 || r.URL != live.URL+script {
		t.Errorf("%s: %+v", r.URL, r.Findings)
	}
	for _, want := range []string{
		"GET ", "GET identity", "GET gzip", "GET br", "GET zstd", "GET gzip, deflate, br, zstd", "GET br;q=0, gzip;q=0, zstd;q=0",
		"GET br;q=0, gzip", "GET identity, *;q=0", "HEAD identity", "HEAD gzip", "HEAD br", "HEAD zstd",
	} {
		if !slices.Contains(asked, want) {
			t.Errorf("not asked: %q", want)
		}
	}
	if len(asked) != len(r.Answers) {
		t.Errorf("%d requests came, %d are told of", len(asked), len(r.Answers))
	}
}

// TestOneAtATime: no more requests are under way than Jobs says, and of one URL
// one.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	s := newServer()
	var mu sync.Mutex
	now, most := 0, 0
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		for range 2000 { // others have their turn, and come if they may
			runtime.Gosched()
		}
		s.ServeHTTP(w, r)
		mu.Lock()
		now--
		mu.Unlock()
	}))
	defer live.Close()
	opts := fast()
	opts.Jobs = 2
	target := probe.Target{URL: parse(t, live.URL+script)}
	run(t, []probe.Target{target, target, target, target, target, target}, opts)
	if most > 2 {
		t.Errorf("%d requests at once", most)
	}
}

// TestLayer: what answers say of who gave them.
func TestLayer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, value, from, field string
	}{
		{"Server", "nginx", "", "Server: nginx"},
		{"Via", "1.1 varnish", "", "Via: 1.1 varnish"},
		{"Age", "12", "cache", "Age: 12"},
		{"Cache-Status", `edge; hit; ttl=30`, "cache", "Cache-Status: edge; hit; ttl=30"},
		{"Cache-Status", `edge; fwd=miss; stored`, "origin", "Cache-Status: edge; fwd=miss; stored"},
		{"Cache-Status", `origin; fwd=uri-miss, edge; hit`, "cache", "Cache-Status: origin; fwd=uri-miss, edge; hit"},
		{"CF-Cache-Status", "DYNAMIC", "origin", "CF-Cache-Status: DYNAMIC"},
		{"CF-Cache-Status", "HIT", "cache", "CF-Cache-Status: HIT"},
		{"X-Cache", "Hit from cloudfront", "cache", "X-Cache: Hit from cloudfront"},
		{"X-Cache", "MISS", "origin", "X-Cache: MISS"},
		{"Server-Timing", "cdn-cache; desc=HIT, edge; dur=1", "cache", "Server-Timing: cdn-cache; desc=hit"},
	} {
		s := newServer()
		s.change = func(_ *server, _ *http.Request, a *reply) { a.header.Set(test.name, test.value) }
		live := httptest.NewServer(s)
		l := run(t, []probe.Target{{URL: parse(t, live.URL+script)}}, fast())[0].Answers[0].Provenance
		live.Close()
		if l.From != test.from || len(l.Fields) != 1 || l.Fields[0] != test.field {
			t.Errorf("%s: %s: %+v", test.name, test.value, l)
		}
	}
}

// TestRate: requests wait for each other. The second one would have to for longer
// than the context lasts, which is known at once.
func TestRate(t *testing.T) {
	t.Parallel()
	live := httptest.NewServer(newServer())
	defer live.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	results, err := probe.Run(ctx, []probe.Target{{URL: parse(t, live.URL+script)}}, probe.Options{Rate: 0.001})
	if err != nil || len(results) != 1 || results[0].Err == nil || len(results[0].Answers) != 1 {
		t.Errorf("%+v, %v", results, err)
	}
}

// TestObserve: results are told of in order, whichever is there first.
func TestObserve(t *testing.T) {
	t.Parallel()
	s := newServer()
	release := make(chan struct{})
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "1" {
			<-release // until all others are there
		}
		if r.URL.RawQuery == "3" && strings.HasSuffix(r.Header.Get("Range"), "-") {
			defer close(release) // the last request
		}
		s.ServeHTTP(w, r)
	}))
	defer live.Close()
	var targets []probe.Target
	for _, query := range []string{"3", "1", "2"} {
		targets = append(targets, probe.Target{URL: parse(t, live.URL+script+"?"+query)})
	}
	var told []*probe.Result
	opts := fast()
	opts.Observe = func(r *probe.Result) { told = append(told, r) }
	if results := run(t, targets, opts); !slices.Equal(results, told) || !strings.HasSuffix(told[0].URL, "?1") || !strings.HasSuffix(told[2].URL, "?3") {
		t.Errorf("told of %v, returned %v", told, results)
	}
}

// TestObserveAtOnce: a result is told of while others are waited for.
func TestObserveAtOnce(t *testing.T) {
	t.Parallel()
	s := newServer()
	told := make(chan struct{})
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "2" {
			<-told
		}
		s.ServeHTTP(w, r)
	}))
	defer live.Close()
	opts := fast()
	opts.Observe = func(r *probe.Result) {
		if strings.HasSuffix(r.URL, "?1") {
			close(told)
		}
	}
	run(t, []probe.Target{{URL: parse(t, live.URL+script+"?1")}, {URL: parse(t, live.URL+script+"?2")}}, opts)
}
