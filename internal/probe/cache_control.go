package probe

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// directive is a directive of Cache-Control (RFC 9111, section 5.2). The field is not a
// structured field: names have no case, and a value may be a token or quoted.
type directive struct {
	name    string // in lower case
	value   string // without quotes
	quoted  bool
	invalid bool // it is no directive by the grammar
}

type directives []directive

// cacheControl parses the Cache-Control of an answer, also where it is invalid.
func cacheControl(h http.Header) directives {
	isQuoted := false
	members := strings.FieldsFunc(fieldValue(h, "Cache-Control"), func(r rune) bool {
		isQuoted = isQuoted != (r == '"')
		return r == ',' && !isQuoted
	})
	var all directives
	for _, member := range members {
		if member = strings.Trim(member, " \t"); member == "" {
			continue
		}
		name, value, hasValue := strings.Cut(member, "=")
		d := directive{name: strings.ToLower(name), value: value}
		d.invalid = name == "" || strings.ContainsFunc(name, notToken)
		if d.quoted = len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"'; d.quoted {
			d.value = value[1 : len(value)-1]
		} else if hasValue && (value == "" || strings.ContainsFunc(value, notToken)) {
			d.invalid = true
		}
		all = append(all, d)
	}
	return all
}

func (all directives) has(name string) bool {
	return slices.ContainsFunc(all, func(d directive) bool { return d.name == name })
}

// seconds returns the value of a directive, false if it is missing or not a number.
func (all directives) seconds(name string) (int64, bool) {
	for _, d := range all {
		if n, ok := d.seconds(); ok && d.name == name {
			return n, true
		}
	}
	return 0, false
}

func (d directive) seconds() (int64, bool) {
	if d.value == "" || strings.ContainsFunc(d.value, func(r rune) bool { return r < '0' || r > '9' }) {
		return 0, false
	}
	n, _ := strconv.ParseInt(d.value, 10, 64) // if it is too large, the largest number
	return n, true
}

// lifetime returns for how many seconds clients may use an answer without validating it,
// 0 if they may not.
func (all directives) lifetime() int64 {
	if all.has("no-store") || all.has("no-cache") {
		return 0
	}
	n, _ := all.seconds("max-age")
	return n
}

// The known directives of answers: timedDirectives have a number of seconds.
var (
	timedDirectives = strings.Fields("max-age s-maxage stale-while-revalidate stale-if-error")
	otherDirectives = strings.Fields("no-cache no-store no-transform must-revalidate proxy-revalidate private public must-understand immutable")
)

// malformedDirective says what caches cannot read, "" for nothing.
func malformedDirective(all directives) (c Check, text string) {
	unquoted := map[string]string{"max-age": "RFC 9111, section 5.2.2.1", "s-maxage": "RFC 9111, section 5.2.2.10"}
	values := make(map[string]string)
	for _, d := range all {
		_, isNumber := d.seconds()
		earlier, isRepeated := values[d.name]
		values[d.name] = d.value
		isTimed := slices.Contains(timedDirectives, d.name)
		switch {
		case d.invalid:
			return cacheMalformed, fmt.Sprintf("%s is not a directive: directives are separated by commas", shown(strings.TrimSuffix(d.name+"="+d.value, "=")))
		case isTimed && !isNumber:
			return cacheMalformed, d.name + " has no number of seconds"
		case isTimed && isRepeated && earlier != d.value:
			return cacheMalformed, d.name + " is sent twice, with different values"
		case d.quoted && unquoted[d.name] != "":
			return cacheMalformed.citing(unquoted[d.name]), "the number of " + d.name + " must not be quoted"
		}
	}
	return Check{}, ""
}

// misspelledDirective says which directive is a misspelling of a known one, "" for none.
// Other unknown directives are extensions (RFC 9111, section 5.2.3).
func misspelledDirective(all directives) string {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < 'a' || r > 'z' {
				return -1
			}
			return r
		}, s)
	}
	for _, d := range all {
		for _, known := range slices.Concat(timedDirectives, otherDirectives) {
			if letters(known) == letters(d.name) && known != d.name && !d.invalid {
				return fmt.Sprintf("%s is unknown: it should be %s", shown(d.name), known)
			}
		}
	}
	return ""
}

// contradiction says which directives leave another one without effect, "" for none.
// max-age=0 with no-store is common and does no harm.
func (all directives) contradiction() string {
	age, _ := all.seconds("max-age")
	switch {
	case all.has("private") && all.has("public"):
		return "private and public contradict each other"
	case all.has("no-store") && age > 0:
		return "with no-store, caches keep nothing, whatever max-age says"
	}
	return ""
}

// countdown is by how many seconds the lifetimes of answers may differ: some servers count
// them down to a fixed time.
const countdown = 10 * 60

// isSameCaching reports whether caches may use two answers alike.
func isSameCaching(a, b *Answer) bool {
	x, y := cacheControl(a.Header), cacheControl(b.Header)
	in := func(d directive, all directives) bool {
		n, isNumber := d.seconds()
		return slices.ContainsFunc(all, func(o directive) bool {
			m, isOther := o.seconds()
			return o.name == d.name && (o.value == d.value || isNumber && isOther && max(n-m, m-n) <= countdown)
		})
	}
	return !slices.ContainsFunc(x, func(d directive) bool { return !in(d, y) }) &&
		!slices.ContainsFunc(y, func(d directive) bool { return !in(d, x) })
}
