package s3

import (
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/precompress/precompress/precompress/cache"
)

// TestExplainResponse: what a store answers is told in our own words, which
// say what to do.
func TestExplainResponse(t *testing.T) {
	setCredentials(t, testAccess, testSecret)
	p := startProxy(t, &url.URL{})
	for name, test := range map[string]struct {
		status int
		body   string
		kind   error
		text   string
	}{
		"absent":            {404, `<Error><Code>NoSuchKey</Code></Error>`, fs.ErrNotExist, "does not exist"},
		"absent, in HTML":   {404, `<html>`, fs.ErrNotExist, "does not exist"},
		"no bucket":         {404, `<Error><Code>NoSuchBucket</Code></Error>`, cache.ErrUnusable, "no such bucket"},
		"other region":      {400, `<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>`, cache.ErrUnusable, "another region, eu-west-1: set AWS_REGION"},
		"redirect":          {301, `<Error><Code>PermanentRedirect</Code></Error>`, cache.ErrUnusable, "another region: set AWS_REGION"},
		"clock":             {403, `<Error><Code>RequestTimeTooSkewed</Code></Error>`, cache.ErrUnusable, "clock"},
		"denied":            {403, `<Error><Code>AccessDenied</Code></Error>`, cache.ErrDenied, "s3:ListBucket"},
		"unknown key":       {403, `<Error><Code>InvalidAccessKeyId</Code></Error>`, cache.ErrUnusable, "check the credentials"},
		"its own words":     {500, `<Error><Code>&#27;[31m secret words</Code><Message>AKIA</Message></Error>`, nil, "500 Internal Server Error"},
		"too many requests": {429, ``, nil, "429"},
	} {
		t.Run(name, func(t *testing.T) {
			p.set(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
				w.Header().Set("Content-Type", "application/xml")
				w.WriteHeader(test.status)
				w.Write([]byte(test.body))
			})
			_, err := openAt(t, p.url, testBucket).Get(t.Context(), testKey(1))
			if err == nil || !strings.Contains(err.Error(), test.text) || test.kind != nil && !errors.Is(err, test.kind) {
				t.Errorf("%v, want %q, of kind %v", err, test.text, test.kind)
			}
			if err != nil && (strings.Contains(err.Error(), "AKIA") || strings.Contains(err.Error(), "\x1b")) {
				t.Errorf("%q", err)
			}
		})
	}
}
