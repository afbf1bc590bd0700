package serve

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const ownTag = `"0123456789abcdef-br"`

var changed = time.Date(2024, 5, 6, 7, 8, 9, 500, time.UTC)

const (
	changedDate = "Mon, 06 May 2024 07:08:09 GMT"
	earlierDate = "Mon, 06 May 2024 07:08:08 GMT"
	laterDate   = "Mon, 06 May 2024 07:08:10 GMT"
)

func TestConditions(t *testing.T) {
	tests := []struct {
		fields string // "Name: value" lines
		want   int
	}{
		{"", 200},
		{"If-Match: " + ownTag, 200},
		{"If-Match: *", 200},
		{"If-Match: W/" + ownTag, 412},
		{`If-Match: "a", "b"`, 412},
		{`If-Match: "a", ` + ownTag, 200},
		{"If-Match: \"a\"\nIf-Match: " + ownTag, 200},
		{`If-Match: a, ` + ownTag, 412}, // malformed before it
		{"If-Match: ", 412},
		{"If-Match: \"a\"\nIf-None-Match: " + ownTag, 412},
		{"If-Match: " + ownTag + "\nIf-None-Match: " + ownTag, 304},
		{"If-Match: " + ownTag + "\nIf-Unmodified-Since: " + earlierDate, 200},
		{"If-Unmodified-Since: " + earlierDate, 412},
		{"If-Unmodified-Since: " + changedDate, 200},
		{"If-Unmodified-Since: " + laterDate, 200},
		{"If-Unmodified-Since: nonsense", 200},
		{"If-Unmodified-Since: " + earlierDate + "\nIf-None-Match: *", 412},
		{"If-None-Match: " + ownTag, 304},
		{"If-None-Match: W/" + ownTag, 304},
		{"If-None-Match: w/" + ownTag, 200},
		{"If-None-Match: *", 304},
		{`If-None-Match: "*"`, 200},
		{`If-None-Match: "a,b",` + ownTag, 304},
		{`If-None-Match: "` + strings.Trim(ownTag, `"`), 200},
		{`If-None-Match: "a" ` + ownTag, 200},
		{"If-None-Match: \"a\"\nIf-Modified-Since: " + laterDate, 200},
		{"If-Modified-Since: " + changedDate, 304},
		{"If-Modified-Since: " + laterDate, 304},
		{"If-Modified-Since: " + earlierDate, 200},
		{"If-Modified-Since: Monday, 06-May-24 07:08:09 GMT", 304},
		{"If-Modified-Since: Mon May  6 07:08:09 2024", 304},
		{"If-Modified-Since: " + changedDate + "\nIf-Modified-Since: " + changedDate, 200},
		{"If-Modified-Since: 0", 200},
	}
	for _, tt := range tests {
		if got := conditions(fieldsOf(tt.fields), ownTag, changed); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.fields, got, tt.want)
		}
	}
	dates := "If-Modified-Since: " + laterDate + "\nIf-Unmodified-Since: " + earlierDate
	if got := conditions(fieldsOf(dates), ownTag, time.Time{}); got != 200 {
		t.Errorf("without a time: %d, want 200", got)
	}
}

func fieldsOf(lines string) http.Header {
	h := http.Header{}
	for line := range strings.SplitSeq(lines, "\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			h.Add(name, value)
		}
	}
	return h
}

// FuzzConditions: a tag that stands in no field never gives a 304 or lets an
// If-Match hold, one that stands at the front always does.
func FuzzConditions(f *testing.F) {
	for _, s := range []string{"", "*", ownTag, "W/" + ownTag, `"a,b"`, `"a`, "a, b", ",,", `"a" "b"`, `W/""`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		inner := strings.Trim(ownTag, `"`)
		ifMatch, ifNone := http.Header{"If-Match": {value}}, http.Header{"If-None-Match": {value}}
		if !strings.Contains(value, inner) && strings.Trim(value, " \t") != "*" {
			if got := conditions(ifMatch, ownTag, changed); got != 412 {
				t.Errorf("If-Match: %q: %d", value, got)
			}
			if got := conditions(ifNone, ownTag, changed); got != 200 {
				t.Errorf("If-None-Match: %q: %d", value, got)
			}
		}
		first := http.Header{"If-None-Match": {ownTag + ", " + value}}
		if got := conditions(first, ownTag, changed); got != 304 {
			t.Errorf("If-None-Match: %q: %d", first, got)
		}
	})
}
