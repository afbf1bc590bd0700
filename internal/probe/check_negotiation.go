package probe

import (
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// checkNames checks what Content-Encoding says.
func (p *urlProbe) checkNames() {
	p.checked(codingUnknown, codingName)
	seen := make(map[string]bool)
	for _, a := range p.full {
		sent := strings.ToLower(a.value("Content-Encoding"))
		isEmpty := sent == "" && len(a.Header.Values("Content-Encoding")) > 0
		if seen[sent] || sent == "" && !isEmpty {
			continue
		}
		seen[sent] = true
		switch {
		case isEmpty:
			p.add(codingName, a.Coding, a, "Content-Encoding is empty")
		case strings.Contains(a.Coding, ","):
			p.add(doubleCoding, a.Coding, a, "Content-Encoding is %s: the content is compressed more than once", shown(sent))
		case a.Coding != "" && !slices.Contains(registered, a.Coding):
			p.add(codingUnknown, a.Coding, a, "Content-Encoding is %s, which is not a registered coding", shown(sent))
		case sent == "x-gzip":
			p.add(codingName.citing("RFC 9110, section 8.4.1.3"), a.Coding, a, "Content-Encoding is x-gzip, an old name that clients should read as gzip, but need not")
		case sent == "identity":
			p.add(codingName.citing("RFC 9110, section 8.4"), a.Coding, a, "Content-Encoding is identity, which is only for Accept-Encoding and should not be sent")
		case sent == "deflate":
			p.add(codingName.citing("RFC 9110, section 8.4.1.2"), a.Coding, a, "Content-Encoding is deflate, a name that servers and clients use for two different formats")
		}
	}
}

// checkAcceptable checks that clients accept the coding that they get.
func (p *urlProbe) checkAcceptable() {
	p.checked(codingUnasked, codingDefault, codingOnly, qvalueIgnored)
	if p.isOnlyCoded() {
		p.add(codingOnly, p.reps[0].Coding, p.full[0], "the file exists only with gzip, which all clients get")
		return
	}
	unasked, refused := make(map[string][]*Answer), make(map[string][]*Answer)
	for _, a := range p.full {
		c := a.Coding
		if c == "" || !slices.Contains(registered, c) {
			continue // always acceptable, or found by checkNames
		}
		n, known := negotiationOf(a.Request.AcceptEncoding)
		switch {
		case !known:
			p.add(codingDefault, c, a, "a client without Accept-Encoding gets %s", c)
		case n.refused(c):
			refused[c] = append(refused[c], a)
		case !slices.Contains(n.takes, c):
			unasked[c] = append(unasked[c], a)
		}
	}
	for c, answers := range refused {
		p.addAll(qvalueIgnored, c, answers, "clients that refuse %s with q=0 get it (%s)", c, acceptEncodings(answers))
	}
	for c, answers := range unasked {
		p.addAll(codingUnasked, c, answers, "clients that do not accept %s get it (%s)", c, acceptEncodings(answers))
	}
}

// isOnlyCoded reports whether the file is stored only with gzip and has to be sent with
// that Content-Encoding, like .svgz: there is nothing to negotiate.
func (p *urlProbe) isOnlyCoded() bool {
	return len(p.reps) == 1 && p.reps[0].Coding == string(manifest.Gzip) && hasExtension(p.fileName(), []string{".svgz"})
}

// checkVariants checks that clients that accept only one coding get the build's variant.
func (p *urlProbe) checkVariants() {
	if p.asset == nil {
		return
	}
	p.checked(variantMissing)
	for _, c := range manifest.Codings() {
		a := p.answerTo(string(c))
		if v, ok := p.variant(c); ok && a != nil && a.Coding == "" {
			p.add(variantMissing, string(c), a, "a client that accepts %s gets %d bytes uncompressed; the build's variant has %d", c, a.Content.Size, v.Size)
		}
	}
}

// checkCompressed checks that what gzip makes smaller is compressed, if no manifest says
// what is worth it. Only the first bytes are tried.
func (p *urlProbe) checkCompressed() {
	a := p.answerTo(browser)
	if p.asset != nil || a == nil {
		return
	}
	p.checked(uncompressed)
	if len(p.reps) == 1 && p.reps[0].Coding == "" {
		if isWorthCompressing(a) {
			p.add(uncompressed, "", a, "browsers get %d bytes uncompressed; gzip makes the first %d smaller by %d", a.Content.Size, len(a.Content.start), gzipSaving(a.Content.start))
		}
		return
	}
	for _, c := range []manifest.Coding{manifest.Brotli, manifest.Gzip} { // no client accepts only zstd
		a := p.answerTo(string(c))
		if a != nil && a.Coding == "" && isWorthCompressing(a) {
			p.add(uncompressed, string(c), a, "a client that accepts %s gets %d bytes uncompressed, while other clients get them compressed", c, a.Content.Size)
		}
	}
}

// isWorthCompressing reports whether gzip saves more than a tenth, and more bytes than
// the Content-Encoding field has.
func isWorthCompressing(a *Answer) bool {
	start := a.Content.start
	if !a.isComplete() || len(a.Content.decoded.again) > 0 {
		return false
	}
	saving := gzipSaving(start)
	return saving > manifest.Gzip.FieldSize() && saving > int64(len(start))/10
}

// checkChoice checks that browsers get the smallest representation that they accept.
func (p *urlProbe) checkChoice() {
	a := p.answerTo(browser)
	if a == nil || !a.isDecoded() || p.changing {
		return
	}
	p.checked(largerChosen)
	best := a
	for _, rep := range p.reps {
		if rep.isDecoded() && slices.Contains(buildCodings(), rep.Coding) && rep.Content.Size < best.Content.Size {
			best = rep
		}
	}
	if best != a {
		p.addAll(largerChosen, a.Coding, []*Answer{a, best}, "browsers get %s with %d bytes, though they accept %s, which has %d", a.codingName(), a.Content.Size, best.Coding, best.Content.Size)
	}
}

// checkVary checks Vary of all whole answers. It must list Accept-Encoding if there are
// several representations.
func (p *urlProbe) checkVary() {
	p.checked(vary, varyWide)
	var without []*Answer
	var wide *Answer
	for _, a := range p.full {
		if !a.varies("Accept-Encoding") {
			without = append(without, a)
		}
		if slices.ContainsFunc(members(a.Header, "Vary"), func(m string) bool { return slices.Contains([]string{"*", "user-agent", "cookie", "referer"}, m) }) {
			wide = a
		}
	}
	switch {
	case len(p.reps) < 2 || len(without) == 0:
	case len(without) == len(p.full):
		p.addAll(vary, "", without, "no answer lists Accept-Encoding in Vary, though they differ by it")
	default:
		p.addAll(vary, without[0].Coding, without, "some answers do not list Accept-Encoding in Vary: those to %s", acceptEncodings(without))
	}
	if wide == nil {
		return
	}
	if slices.Contains(members(wide.Header, "Vary"), "*") {
		p.add(varyWide.citing("RFC 9111, section 4.1"), "", wide, "Vary is %s: no cache reuses the answer without validating it", shown(wide.value("Vary")))
		return
	}
	p.add(varyWide, "", wide, "Vary is %s: caches need a copy for each value", shown(wide.value("Vary")))
}
