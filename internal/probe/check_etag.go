package probe

import (
	"slices"
	"strings"
)

// checkETags checks the ETag of all representations.
func (p *urlProbe) checkETags() {
	p.checked(etagMissing, etagMalformed, etagWeak, etagShared, etagUnstable)
	var missing, weak []*Answer
	for _, rep := range p.reps {
		switch lines := rep.Header.Values("Etag"); {
		case len(lines) == 0:
			missing = append(missing, rep)
		case rep.etag() == "":
			p.add(etagMalformed, rep.Coding, rep, "ETag is %s, which is not one entity tag", shown(strings.Join(lines, ", ")))
		case isWeak(rep.etag()):
			weak = append(weak, rep)
		}
	}
	if len(missing) > 0 {
		p.addAll(etagMissing, missing[0].Coding, missing, "no ETag with %s", codingNames(missing))
	}
	if len(weak) > 0 {
		p.addAll(etagWeak, weak[0].Coding, weak, "the ETag with %s is weak: %s", codingNames(weak), shown(weak[0].etag()))
	}
	p.checkSharedETags(p.reps)
	p.checkStableETags()
}

// checkSharedETags finds strong entity tags that stand for different contents.
func (p *urlProbe) checkSharedETags(answers []*Answer) {
	byTag := make(map[string][]*Answer) // one answer of each content
	var tags []string
	for _, a := range answers {
		tag := a.etag()
		if tag == "" || isWeak(tag) || !a.isComplete() {
			continue
		}
		if byTag[tag] == nil {
			tags = append(tags, tag)
		}
		if !slices.ContainsFunc(byTag[tag], func(b *Answer) bool { return b.Content.Digest == a.Content.Digest }) {
			byTag[tag] = append(byTag[tag], a)
		}
	}
	for _, tag := range tags {
		if shared := byTag[tag]; len(shared) > 1 {
			p.addAll(etagShared, "", shared, "ETag %s stands for different bytes: %s", shown(tag), codingNames(shared))
		}
	}
}

// checkStableETags finds entity tags that differ for the same bytes.
func (p *urlProbe) checkStableETags() {
	for _, rep := range p.reps {
		for _, a := range p.full {
			if a.Coding == rep.Coding && a.isComplete() && rep.isComplete() && a.Content.Digest == rep.Content.Digest &&
				rep.etag() != "" && a.etag() != "" && opaqueTag(a.etag()) != opaqueTag(rep.etag()) {
				p.addOnce(etagUnstable, rep.Coding, rep, "the same bytes have ETag %s once and %s another time", shown(rep.etag()), shown(a.etag()))
			}
		}
	}
}
