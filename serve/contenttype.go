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

// contentType returns the media type of an asset by its name. Only where the
// name says nothing, head, the first bytes of the source (never of a coded
// variant), tells text from the rest: a type of more consequence, such as
// HTML, is never guessed.
func contentType(name string, head []byte) string {
	ext := strings.ToLower(path.Ext(name))
	if t := webType(ext); t != "" {
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

// webType is asked before the tables of the operating system, which differ
// from one to the next and are wrong for scripts on many a Windows machine.
func webType(ext string) string {
	switch ext {
	case ".html", ".htm":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js", ".mjs", ".cjs":
		return "text/javascript; charset=utf-8" // RFC 9239
	case ".json", ".map":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	case ".wasm":
		return "application/wasm"
	case ".txt":
		return textType
	case ".md":
		return "text/markdown; charset=utf-8"
	case ".csv":
		return "text/csv; charset=utf-8"
	case ".xml":
		return "text/xml; charset=utf-8"
	case ".xhtml":
		return "application/xhtml+xml"
	case ".atom":
		return "application/atom+xml"
	case ".rss":
		return "application/rss+xml"
	case ".svg":
		return "image/svg+xml"
	}
	return mediaType(ext)
}

// mediaType goes on where webType ends, with images, fonts, sound and archives.
func mediaType(ext string) string {
	switch ext {
	case ".png", ".gif", ".webp", ".avif", ".bmp":
		return "image/" + ext[1:]
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".ico":
		return "image/x-icon"
	case ".woff", ".woff2", ".ttf", ".otf":
		return "font/" + ext[1:]
	case ".mp4", ".webm":
		return "video/" + ext[1:]
	case ".mp3":
		return "audio/mpeg"
	case ".ogg":
		return "audio/ogg"
	case ".wav":
		return "audio/wav"
	case ".pdf", ".zip":
		return "application/" + ext[1:]
	case ".gz", ".tgz":
		return "application/gzip"
	case ".zst":
		return "application/zstd"
	case ".tar":
		return "application/x-tar"
	case ".br":
		return binaryType // a coding has no media type
	}
	return ""
}
