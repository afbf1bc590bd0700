package precompress

import (
	"fmt"
	"path"
	"strings"

	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
)

// matchPattern returns the URL pattern of the requests that an asset may be a
// dictionary for, relative to its own URL: its name with "*" in place of the
// fingerprint and of what pages may percent-encode. It is "" where no pattern can
// be sent, or the asset would be too large for a dictionary.
func (o Options) matchPattern(asset string, size int64) string {
	if !o.usesDeltas() || size == 0 || size > release.MaxFile {
		return ""
	}
	name := urlPath(path.Base(asset))
	if prefix, _, suffix, ok := o.Fingerprint.Split(asset); ok {
		prefix = prefix[strings.LastIndex(prefix, "/")+1:]
		name = urlPath(prefix) + "*" + urlPath(suffix)
	}
	pattern := manifest.MatchName(name) // of which "*" stays itself
	if manifest.CheckMatch(pattern) != nil {
		return ""
	}
	return pattern
}

// urlPath returns a file's name as browsers write it in a URL's path: they leave
// alone what is no delimiter there (URL standard, path percent-encode set). Per
// cent signs and backslashes stand for something else in links, and are encoded
// by who writes them.
func urlPath(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' || strings.IndexByte("\"#<>?^`{}%\\", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
