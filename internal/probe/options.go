package probe

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/precompress/precompress/manifest"
)

// Options are the settings of a run. The zero value has the defaults.
type Options struct {
	Timeout   time.Duration // of a request, with the content of its answer. Default: 10 s
	Jobs      int           // the most URLs that are probed at the same time. Default: 4
	Rate      float64       // the most requests a second, in total. Default: 20
	MaxBody   int64         // larger content, in bytes as received or decoded, is not checked. Default: 32 MiB
	UserAgent string        // Default: "precompress-probe"
	// Header is sent with every request; "Host" replaces the host of the URL.
	// [CheckHeader] reports what is allowed.
	Header http.Header
	TLS    *tls.Config // Default: that of package crypto/tls
	// Fingerprint finds the file names that caches may keep for long.
	Fingerprint manifest.Fingerprint
	// Observe is called with each result, one at a time and in the order that Run
	// returns them in, as soon as it and all before it are complete.
	Observe func(*Result)
}

func (o Options) withDefaults() (Options, error) {
	for name := range o.Header {
		if err := CheckHeader(name, fieldValue(o.Header, name)); err != nil {
			return o, err
		}
	}
	o.Timeout = cmp.Or(max(o.Timeout, 0), 10*time.Second)
	o.Jobs = cmp.Or(max(o.Jobs, 0), 4)
	o.Rate = cmp.Or(max(o.Rate, 0), 20)
	o.MaxBody = cmp.Or(max(o.MaxBody, 0), 32<<20)
	o.UserAgent = cmp.Or(o.UserAgent, "precompress-probe")
	return o, nil
}

// CheckHeader returns an error unless a field can be sent with every request. The error
// does not repeat the value, which may be a secret.
func CheckHeader(name, value string) error {
	if name == "" || strings.ContainsFunc(name, notToken) {
		return errors.New("the name of a header field has only letters, digits and hyphens: write it like 'Name: value'")
	}
	if reason := whyReserved(name); reason != "" {
		return fmt.Errorf("%s cannot be set: %s", name, reason)
	}
	if slices.ContainsFunc([]byte(value), func(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
		return fmt.Errorf("the value of %s has a control character: remove it", name)
	}
	if strings.EqualFold(name, "Host") {
		return checkHost(value)
	}
	return nil
}

// whyReserved returns why a field cannot be set, "" if it can. With another value of
// such a field, findings would be about something else.
func whyReserved(name string) string {
	switch strings.ToLower(name) {
	case "accept-encoding", "available-dictionary", "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since":
		return "the probe sends values of its own"
	case "content-length", "content-encoding", "content-type", "expect":
		return "the requests have no content"
	case "transfer-encoding", "connection", "proxy-connection", "keep-alive", "te", "trailer", "upgrade":
		return "it is about the connection"
	}
	return ""
}

// checkHost returns an error unless a Host can be sent: net/http drops invalid ones
// silently.
func checkHost(value string) error {
	u, err := url.Parse("//" + value)
	if err != nil || u.Host != value || u.Hostname() == "" || strings.ContainsFunc(value, notInHost) || checkPort(u.Port()) != nil {
		return errors.New("the value of Host is not a host: write it like 'Host: www.example.com' or 'Host: www.example.com:8080'")
	}
	return nil
}

// notInHost reports whether a Host field cannot contain r (RFC 9110, section 7.2; RFC
// 3986, section 3.2.2).
func notInHost(r rune) bool {
	return !isAlphanumeric(r) && !strings.ContainsRune("-._~%!$&'()*+,;=:[]", r)
}
