package probe

import (
	"slices"

	"github.com/precompress/precompress/manifest"
)

// checkTypes looks at Content-Type, with every coding.
func (e *examination) checkTypes() {
	e.look(typeDiffers, typeWrong, typeMissing)
	var right []*Answer
	for _, seen := range groupTypes(e.reps) {
		sent := line(seen[0].Header, "Content-Type")
		reason, wrong := e.wrongType(seen)
		switch lines := len(seen[0].Header.Values("Content-Type")); {
		case lines > 1:
			e.find(typeWrong.citing("RFC 9110, section 5.3"), seen[0].Coding, seen, "Content-Type is there %d times: %s (with %s)", lines, shown(sent), codingList(seen))
		case sent == "":
			e.find(typeMissing, seen[0].Coding, seen, "no Content-Type (with %s)", codingList(seen))
		case wrong:
			e.find(typeWrong, seen[0].Coding, seen, "Content-Type is %s%s (with %s)", shown(sent), reason, codingList(seen))
		case right == nil:
			right = seen
		default:
			e.otherType(seen, right)
		}
	}
}

// otherType says that answers have another type than those before.
func (e *examination) otherType(seen, right []*Answer) {
	e.find(typeDiffers, seen[0].Coding, seen, "Content-Type is %s with %s, and %s with %s",
		shown(line(seen[0].Header, "Content-Type")), codingList(seen), shown(line(right[0].Header, "Content-Type")), codingList(right))
}

// groupTypes puts answers together whose Content-Types mean the same.
func groupTypes(answers []*Answer) [][]*Answer {
	var groups [][]*Answer
	for _, a := range answers {
		i := slices.IndexFunc(groups, func(g []*Answer) bool { return sameType(g[0], a) })
		if i < 0 {
			groups = append(groups, []*Answer{a})
			continue
		}
		groups[i] = append(groups[i], a)
	}
	return groups
}

// wrongType reports whether the type of one of the answers, which have the same, is
// not that of its content, and in what way.
func (e *examination) wrongType(seen []*Answer) (reason string, wrong bool) {
	media, _, ok := mediaType(line(seen[0].Header, "Content-Type"))
	switch {
	case !ok:
		return ", which is no media type", true
	case slices.Contains(codedTypes, media):
		return ", that of coded bytes, which the content is not once it is decoded", slices.ContainsFunc(seen, e.isFalselyCoded)
	case slices.Contains(vagueTypes, media):
		return "", hasName(e.name(), strictNames)
	}
	if slices.ContainsFunc(seen, e.isPageInPlace) {
		return ": a page in place of the file, which may be missing on the server", !slices.ContainsFunc(seen, e.isStale)
	}
	want, wrong := isOtherKind(e.name(), media)
	return ", and the name is that of " + want, wrong
}

// isFalselyCoded reports whether content of a type of coded bytes is something else,
// once its Content-Encoding is taken off. Names of archives say too little: a server
// may take their suffix for the coding.
func (e *examination) isFalselyCoded(a *Answer) bool {
	d := a.Content.Decoded
	switch {
	case hasName(e.name(), archiveNames):
		return false
	case hasName(e.name(), assetNames) || hasName(e.name(), strictNames):
		return true
	}
	return a.complete() && d.ok() && d.Size > 0 && len(d.again) == 0
}

// isPageInPlace reports whether an answer is a page where its name says otherwise, as
// servers give it that send an application's page for all that they do not have.
func (e *examination) isPageInPlace(a *Answer) bool {
	media, _, _ := mediaType(line(a.Header, "Content-Type"))
	return media == "text/html" && hasName(e.name(), assetNames)
}

// isStale reports whether the content was found not to be the build's.
func (e *examination) isStale(a *Answer) bool { return e.found(stale, a.Coding) }

// checkDeclared looks at content that has no coding by what the answer says. Formats
// that are compressed by themselves need no Content-Encoding (RFC 9110, section
// 8.4): only a type that says something else, or no type and a name that does, tells
// that one is missing.
func (e *examination) checkDeclared(a *Answer) {
	if e.asset != nil || hasName(e.name(), archiveNames) {
		return
	}
	media, _, _ := mediaType(line(a.Header, "Content-Type"))
	vague := media == "" || media == "application/octet-stream"
	if !isBareType(media) && !(vague && (hasName(e.name(), strictNames) || hasName(e.name(), assetNames))) {
		return
	}
	for _, n := range a.Content.Decoded.again {
		if n.coding != manifest.Brotli { // br cannot be told by its start
			e.once(undeclared, a, "the content is %s, and no Content-Encoding says so", n.coding)
		}
	}
}
