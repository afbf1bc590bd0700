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

// ErrNotAcceptable tells that a client accepts none of an asset's
// representations (RFC 9110, section 15.5.7).
var ErrNotAcceptable = errors.New("no acceptable representation")

// FileSystem is the tree that a [Handler] serves, as an [http.FileSystem] for
// [http.FileServer] or a router: without the variants' files, the manifest,
// temporary files of a build and dotfiles. [FileSystem.OpenVariant] opens what
// a client should get. Its methods may be called concurrently.
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

// acquire returns the index to answer a request with. In Dev mode it is a new
// one, closed by release.
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

// Open opens an asset without a coding, or a directory. The name is a path in the
// tree, with or without a slash in front. Directories list what may be seen.
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
	case n.asset == nil || n.asset.path != name:
		return nil, fs.ErrNotExist
	}
	s, err := ix.open(n.asset, wish{acceptEncoding: identityOnly()})
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

// OpenVariant opens the representation of an asset that suits a client with
// the given Accept-Encoding field lines best; see [Negotiate]. The error wraps
// [fs.ErrNotExist] for a name that is no asset, and [ErrNotAcceptable]. An
// answer made from it needs Content-Encoding, if Coding is not empty, Vary, and
// an ETag.
func (f *FileSystem) OpenVariant(name string, acceptEncoding []string) (*File, error) {
	return f.openVariant(name, wish{acceptEncoding: acceptEncoding})
}

// OpenVariantWith does as [FileSystem.OpenVariant] for a client that holds a
// dictionary (see [AvailableDictionary]): it may open a delta, if the client
// lists its coding by name. The Vary of any answer for an asset with deltas
// needs Available-Dictionary, too (RFC 9842, section 6.2).
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
	if n.asset == nil {
		return nil, fmt.Errorf("serve: %s: %w", name, fs.ErrNotExist)
	}
	s, err := ix.open(n.asset, w)
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
