package probe

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// ParseURL reads a URL that can be asked for: absolute, http or https, with a
// host. A user and a password in it are sent in Authorization. The error does not
// repeat what may be a password.
func ParseURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, parseError(s, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		if hasScheme(s) {
			return nil, fmt.Errorf("URL scheme %s cannot be probed: write http:// or https://", shown(u.Scheme))
		}
		return nil, errors.New("URL without a scheme: write it like https://www.example.com/")
	}
	if u.Hostname() == "" {
		return nil, errors.New("URL without a host: write it like https://www.example.com/")
	}
	if err := checkPort(u.Port()); err != nil {
		return nil, err
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", "" // is never sent
	return u, nil
}

// checkPort wants a port that can be connected to, or none.
func checkPort(port string) error {
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return fmt.Errorf("URL with port %s: write one from 1 to 65535, or none", shown(port))
	}
	return nil
}

// hasScheme tells "file:///etc" from "localhost:8080/a" and "www.example.com".
func hasScheme(s string) bool {
	_, rest, found := strings.Cut(s, ":")
	return found && (rest == "" || rest[0] < '0' || rest[0] > '9')
}

// parseError leaves out the URL, and what net/url quotes of it where that may be
// a password.
func parseError(s string, err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	switch {
	case strings.Contains(s, "@"):
		return errors.New("URL cannot be parsed: write it like https://user:password@www.example.com/, with %40 for @ and %23 for # in user and password")
	case strings.Contains(err.Error(), "first path segment"): // 127.0.0.1:8080
		return errors.New("URL without a scheme: write it like https://www.example.com/")
	}
	return fmt.Errorf("URL cannot be parsed: %s", shown(err.Error()))
}

// bare returns the URL for people, without user and password.
func bare(u *url.URL) string {
	b := *u
	b.User = nil
	return b.String()
}

// Assets returns a target for each asset of a manifest that is served below base,
// a URL of a directory: a slash is added to its path if there is none. Paths are
// percent-encoded, byte for byte where they are not UTF-8. Pages are asked for by
// the names of their files, index.html among them: servers may lead from there to
// the directory.
func Assets(base *url.URL, m *manifest.Manifest) ([]Target, error) {
	if base.RawQuery != "" || base.ForceQuery {
		return nil, errors.New("the URL of a directory has no query: leave out all from the question mark on")
	}
	directory := *base
	if !strings.HasSuffix(directory.Path, "/") {
		directory.Path += "/"
		if directory.RawPath != "" {
			directory.RawPath += "/"
		}
	}
	var targets []Target
	for i := range m.Assets {
		asset := &m.Assets[i]
		u := directory
		u.Path = directory.Path + asset.Path
		u.RawPath = directory.EscapedPath() + escapePath(asset.Path)
		targets = append(targets, Target{&u, asset})
	}
	return targets, nil
}

func escapePath(path string) string {
	elements := strings.Split(path, "/")
	for i, e := range elements {
		elements[i] = url.PathEscape(e)
	}
	return strings.Join(elements, "/")
}

// ownHeader are the fields that requests have by themselves, or that are about a
// connection: with another value, findings would be about something else.
var ownHeader = map[string]string{
	"accept-encoding":      "it is what the probe asks about",
	"available-dictionary": "it is what the probe asks about",
	"range":                "it is what the probe asks about",
	"if-range":             "it is what the probe asks about",
	"if-match":             "it is what the probe asks about",
	"if-none-match":        "it is what the probe asks about",
	"if-modified-since":    "it is what the probe asks about",
	"if-unmodified-since":  "it is what the probe asks about",
	"content-length":       "requests have no content",
	"content-encoding":     "requests have no content",
	"content-type":         "requests have no content",
	"expect":               "requests have no content",
	"transfer-encoding":    "it is about the connection",
	"connection":           "it is about the connection",
	"proxy-connection":     "it is about the connection",
	"keep-alive":           "it is about the connection",
	"te":                   "it is about the connection",
	"trailer":              "it is about the connection",
	"upgrade":              "it is about the connection",
}

// CheckHeader returns an error unless a field can be sent with every request. It
// does not repeat the value.
func CheckHeader(name, value string) error {
	if name == "" || strings.ContainsFunc(name, notToken) {
		return errors.New("the name of a header field has letters, digits and hyphens: write it like 'Name: value'")
	}
	if reason, found := ownHeader[strings.ToLower(name)]; found {
		return fmt.Errorf("%s cannot be set: %s", name, reason)
	}
	if slices.ContainsFunc([]byte(value), func(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
		return fmt.Errorf("the value of %s has a control character", name)
	}
	if strings.EqualFold(name, "Host") {
		return checkHost(value)
	}
	return nil
}

// checkHost wants a host that can be sent: net/http leaves others out without a word.
func checkHost(value string) error {
	u, err := url.Parse("//" + value)
	if err != nil || u.Host != value || u.Hostname() == "" || strings.ContainsFunc(value, notInHost) || checkPort(u.Port()) != nil {
		return errors.New("the value of Host is no host: write it like 'Host: www.example.com' or 'Host: www.example.com:8080'")
	}
	return nil
}

// notInHost tells what a Host field cannot have (RFC 9110, section 7.2; RFC 3986,
// section 3.2.2).
func notInHost(r rune) bool {
	letter := r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	return !letter && !strings.ContainsRune("-._~%!$&'()*+,;=:[]", r)
}

func notToken(r rune) bool {
	letter := r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
