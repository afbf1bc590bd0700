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

// sameType reports whether two answers have Content-Types that mean the same.
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

// isBareType reports whether a format is not compressed by itself.
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

// ownTypes are the media types that files with an extension may have, and that tell
// one kind of them from another. "+json" is any type with that suffix.
type ownTypes struct {
	extensions []string
	media      []string // the first is the one to send
	only       bool     // browsers refuse all others, also such as are not known here
}

// scriptTypes are what browsers take for JavaScript (MIME Sniffing standard, "JavaScript
// MIME type").
const scriptTypes = `text/javascript application/javascript application/x-javascript application/ecmascript
	application/x-ecmascript text/ecmascript text/x-ecmascript text/x-javascript text/jscript text/livescript
	text/javascript1.0 text/javascript1.1 text/javascript1.2 text/javascript1.3 text/javascript1.4 text/javascript1.5`

// allOwnTypes leaves out names that servers give to what is negotiated, or to pages
// about a file, as those of images.
func allOwnTypes() []ownTypes {
	own := func(extensions, media string, only bool) ownTypes {
		return ownTypes{strings.Fields(extensions), strings.Fields(media), only}
	}
	return []ownTypes{
		own(".js .mjs .cjs", scriptTypes, false),
		own(".css", "text/css", false),
		own(".wasm", "application/wasm", true),
		own(".html .htm", "text/html application/xhtml+xml", false),
		own(".xhtml", "application/xhtml+xml text/html application/xml text/xml", false),
		own(".svg", "image/svg+xml", false),
		own(".json", "application/json text/json +json "+scriptTypes, false), // a callback may be around it
		own(".webmanifest", "application/manifest+json application/json text/json +json", false),
		own(".xml", "application/xml text/xml +xml", false),
	}
}

// has reports whether files of the kind may have a type.
func (o ownTypes) has(media string) bool {
	return slices.ContainsFunc(o.media, func(m string) bool {
		return m == media || m[0] == '+' && strings.HasSuffix(media, m)
	})
}

// isOtherKind reports whether a type is known to be that of something else than a file
// of that name, and which type the file should have.
func isOtherKind(name, media string) (want string, is bool) {
	kinds := allOwnTypes()
	i := slices.IndexFunc(kinds, func(o ownTypes) bool { return hasName(name, o.extensions) })
	if i < 0 || kinds[i].has(media) || slices.Contains(vagueTypes, media) {
		return "", false
	}
	family, _, _ := strings.Cut(media, "/")
	known := kinds[i].only || media == "text/csv" || slices.Contains([]string{"image", "audio", "video", "font", "multipart"}, family) ||
		slices.ContainsFunc(kinds, func(o ownTypes) bool { return o.has(media) })
	return kinds[i].media[0], known
}

func hasName(name string, extensions []string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(name)))
}
