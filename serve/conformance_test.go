package serve_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/testdata/conformance"
)

// testCase is a case of cases.txt; its README tells the form.
type testCase struct {
	name    string
	rule    string
	options []string
	method  string
	target  string
	proto   string
	fields  []string // "Name: value"
	status  int
	coding  string   // "identity", or a coding, or "?" for any, or "" for none
	expect  []string // the lines behind "<" but the first
}

func parseCases(t *testing.T, text string) (cases []testCase) {
	for line := range strings.SplitSeq(text, "\n") {
		mark, rest, _ := strings.Cut(line, " ")
		if mark == "case" {
			cases = append(cases, testCase{name: rest})
		}
		if len(cases) == 0 {
			continue
		}
		c := &cases[len(cases)-1]
		switch mark {
		case "must", "should", "policy":
			c.rule = line
		case "with":
			c.options = append(c.options, rest)
		case ">":
			if c.method != "" {
				c.fields = append(c.fields, strings.ReplaceAll(rest, `\t`, "\t"))
				break
			}
			words := append(strings.Split(rest, " "), "HTTP/1.1")
			if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "HTTP/") }); i > 2 {
				words = []string{words[0], strings.Join(words[1:i], " "), words[i]}
			}
			c.method, c.target, c.proto = words[0], words[1], words[2]
		case "<":
			if c.status != 0 {
				c.expect = append(c.expect, rest)
				break
			}
			status, coding, _ := strings.Cut(rest, " ")
			c.status, _ = strconv.Atoi(status)
			c.coding = coding
		case "", "#", "case":
		default:
			t.Fatalf("cases.txt: %q: what is this line?", line)
		}
	}
	for _, c := range cases {
		if c.rule == "" || c.method == "" || c.status == 0 {
			t.Fatalf("cases.txt: case %s is incomplete", c.name)
		}
	}
	return cases
}

// answer is what came over the wire.
type answer struct {
	*http.Response
	body []byte
}

// ask sends a request as it stands and reads what comes until the server
// closes. A body that is longer or shorter than the framing says is an error.
func ask(addr, method, target, proto string, fields ...string) (answer, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return answer{}, err
	}
	defer conn.Close()
	fields = append([]string{"Host: localhost"}, append(fields, "Connection: close")...)
	if _, err := fmt.Fprintf(conn, "%s %s %s\r\n%s\r\n\r\n", method, target, proto, strings.Join(fields, "\r\n")); err != nil {
		return answer{}, err
	}
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		return answer{}, err
	}
	a := answer{Response: resp}
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		return a, fmt.Errorf("body: %w", err)
	}
	if rest, _ := io.ReadAll(r); len(rest) > 0 {
		return a, fmt.Errorf("%d bytes behind the end of the answer", len(rest))
	}
	return a, nil
}

// runner runs cases against one server.
type runner struct {
	*testing.T
	addr string
}

func (r runner) mustAsk(method, target, proto string, fields ...string) answer {
	r.Helper()
	a, err := ask(r.addr, method, target, proto, fields...)
	if err != nil {
		r.Fatal(err)
	}
	return a
}

func (r runner) probe(target, coding string) answer {
	r.Helper()
	fields := []string{"Accept-Encoding: " + coding}
	if manifest.Coding(coding).IsDelta() {
		fields = append(fields, "Available-Dictionary: "+availableDictionary(r.T))
	}
	return r.mustAsk("GET", target, "HTTP/1.1", fields...)
}

// dictionaryHash names the dictionary of the tree's deltas.
func dictionaryHash(t testing.TB) manifest.Dictionary {
	t.Helper()
	return sha256.Sum256(dictionaryContent(t))
}

