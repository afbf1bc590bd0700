package probe

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// redactor replaces secrets of the user where a server repeats them, and restores them
// where the value is sent to the server again, as in an ETag.
type redactor struct{ redacting, restoring *strings.Replacer }

// minSecret is the least number of bytes of a secret: shorter ones occur in any text.
const minSecret = 4

// newRedactor takes as secrets the header that is sent with every request, except for
// Host, and the user of the URL.
func newRedactor(header http.Header, user *url.Userinfo) redactor {
	var redact, restore []string
	for i, s := range secretsOf(header, user) {
		name := "[secret]"
		if i > 0 {
			name = fmt.Sprintf("[secret-%d]", i+1)
		}
		redact, restore = append(redact, s, name), append(restore, name, s)
	}
	return redactor{strings.NewReplacer(redact...), strings.NewReplacer(restore...)}
}

// secretsOf returns the secrets in every form in which servers repeat them, the longest
// first: it may contain a shorter one.
func secretsOf(header http.Header, user *url.Userinfo) []string {
	var all []string
	for name, values := range header {
		for _, value := range values {
			if !strings.EqualFold(name, "Host") {
				value = strings.TrimSpace(value)
				all = append(append(all, value), partsOf(value)...)
			}
		}
	}
	if user != nil {
		password, _ := user.Password()
		credentials := base64.RawStdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
		all = append(all, password, credentials)
	}
	for _, s := range slices.Clone(all) {
		quoted := strconv.Quote(s)
		all = append(all, url.QueryEscape(s), url.PathEscape(s), quoted[1:len(quoted)-1])
	}
	all = slices.DeleteFunc(all, isCommon)
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(all)
}

// partsOf returns the parts of a field value that servers may repeat: credentials
// without their scheme, the password in them (RFC 7617), and the values of cookies.
func partsOf(value string) []string {
	var parts []string
	if scheme, rest, found := strings.Cut(value, " "); found && !strings.ContainsAny(scheme, "=;,") {
		rest = strings.TrimSpace(rest)
		parts = append(parts, strings.TrimRight(rest, "="))
		if pair, err := base64.StdEncoding.DecodeString(rest); err == nil && strings.EqualFold(scheme, "Basic") {
			_, password, _ := strings.Cut(string(pair), ":")
			parts = append(parts, password)
		}
	}
	for pair := range strings.SplitSeq(value, ";") {
		if _, v, found := strings.Cut(pair, "="); found {
			parts = append(parts, strings.Trim(v, ` "`))
		}
	}
	return parts
}

// isCommon reports whether a value is too short to be a secret, or part of a word that
// answers have for everyone: the checks read such words.
func isCommon(s string) bool {
	words := slices.Concat(registered, timedDirectives, otherDirectives, uncompressedTypes, vagueTypes, codedTypes, strings.Fields(scriptTypes),
		strings.Fields("https accept-encoding available-dictionary user-agent cookie referer origin bytes charset=utf-8 text/html text/css application/xhtml+xml"))
	isDigits := !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	return len(s) < minSecret || isDigits && len(s) < 2*minSecret || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, strings.ToLower(s)) })
}

// redact replaces the secrets in a text.
func (r redactor) redact(text string) string { return r.redacting.Replace(text) }

// restore undoes redact.
func (r redactor) restore(text string) string { return r.restoring.Replace(text) }

// redactHeader returns a copy of the fields of an answer without secrets.
func (r redactor) redactHeader(h http.Header) http.Header {
	redacted := make(http.Header, len(h))
	for name, values := range h {
		for _, value := range values {
			redacted[name] = append(redacted[name], r.redact(value))
		}
	}
	return redacted
}

// redactError returns an error with the same causes and a text without secrets.
func (r redactor) redactError(err error) error {
	if err == nil {
		return nil
	}
	if text := r.redact(err.Error()); text != err.Error() {
		return &redactedError{text, err}
	}
	return err
}

// redactedError is an error whose own text has a secret.
type redactedError struct {
	text string
	err  error
}

func (e *redactedError) Error() string { return e.text }

func (e *redactedError) Unwrap() error { return e.err }
