package precompress

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
)

// Tree is an open tree of assets. Its methods are not for concurrent use.
type Tree struct {
	dir       string
	mode      openMode
	version   int     // counts what made earlier plans stale
	opts      Options // with the defaults filled in
	selection *selection
	versions  codec.Versions

	sources *os.Root
	// variants is the directory that variants go to: sources itself, or
	// [Options.Out]. It is nil if Out does not exist and the tree is not to be
	// written.
	variants *os.Root
	manifest manifestFile
	hasher   hasher
	unlock   func() error     // nil if the tree is not locked
	history  *release.History // nil before Plan
}

// openMode is what a tree was opened for.
type openMode int

const (
	toBuild  openMode = iota
	toRead            // locked, never written
	unlocked          // not even locked
)

// Open opens the tree of assets in dir and locks it until [Tree.Close]. It waits
// while another process holds the lock, until ctx is done. It changes nothing but
// to create the directory [Options.Out]. The error wraps [ErrInvalidOptions],
// [ErrNotDirectory] or the system's.
func Open(ctx context.Context, dir string, opts Options) (*Tree, error) {
	return open(ctx, dir, opts, toBuild)
}

// OpenReadOnly is [Open] for a tree that is not built: it creates no directory, and
// [Tree.Run] fails with [ErrReadOnly]. [Tree.Clean] works, and removes files.
func OpenReadOnly(ctx context.Context, dir string, opts Options) (*Tree, error) {
	return open(ctx, dir, opts, toRead)
}

// OpenUnlocked is [OpenReadOnly] without the lock, for [Tree.FillCache]: several
// machines may fill a cache from the same tree. [Tree.Clean] fails with [ErrReadOnly],
// too.
func OpenUnlocked(ctx context.Context, dir string, opts Options) (*Tree, error) {
	return open(ctx, dir, opts, unlocked)
}

func open(ctx context.Context, dir string, opts Options, mode openMode) (_ *Tree, err error) {
	opts, err = opts.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &Tree{dir: dir, mode: mode, opts: opts, versions: codec.ReadVersions()}
	defer func() {
		if err != nil {
			t.Close()
		}
	}()
	if t.selection, err = newSelection(opts); err != nil {
		return nil, err
	}
	if err := requireDirectory(dir); err != nil {
		return nil, err
	}
	if err := validateReleases(dir, opts); err != nil {
		return nil, err
	}
	if err := validateManifest(opts.Manifest); err != nil {
		return nil, err
	}
	if t.sources, err = os.OpenRoot(dir); err != nil {
		return nil, &Error{Op: OpOpen, Path: dir, Err: bareError(err)}
	}
	if err := t.openVariants(); err != nil {
		return nil, err
	}
	if t.manifest, err = openManifestFile(dir, opts, t.variants); err != nil {
		return nil, err
	}
	if t.variants != nil && mode != unlocked {
		if err := t.acquireLock(ctx); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *Tree) openVariants() error {
	out := t.opts.Out
	if out == "" {
		t.variants = t.sources
		return nil
	}
	if err := apart(t.dir, out); err != nil {
		return err
	}
	if t.mode == toBuild {
		if err := os.MkdirAll(out, 0o777); err != nil {
			return &Error{Op: OpMakeDirectory, Path: out, Err: bareError(err)}
		}
	}
	root, err := os.OpenRoot(out)
	if t.mode != toBuild && osfile.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return &Error{Op: OpOpen, Path: out, Err: bareError(err)}
	}
	t.variants = root
	return nil
}

// acquireLock locks the directory of variants, which keeps processes apart.
func (t *Tree) acquireLock(ctx context.Context) error {
	dir := t.variants.Name()
	standIn := fmt.Sprintf("precompress-%s.lock", manifest.Sum([]byte(osfile.RealPath(dir))))
	waited := false
	unlock, err := osfile.Lock(ctx, dir, standIn, func() {
		waited = true
		if t.opts.Waiting != nil {
			t.opts.Waiting()
		}
	})
	switch {
	case err == nil:
		t.unlock = unlock
		return nil
	case waited:
		return &Error{Op: OpWait, Path: dir, Err: err}
	}
	return &Error{Op: OpLock, Path: dir, Err: err}
}

// Close unlocks and closes the tree. No method may be called afterwards.
func (t *Tree) Close() error {
	t.version++
	var errs []error
	if t.unlock != nil {
		errs = append(errs, t.unlock())
	}
	errs = append(errs, t.history.Close())
	for _, r := range []*os.Root{t.manifest.root, t.variants, t.sources} {
		if r != nil {
			r.Close() // a read-only handle: nothing can be lost
		}
	}
	return errors.Join(errs...)
}
