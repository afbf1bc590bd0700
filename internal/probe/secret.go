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

// secrets hides what a user sends to be let in where a server repeats it, and puts it
// back where that is sent to the server again, as in an ETag. The zero value has none.
type secrets struct {
	hiding, revealing *strings.Replacer // both nil if there are none
}

// leastSecret is how short a secret may be, in bytes: shorter ones are in any text.
const leastSecret = 4

// newSecrets returns those of the header of all requests, but for Host, and of the
// user of a URL.
func newSecrets(header http.Header, user *url.Userinfo) secrets {
	var all []string
	for name, values := range header {
		for _, value := range values {
			if !strings.EqualFold(name, "Host") {
				value = strings.TrimSpace(value)
				all = append(all, value)
				all = append(all, partsOf(value)...)
			}
		}
	}
	if user != nil {
		password, _ := user.Password()
		all = append(all, password, basic(user.Username()+":"+password))
	}
	for _, s := range slices.Clone(all) {
		quoted := strconv.Quote(s)
		all = append(all, url.QueryEscape(s), url.PathEscape(s), quoted[1:len(quoted)-1])
	}
	all = slices.DeleteFunc(all, isNoSecret)
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	all = slices.Compact(all)
	if len(all) == 0 {
		return secrets{}
	}
	var hide, reveal []string
	for i, s := range all { // the longest first: it may hold a shorter one
		name := "[secret]"
		if i > 0 {
			name = fmt.Sprintf("[secret-%d]", i+1)
		}
		hide, reveal = append(hide, s, name), append(reveal, name, s)
	}
	return secrets{strings.NewReplacer(hide...), strings.NewReplacer(reveal...)}
}

// partsOf returns what servers may repeat of a value: credentials without their scheme,
// the password among them (RFC 7617), and the values of cookies.
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

// basic returns credentials as they are sent, without padding.
func basic(pair string) string { return base64.RawStdEncoding.EncodeToString([]byte(pair)) }

// isNoSecret reports whether a value is too short, or one that is in answers whoever
// asks: the checks read such words.
func isNoSecret(s string) bool {
	words := slices.Concat(registered, timed, plain, bareTypes, vagueTypes, codedTypes, strings.Fields(scriptTypes),
		strings.Fields("https accept-encoding available-dictionary user-agent cookie referer origin bytes charset=utf-8 text/html text/css application/xhtml+xml"))
	isDigits := !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	return len(s) < leastSecret || isDigits && len(s) < 2*leastSecret || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, strings.ToLower(s)) })
}

// hide replaces secrets in a text.
func (s secrets) hide(text string) string {
	if s.hiding == nil {
		return text
	}
	return s.hiding.Replace(text)
}

// reveal undoes hide.
func (s secrets) reveal(text string) string {
	if s.revealing == nil {
		return text
	}
	return s.revealing.Replace(text)
}

// hideHeader returns the fields of an answer without secrets.
func (s secrets) hideHeader(h http.Header) http.Header {
	hidden := make(http.Header, len(h))
	for name, values := range h {
		for _, value := range values {
			hidden[name] = append(hidden[name], s.hide(value))
		}
	}
	return hidden
}

// hideError returns an error with the same causes and a text without secrets.
func (s secrets) hideError(err error) error {
	if err == nil {
		return nil
	}
	if text := s.hide(err.Error()); text != err.Error() {
		return &hiddenError{text, err}
	}
	return err
}

// hiddenError is an error whose own text has a secret.
type hiddenError struct {
	text string
	err  error
}

func (e *hiddenError) Error() string { return e.text }

func (e *hiddenError) Unwrap() error { return e.err }
