package probe

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// browser is what browsers send over TLS.
const browser = "gzip, deflate, br, zstd"

// negotiation is an Accept-Encoding and what follows from it (RFC 9110, section
// 12.5.3): a coding that is not listed is not acceptable, one with q=0 is
// refused, and identity is acceptable unless it is refused itself.
type negotiation struct {
	accept  string
	takes   []string
	refuses []string // explicitly: "*" for all
}

// negotiations are asked of every URL, behind the question without the field.
var negotiations = []negotiation{
	{"identity", nil, nil},
	{"gzip", []string{"gzip"}, nil},
	{"br", []string{"br"}, nil},
	{"zstd", []string{"zstd"}, nil},
	{browser, []string{"gzip", "deflate", "br", "zstd"}, nil},
	{"br;q=0, gzip;q=0, zstd;q=0", nil, []string{"br", "gzip", "zstd"}},
	{"br;q=0, gzip", []string{"gzip"}, []string{"br"}},
	{"identity, *;q=0", nil, []string{"*"}},
	{"xbr, gzip2, zstandard", nil, nil}, // names that contain those of codings
}

func (n negotiation) refused(coding string) bool {
	return slices.Contains(n.refuses, "*") || slices.Contains(n.refuses, coding)
}

// negotiate asks for the whole content in every way and looks at the answers.
func (e *examination) negotiate(ctx context.Context) error {
	first, err := e.arrive(ctx)
	if err != nil {
		return err
	}
	all := []*Answer{first}
	e.look(status)
	if first.Status == http.StatusNotFound || first.Status == http.StatusGone {
		e.find(statusCheck(first.Status), "", all, "the answer is %d", first.Status)
		return errNothingThere
	}
	for _, n := range negotiations {
		a, err := e.ask(ctx, get(n.accept))
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	e.checkStatus(all)
	if len(e.full) == 0 {
		return errNothingThere
	}
	if err := e.checkChanging(ctx); err != nil {
		return err
	}
	e.checkWhole()
	return nil
}

// checkWhole looks at the whole answers.
func (e *examination) checkWhole() {
	e.checkNames()
	e.checkTaken()
	e.checkFraming()
	e.checkContent()
	e.checkSiblings()
	e.checkCompressed()
	e.checkChoice()
	e.checkTypes()
	e.checkVary()
	e.checkTags()
	e.checkCacheControl()
	e.checkDates()
	e.checkUse(e.full)
}

// checkStatus sets apart the answers that are not 200, and finds the
// representations among the others.
func (e *examination) checkStatus(all []*Answer) {
	others := make(map[int][]*Answer)
	for _, a := range all {
		if !isWhole(a.Status) {
			others[a.Status] = append(others[a.Status], a)
			continue
		}
		e.full = append(e.full, a)
	}
	for code, answers := range others {
		e.find(statusCheck(code), "", answers, "the answer to %s is %s", accepts(answers), codeText(code))
	}
	e.look(transformed)
	if i := slices.IndexFunc(e.full, func(a *Answer) bool { return a.Status == http.StatusNonAuthoritativeInfo }); i >= 0 {
		e.find(transformed, e.full[i].Coding, e.full[i:i+1], "the answer to %s is 203: a proxy says that it has changed the content", accepts(e.full[i:i+1]))
	}
	codings := append([]string{""}, codingNames()...)
	for _, a := range e.full {
		if !slices.Contains(codings, a.Coding) {
			codings = append(codings, a.Coding)
		}
	}
	for _, c := range codings {
		i := slices.IndexFunc(e.full, func(a *Answer) bool { return a.Coding == c && c != "" })
		if c == "" {
			i = e.plain()
		}
		if i >= 0 {
			e.reps = append(e.reps, e.full[i])
		}
	}
}

// codeText is a status that is not as it should be.
func codeText(code int) string {
	text := strconv.Itoa(code)
	if code == http.StatusTooManyRequests {
		text += ": the probe asks more than the server allows, so ask at a lower rate"
	}
	return text
}

// plain returns the index of the full answer without a coding, -1 if there is
// none: that to a client that wants no other, if there is one.
func (e *examination) plain() int {
	isPlain := func(a *Answer) bool { return a.Coding == "" }
	wanted := slices.IndexFunc(e.full, func(a *Answer) bool { return isPlain(a) && a.Question.AcceptEncoding == "identity" })
	if wanted >= 0 {
		return wanted
	}
	return slices.IndexFunc(e.full, isPlain)
}

func codingNames() []string {
	var names []string
	for _, c := range manifest.Codings() {
		names = append(names, string(c))
	}
	return names
}

// registered are the content codings of the IANA registry; of x-gzip see
// [coding].
var registered = strings.Fields("aes128gcm br compress dcb dcz deflate exi gzip pack200-gzip x-compress zstd")

// checkNames looks at what Content-Encoding says.
func (e *examination) checkNames() {
	e.look(codingUnknown, codingOldName)
	told := make(map[string]bool)
	for _, a := range e.full {
		sent := strings.ToLower(line(a.Header, "Content-Encoding"))
		empty := sent == "" && len(a.Header.Values("Content-Encoding")) > 0
		if told[sent] || sent == "" && !empty {
			continue
		}
		told[sent] = true
		switch {
		case empty:
			e.find(codingOldName, a.Coding, []*Answer{a}, "Content-Encoding is there, and empty")
		case strings.Contains(a.Coding, ","):
			e.find(doubleCoding, a.Coding, []*Answer{a}, "Content-Encoding is %s", shown(sent))
		case a.Coding != "" && !slices.Contains(registered, a.Coding):
			e.find(codingUnknown, a.Coding, []*Answer{a}, "Content-Encoding is %s, which is no registered coding", shown(sent))
		case sent == "x-gzip":
			e.find(codingOldName.citing("RFC 9110, section 8.4.1.3"), a.Coding, []*Answer{a}, "Content-Encoding is x-gzip, an old name that clients should take for gzip, and need not")
		case sent == "identity":
			e.find(codingOldName.citing("RFC 9110, section 8.4"), a.Coding, []*Answer{a}, "Content-Encoding is identity, which is a word for Accept-Encoding, and should not be sent")
		case sent == "deflate":
			e.find(codingOldName.citing("RFC 9110, section 8.4.1.2"), a.Coding, []*Answer{a}, "Content-Encoding is deflate, which servers and clients take for two formats")
		}
	}
}

// checkTaken compares the coding of each answer with what its client takes.
func (e *examination) checkTaken() {
	e.look(codingUnasked, codingDefault, codingOnly, qvalueIgnored)
	if e.isOnlyCoded() {
		e.find(codingOnly, e.reps[0].Coding, e.full[:1], "the file has no form but that with gzip, which all clients get")
		return
	}
	unasked, refused := make(map[string][]*Answer), make(map[string][]*Answer)
	for _, a := range e.full {
		c := a.Coding
		if c == "" || !slices.Contains(registered, c) {
			continue // nothing to ask for, or told already
		}
		if a.Question.AcceptEncoding == "" {
			e.find(codingDefault, c, []*Answer{a}, "%s is sent to a client without Accept-Encoding", c)
			continue
		}
		i := slices.IndexFunc(negotiations, func(n negotiation) bool { return n.accept == a.Question.AcceptEncoding })
		switch n := negotiations[i]; {
		case n.refused(c):
			refused[c] = append(refused[c], a)
		case !slices.Contains(n.takes, c):
			unasked[c] = append(unasked[c], a)
		}
	}
	for c, answers := range refused {
		e.find(qvalueIgnored, c, answers, "%s is sent to clients that refuse it with q=0 (%s)", c, accepts(answers))
	}
	for c, answers := range unasked {
		e.find(codingUnasked, c, answers, "%s is sent to clients that do not take it (%s)", c, accepts(answers))
	}
}

// isOnlyCoded reports whether a file is stored with gzip alone and is to be sent with that
// Content-Encoding, as .svgz is: there is nothing else to choose.
func (e *examination) isOnlyCoded() bool {
	return len(e.reps) == 1 && e.reps[0].Coding == string(manifest.Gzip) && hasName(e.name(), []string{".svgz"})
}

// checkSiblings looks for the build's variants: each is sent to a client that
// takes nothing else.
func (e *examination) checkSiblings() {
	if e.asset == nil {
		return
	}
	e.look(variantMissing)
	for _, c := range manifest.Codings() {
		a := e.answerTo(string(c))
		if v, ok := e.stored(c); ok && a != nil && a.Coding == "" {
			e.find(variantMissing, string(c), []*Answer{a}, "a client that takes %s gets %d bytes without a coding; the build's variant has %d", c, a.Content.Size, v.Size)
		}
	}
}

// checkCompressed looks for what could be compressed and is not, where no build
// says what pays. What gzip makes of the first bytes is the measure.
func (e *examination) checkCompressed() {
	a := e.answerTo(browser)
	if e.asset != nil || a == nil {
		return
	}
	e.look(uncompressed)
	if len(e.reps) == 1 && e.reps[0].Coding == "" {
		if pays(a) {
			e.find(uncompressed, "", []*Answer{a}, "browsers get %d bytes without a coding; gzip takes %d off the first %d", a.Content.Size, a.Content.saving, len(a.Content.start))
		}
		return
	}
	for _, c := range []manifest.Coding{manifest.Brotli, manifest.Gzip} { // no client takes zstd alone
		a := e.answerTo(string(c))
		if a != nil && a.Coding == "" && pays(a) {
			e.find(uncompressed, string(c), []*Answer{a}, "a client that takes %s gets %d bytes without a coding, while others get them compressed", c, a.Content.Size)
		}
	}
}

// pays reports whether gzip would take a tenth off, and more than the field that
// tells of it has.
func pays(a *Answer) bool {
	c := a.Content
	return a.complete() && len(c.Decoded.again) == 0 && c.saving > manifest.Gzip.FieldSize() && c.saving > int64(len(c.start))/10
}

// checkChoice compares what browsers get with what else there is that they take.
func (e *examination) checkChoice() {
	a := e.answerTo(browser)
	if a == nil || !a.isDecoded() || e.changing {
		return
	}
	e.look(largerChosen)
	best := a
	for _, rep := range e.reps {
		if rep.isDecoded() && slices.Contains(codingNames(), rep.Coding) && rep.Content.Size < best.Content.Size {
			best = rep
		}
	}
	if best != a {
		e.find(largerChosen, a.Coding, []*Answer{a, best}, "browsers get %s with %d bytes, though they take %s, which has %d", codingName(a.Coding), a.Content.Size, best.Coding, best.Content.Size)
	}
}
