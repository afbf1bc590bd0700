package serve

import (
	"mime"
	"net/http"
	"path"
	"strings"
)

const (
	binaryType = "application/octet-stream"
	textType   = "text/plain; charset=utf-8"
)

// contentType returns the media type of an asset by its name. If the name says
// nothing, the first bytes of the source tell text from everything else. More
// consequential types, such as HTML, are never guessed.
func contentType(name string, head []byte) string {
	ext := strings.ToLower(path.Ext(name))
	if t := webTypes[ext]; t != "" {
		return t
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	if len(head) > 0 && strings.HasPrefix(http.DetectContentType(head), "text/") {
		return textType
	}
	return binaryType
}

// webTypes come before the tables of the operating system, which differ, and which
// are wrong for scripts on many Windows machines. It is read only.
var webTypes = map[string]string{
	".html":        "text/html; charset=utf-8",
	".htm":         "text/html; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8", // RFC 9239
	".mjs":         "text/javascript; charset=utf-8",
	".cjs":         "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".webmanifest": "application/manifest+json",
	".wasm":        "application/wasm",
	".txt":         textType,
	".md":          "text/markdown; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".xml":         "text/xml; charset=utf-8",
	".xhtml":       "application/xhtml+xml",
	".atom":        "application/atom+xml",
	".rss":         "application/rss+xml",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".gif":         "image/gif",
	".webp":        "image/webp",
	".avif":        "image/avif",
	".bmp":         "image/bmp",
	".jpg":         "image/jpeg",
	".jpeg":        "image/jpeg",
	".ico":         "image/x-icon",
	".woff":        "font/woff",
	".woff2":       "font/woff2",
	".ttf":         "font/ttf",
	".otf":         "font/otf",
	".mp4":         "video/mp4",
	".webm":        "video/webm",
	".mp3":         "audio/mpeg",
	".ogg":         "audio/ogg",
	".wav":         "audio/wav",
	".pdf":         "application/pdf",
	".zip":         "application/zip",
	".gz":          "application/gzip",
	".tgz":         "application/gzip",
	".zst":         "application/zstd",
	".tar":         "application/x-tar",
	".br":          binaryType, // a coding without a media type
}
