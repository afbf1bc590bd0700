package serve

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"github.com/precompress/precompress/manifest"
)

// FileSystem is the tree that a [Handler] serves, as an [http.FileSystem] for
// [http.FileServer] or a router. It hides variants, deltas, the manifest, temporary
// files of a build, and dotfiles. [FileSystem.OpenVariant] opens the representation
// for a client. Its methods may be called concurrently.
type FileSystem struct {
	opener  opener
	opts    Options
	current atomic.Pointer[index]
}

var _ http.FileSystem = (*FileSystem)(nil)

func newFileSystem(open opener, opts Options) (*FileSystem, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	f := &FileSystem{opener: open, opts: opts}
	return f, f.reload()
}

func (f *FileSystem) reload() error {
	ix, err := newIndex(f.opener, &f.opts)
	if err != nil {
		return err
	}
	f.current.Store(ix)
	return nil
}

// acquire returns the index for a request. In Dev mode it is a new one, which release
// closes.
func (f *FileSystem) acquire() (ix *index, release func() error, err error) {
	if !f.opts.Dev {
		return f.current.Load(), nothing, nil
	}
	ix, err = newIndex(f.opener, &f.opts)
	if err != nil {
		return nil, nil, err
	}
	return ix, ix.close, nil
}

func nothing() error { return nil }

// Open opens an asset without a coding, or a directory, which lists what is not
// hidden. The name is a path in the tree, with or without a leading slash.
func (f *FileSystem) Open(name string) (http.File, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return file, nil
}

func (f *FileSystem) open(name string) (http.File, error) {
	ix, release, err := f.acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	name = strings.TrimPrefix(name, "/")
	n := ix.names[name]
	switch {
	case name == "":
		return ix.openDirectory(".")
	case n.dir:
		return ix.openDirectory(name)
	case n.entry == nil || n.entry.path != name:
		return nil, fs.ErrNotExist
	}
	s, err := ix.open(n.entry, wish{acceptEncoding: identityOnly()})
	if err != nil {
		if errors.Is(err, ErrNotAcceptable) {
			err = fs.ErrNotExist // there are variants only, and no decoder
		}
		return nil, err
	}
	if file, ok := s.stream.(http.File); ok {
		return file, nil // an *os.File keeps sendfile
	}
	content, err := s.seeker()
	if err != nil {
		return nil, err
	}
	return &plainFile{content, plainInfo{s.resolved.asset}}, nil
}

// identityOnly is the Accept-Encoding of a client that wants no coding.
func identityOnly() []string { return []string{"identity, *;q=0"} }

// File is an open representation of an asset.
type File struct {
	io.ReadSeekCloser // the content, in its coding

	Asset  Asset
	Coding manifest.Coding // "" for none
	ETag   string          // strong, with its quotes
	Size   int64           // in bytes, in its coding
}

// OpenVariant opens the best representation of an asset for a client with the given
// Accept-Encoding field lines; see [Negotiate]. The error wraps [fs.ErrNotExist] for a
// name that is no asset, or [ErrNotAcceptable]. A response with the File needs Vary,
// ETag and, unless Coding is empty, Content-Encoding.
func (f *FileSystem) OpenVariant(name string, acceptEncoding []string) (*File, error) {
	return f.openVariant(name, wish{acceptEncoding: acceptEncoding})
}

// OpenVariantWith is [FileSystem.OpenVariant] for a client that has a dictionary; see
// [AvailableDictionary]. It may open a delta, if the client lists its coding by name.
// For an asset with deltas, Vary also needs Available-Dictionary (RFC 9842, section
// 6.2).
func (f *FileSystem) OpenVariantWith(name string, acceptEncoding []string, d manifest.Dictionary) (*File, error) {
	return f.openVariant(name, wish{acceptEncoding, d})
}

func (f *FileSystem) openVariant(name string, w wish) (*File, error) {
	ix, release, err := f.acquire()
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	defer release()
	n := ix.names[strings.TrimPrefix(name, "/")]
	if n.entry == nil {
		return nil, fmt.Errorf("serve: %s: %w", name, fs.ErrNotExist)
	}
	s, err := ix.open(n.entry, w)
	if err != nil {
		return nil, fmt.Errorf("serve: %s: %w", name, err)
	}
	content, err := s.seeker()
	if err != nil {
		return nil, fmt.Errorf("serve: %s: %w", name, err)
	}
	return &File{content, s.resolved.asset, s.rep.coding, s.rep.etag, s.rep.size}, nil
}

// plainFile is an asset's content without a coding.
type plainFile struct {
	io.ReadSeekCloser
	info plainInfo
}

func (f *plainFile) Stat() (fs.FileInfo, error) { return f.info, nil }

func (f *plainFile) Readdir(int) ([]fs.FileInfo, error) {
	return nil, &fs.PathError{Op: "readdir", Path: f.info.asset.Path, Err: errors.New("not a directory")}
}

// plainInfo describes an asset as a file.
type plainInfo struct{ asset Asset }

func (i plainInfo) Name() string       { return path.Base(i.asset.Path) }
func (i plainInfo) Size() int64        { return i.asset.Size }
func (i plainInfo) Mode() fs.FileMode  { return 0o444 }
func (i plainInfo) ModTime() time.Time { return i.asset.ModTime }
func (i plainInfo) IsDir() bool        { return false }
func (i plainInfo) Sys() any           { return nil }

func (ix *index) openDirectory(name string) (http.File, error) {
	info, err := fs.Stat(ix.tree, name)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(ix.tree, name)
	if err != nil {
		return nil, err
	}
	d := &directory{info: info}
	for _, e := range entries {
		full := path.Join(name, e.Name())
		n := ix.names[full]
		if !n.dir && (n.entry == nil || !n.entry.source) {
			continue
		}
		if info, err := fs.Stat(ix.tree, full); err == nil {
			d.entries = append(d.entries, info)
		}
	}
	return d, nil
}

// directory is an open directory.
type directory struct {
	info    fs.FileInfo
	entries []fs.FileInfo // not yet returned
}

func (d *directory) Close() error                   { return nil }
func (d *directory) Stat() (fs.FileInfo, error)     { return d.info, nil }
func (d *directory) Seek(int64, int) (int64, error) { return 0, nil }

func (d *directory) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: fs.ErrInvalid}
}

// Readdir is as of [os.File].
func (d *directory) Readdir(count int) ([]fs.FileInfo, error) {
	n := len(d.entries)
	if count > 0 {
		if n == 0 {
			return nil, io.EOF
		}
		n = min(n, count)
	}
	next := d.entries[:n]
	d.entries = d.entries[n:]
	return next, nil
}
