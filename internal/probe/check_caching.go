package probe

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// checkVary looks at Vary of every whole answer, if there is more than one thing
// to choose from.
func (e *examination) checkVary() {
	e.look(vary, varyWide)
	var without []*Answer
	var wide *Answer
	for _, a := range e.full {
		if !a.varies("Accept-Encoding") {
			without = append(without, a)
		}
		for _, m := range members(a.Header.Values("Vary")) {
			if slices.Contains([]string{"*", "user-agent", "cookie", "referer"}, m) {
				wide = a
			}
		}
	}
	switch {
	case len(e.reps) < 2 || len(without) == 0:
	case len(without) == len(e.full):
		e.find(vary, "", without, "no answer lists Accept-Encoding in Vary, and they differ by it")
	default:
		e.find(vary, without[0].Coding, without, "some answers do not list Accept-Encoding in Vary: those to %s", accepts(without))
	}
	switch {
	case wide != nil && slices.Contains(members(wide.Header.Values("Vary")), "*"):
		e.find(varyWide.citing("RFC 9111, section 4.1"), "", []*Answer{wide}, "Vary is %s: no cache uses the answer again without asking", shown(line(wide.Header, "Vary")))
	case wide != nil:
		e.find(varyWide, "", []*Answer{wide}, "Vary is %s", shown(line(wide.Header, "Vary")))
	}
}

// checkTags looks at the ETag of every representation.
func (e *examination) checkTags() {
	e.look(etagMissing, etagMalformed, etagWeak, etagShared, etagUnstable)
	var missing, weak []*Answer
	for _, rep := range e.reps {
		switch lines := rep.Header.Values("Etag"); {
		case len(lines) == 0:
			missing = append(missing, rep)
		case rep.etag() == "":
			e.find(etagMalformed, rep.Coding, []*Answer{rep}, "ETag is %s", shown(strings.Join(lines, ", ")))
		case strings.HasPrefix(rep.etag(), "W/"):
			weak = append(weak, rep)
		}
	}
	if len(missing) > 0 {
		e.find(etagMissing, missing[0].Coding, missing, "no ETag with %s", codingList(missing))
	}
	if len(weak) > 0 {
		e.find(etagWeak, weak[0].Coding, weak, "the ETag with %s is weak: %s", codingList(weak), shown(weak[0].etag()))
	}
	e.checkShared(e.reps)
	e.checkStable()
}

// checkShared looks for strong entity tags that stand for several contents.
func (e *examination) checkShared(reps []*Answer) {
	byTag := make(map[string][]*Answer)
	var tags []string
	for _, rep := range reps {
		tag := rep.etag()
		if tag == "" || strings.HasPrefix(tag, "W/") || !rep.complete() {
			continue
		}
		if byTag[tag] == nil {
			tags = append(tags, tag)
		}
		if !slices.ContainsFunc(byTag[tag], func(a *Answer) bool { return a.Content.Digest == rep.Content.Digest }) {
			byTag[tag] = append(byTag[tag], rep)
		}
	}
	for _, tag := range tags {
		if shared := byTag[tag]; len(shared) > 1 {
			e.find(etagShared, "", shared, "ETag %s stands for different bytes: %s", shown(tag), codingList(shared))
		}
	}
}

// checkStable looks for entity tags that differ for the same bytes.
func (e *examination) checkStable() {
	for _, rep := range e.reps {
		for _, a := range e.full {
			if a.Coding == rep.Coding && a.complete() && rep.complete() && a.Content.Digest == rep.Content.Digest &&
				rep.etag() != "" && a.etag() != "" && opaque(a.etag()) != opaque(rep.etag()) {
				e.once(etagUnstable, rep, "the same bytes have ETag %s once and %s another time", shown(rep.etag()), shown(a.etag()))
			}
		}
	}
}

