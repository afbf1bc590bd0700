package probe

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// directive is a member of Cache-Control (RFC 9111, section 5.2).
type directive struct {
	name   string // in lower case
	value  string // without quotes
	quoted bool
	broken bool // it is no token, or has a value that is none and is not quoted
}

// cacheControl reads the Cache-Control of an answer.
func cacheControl(h http.Header) []directive {
	var all []directive
	for _, member := range splitQuoted(line(h, "Cache-Control")) {
		name, value, valued := strings.Cut(member, "=")
		d := directive{name: strings.ToLower(name), value: value}
		d.broken = name == "" || strings.ContainsFunc(name, notToken)
		if d.quoted = len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"'; d.quoted {
			d.value = value[1 : len(value)-1]
		} else if valued && (value == "" || strings.ContainsFunc(value, notToken)) {
			d.broken = true
		}
		all = append(all, d)
	}
	return all
}

// splitQuoted splits a list at commas that are not in quotes. Empty members are
// left out.
func splitQuoted(list string) []string {
	quoted := false
	parts := strings.FieldsFunc(list, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ',' && !quoted
	})
	for i := range parts {
		parts[i] = strings.Trim(parts[i], " \t")
	}
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}

func has(all []directive, name string) bool {
	return slices.ContainsFunc(all, func(d directive) bool { return d.name == name })
}

// seconds returns the value of a directive that has one, false if it is not there,
// or no number.
func seconds(all []directive, name string) (int64, bool) {
	for _, d := range all {
		if d.name != name || d.value == "" || strings.ContainsFunc(d.value, func(r rune) bool { return r < '0' || r > '9' }) {
			continue
		}
		n, _ := strconv.ParseInt(d.value, 10, 64) // the largest number, if it is larger
		return n, true
	}
	return 0, false
}

// lifetime returns for how many seconds caches may use an answer without asking,
// 0 for none.
func lifetime(h http.Header) int64 {
	all := cacheControl(h)
	if has(all, "no-store") || has(all, "no-cache") {
		return 0
	}
	n, _ := seconds(all, "max-age")
	return n
}

// timed are the directives with a number of seconds, plain all others that answers
// have.
var (
	timed = strings.Fields("max-age s-maxage stale-while-revalidate stale-if-error")
	plain = strings.Fields("no-cache no-store no-transform must-revalidate proxy-revalidate private public must-understand immutable")
)

// malformedDirective says what caches cannot read in Cache-Control, and where that is
// written; "" for nothing.
func malformedDirective(all []directive) (c Check, text string) {
	values := make(map[string]string)
	for _, d := range all {
		_, number := seconds([]directive{d}, d.name)
		earlier, twice := values[d.name]
		values[d.name] = d.value
		isTimed := slices.Contains(timed, d.name)
		switch {
		case d.broken:
			return cacheMalformed, fmt.Sprintf("%s is no directive: they are split by commas", shown(strings.TrimSuffix(d.name+"="+d.value, "=")))
		case isTimed && !number:
			return cacheMalformed, fmt.Sprintf("%s has no number of seconds", d.name)
		case isTimed && twice && earlier != d.value:
			return cacheMalformed, fmt.Sprintf("%s is there twice, and they differ", d.name)
		case d.quoted && unquoted()[d.name] != "":
			return cacheMalformed.citing(unquoted()[d.name]), fmt.Sprintf("the number of %s is not to be quoted", d.name)
		}
	}
	return Check{}, ""
}

// unquoted are the directives whose numbers are not to be sent in quotes, with where
// that is written.
func unquoted() map[string]string {
	return map[string]string{"max-age": "RFC 9111, section 5.2.2.1", "s-maxage": "RFC 9111, section 5.2.2.10"}
}

// misspelt says which directive only misses a known one, "" for none. Others that are
// not known are extensions (RFC 9111, section 5.2.3).
func misspelt(all []directive) string {
	for _, d := range all {
		if meant := meant(d.name); meant != d.name && !d.broken {
			return fmt.Sprintf("%s is not known, while %s is", shown(d.name), meant)
		}
	}
	return ""
}

// meant returns the directive whose letters a name has; the name if there is none.
func meant(name string) string {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < 'a' || r > 'z' {
				return -1
			}
			return r
		}, s)
	}
	known := slices.Concat(timed, plain)
	if i := slices.IndexFunc(known, func(k string) bool { return letters(k) == letters(name) }); i >= 0 {
		return known[i]
	}
	return name
}

// contradiction says what in Cache-Control leaves another part of it without
// effect, "" for nothing. max-age=0 beside no-store is an old habit that does no harm.
func contradiction(all []directive) string {
	age, _ := seconds(all, "max-age")
	switch {
	case has(all, "private") && has(all, "public"):
		return "private and public exclude each other"
	case has(all, "no-store") && age > 0:
		return "no-store has caches keep nothing, whatever max-age says"
	}
	return ""
}

// countdown is by how many seconds lifetimes may differ that end at a fixed time.
const countdown = 10 * 60

// sameCacheControl reports whether two answers may be kept alike.
func sameCacheControl(a, b http.Header) bool {
	x, y := cacheControl(a), cacheControl(b)
	in := func(d directive, all []directive) bool {
		n, number := seconds([]directive{d}, d.name)
		return slices.ContainsFunc(all, func(o directive) bool {
			m, other := seconds([]directive{o}, o.name)
			return o.name == d.name && (o.value == d.value || number && other && max(n-m, m-n) <= countdown)
		})
	}
	return !slices.ContainsFunc(x, func(d directive) bool { return !in(d, y) }) &&
		!slices.ContainsFunc(y, func(d directive) bool { return !in(d, x) })
}
