package serve

import (
	"net/http"
	"net/url"
	"path"
	"strings"
)

// navigationFields are the request fields that isNavigation reads, for Vary.
const navigationFields = "Accept, Sec-Fetch-Mode"

// mayBePage reports whether a request could be for a page of the application, by its
// method and path.
func mayBePage(r *http.Request) bool { return isRead(r) && path.Ext(r.URL.Path) == "" }

// isNavigation reports whether a user navigates to the page; see [Options.Fallback].
func isNavigation(r *http.Request) bool {
	if mode := r.Header["Sec-Fetch-Mode"]; len(mode) > 0 {
		return mode[0] == "navigate"
	}
	accept := r.Header["Accept"]
	if len(accept) == 0 {
		return true
	}
	for _, line := range accept {
		for member := range strings.SplitSeq(line, ",") {
			if acceptsPage(member) {
				return true
			}
		}
	}
	return false
}

// acceptsPage reports whether a member of an Accept field accepts HTML, by name or as
// "*/*" (RFC 9110, section 12.5.1).
func acceptsPage(member string) bool {
	mediaRange, params, _ := strings.Cut(member, ";")
	mediaRange = strings.TrimSpace(mediaRange)
	if !strings.EqualFold(mediaRange, "text/html") && mediaRange != "*/*" {
		return false
	}
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(param), "=")
		if strings.EqualFold(name, "q") && strings.Trim(value, "0.") == "" {
			return false // weight zero: not acceptable
		}
	}
	return true
}

// redirect answers a request for a directory without the trailing slash. The location
// is relative, and so does not depend on a prefix; "./" keeps a colon in the name from
// ending a scheme.
func redirect(w http.ResponseWriter, r *http.Request) Event {
	target := url.URL{Path: "./" + path.Base(r.URL.Path) + "/", RawQuery: r.URL.RawQuery}
	w.Header()["Location"] = []string{target.String()}
	return fail(w, r, http.StatusMovedPermanently, Event{})
}
