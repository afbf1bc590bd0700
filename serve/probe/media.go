package probe

import (
	"errors"
	"mime"
	"path"
	"slices"
	"strings"
)

// mediaType reads a Content-Type. Keys are equal if the field values mean the same:
// names of types and parameters have no case, nor have charsets, and a value may be
// quoted (RFC 9110, sections 8.3.1 and 8.3.2). ok is false if it is no media type;
// the key is then the value as it came.
func mediaType(sent string) (media, key string, ok bool) {
	media, parameters, err := mime.ParseMediaType(sent)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || !strings.Contains(media, "/") {
		return "", sent, false
	}
	if charset, found := parameters["charset"]; found {
		parameters["charset"] = strings.ToLower(charset)
	}
	key = mime.FormatMediaType(media, parameters)
	if err != nil || key == "" {
		key = strings.ToLower(strings.TrimSpace(sent))
	}
	return media, key, true
}

// sameType tells whether two answers have Content-Types that mean the same.
func sameType(a, b *Answer) bool {
	_, x, _ := mediaType(line(a.Header, "Content-Type"))
	_, y, _ := mediaType(line(b.Header, "Content-Type"))
	return x == y
}

// Media types by what they say of the content.
var (
	// codedTypes are what servers send that take the suffix of a variant, or its
	// first bytes, for the file's type.
	codedTypes = strings.Fields("application/gzip application/x-gzip application/zstd application/x-zstd application/x-brotli application/brotli application/x-br")
	// vagueTypes are those that servers send for names that they do not know.
	vagueTypes = strings.Fields("application/octet-stream text/plain")
	// bareTypes are those of formats that are not compressed by themselves, beside
	// text, JSON and XML: compressed content of these types needs a Content-Encoding.
	bareTypes = strings.Fields(`application/javascript application/x-javascript application/ecmascript application/json
		application/xml application/xml-dtd application/wasm application/rtf application/sql application/yaml application/toml
		application/graphql application/x-ndjson application/postscript font/ttf font/otf font/sfnt font/collection
		application/font-sfnt application/x-font-ttf application/x-font-otf application/vnd.ms-fontobject image/bmp
		image/x-icon image/vnd.microsoft.icon audio/wav audio/x-wav`)
)

// isBareType tells whether a format is not compressed by itself.
func isBareType(media string) bool {
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+json") || strings.HasSuffix(media, "+xml") || slices.Contains(bareTypes, media)
}

// File names by their extensions.
var (
	// strictNames are of files that browsers do not use, or use for something else,
	// without their media type.
	strictNames = strings.Fields(".html .htm .xhtml .css .js .mjs .cjs .wasm .svg")
	// assetNames are of files that are no pages.
	assetNames = strings.Fields(".css .js .mjs .cjs .json .map .wasm .svg .xml .webmanifest")
	// archiveNames are of files that are coded themselves.
	archiveNames = strings.Fields(".gz .tgz .zst .tzst .br")
)

func hasName(name string, extensions []string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(name)))
}
