package precompress

import (
	"context"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Files get their names one by one, the final manifest is written last: a run
// that is killed in between would leave variants that no manifest lists. So a
// run first claims the names that it is going to write. A claim is a stale
// record without a digest; what was written under it is known by decoding to
// the content that the source had when the name was claimed.

// isClaim reports whether a record is a claim.
func isClaim(v manifest.Variant) bool { return v.Stale && v.Digest == 0 && v.Size == 0 }

// claim writes the manifest that holds until the run ends, if the run is going
// to write anything.
func (r *run) claim() error {
	m := &manifest.Manifest{Assets: append([]manifest.Asset(nil), r.plan.untouched...)}
	writes := false
	var in *directory
	defer func() { in.close() }()
	for _, task := range r.plan.Assets {
		if task.encodes() || task.CopyOriginal {
			writes = true
			in = in.next(r.Tree, task.Path)
			m.Assets = append(m.Assets, r.claimed(task, in))
		} else if record := pendingResult(task).record; record != nil {
			m.Assets = append(m.Assets, *record)
		}
	}
	if !writes {
		return nil
	}
	r.recordRemaining(m)
	return r.saveManifest(m)
}

// claimed returns the record of an asset whose files are about to be written.
func (r *run) claimed(t *Task, in *directory) manifest.Asset {
	a := manifest.Asset{Path: t.Path, Size: t.Size, Digest: t.Digest, Match: t.match}
	a.Original = t.prev != nil && t.prev.Original || t.CopyOriginal && isFree(in, t.Path)
	for _, s := range t.all() {
		record, found := t.unfinished(s)
		switch {
		case found:
			record.Stale = record.Stale || s.Action == Encode
		case s.Action == Encode && isFree(in, s.name(t.Path)):
			record = manifest.Variant{Coding: s.Coding, Level: t.level(s.Coding), Encoder: r.encoderID(s.Coding, t.level(s.Coding)), Stale: true}
		default:
			continue
		}
		s.enter(&a, record)
	}
	return a
}

// isFree reports whether nothing stands under a name yet. What does is not
// claimed: it may be another's.
func isFree(in *directory, name string) bool {
	if taken, known := in.taken(name); known {
		return !taken
	}
	_, err := in.variants.Lstat(in.name(name))
	return osfile.IsNotExist(err)
}

// wrote reports whether a run that was killed wrote the file under a stale
// record of the asset.
func (t *planner) wrote(ctx context.Context, a *manifest.Asset, v manifest.Variant, name string) bool {
	if !v.Stale {
		return false
	}
	f, _, err := osfile.OpenRegular(t.variants, name, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	if v.Coding.IsDelta() { // its dictionary may be gone; its name has to do
		_, short, _, _ := manifest.SplitDelta(name)
		sum, err := readDeltaHeader(f, v.Coding)
		return err == nil && sum.Short() == short
	}
	digest, size, err := decodedDigest(ctx, v.Coding, f, a.Size)
	return err == nil && size == a.Size && digest == a.Digest
}

// decodedDigest returns the digest and size of what encoded decodes to, of at
// most limit bytes and one more.
func decodedDigest(ctx context.Context, coding manifest.Coding, encoded io.Reader, limit int64) (manifest.Digest, int64, error) {
	decoded, err := newDecoder(coding, encoded)
	if err != nil {
		return 0, 0, err
	}
	defer decoded.Close()
	d := xxhash.New()
	n, err := io.Copy(d, io.LimitReader(osfile.ContextReader{Ctx: ctx, Reader: decoded}, limit+1))
	return manifest.Digest(d.Sum64()), n, err
}
