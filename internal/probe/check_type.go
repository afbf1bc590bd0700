package probe

import "slices"

// checkTypes checks Content-Type of all representations.
func (p *urlProbe) checkTypes() {
	p.checked(typeDiffers, typeWrong, typeMissing)
	var right []*Answer
	for _, group := range groupByType(p.reps) {
		coding, sent := group[0].Coding, group[0].value("Content-Type")
		reason, isWrong := p.wrongType(group)
		switch lines := len(group[0].Header.Values("Content-Type")); {
		case lines > 1:
			p.addAll(typeWrong.citing("RFC 9110, section 5.3"), coding, group, "Content-Type is sent %d times: %s (with %s)", lines, shown(sent), codingNames(group))
		case sent == "":
			p.addTypeMissing(group)
		case isWrong:
			p.addAll(typeWrong, coding, group, "Content-Type is %s%s (with %s)", shown(sent), reason, codingNames(group))
		case right == nil:
			right = group
		default:
			p.addTypeDiffers(group, right)
		}
	}
}

func (p *urlProbe) addTypeMissing(group []*Answer) {
	p.addAll(typeMissing, group[0].Coding, group, "no Content-Type (with %s)", codingNames(group))
}

func (p *urlProbe) addTypeDiffers(group, right []*Answer) {
	p.addAll(typeDiffers, group[0].Coding, group, "Content-Type is %s with %s, and %s with %s",
		shown(group[0].value("Content-Type")), codingNames(group), shown(right[0].value("Content-Type")), codingNames(right))
}

// groupByType groups answers whose Content-Types mean the same.
func groupByType(answers []*Answer) [][]*Answer {
	var groups [][]*Answer
	for _, a := range answers {
		i := slices.IndexFunc(groups, func(g []*Answer) bool { return isSameType(g[0], a) })
		if i < 0 {
			groups = append(groups, []*Answer{a})
			continue
		}
		groups[i] = append(groups[i], a)
	}
	return groups
}

// wrongType reports whether the type of a group of answers is not that of their content,
// and why.
func (p *urlProbe) wrongType(group []*Answer) (reason string, wrong bool) {
	media := group[0].mediaType()
	switch {
	case media == "":
		return ", which is not a media type", true
	case slices.Contains(codedTypes, media):
		return ", a type of compressed content, which the decoded content is not", slices.ContainsFunc(group, p.isFalselyCoded)
	case slices.Contains(vagueTypes, media):
		return ", which browsers refuse or misread for a file with this name", hasExtension(p.fileName(), strictExtensions)
	}
	if slices.ContainsFunc(group, p.isPageInPlace) {
		isKnown := slices.ContainsFunc(group, func(a *Answer) bool { return p.found(stale, a.Coding) })
		return ": a page in place of the file, which may be missing on the server", !isKnown
	}
	want, wrong := isTypeOfOthers(p.fileName(), media)
	return ", but the file name is that of " + want, wrong
}

// isFalselyCoded reports whether content with a type of compressed content is something
// else once decoded. Names of archives prove nothing: a server may read their suffix as
// a coding.
func (p *urlProbe) isFalselyCoded(a *Answer) bool {
	d := a.Content.decoded
	switch {
	case hasExtension(p.fileName(), archiveExtensions):
		return false
	case hasExtension(p.fileName(), assetExtensions) || hasExtension(p.fileName(), strictExtensions):
		return true
	}
	return a.isDecoded() && d.size > 0 && len(d.again) == 0
}

// isPageInPlace reports whether an answer is a page though its name is not that of one:
// servers of single-page applications send a page for every file that is missing.
func (p *urlProbe) isPageInPlace(a *Answer) bool {
	return a.mediaType() == "text/html" && hasExtension(p.fileName(), assetExtensions)
}
