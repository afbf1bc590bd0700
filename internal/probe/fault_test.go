package probe_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/probe"
	"github.com/precompress/precompress/manifest"
)

// fault is a server with one fault, and the words of what is to be found: these
// and no others.
type fault struct {
	want   string // words with a space between them, each as often as it is found
	asset  bool   // ask with what the build knows
	prep   func(t *testing.T, s *server)
	ask    func(r *http.Request)
	change func(s *server, r *http.Request, a *reply)
	know   func(a *manifest.Asset) // changes what the build knows
	opts   probe.Options
}

// whole reports whether an answer has all of the content.
func whole(a *reply) bool { return a.status == http.StatusOK }

// coded reports whether the answer has the coding.
func coded(a *reply, c manifest.Coding) bool {
	return a.header.Get("Content-Encoding") == string(c)
}

// rewrite replaces an Accept-Encoding.
func rewrite(from, to string) func(*http.Request) {
	return func(r *http.Request) {
		if r.Header.Get("Accept-Encoding") == from {
			r.Header.Set("Accept-Encoding", to)
		}
	}
}

// on changes the replies with a field.
func on(c manifest.Coding, f func(s *server, a *reply)) func(*server, *http.Request, *reply) {
	return func(s *server, _ *http.Request, a *reply) {
		if whole(a) && coded(a, c) {
			f(s, a)
		}
	}
}

// TestDoc: the package's documentation names every check with its source and
// severity, and the README each word.
func TestDoc(t *testing.T) {
	data, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	doc := strings.Join(strings.Fields(strings.ReplaceAll(string(data), "\n//", " ")), " ") + " - "
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range probe.Checks() {
		if !strings.Contains(string(readme), "`"+c.Word+"`") {
			t.Errorf("%s is not in the README", c.Word)
		}
		_, entry, found := strings.Cut(doc, " - "+c.Word+": ")
		entry, _, _ = strings.Cut(entry, " - ")
		if !found || !strings.Contains(entry, c.Reference) || c.Severity == probe.Advice && !strings.Contains(entry, "advice)") || c.Severity == probe.Fault && strings.Contains(entry, "advice)") {
			t.Errorf("%s: %q", c.Word, entry)
		}
	}
}

// TestFaults: each fault is found, and nothing else is.
func TestFaults(t *testing.T) {
	for _, faults := range allFaults() {
		for name, f := range faults {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				compareWords(t, probeFault(t, f), f.want)
			})
		}
	}
}

// probeFault asks the server with the fault.
func probeFault(t *testing.T, f fault) *probe.Result {
	t.Helper()
	s := newServer(t)
	asset := s.asset()
	s.ask, s.change = f.ask, f.change
	if f.prep != nil {
		f.prep(t, s)
	}
	path := cmp.Or(s.asked, s.path) + s.query
	live := httptest.NewServer(s)
	defer live.Close()
	target := probe.Target{URL: parse(t, live.URL+path)}
	if f.asset {
		target.Asset = asset
	}
	if f.know != nil {
		f.know(asset)
		target.Asset = asset
	}
	f.opts.Rate = fast().Rate
	return run(t, []probe.Target{target}, f.opts)[0]
}

