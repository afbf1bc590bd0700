package probe

import (
	"errors"
	"mime"
	"path"
	"slices"
	"strings"
)

// mediaType returns the media type of Content-Type, "" if there is none.
func (a *Answer) mediaType() string {
	media, _ := parseType(a.value("Content-Type"))
	return media
}

// isSameType reports whether the Content-Types of two answers mean the same.
func isSameType(a, b *Answer) bool {
	_, x := parseType(a.value("Content-Type"))
	_, y := parseType(b.value("Content-Type"))
	return x == y
}

// parseType parses a Content-Type. Keys are equal if the values mean the same: types,
// names of parameters and charsets are case-insensitive, and values may be quoted (RFC
// 9110, sections 8.3.1 and 8.3.2). If it is not a media type, media is "" and the key is
// the value.
func parseType(sent string) (media, key string) {
	media, parameters, err := mime.ParseMediaType(sent)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || !strings.Contains(media, "/") {
		return "", sent
	}
	if charset, found := parameters["charset"]; found {
		parameters["charset"] = strings.ToLower(charset)
	}
	key = mime.FormatMediaType(media, parameters)
	if err != nil || key == "" {
		key = strings.ToLower(strings.TrimSpace(sent))
	}
	return media, key
}

// Media types by what they say about the content.
var (
	// codedTypes are sent by servers that derive the type from the suffix of a variant,
	// or from its first bytes.
	codedTypes = strings.Fields("application/gzip application/x-gzip application/zstd application/x-zstd application/x-brotli application/brotli application/x-br")
	// vagueTypes are sent by servers for names that they do not know.
	vagueTypes = strings.Fields("application/octet-stream text/plain")
	// uncompressedTypes are those of formats that are not compressed themselves, other
	// than text, JSON and XML: compressed, they need a Content-Encoding.
	uncompressedTypes = strings.Fields(`application/javascript application/x-javascript application/ecmascript application/json
		application/xml application/xml-dtd application/wasm application/rtf application/sql application/yaml application/toml
		application/graphql application/x-ndjson application/postscript font/ttf font/otf font/sfnt font/collection
		application/font-sfnt application/x-font-ttf application/x-font-otf application/vnd.ms-fontobject image/bmp
		image/x-icon image/vnd.microsoft.icon audio/wav audio/x-wav`)
)

// isUncompressedType reports whether a format is not compressed itself.
func isUncompressedType(media string) bool {
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+json") || strings.HasSuffix(media, "+xml") || slices.Contains(uncompressedTypes, media)
}

// Extensions of file names.
var (
	// strictExtensions are of files that browsers refuse or misread without their media
	// type.
	strictExtensions = strings.Fields(".html .htm .xhtml .css .js .mjs .cjs .wasm .svg")
	// assetExtensions are of files that are not pages.
	assetExtensions = strings.Fields(".css .js .mjs .cjs .json .map .wasm .svg .xml .webmanifest")
	// archiveExtensions are of files that are compressed themselves.
	archiveExtensions = strings.Fields(".gz .tgz .zst .tzst .br")
)

// fileKind is the media types that files with an extension may have. "+json" stands for
// any type with that suffix.
type fileKind struct {
	extensions []string
	media      []string // the first is the one to send
	only       bool     // browsers refuse all other types, also those unknown here
}

// scriptTypes are the types that browsers run as JavaScript (MIME Sniffing standard,
// "JavaScript MIME type").
const scriptTypes = `text/javascript application/javascript application/x-javascript application/ecmascript
	application/x-ecmascript text/ecmascript text/x-ecmascript text/x-javascript text/jscript text/livescript
	text/javascript1.0 text/javascript1.1 text/javascript1.2 text/javascript1.3 text/javascript1.4 text/javascript1.5`

// fileKinds has no images: servers negotiate their format under one name, or send pages
// about them.
func fileKinds() []fileKind {
	kind := func(extensions, media string, only bool) fileKind {
		return fileKind{strings.Fields(extensions), strings.Fields(media), only}
	}
	return []fileKind{
		kind(".js .mjs .cjs", scriptTypes, false),
		kind(".css", "text/css", false),
		kind(".wasm", "application/wasm", true),
		kind(".html .htm", "text/html application/xhtml+xml", false),
		kind(".xhtml", "application/xhtml+xml text/html application/xml text/xml", false),
		kind(".svg", "image/svg+xml", false),
		kind(".json", "application/json text/json +json "+scriptTypes, false), // or JSONP
		kind(".webmanifest", "application/manifest+json application/json text/json +json", false),
		kind(".xml", "application/xml text/xml +xml", false),
	}
}

// allows reports whether files of the kind may have a type.
func (k fileKind) allows(media string) bool {
	return slices.ContainsFunc(k.media, func(m string) bool {
		return m == media || m[0] == '+' && strings.HasSuffix(media, m)
	})
}

// isTypeOfOthers reports whether a type is known to be that of other files than those of
// that name, and which type the file should have.
func isTypeOfOthers(name, media string) (want string, is bool) {
	kinds := fileKinds()
	i := slices.IndexFunc(kinds, func(k fileKind) bool { return hasExtension(name, k.extensions) })
	if i < 0 || kinds[i].allows(media) || slices.Contains(vagueTypes, media) {
		return "", false
	}
	family, _, _ := strings.Cut(media, "/")
	known := kinds[i].only || media == "text/csv" || slices.Contains([]string{"image", "audio", "video", "font", "multipart"}, family) ||
		slices.ContainsFunc(kinds, func(k fileKind) bool { return k.allows(media) })
	return kinds[i].media[0], known
}

func hasExtension(name string, extensions []string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(name)))
}
