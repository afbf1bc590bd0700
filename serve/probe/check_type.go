package probe

import (
	"path"
	"slices"
	"strings"
)

// checkTypes looks at Content-Type, with every coding.
func (e *examination) checkTypes() {
	e.look(typeDiffers, typeWrong, typeMissing)
	var types []string
	with := make(map[string][]*Answer)
	for _, rep := range e.reps {
		sent := line(rep.Header, "Content-Type")
		if !slices.Contains(types, sent) {
			types = append(types, sent)
		}
		with[sent] = append(with[sent], rep)
	}
	right := ""
	for _, sent := range types {
		seen := with[sent]
		switch {
		case sent == "":
			e.find(typeMissing, seen[0].Coding, seen, "no Content-Type (with %s)", codingList(seen))
		case e.isWrongType(sent):
			e.find(typeWrong, seen[0].Coding, seen, "Content-Type is %s (with %s)", shown(sent), codingList(seen))
		case right == "":
			right = sent
		default:
			e.find(typeDiffers, seen[0].Coding, seen, "Content-Type is %s with %s, and %s with %s",
				shown(sent), codingList(seen), shown(right), codingList(with[right]))
		}
	}
}

// codedTypes are what servers send that take the suffix of a variant, or its first
// bytes, for the file's type; plainTypes those of names that they do not know.
var (
	codedTypes = strings.Fields("application/gzip application/x-gzip application/zstd application/x-zstd application/x-brotli application/brotli application/x-br")
	plainTypes = strings.Fields("application/octet-stream text/plain")
)

// strictNames are the extensions of files that browsers do not use, or use for
// something else, without their media type.
var strictNames = strings.Fields(".html .htm .xhtml .css .js .mjs .cjs .wasm .svg")

// isWrongType tells whether the type is that of coded bytes, or says nothing about
// a name that says more.
func (e *examination) isWrongType(sent string) bool {
	media, _, _ := strings.Cut(strings.ToLower(sent), ";")
	media = strings.TrimSpace(media)
	if slices.Contains(codedTypes, media) {
		return !isArchive(e.name())
	}
	return slices.Contains(plainTypes, media) && slices.Contains(strictNames, strings.ToLower(path.Ext(e.name())))
}
