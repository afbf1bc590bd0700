package probe

import (
	"mime"
	"path"
	"slices"
	"strings"
)

// checkTypes looks at Content-Type.
func (e *examination) checkTypes() {
	e.look(typeDiffers, typeWrong, typeMissing)
	first := e.reps[0]
	for _, rep := range e.reps {
		sent := line(rep.Header, "Content-Type")
		switch {
		case sent == "":
			e.once(typeMissing, rep, "no Content-Type with %s", codingName(rep.Coding))
		case e.isWrongType(sent):
			e.once(typeWrong, rep, "Content-Type is %s for a name that ends in %s", shown(sent), strings.ToLower(path.Ext(e.name())))
		case rep != first && sent != line(first.Header, "Content-Type") && line(first.Header, "Content-Type") != "" && !e.found(typeWrong, first.Coding):
			e.find(typeDiffers, rep.Coding, []*Answer{first, rep}, "Content-Type is %s with %s and %s with %s",
				shown(line(first.Header, "Content-Type")), codingName(first.Coding), shown(sent), codingName(rep.Coding))
		}
	}
}

// plainTypes are what servers send that do not know a name, or that have looked at
// its bytes.
var plainTypes = []string{
	"application/octet-stream", "text/plain", "application/gzip", "application/x-gzip", "application/zstd",
	"application/x-zstd", "application/x-brotli", "application/brotli", "application/x-br",
}

// webNames are extensions that have a media type of their own, which browsers need.
var webNames = strings.Fields(".html .htm .css .js .mjs .cjs .json .map .webmanifest .wasm .xml .xhtml .atom .rss .svg .png .gif .webp .avif .jpg .jpeg .ico .woff .woff2 .ttf .otf .pdf .mp4 .webm .mp3")

// isWrongType tells whether a type stands where another one is known to belong.
// Source maps have none of their own in many servers, and no browser minds.
func (e *examination) isWrongType(sent string) bool {
	media, _, err := mime.ParseMediaType(sent)
	if err != nil {
		media = strings.ToLower(strings.TrimSpace(strings.Split(sent, ";")[0]))
	}
	ext := strings.ToLower(path.Ext(e.name()))
	if coded := strings.HasPrefix(media, "application/") && slices.Index(plainTypes, media) >= 2; coded {
		return !isArchive(e.name())
	}
	return slices.Contains(plainTypes, media) && slices.Contains(webNames, ext) && ext != ".map"
}
