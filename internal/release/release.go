package release

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// MaxFile is the size in bytes of the largest file that may be a dictionary.
const MaxFile int64 = 50 << 20

// File is a file of a release.
type File struct {
	Path string // slash-separated, relative to the release
	Size int64  // in bytes
	// SHA256 is that of its bytes; zero if it is unknown until the file is read, see
	// [Release.Sum].
	SHA256 [32]byte
	// at is the place of its bytes in an archive: an offset in the temporary file of a
	// tar archive, or an index into the entries of a zip archive.
	at int64
}

// Release is an earlier release. Its methods may be called from several
// goroutines at a time, except Close.
type Release struct {
	// Name is its name in messages and manifests: the base name of the path that it was
	// opened from; in a store the name that it was added with, or else ID.
	Name string
	// ID identifies the contents: 16 hexadecimal digits in a store, else "".
	ID string

	files   []File
	digests []manifest.Digest // of files, in a store; else nil
	number  uint64            // in a store: the higher, the newer
	from    content

	mu   sync.Mutex
	sums map[string][32]byte // by path, of files that were read
}

// content is the source of the bytes of a release.
type content interface {
	// open returns a file's bytes, however many there are.
	open(f File) (io.ReadCloser, error)
	close() error
}

// Files returns the files, sorted by path.
func (r *Release) Files() []File { return slices.Clone(r.files) }

// Sum returns the SHA-256 of a file. It reads the file if that is not known yet. Errors
// are those of [Release.Read].
func (r *Release) Sum(ctx context.Context, f File) ([32]byte, error) {
	if sum, known := r.known(f); known {
		return sum, nil
	}
	if err := r.Check(ctx, f); err != nil {
		return [32]byte{}, err
	}
	sum, _ := r.known(f)
	return sum, nil
}

// known returns the SHA-256 of a file if it is known.
func (r *Release) known(f File) (sum [32]byte, known bool) {
	if f.SHA256 != sum {
		return f.SHA256, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	sum, known = r.sums[f.Path]
	return sum, known
}

// Read returns a file's bytes. They have the SHA-256 of f or, where that is zero,
// the one that the file had when it was first read. The error wraps [ErrDamaged]
// for other content. A file of more than [MaxFile] bytes cannot be read.
func (r *Release) Read(ctx context.Context, f File) ([]byte, error) {
	var data []byte
	err := r.check(f, func(in io.Reader) (sum [32]byte, err error) {
		data, err = readAll(osfile.ContextReader{Ctx: ctx, Reader: in}, f.Size)
		return sha256.Sum256(data), err
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Check returns the error that [Release.Read] would, without keeping the bytes.
func (r *Release) Check(ctx context.Context, f File) error {
	return r.check(f, func(in io.Reader) (sum [32]byte, err error) {
		hash := sha256.New()
		n, err := io.Copy(hash, io.LimitReader(osfile.ContextReader{Ctx: ctx, Reader: in}, f.Size+1))
		return [32]byte(hash.Sum(nil)), checkSize(n, f.Size, err)
	})
}

// check opens a file, calls read, which returns the SHA-256 of the bytes, and compares
// that with what is known of the file.
func (r *Release) check(f File, read func(io.Reader) ([32]byte, error)) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("earlier release %q: file %q: %w", r.Name, f.Path, osfile.BareError(err))
		}
	}()
	if f.Size > MaxFile {
		return fmt.Errorf("%w: %d bytes, and at most %d are possible", errTooLarge, f.Size, MaxFile)
	}
	i, found := slices.BinarySearchFunc(r.files, f, byPath)
	if !found {
		return fs.ErrNotExist
	}
	in, err := r.from.open(r.files[i])
	if err != nil {
		return err
	}
	defer in.Close() // opened for reading: no write can fail
	sum, err := read(in)
	if err != nil {
		return err
	}
	if want, known := r.known(f); known && want != sum {
		return fmt.Errorf("%w: its SHA-256 is not the one that was recorded", ErrDamaged)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sums == nil {
		r.sums = make(map[string][32]byte)
	}
	r.sums[f.Path] = sum
	return nil
}

// readAll reads size bytes, at most [MaxFile], after which there must be no more.
// Memory is taken once: a buffer that grows takes up to three times as much.
func readAll(in io.Reader, size int64) ([]byte, error) {
	data := make([]byte, size+1)
	n, err := io.ReadFull(in, data)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil // the one byte more is not there
	}
	return data[:size], checkSize(int64(n), size, err)
}

// checkSize returns the error of reading size bytes and trying to read one more.
func checkSize(n, size int64, err error) error {
	switch {
	case err != nil:
		return cutShort(err)
	case n != size:
		return fmt.Errorf("%w: it does not have its %d bytes", ErrDamaged, size)
	}
	return nil
}

// Close closes the release and removes its temporary file, if it has one. A release of a
// store is closed with the store.
func (r *Release) Close() error {
	if r.from == nil {
		return nil
	}
	return r.from.close()
}

// byPath is the order of files.
func byPath(a, b File) int { return strings.Compare(a.Path, b.Path) }
