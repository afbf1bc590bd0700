package precompress

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/precompress/precompress/internal/osfile"
)

// Sources are the files that a build of a tree would encode, for reading: the tree is
// not locked, and nothing is written.
type Sources struct {
	// Files are sorted by path.
	Files []SourceFile
	// Failures are about files and directories that could not be read.
	Failures []*Error

	root *os.Root // of a tree
	file string   // the path of a single file
}

// SourceFile is one of the files of [Sources].
type SourceFile struct {
	Path string // slash-separated, relative to the tree
	Size int64  // in bytes
}

// ErrTooLarge means that a single file is larger than [Options.MaxSize].
var ErrTooLarge = errors.New("the file is too large")

// OpenSources finds the files in the directory dir that a build with these options
// would encode. The error is an [*OptionError], or wraps [ErrNotDirectory] or the
// system's.
func OpenSources(ctx context.Context, dir string, opts Options) (*Sources, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &Tree{dir: dir, opts: opts}
	if t.selection, err = newSelection(opts); err != nil {
		return nil, err
	}
	if err := requireDirectory(dir); err != nil {
		return nil, err
	}
	if t.sources, err = os.OpenRoot(dir); err != nil {
		return nil, &Error{Op: OpOpen, Path: dir, Err: bareError(err)}
	}
	found, err := t.discover(ctx)
	if err != nil {
		t.sources.Close()
		return nil, err
	}
	s := &Sources{Failures: found.failures, root: t.sources}
	for _, f := range found.files {
		if f.skip == "" {
			s.Files = append(s.Files, SourceFile{f.path, f.info.Size()})
		}
	}
	return s, nil
}

// OpenSource is [OpenSources] for a single regular file, whatever its name. Only
// MaxSize of the options applies; the error wraps [ErrTooLarge] if the file is larger.
func OpenSource(name string, opts Options) (*Sources, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, &Error{Op: OpOpen, Path: name, Err: bareError(err)}
	}
	info, err := os.Stat(real) // opening a device can have effects
	switch {
	case err != nil:
		return nil, &Error{Op: OpOpen, Path: name, Err: bareError(err)}
	case !info.Mode().IsRegular():
		return nil, &Error{Op: OpOpen, Path: name, Err: osfile.ErrNotRegular}
	case info.Size() > opts.MaxSize:
		return nil, &Error{Op: OpOpen, Path: name, Err: ErrTooLarge}
	}
	return &Sources{Files: []SourceFile{{filepath.Base(real), info.Size()}}, file: real}, nil
}

// Read returns the bytes of one of the files. It fails with an [*Error], which
// wraps [ErrSourceChanged] if the file was edited meanwhile.
func (s *Sources) Read(path string) ([]byte, error) {
	data, err := s.read(path)
	if err != nil {
		return nil, &Error{Op: OpRead, Path: path, Err: bareError(err)}
	}
	return data, nil
}

func (s *Sources) read(path string) ([]byte, error) {
	root := s.root
	if root == nil { // there may be many of them: none stays open
		var err error
		if root, err = os.OpenRoot(filepath.Dir(s.file)); err != nil {
			return nil, err
		}
		defer root.Close()
	}
	data, _, err := readStable(root, path)
	return data, err
}

// Close closes the tree.
func (s *Sources) Close() error {
	if s.root == nil {
		return nil
	}
	return s.root.Close()
}
