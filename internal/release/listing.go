package release

import (
	"slices"
	"strings"
)

// listing collects the names in an archive or a directory, and decides which are files
// of the release.
type listing struct {
	want   func(path string) bool
	limits limits
	exists map[string]bool // the files
	names  int             // bytes of all names
	count  int             // files and directories

	// top is the directory that all files are in so far, with a slash; "" if there is
	// none. topKnown is false before the first file.
	top      string
	topKnown bool
}

func newListing(opts options) *listing {
	l := &listing{want: opts.want, limits: opts.limits.withDefaults(), exists: make(map[string]bool)}
	if l.want == nil {
		l.want = func(string) bool { return true }
	}
	return l
}

// add counts one entry and its name.
func (l *listing) add(name string) error {
	l.count++
	l.names += len(name)
	switch {
	case l.count > l.limits.entries:
		return overLimit("it has over %d files and directories", l.limits.entries)
	case l.names > maxNames:
		return overLimit("its names have over %d bytes", maxNames)
	}
	return nil
}

// addFile adds a file and reports whether it may be wanted. Whether all files are in one
// directory is known only at the end; until then, either of its paths may be wanted.
func (l *listing) addFile(path string) bool {
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

// stripped returns the directory that is the release itself, with a slash: everything is
// in it, and no file is wanted by a path with it. It returns "" if there is none.
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

// choose returns the candidates that are wanted and not ours, sorted by path. Candidates
// are the files that addFile said may be wanted. Paths lose the directory that is the
// release.
func (l *listing) choose(candidates []File) []File {
	strip := l.stripped()
	exists := func(path string) bool { return l.exists[path] }
	kept := slices.DeleteFunc(candidates, func(f File) bool { return isOurs(f.Path, exists) })
	for i := range kept {
		kept[i].Path = strings.TrimPrefix(kept[i].Path, strip)
	}
	kept = slices.DeleteFunc(kept, func(f File) bool { return !l.want(f.Path) })
	slices.SortFunc(kept, byPath)
	return kept
}
