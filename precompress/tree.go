package precompress

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Tree is a tree of assets, locked against other builds until Close.
// Its methods are not for concurrent use.
type Tree struct {
	dir     string
	opts    Options
	match   *matcher
	rules   *ruleSet
	ids     map[manifest.Coding]string // encoder and version, per coding
	sources *os.Root
	// variants is the directory that variants go to: sources itself, or Out.
	// It is nil if Out does not exist and the tree was opened to look only.
	variants *os.Root
	record   recordFile
	lock     *lock
	history  *history // the earlier releases, nil before Plan
	look     bool     // not to be changed
}

// recordFile is where the manifest stands.
type recordFile struct {
	root *os.Root // its directory, nil if there is none yet
	name string
	// inTree is its path in the source tree, "" outside of it.
	inTree string
}

// Open opens and locks the tree of assets in dir. It waits while another
// process holds the lock, until ctx is done. It changes nothing but to make
// the directory [Options.Out]. With [Options.Shard] it does neither.
func Open(ctx context.Context, dir string, opts Options) (*Tree, error) {
	return open(ctx, dir, opts, false)
}

// OpenToLook is [Open] for a tree that will be planned or cleaned only: it makes
// no directory, and [Tree.Run] refuses it.
func OpenToLook(ctx context.Context, dir string, opts Options) (*Tree, error) {
	return open(ctx, dir, opts, true)
}

func open(ctx context.Context, dir string, opts Options, look bool) (_ *Tree, err error) {
	opts, err = opts.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &Tree{dir: dir, opts: opts, ids: encoderIDs(), look: look}
	defer func() {
		if err != nil {
			t.Close()
		}
	}()
	if t.match, err = newMatcher(opts.Include, opts.Exclude); err != nil {
		return nil, err
	}
	if t.rules, err = newRuleSet(opts); err != nil {
		return nil, err
	}
	if err := requireDirectory(dir); err != nil {
		return nil, err
	}
	if err := validateReleases(dir, opts); err != nil {
		return nil, err
	}
	if t.sources, err = os.OpenRoot(dir); err != nil {
		return nil, &Error{Op: "open", Path: dir, Err: bareError(err)}
	}
	if err := t.openVariants(look || opts.Shard != (Shard{})); err != nil {
		return nil, err
	}
	if err := t.openRecord(); err != nil {
		return nil, err
	}
	if t.variants != nil && opts.Shard == (Shard{}) { // shards leave the tree alone
		t.lock, err = acquireLock(ctx, t.variants.Name(), opts.Waiting)
	}
	return t, err
}

func (t *Tree) openVariants(look bool) error {
	out := t.opts.Out
	if out == "" {
		t.variants = t.sources
		return nil
	}
	if err := apart(t.dir, out); err != nil {
		return err
	}
	if !look {
		if err := os.MkdirAll(out, 0o777); err != nil {
			return &Error{Op: "make directory", Path: out, Err: bareError(err)}
		}
	}
	root, err := os.OpenRoot(out)
	if look && osfile.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return &Error{Op: "open", Path: out, Err: bareError(err)}
	}
	t.variants = root
	return nil
}

func (t *Tree) openRecord() error {
	file := t.opts.Manifest
	if file == "" {
		t.record = recordFile{root: t.variants, name: manifest.Name}
		return nil
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return &Error{Op: "open", Path: filepath.Dir(file), Err: bareError(err)}
	}
	t.record = recordFile{root: root, name: filepath.Base(file)}
	if rel, inside := relative(t.dir, file); inside {
		t.record.inTree = filepath.ToSlash(rel)
	}
	return nil
}

// Close unlocks the tree.
func (t *Tree) Close() error {
	var errs []error
	if t.lock != nil {
		errs = append(errs, t.lock.release())
	}
	errs = append(errs, t.history.close())
	for _, r := range []*os.Root{t.record.root, t.variants, t.sources} {
		if r != nil {
			r.Close() // a read-only handle: nothing can be lost
		}
	}
	return errors.Join(errs...)
}

// Build plans and runs one tree. The report is set even if some files failed
// ([Report.Err]); the error is for what kept the build from running.
func Build(ctx context.Context, dir string, opts Options) (*Report, error) {
	t, err := Open(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	p, err := t.Plan(ctx)
	if err != nil {
		return nil, err
	}
	return t.Run(ctx, p)
}

func requireDirectory(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return &Error{Op: "open", Path: dir, Err: bareError(err)}
	}
	if !info.IsDir() {
		return &Error{Op: "open", Path: dir, Err: ErrNotDirectory}
	}
	return nil
}

// apart refuses directories of which one holds the other, through links too.
func apart(dir, out string) error {
	_, outInside := relative(dir, out)
	_, dirInside := relative(out, dir)
	if outInside || dirInside {
		return invalid("Out", "the output directory %q and the tree %q lie in one another: choose one outside, or none for siblings", out, dir)
	}
	return nil
}

// relative returns path relative to dir and whether it is dir or inside it,
// after resolving the links of what exists of both.
func relative(dir, path string) (string, bool) {
	rel, err := filepath.Rel(resolve(dir), resolve(path))
	inside := err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	return rel, inside
}

// resolve returns an absolute path with the links of its existing part
// resolved.
func resolve(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	real, err := filepath.EvalSymlinks(abs)
	if err == nil {
		return real
	}
	parent := filepath.Dir(abs)
	if parent == abs {
		return abs
	}
	return filepath.Join(resolve(parent), filepath.Base(abs))
}

// bareError strips the path and operation that package os puts around a
// cause, where an [*Error] says them already, and marks a full disk.
func bareError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return ErrDiskFull
	}
	return osfile.BareError(err)
}

// loadManifest returns the manifest of the last build and its file's bytes. A
// missing or unusable one is an empty one, the latter with a warning in p: what
// the siblings are worth is then found out by decoding them.
func (t *Tree) loadManifest(p *Plan) (m *manifest.Manifest, data []byte, err error) {
	m = &manifest.Manifest{}
	if t.record.root == nil {
		return m, nil, nil
	}
	data, err = t.record.read()
	if osfile.IsNotExist(err) {
		return m, nil, nil
	}
	if info, statErr := t.record.root.Lstat(t.record.name); err != nil && statErr == nil && !info.Mode().IsRegular() {
		return nil, nil, &Error{Op: "read", Path: t.record.name, Err: fmt.Errorf("%w: move it away, the manifest is to be there", osfile.ErrNotRegular)}
	}
	if err != nil {
		return nil, nil, &Error{Op: "read", Path: t.record.name, Err: bareError(err)}
	}
	read, err := manifest.Decode(data)
	if err != nil && !resemblesManifest(data) && (t.opts.Manifest != "" || json.Valid(data)) {
		return nil, nil, errOtherContent(t.record.name)
	}
	if err != nil {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s: %v; going on as if there were none", PrintablePath(t.record.name), err))
		return m, data, nil
	}
	return read, data, nil
}

// read returns the manifest file's bytes.
func (r recordFile) read() ([]byte, error) {
	f, _, err := osfile.OpenRegular(r.root, r.name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// errOtherContent is about a file with the manifest's name that is none.
func errOtherContent(name string) error {
	return invalid("Manifest", "the manifest file %q holds something else: move it away, or choose another name", name)
}

// resemblesManifest reports whether a file that is no valid manifest was one of
// any version, so that no other file is overwritten because of its name.
func resemblesManifest(data []byte) bool {
	rest, isObject := bytes.CutPrefix(bytes.TrimSpace(data), []byte("{"))
	return len(data) == 0 || isObject && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(`"version"`))
}
