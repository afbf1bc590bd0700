package probe

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"github.com/precompress/precompress/manifest"
)

// FuzzAnswers looks at answers that servers could send, all with the same header
// but for one field each and another coding: nothing panics, and whatever is told
// can be printed.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []struct{ header, content string }{
		{"Content-Type: text/javascript\r\nVary: Accept-Encoding\r\nETag: \"a\"\r\nCache-Control: max-age=5", "let a = 1;"},
		{"Use-As-Dictionary: match=\"/a*\", id=\"x\", match-dest=(\"script\" \"style\");q=1, type=raw", ""},
		{"Content-Range: bytes 0-4/5\r\nVary: *", "abcde"},
		{"Content-Range: bytes 9223372036854775807-9223372036854775807/*", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"},
		{"Cache-Status: a;hit, b; fwd=miss\r\nAge: 1\r\nServer-Timing: cdn-cache; desc=HIT", "\x28\xb5\x2f\xfd\x04\x00\x01\x00\x00"},
		{"Content-Encoding: x-gzip, br\r\nContent-Length: 5", "\xffDCBaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
		{"ETag: W/\"\u009b\"\r\nContent-Type: \xff\xfe; charset=\xc3\x28\r\nX-Cache: \u202e", "\x11\x00"},
		{"Transfer-Encoding: chunked\r\nETag: \"a\r\nETag: b", "3\r\nabc\r\n0\r\n\r\n"},
	} {
		f.Add(seed.header, seed.content)
	}
	target, err := ParseURL("http://localhost/app.3f8a91c2d4.js")
	if err != nil {
		f.Fatal(err)
	}
	asset := &manifest.Asset{Path: "app.3f8a91c2d4.js", Variants: []manifest.Variant{{Coding: manifest.Brotli, Size: 3}}}
	opts, err := Options{MaxBody: 4 << 10}.withDefaults()
	if err != nil {
		f.Fatal(err)
	}
	asker := newAsker(opts)
	f.Fuzz(func(t *testing.T, header, content string) {
		for _, known := range []*manifest.Asset{nil, asset} {
			e := &examination{asker: asker, at: target, asset: known, result: &Result{URL: bare(target)}, looked: make(map[string]Check)}
			e.lookAt(answersOf(header, content, opts.MaxBody))
			for _, found := range e.result.Findings {
				text := found.Text + strings.Join(found.Asked, "")
				if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || len(text) > 4000 {
					t.Errorf("%s: %q", found.Word, text)
				}
			}
		}
	})
}

// answersOf returns the answers to everything that is asked.
func answersOf(header, content string, limit int64) []*Answer {
	var all []*Answer
	for _, n := range append([]negotiation{{}}, negotiations...) {
		coded := ""
		if len(n.takes) > 0 {
			coded = "Content-Encoding: " + n.takes[len(n.takes)-1] + "\r\n"
		}
		raw := "HTTP/1.1 200 OK\r\n" + coded + header + "\r\n\r\n" + content
		response, err := http.ReadResponse(bufio.NewReader(strings.NewReader(raw)), nil)
		if err != nil {
			continue
		}
		if a, err := readAnswer(response, get(n.accept), limit); err == nil {
			all = append(all, a)
		}
		response.Body.Close()
	}
	return all
}

// lookAt does all that needs no further request.
func (e *examination) lookAt(all []*Answer) {
	e.checkStatus(all)
	if len(e.full) == 0 {
		return
	}
	e.checkWhole()
	for _, rep := range e.reps {
		first, last := part(rep.Content.Size)
		e.checkPart(&partialAnswer{e.full[0], rep, first, last})
		e.compareHead(rep, e.full[len(e.full)-1])
		e.checkBare(rep, e.full[0])
		e.checkUpdate(rep, e.full[0])
	}
	e.checkStray()
	e.deltas = e.full
	e.checkDictionaryVary()
	e.result.Answers = all
	e.finish()
}
