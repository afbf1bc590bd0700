package precompress

import (
	"context"
	"slices"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Files are written one by one, and the manifest is written last. If a run is killed
// in between, no manifest lists the variants that it wrote. So a run first announces
// the files that it is going to write: a manifest records each as stale, without size
// and digest. A later run recognizes a file that was announced by decoding it to the
// content that the source had then.

// isAnnounced reports whether a record only announces a file.
func isAnnounced(v manifest.Variant) bool { return v.Stale && v.Digest == 0 && v.Size == 0 }

// announce writes the manifest that holds until the run ends, if the run is going to
// write anything.
func (r *run) announce(ctx context.Context) error {
	m := &manifest.Manifest{Assets: slices.Clone(r.plan.untouched)}
	writes := false
	var in *directory
	defer func() { in.close() }()
	for _, task := range r.plan.Assets {
		if task.encodes() || task.CopyOriginal {
			writes = true
			in = in.next(r.tree, task.Path)
			m.Assets = append(m.Assets, r.announced(ctx, task, in))
		} else if record := pendingResult(task).record; record != nil {
			m.Assets = append(m.Assets, *record)
		}
	}
	if !writes {
		return nil
	}
	r.recordRemaining(m)
	return r.tree.manifest.save(m)
}

// announced returns the record of an asset whose files are about to be written.
func (r *run) announced(ctx context.Context, t *Task, in *directory) manifest.Asset {
	a := t.newRecord()
	a.Original = t.before != nil && t.before.Original || t.CopyOriginal && isFree(in, t.Path)
	for _, s := range t.all() {
		record, found := t.recordUndone(s)
		switch {
		case found:
			if isAnnounced(record) && t.sourceChanged() {
				r.identify(ctx, t, &record, s.fileName(t.Path))
			}
			record.Stale = record.Stale || s.Action == Encode
		case s.Action == Encode && isFree(in, s.fileName(t.Path)):
			level := t.level(s.Coding)
			record = manifest.Variant{Coding: s.Coding, Level: level, Encoder: r.tree.versions.At(s.Coding, level), Stale: true}
		default:
			continue
		}
		s.addTo(&a, record)
	}
	return a
}

// identify records the file that an earlier run announced and wrote before it was
// killed: once the new content of the source is recorded, it decodes to something else.
func (r *run) identify(ctx context.Context, t *Task, record *manifest.Variant, name string) {
	if sib, err := r.tree.hasher.observe(ctx, r.tree.variants, name); err == nil && sib.regular && r.tree.wroteUnfinished(ctx, t.before, *record, name) {
		record.Size, record.Digest = sib.info.Size(), sib.digest
	}
}

// isFree reports whether no file has the name yet. An existing file is not announced,
// because it may belong to someone else.
func isFree(in *directory, name string) bool {
	if taken, known := in.taken(name); known {
		return !taken
	}
	_, err := in.variants.Lstat(in.name(name))
	return osfile.IsNotExist(err)
}