func codingList(answers []*Answer) string {
	var names []string
	for _, a := range answers {
		if n := codingName(a.Coding); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// aWeek is the least time, in seconds, for which it pays to give files names with
// fingerprints.
const aWeek = 7 * 24 * 60 * 60

// checkCacheControl looks at how long caches may keep what browsers get, and
// whether that is the same, and can be read, with every coding.
func (e *examination) checkCacheControl() {
	a := e.reps[len(e.reps)-1]
	if b := e.answerTo(browser); b != nil {
		a = b
	}
	e.look(cacheMissing, cacheOdd, cacheMalformed, cacheUnknown, cacheDiffers)
	for _, a := range e.full {
		all, value := cacheControl(a.Header), shown(line(a.Header, "Cache-Control"))
		if c, text := malformedDirective(all); text != "" && !e.found(c, "") {
			e.find(c, "", []*Answer{a}, "Cache-Control is %s: %s", value, text)
		}
		if text := misspelt(all); text != "" && !e.found(cacheUnknown, "") {
			e.find(cacheUnknown, "", []*Answer{a}, "Cache-Control is %s: %s", value, text)
		}
	}
	e.checkSameCaching(e.full)
	if len(cacheControl(a.Header)) == 0 {
		if a.Header.Get("Expires") == "" {
			e.find(cacheMissing, "", []*Answer{a}, "no Cache-Control")
		}
	} else if text := e.oddCaching(a); text != "" {
		e.find(cacheOdd, "", []*Answer{a}, "%s", text)
	}
}

// oddCaching says what is odd about the lifetime of an answer, "" for nothing.
func (e *examination) oddCaching(a *Answer) string {
	all, value := cacheControl(a.Header), shown(line(a.Header, "Cache-Control"))
	page := isPage(a, e.name())
	age, limited := seconds(all, "max-age")
	none := has(all, "no-store") || has(all, "no-cache") || limited && age == 0
	_, _, _, fingerprinted := e.asker.opts.Fingerprint.Split(e.name())
	switch {
	case contradiction(all) != "":
		return "Cache-Control is " + value + ": " + contradiction(all)
	case fingerprinted && !page && lifetime(a.Header) < aWeek:
		return "the name has a fingerprint, and Cache-Control is " + value
	case page && !fingerprinted && !none && (age >= aWeek || has(all, "immutable")):
		return "Cache-Control of a page is " + value + ": visitors would keep it for that long"
	}
	return ""
}

// checkSameCaching compares Cache-Control of answers with that of the first.
func (e *examination) checkSameCaching(answers []*Answer) {
	for _, a := range answers {
		if first := e.full[0]; !sameCacheControl(first.Header, a.Header) && !e.found(cacheDiffers, "") {
			e.find(cacheDiffers, "", []*Answer{first, a}, "Cache-Control is %s with %s, and %s with %s",
				orNone(line(first.Header, "Cache-Control")), codingName(first.Coding), orNone(line(a.Header, "Cache-Control")), codingName(a.Coding))
		}
	}
}

func isPage(a *Answer, name string) bool {
	media := strings.ToLower(line(a.Header, "Content-Type"))
	ext := strings.ToLower(path.Ext(name))
	return strings.HasPrefix(media, "text/html") || strings.HasPrefix(media, "application/xhtml+xml") || ext == ".html" || ext == ".htm"
}

// checkDates looks at Last-Modified, and at Age.
func (e *examination) checkDates() {
	e.look(modifiedBad, ageWrong)
	for _, a := range e.full {
		if value := line(a.Header, "Last-Modified"); len(a.Header.Values("Last-Modified")) > 0 && !e.found(modifiedBad, "") {
			if _, err := http.ParseTime(value); err != nil {
				e.find(modifiedBad, "", []*Answer{a}, "Last-Modified is %s", orEmpty(value))
			}
		}
		if text := wrongAge(a.Header); text != "" && !e.found(ageWrong, "") {
			e.find(ageWrong, "", []*Answer{a}, "%s", text)
		}
	}
}

// wrongAge says what is wrong with Age, "" for nothing: a cache on the way may use
// what is older than its lifetime only where the server allows that.
func wrongAge(h http.Header) string {
	value := line(h, "Age")
	if len(h.Values("Age")) == 0 {
		return ""
	}
	age, err := number(value)
	if err != nil {
		return "Age is " + orEmpty(value)
	}
	all := cacheControl(h)
	fresh, limited := seconds(all, "s-maxage")
	if !limited {
		fresh, limited = seconds(all, "max-age")
	}
	if limited && age > fresh && !has(all, "stale-while-revalidate") && !has(all, "stale-if-error") {
		return "Age is " + shown(value) + " with Cache-Control " + shown(line(h, "Cache-Control"))
	}
	return ""
}

func orEmpty(value string) string {
	if value == "" {
		return "empty"
	}
	return shown(value)
}
