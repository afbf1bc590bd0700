package probe

import (
	"net/http"
	"strings"
)

// week is the shortest lifetime, in seconds, that is worth a fingerprint in a file name.
const week = 7 * 24 * 60 * 60

// checkCacheControl checks for how long caches may use what browsers get, and that
// Cache-Control is valid and the same with all codings.
func (p *urlProbe) checkCacheControl() {
	p.checked(cacheMissing, cacheOdd, cacheMalformed, cacheUnknown, cacheDiffers)
	for _, a := range p.full {
		directives, value := cacheControl(a.Header), shown(a.value("Cache-Control"))
		if c, text := malformedDirective(directives); text != "" {
			p.addOnce(c, "", a, "Cache-Control is %s: %s", value, text)
		}
		if text := misspelledDirective(directives); text != "" {
			p.addOnce(cacheUnknown, "", a, "Cache-Control is %s: %s", value, text)
		}
	}
	p.checkSameCaching(p.full)
	a := p.answerTo(browser)
	if a == nil {
		a = p.reps[len(p.reps)-1]
	}
	if len(cacheControl(a.Header)) == 0 {
		if a.Header.Get("Expires") == "" {
			p.add(cacheMissing, "", a, "no Cache-Control")
		}
	} else if text := p.oddCaching(a); text != "" {
		p.add(cacheOdd, "", a, "%s", text)
	}
}

// oddCaching says what is odd about the lifetime of an answer, "" for nothing.
func (p *urlProbe) oddCaching(a *Answer) string {
	all, value := cacheControl(a.Header), shown(a.value("Cache-Control"))
	isPage := isPage(a, p.fileName())
	age, hasAge := all.seconds("max-age")
	isValidated := all.has("no-store") || all.has("no-cache") || hasAge && age == 0
	_, _, _, isFingerprinted := p.client.opts.Fingerprint.Split(p.fileName())
	switch {
	case all.contradiction() != "":
		return "Cache-Control is " + value + ": " + all.contradiction()
	case isFingerprinted && !isPage && all.lifetime() < week:
		return "the name has a fingerprint, but Cache-Control is " + value
	case isPage && !isFingerprinted && !isValidated && (age >= week || all.has("immutable")):
		return "Cache-Control of a page is " + value + ": visitors would not see a new version for that long"
	}
	return ""
}

// checkSameCaching compares Cache-Control of answers with that of the first whole answer.
func (p *urlProbe) checkSameCaching(answers []*Answer) {
	for _, a := range answers {
		if first := p.full[0]; !isSameCaching(first, a) && !p.found(cacheDiffers, "") {
			p.addAll(cacheDiffers, "", []*Answer{first, a}, "Cache-Control is %s with %s, and %s with %s",
				orAbsent(first.value("Cache-Control")), first.codingName(), orAbsent(a.value("Cache-Control")), a.codingName())
		}
	}
}

func isPage(a *Answer, name string) bool {
	media := strings.ToLower(a.value("Content-Type"))
	return strings.HasPrefix(media, "text/html") || strings.HasPrefix(media, "application/xhtml+xml") || hasExtension(name, []string{".html", ".htm"})
}

// checkDates checks Last-Modified and Age.
func (p *urlProbe) checkDates() {
	p.checked(modifiedMalformed, ageWrong)
	for _, a := range p.full {
		value := a.value("Last-Modified")
		if _, err := http.ParseTime(value); err != nil && len(a.Header.Values("Last-Modified")) > 0 {
			p.addOnce(modifiedMalformed, "", a, "Last-Modified is %s, which is not a date", shownOr(value, "empty"))
		}
		if text := wrongAge(a); text != "" {
			p.addOnce(ageWrong, "", a, "%s", text)
		}
	}
}

// wrongAge says what is wrong with Age, "" for nothing. A cache may use an answer for
// longer than its lifetime only if the server allows that.
func wrongAge(a *Answer) string {
	value := a.value("Age")
	if len(a.Header.Values("Age")) == 0 {
		return ""
	}
	age, err := parseNumber(value)
	if err != nil {
		return "Age is " + shownOr(value, "empty") + ", which is not a number of seconds"
	}
	all := cacheControl(a.Header)
	lifetime, limited := all.seconds("s-maxage")
	if !limited {
		lifetime, limited = all.seconds("max-age")
	}
	if limited && age > lifetime && !all.has("stale-while-revalidate") && !all.has("stale-if-error") {
		return "Age is " + shown(value) + ", more than the lifetime: Cache-Control is " + shown(a.value("Cache-Control"))
	}
	return ""
}