// TestReferences: where one check has several sources, the finding has its own.
func TestReferences(t *testing.T) {
	for name, test := range map[string]struct {
		faults          map[string]fault
		reference, text string
	}{
		"x-gzip":                            {negotiationFaults(), "RFC 9110, section 8.4.1.3", "x-gzip, an old name"},
		"identity":                          {negotiationFaults(), "RFC 9110, section 8.4", "identity, which is a word for Accept-Encoding"},
		"406 for identity":                  {negotiationFaults(), "RFC 9110, section 15.5.7", "is 406"},
		"416":                               {rangeFaults(), "RFC 9110, section 15.5.17", "416 for bytes"},
		"500 for a part":                    {rangeFaults(), "RFC 9110, section 15.6.1", "500 for bytes"},
		"206 of several parts":              {rangeFaults(), "RFC 9110, section 15.3.7.2", "several parts"},
		"304 with another length":           {updateFaults(), "RFC 9110, section 8.6", "Content-Length is 5"},
		"two types":                         {typeFaults(), "RFC 9110, section 5.3", "2 times"},
		`Cache-Control: max-age="60"`:       {fieldFaults(), "RFC 9111, section 5.2.2.1", "quoted"},
		"203":                               {negotiationFaults(), "RFC 9110, section 15.3.4", "is 203"},
		"Vary: *":                           {cachingFaults(), "RFC 9111, section 4.1", "no cache"},
		"Vary: User-Agent, too":             {cachingFaults(), "RFC 9110, section 12.5.5", "User-Agent"},
		"br with a large window":            {contentFaults(), "RFC 7932, section 9.1", "16 MiB"},
		"zstd with a large window":          {contentFaults(), "RFC 9659, section 3", "8 MiB"},
		"a page for a script, known":        {typeFaults(), "", "a page of"},
		"a delta cut":                       {deltaFaults(), "RFC 9842, section 4", "header of dcb"},
		"dcz alone with another dictionary": {dictionaryFaults(), "RFC 9842, section 5", "client holds"},
		"dcz is dropped":                    {deltaFaults(), "RFC 9842, section 2.2", "takes dcz alone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := probeFault(t, test.faults[name]).Findings[0]
			if f.Reference != test.reference || !strings.Contains(f.Text, test.text) {
				t.Errorf("%s (%s)", f.Text, f.Reference)
			}
		})
	}
}

// TestAdvice: what to change is of what was found, where one check is about several
// things.
func TestAdvice(t *testing.T) {
	for name, test := range map[string]struct {
		faults map[string]fault
		advice string
	}{
		"500 for a foreign ETag":        {preconditionFaults(), "as if the field was not there"},
		"500 to who holds a dictionary": {dictionaryFaults(), "a dictionary is of no use"},
		"two ways to end":               {frameFaults(), "Content-Length or Transfer-Encoding, not both"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if f := probeFault(t, test.faults[name]).Findings[0]; !strings.Contains(f.Check.Advice, test.advice) {
				t.Errorf("%s: %s", f.Text, f.Check.Advice)
			}
		})
	}
}

func allFaults() []map[string]fault {
	return []map[string]fault{negotiationFaults(), redirectFaults(), framingFaults(), frameFaults(), contentFaults(), typeFaults(), cachingFaults(), cacheControlFaults(), fieldFaults(), conditionFaults(), preconditionFaults(), updateFaults(), rangeFaults(), ifRangeFaults(), dictionaryFaults(), deltaFaults()}
}

// TestChecks: the table has a server for everything that is looked at, and no
// words that are not.
func TestChecks(t *testing.T) {
	var words, checks []string
	for _, faults := range allFaults() {
		for _, f := range faults {
			words = append(words, strings.Fields(f.want)...)
		}
	}
	for _, c := range probe.Checks() {
		checks = append(checks, c.Word)
	}
	words = append(words, "malformed") // TestMalformed: no handler can answer so
	slices.Sort(words)
	if words = slices.Compact(words); !slices.Equal(words, checks) {
		t.Errorf("tested are\n%q, checks are\n%q", words, checks)
	}
}

func compareWords(t *testing.T, r *probe.Result, want string) {
	t.Helper()
	var words []string
	for _, f := range r.Findings {
		words = append(words, f.Word)
	}
	if got := strings.Join(words, " "); got != want {
		t.Errorf("found %q, want %q", got, want)
		for _, f := range r.Findings {
			t.Logf("%s: %s: %s: %v", f.Word, f.Coding, f.Text, f.Asked)
		}
	}
	for _, f := range r.Findings {
		if slices.ContainsFunc(r.Passed, func(c probe.Check) bool { return c.Word == f.Word }) {
			t.Errorf("%s has passed and was found", f.Word)
		}
		if f.Text == "" || f.Check.Advice == "" || f.Severity == "" {
			t.Errorf("%+v is not complete", f)
		}
	}
}