func dictionaryContent(t testing.TB) []byte {
	t.Helper()
	data, err := conformance.Files.ReadFile(path.Join(conformance.Beside, conformance.Dictionary))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// availableDictionary is the field of a client that holds the dictionary.
func availableDictionary(t testing.TB) string {
	t.Helper()
	hash := dictionaryHash(t)
	return ":" + base64.StdEncoding.EncodeToString(hash[:]) + ":"
}

var placeholder = regexp.MustCompile(`\{(repeat|etag|last-modified|size|dictionary) ?([^}]*)\}`)

// fill replaces placeholders.
func (r runner) fill(c testCase, s string) string {
	return placeholder.ReplaceAllStringFunc(s, func(p string) string {
		m := placeholder.FindStringSubmatch(p)
		switch m[1] {
		case "repeat":
			count, what, _ := strings.Cut(m[2], " ")
			n, _ := strconv.Atoi(count)
			return strings.Repeat(what, n)
		case "etag":
			if tag := r.probe(c.target, m[2]).Header.Get("ETag"); tag != "" {
				return tag
			}
			r.Fatalf("no ETag for %s in %s", c.target, m[2])
		case "last-modified":
			date := r.probe(c.target, "identity").Header.Get("Last-Modified")
			if date == "" {
				r.Skip("these files have no time")
			}
			return date
		case "dictionary":
			return availableDictionary(r.T)
		case "size":
			name, coding, _ := strings.Cut(m[2], " ")
			return strconv.Itoa(len(content(r.T, name, coding)))
		}
		return p
	})
}

// content returns what a file of the tree is in a coding.
func content(t *testing.T, name, coding string) []byte {
	t.Helper()
	switch c := manifest.Coding(coding); {
	case c.IsDelta():
		name = manifest.DeltaName(name, dictionaryHash(t), c)
	case coding != "" && coding != "identity":
		name += c.Suffix()
	}
	data, err := conformance.Files.ReadFile(path.Join(conformance.Tree, name))
	if err != nil {
		data, err = conformance.Files.ReadFile(path.Join(conformance.Beside, name))
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (r runner) run(c testCase) {
	var fields []string
	for _, f := range c.fields {
		fields = append(fields, r.fill(c, f))
	}
	a := r.mustAsk(c.method, r.fill(c, c.target), c.proto, fields...)
	if a.StatusCode != c.status {
		r.Fatalf("status %d, want %d (%s)", a.StatusCode, c.status, c.rule)
	}
	coding := a.Header.Get("Content-Encoding")
	if want := strings.TrimPrefix(c.coding, "identity"); c.coding != "?" && coding != want {
		r.Errorf("Content-Encoding %q, want %q (%s)", coding, want, c.rule)
	}
	if c.method == "HEAD" && len(a.body) > 0 {
		r.Errorf("HEAD was answered with a body of %d bytes", len(a.body))
	}
	for _, line := range c.expect {
		if err := r.check(c, a, coding, r.fill(c, line)); err != nil {
			r.Errorf("%v (%s)", err, c.rule)
		}
	}
}

// check checks one line of what is expected.
func (r runner) check(c testCase, a answer, coding, line string) error {
	if line == "no body" {
		if len(a.body) > 0 {
			return fmt.Errorf("a body of %d bytes", len(a.body))
		}
		return nil
	}
	first, rest, _ := strings.Cut(line, " ")
	switch first {
	case "content":
		want := content(r.T, strings.TrimPrefix(rest, "of "), coding)
		if a.ContentLength != int64(len(want)) {
			return fmt.Errorf("Content-Length %d, want %d", a.ContentLength, len(want))
		}
		if c.method != "HEAD" && !bytes.Equal(a.body, want) {
			return fmt.Errorf("%d bytes that are not the content of %s, %d bytes", len(a.body), rest, len(want))
		}
		return nil
	case "part":
		bounds, name, _ := strings.Cut(rest, " of ")
		return checkPart(a, bounds, content(r.T, name, coding))
	case "body":
		if what := strings.TrimPrefix(rest, "without "); bytes.Contains(a.body, []byte(what)) {
			return fmt.Errorf("the body contains %q", what)
		}
		return nil
	}
	return r.checkField(c, a, first, rest)
}

// checkPart compares with the part that bounds, such as "0-99", "5-" or "-10",
// stand for.
func checkPart(a answer, bounds string, all []byte) error {
	left, right, _ := strings.Cut(bounds, "-")
	start, errStart := strconv.Atoi(left)
	end, errEnd := strconv.Atoi(right)
	switch {
	case errStart != nil:
		start, end = len(all)-end, len(all)-1
	case errEnd != nil || end >= len(all):
		end = len(all) - 1
	}
	if got, want := a.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-%d/%d", start, end, len(all)); got != want {
		return fmt.Errorf("Content-Range %q, want %q", got, want)
	}
	if !bytes.Equal(a.body, all[start:end+1]) {
		return fmt.Errorf("the body is not bytes %d to %d", start, end)
	}
	return nil
}

// checkField checks a header field against "present", "is VALUE" and so on.
func (r runner) checkField(c testCase, a answer, name, rule string) error {
	values := a.Header.Values(name)
	value := strings.Join(values, ", ")
	word, rest, _ := strings.Cut(rule, " ")
	ok := false
	switch word {
	case "present":
		ok = len(values) > 0
	case "absent":
		ok = len(values) == 0
	case "once":
		ok = len(values) == 1
	case "is":
		ok = value == rest
	case "lists":
		n := 0
		for member := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(member), rest) {
				n++
			}
		}
		ok = n == 1
	case "matches":
		pattern, not := strings.CutPrefix(rest, "not ")
		ok = regexp.MustCompile(pattern).MatchString(value) != not
	case "same":
		ok = value == r.probe(c.target, strings.TrimPrefix(rest, "as ")).Header.Get(name)
	case "other":
		ok = value != r.probe(c.target, strings.TrimPrefix(rest, "than ")).Header.Get(name)
	}
	if !ok {
		return fmt.Errorf("%s: %q, want: %s", name, value, rule)
	}
	return nil
}
