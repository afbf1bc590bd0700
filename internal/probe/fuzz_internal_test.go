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
	client := newClient(opts)
	f.Fuzz(func(t *testing.T, header, content string) {
		for _, known := range []*manifest.Asset{nil, asset} {
			p := newURLProbe(client, Target{target, known})
			p.checkAnswers(answersOf(header, content, opts.MaxBody))
			for _, found := range p.result.Findings {
				text := found.Message + strings.Join(found.Seen, "")
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

// checkAnswers makes all checks that need no further request.
func (p *urlProbe) checkAnswers(all []*Answer) {
	p.checkStatus(all)
	if len(p.full) == 0 {
		return
	}
	p.checkWhole()
	for _, rep := range p.reps {
		first, last := middle(rep.Content.Size)
		p.checkPart(&partialAnswer{p.full[0], rep, first, last})
		p.compareHead(rep, p.full[len(p.full)-1])
		p.checkUnmodifiedFields(rep, p.full[0])
		p.checkUpdate(rep, p.full[0])
	}
	p.checkStrayContentRange()
	p.deltas = p.full
	p.checkDictionaryVary()
	p.result.Answers = all
	p.finish()
}
