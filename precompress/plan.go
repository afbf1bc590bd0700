package precompress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Plan says what a run would do, and why. Making one changes nothing. It is for the
// [Tree] that made it, until that is run, cleaned or closed, and for reading: a run
// relies on all of it.
type Plan struct {
	// Assets has a task for every candidate, sorted by path; see [Task.Work].
	Assets []*Task
	// Orphans are files of ours to remove, sorted by path.
	Orphans []Orphan
	// Skipped are the files that are not candidates, sorted by path.
	Skipped []Skipped
	// Failures are about files and directories that could not be read, sorted by path
	// and coding.
	Failures []*Error
	// Warnings are about the tree as a whole.
	Warnings []Warning
	// Releases are the names of the earlier releases that deltas are made for, the
	// newest first.
	Releases []string
	// Before is the manifest of the last build, empty if there is none.
	Before *manifest.Manifest

	tree        *Tree
	version     int    // of the tree
	beforeBytes []byte // of the manifest file, nil if there is none
	// untouched are the records of assets that could not be read, unread the files of
	// other records that could not.
	untouched []manifest.Asset
	unread    []Orphan
	// recordsChange is set if the manifest would change although no other file does.
	recordsChange bool
}

// Orphan is a file of ours that no longer belongs to the tree.
type Orphan struct {
	Path   string
	Size   int64 // in bytes
	Reason Reason

	digest   manifest.Digest
	leftover bool // a temporary file, with any content
}

// Skipped is a file or directory that is not built.
type Skipped struct {
	Path   string
	Reason Reason
}

// Encodes reports whether running the plan would encode anything.
func (p *Plan) Encodes() bool { return slices.ContainsFunc(p.Assets, (*Task).encodes) }

// UpToDate reports whether running the plan would change nothing.
func (p *Plan) UpToDate() bool {
	return len(p.Failures) == 0 && !p.changesFiles() && !p.recordsChange
}

func (p *Plan) changesFiles() bool {
	return len(p.Orphans) > 0 || slices.ContainsFunc(p.Assets, (*Task).Work)
}

// isFor returns an error unless the tree made the plan and nothing changed the tree
// since.
func (p *Plan) isFor(t *Tree) error {
	switch {
	case p == nil || p.tree != t:
		return fmt.Errorf("%w: make a plan of %q, with the same open tree", ErrOtherTree, t.dir)
	case p.version != t.version:
		return fmt.Errorf("%w: make a new plan of %q", ErrStalePlan, t.dir)
	}
	return nil
}

// upToDateManifest returns the bytes of the manifest after a run that has nothing to
// do, nil if no manifest can hold the names.
func (p *Plan) upToDateManifest() []byte {
	m := manifest.Manifest{Assets: slices.Clone(p.untouched)}
	for _, task := range p.Assets {
		m.Assets = append(m.Assets, task.plannedRecord())
	}
	data, err := m.Encode()
	if err != nil {
		return nil
	}
	return data
}

// sort puts the lists in their documented order and drops files to remove from the
// skipped ones.
func (p *Plan) sort() {
	orphans := make(map[string]bool)
	for _, o := range p.Orphans {
		orphans[o.Path] = true
	}
	p.Skipped = slices.DeleteFunc(p.Skipped, func(s Skipped) bool { return orphans[s.Path] })
	slices.SortFunc(p.Skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(p.Orphans, func(a, b Orphan) int { return strings.Compare(a.Path, b.Path) })
	sortFailures(p.Failures)
}
