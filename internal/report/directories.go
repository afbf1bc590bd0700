package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/page"
	"github.com/precompress/precompress/manifest"
)

// Limits of dividing a tree, so that all parts are large enough to see.
const (
	mostParts  = 60
	leastShare = 0.004 // of the bytes of all sources, for a part
)

// kind is the kind of a part.
type kind int

const (
	file      kind = iota
	directory      // with everything in it
	rest           // files and directories of a directory that are too small to show
)

// part is a part of a tree. Directories that are large enough are divided further. The
// leaves are the other directories, files and rests; each asset is in exactly one leaf.
type part struct {
	kind             kind
	path             string // raw, with a slash at the end of a directory; of a rest, its directory's
	Files            int
	Source, Smallest int64
	parts            []*part // of a divided directory, the largest first, then the rest

	assets []manifest.Asset // of a directory, sorted by path
}

// leaves returns the parts that are not divided, the largest first.
func (p *part) leaves() []*part {
	if p.parts == nil {
		return []*part{p}
	}
	var all []*part
	for _, child := range p.parts {
		all = append(all, child.leaves()...)
	}
	slices.SortStableFunc(all, largestFirst)
	return all
}

func largestFirst(a, b *part) int { return cmp.Compare(b.Source, a.Source) }

// divide divides the assets of a tree, which are sorted by path: the largest directory
// first, until there are mostParts leaves.
func divide(assets []manifest.Asset) *part {
	root := newPart(directory, "", assets)
	undivided, leaves := []*part{root}, 1
	for len(undivided) > 0 {
		slices.SortStableFunc(undivided, largestFirst)
		largest := undivided[0]
		undivided = undivided[1:]
		parts := largest.contents(mostParts-leaves+1, int64(leastShare*float64(root.Source)))
		if parts == nil {
			continue
		}
		largest.parts = parts
		leaves += len(parts) - 1
		for _, p := range parts {
			if p.kind == directory {
				undivided = append(undivided, p)
			}
		}
	}
	return root
}

func newPart(k kind, path string, assets []manifest.Asset) *part {
	p := &part{kind: k, path: path, Files: len(assets), assets: assets}
	for i := range assets {
		p.Source += assets[i].Size
		p.Smallest += smallest(&assets[i])
	}
	return p
}

// contents divides a directory into at most so many parts. Those with less than least
// bytes, and those beyond the limit, are in the rest. It returns nil if nothing but a rest
// would be left.
func (p *part) contents(most int, least int64) []*part {
	all := p.elements()
	slices.SortStableFunc(all, largestFirst)
	shown := 0
	for shown < len(all) && all[shown].Source >= least {
		shown++
	}
	if len(all) <= most && len(all)-shown <= 1 {
		return all // a rest of one would not help
	}
	shown = min(shown, most-1)
	if shown <= 0 && p.path != "" {
		return nil
	}
	others := &part{kind: rest, path: p.path}
	for _, x := range all[shown:] {
		others.Files += x.Files
		others.Source += x.Source
		others.Smallest += x.Smallest
	}
	return append(all[:shown:shown], others)
}

// elements returns the files and directories directly in a directory.
func (p *part) elements() []*part {
	var all []*part
	for at := 0; at < len(p.assets); {
		path := p.assets[at].Path
		name, _, isDirectory := strings.Cut(path[len(p.path):], "/")
		if !isDirectory {
			all = append(all, newPart(file, path, p.assets[at:at+1]))
			at++
			continue
		}
		prefix := p.path + name + "/"
		end := at
		for end < len(p.assets) && strings.HasPrefix(p.assets[end].Path, prefix) {
			end++
		}
		all = append(all, newPart(directory, prefix, p.assets[at:end]))
		at = end
	}
	return all
}

// Path returns the printable path.
func (p *part) Path() string {
	if p.kind == rest {
		return page.Shown(p.path) + p.Name()
	}
	return page.Shown(p.path)
}

// Name returns the last element of the path.
func (p *part) Name() string {
	if p.kind == rest {
		return "other (" + page.Count(p.Files, "file") + ")"
	}
	start := strings.LastIndex(strings.TrimSuffix(p.path, "/"), "/") + 1
	return page.Shown(p.path[start:])
}

// Directory returns the directory that the part is in, "" for the root.
func (p *part) Directory() string {
	path := strings.TrimSuffix(p.path, "/")
	if p.kind != rest {
		path = path[:strings.LastIndex(path, "/")+1]
	}
	return page.Shown(strings.TrimSuffix(path, "/"))
}
