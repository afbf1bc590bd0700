package release

import (
	"cmp"
	"slices"
	"strings"
)

// listing collects what an archive or a directory holds, and tells which of it are
// files of the release.
type listing struct {
	want   func(path string) bool
	limits Limits
	exists map[string]bool // the files
	names  int             // bytes of all names
	count  int             // files and directories

	// top is the one directory that everything is in so far, with a slash; "" if
	// there is none. topKnown is false before the first file.
	top      string
	topKnown bool
}

func newListing(opts Options) *listing {
	l := &listing{want: opts.Want, limits: opts.Limits.withDefaults(), exists: make(map[string]bool)}
	if l.want == nil {
		l.want = func(string) bool { return true }
	}
	return l
}

// more counts one entry, with its name.
func (l *listing) more(name string) error {
	l.count++
	l.names += len(name)
	switch {
	case l.count > l.limits.Entries:
		return overLimit("it has over %d files and directories", l.limits.Entries)
	case l.names > maxNames:
		return overLimit("its names have over %d bytes", maxNames)
	}
	return nil
}

// file notes a file and reports whether it may be wanted. Whether all is in one
// directory shows only at the end, and until then either path may be the right one.
func (l *listing) file(path string) bool {
	l.exists[path] = true
	if isHidden(path) {
		return false
	}
	top, rest, below := strings.Cut(path, "/")
	switch {
	case !below:
		l.top, l.topKnown = "", true
	case !l.topKnown:
		l.top, l.topKnown = top+"/", true
	case l.top != top+"/":
		l.top = ""
	}
	return l.want(path) || l.top != "" && l.want(rest)
}

// stripped returns the one directory that stands for the release itself, with a
// slash, and "" if none does: everything is in it, and nothing is wanted by the
// path that has it.
func (l *listing) stripped() string {
	if l.top == "" {
		return ""
	}
	for path := range l.exists {
		if !isHidden(path) && l.want(path) {
			return ""
		}
	}
	return l.top
}

// settle drops what is not wanted or ours from candidates, which are files that
// file said may be wanted, and sorts the rest. Paths lose the directory that stands
// for the release.
func (l *listing) settle(candidates []entry) []entry {
	strip := l.stripped()
	exists := func(path string) bool { return l.exists[path] }
	kept := slices.DeleteFunc(candidates, func(e entry) bool { return isOurs(e.Path, exists) })
	for i := range kept {
		kept[i].Path = strings.TrimPrefix(kept[i].Path, strip)
	}
	kept = slices.DeleteFunc(kept, func(e entry) bool { return !l.want(e.Path) })
	slices.SortFunc(kept, func(a, b entry) int { return cmp.Compare(a.Path, b.Path) })
	return kept
}

// entry is a file of an archive and where its bytes are.
type entry struct {
	File
	at int64 // an offset or an index, as its archive uses it
}
