package serve_test

import (
	"regexp"
	"strconv"
	"strings"
)

// member is `codings [ weight ]` of RFC 9110, section 12.5.3, with the
// optional white space that lists allow around it.
var member = regexp.MustCompile("^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[ \t]*;[ \t]*[qQ]=(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?))?[ \t]*$")

// slowWeight returns the qvalue that field lines give to a coding, "" being
// identity; a coding that is acceptable without being named gets 0.0001.
func slowWeight(lines []string, coding string) float64 {
	const byDefault = 0.0001
	if lines == nil {
		if coding == "" {
			return 1
		}
		return byDefault
	}
	weights := map[string]float64{}
	for s := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		m := member.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		name, q := asciiLower(m[1]), 1.0
		if m[2] != "" {
			q, _ = strconv.ParseFloat(m[2], 64)
		}
		name = strings.Replace(name, "x-gzip", "gzip", 1)
		if old, ok := weights[name]; ok {
			q = min(q, old)
		}
		weights[name] = q
	}
	if coding == "" {
		coding = "identity"
	}
	if q, ok := weights[coding]; ok {
		return q
	}
	if q, ok := weights["*"]; ok {
		return q
	}
	if coding == "identity" {
		return byDefault
	}
	return 0
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
