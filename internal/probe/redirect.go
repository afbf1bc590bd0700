package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// maxRedirects is how many redirects are followed.
const maxRedirects = 10

// RedirectError is a redirect that is not followed. Nothing was requested of its target,
// and nothing can be said about the URL itself.
type RedirectError struct {
	status int
	to     string // without user and password
	reason string // "which is another host"
	probe  string // what to probe instead: a URL, and how
}

func (e *RedirectError) Error() string {
	return fmt.Sprintf("%d redirects to %s, %s: if you trust it, probe %s", e.status, shown(e.to), e.reason, shown(e.probe))
}

// followRedirects sends the first request, without Accept-Encoding, and follows redirects
// on the same host.
func (p *urlProbe) followRedirects(ctx context.Context) (*Answer, error) {
	p.checked(redirect, redirectLoop)
	var worth *Answer // the first redirect that is worth a finding
	for hops := 0; ; hops++ {
		a, err := p.ask(ctx, get(""))
		if err != nil {
			return nil, err
		}
		next, ok := location(p.url, a)
		if !ok {
			if worth != nil {
				p.add(redirect, "", worth, "%d redirects to %s", worth.Status, shown(p.redacted(p.url)))
			}
			return a, nil
		}
		if hops == maxRedirects {
			p.add(redirectLoop, "", a, "there are more than %d redirects, the last one to %s", maxRedirects, shown(p.redacted(next)))
			return nil, errStop
		}
		next, err = p.follow(a, next)
		if err != nil {
			return nil, err
		}
		if worth == nil && !p.isDirectoryOfIndex(next) {
			worth = a
		}
		next.User = p.url.User
		p.url = next
	}
}

// follow returns the URL to request for the target of a redirect. With a Host field, a
// target on that host has the address of the probed URL.
func (p *urlProbe) follow(a *Answer, next *url.URL) (*url.URL, error) {
	to := p.redacted(next)
	refuse := func(reason, probe string) (*url.URL, error) { return nil, &RedirectError{a.Status, to, reason, probe} }
	host := p.client.opts.Header.Get("Host")
	isSameName := strings.EqualFold(p.url.Hostname(), next.Hostname())
	switch {
	case host != "" && isSameHost(&url.URL{Scheme: p.url.Scheme, Host: host}, next):
		here := *next
		here.Host = p.url.Host
		if here.Scheme != p.url.Scheme {
			here.Host = strings.TrimSuffix(p.url.Host, ":"+p.url.Port())
			return refuse("which is the host of the Host field", p.redacted(&here)+" with the same field")
		}
		return &here, nil
	case isSameHost(p.url, next):
		return next, nil
	case isSameName && p.url.Scheme == "https" && next.Scheme == "http":
		return refuse("which is not encrypted", to)
	case isSameName:
		return refuse("which is another port", to)
	}
	return refuse("which is another host", to)
}

// location returns the target of a redirect.
func location(from *url.URL, a *Answer) (*url.URL, bool) {
	switch a.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, false
	}
	if len(a.location) != 1 {
		return nil, false
	}
	next, err := from.Parse(a.location[0])
	if err != nil || next.Scheme != "http" && next.Scheme != "https" || next.Host == "" {
		return nil, false
	}
	if next.Path == "" {
		next.Path = "/"
	}
	next.Fragment, next.RawFragment = "", ""
	return next, true
}

// isSameHost reports whether a redirect stays at the same host and port, or goes from
// http to https on the same host, whatever the ports.
func isSameHost(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	if from.Scheme == to.Scheme {
		return port(from) == port(to)
	}
	return from.Scheme == "http"
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

// isDirectoryOfIndex reports whether an asset's index.html redirects to its directory:
// that is the usual URL of the page.
func (p *urlProbe) isDirectoryOfIndex(next *url.URL) bool {
	directory, file := path.Split(p.url.Path)
	return p.asset != nil && file == "index.html" && next.Path == directory && next.Host == p.url.Host
}
