package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/precompress/precompress/manifest"
)

// File is a file of a release.
type File struct {
	Path string // slash-separated, relative to the release
	Size int64  // in bytes
	// SHA256 is that of its bytes; zero where it is not known before the file was
	// read, see [Release.Sum].
	SHA256 [32]byte
}

// Release is an earlier release. Its methods may be called from several
// goroutines at a time, but for Close.
type Release struct {
	// Name is what messages and manifests call it: the base name of the path that
	// it was opened from; in a store the name that it was added with, or else ID.
	Name string
	// ID stands for the contents: 16 hexadecimal digits in a store, else "".
	ID string

	files   []File
	digests []manifest.Digest // of files, in a store; else nil
	number  uint64            // in a store: the higher, the newer
	from    content

	mu   sync.Mutex
	sums map[string][32]byte // by path, of files that were read
}

// content is where the bytes of a release are.
type content interface {
	// open returns a file's bytes, however many there are.
	open(f File) (io.ReadCloser, error)
	close() error
	// damaged is told of files that do not have the SHA-256 they should have.
	damaged(f File)
}

// Files returns the files, sorted by path.
func (r *Release) Files() []File { return slices.Clone(r.files) }

// Sum returns the SHA-256 of a file. It reads the file if that is not known yet.
func (r *Release) Sum(ctx context.Context, f File) ([32]byte, error) {
	if sum, known := r.known(f); known {
		return sum, nil
	}
	if _, err := r.Read(ctx, f); err != nil {
		return [32]byte{}, err
	}
	sum, _ := r.known(f)
	return sum, nil
}

// known returns what is known of a file's SHA-256.
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
// the one that the file had when it was first read. The error wraps [ErrTooLarge]
// for a file of more than [MaxFile] bytes and [ErrDamaged] for other content.
func (r *Release) Read(ctx context.Context, f File) ([]byte, error) {
	data, err := r.read(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("earlier release %q: file %q: %w", r.Name, f.Path, err)
	}
	return data, nil
}

func (r *Release) read(ctx context.Context, f File) ([]byte, error) {
	if f.Size > MaxFile {
		return nil, fmt.Errorf("%w: %d bytes, and at most %d are taken", ErrTooLarge, f.Size, MaxFile)
	}
	in, err := r.from.open(f)
	if err != nil {
		return nil, bareError(err)
	}
	defer in.Close() // read-only: nothing can be lost
	data, err := readAll(contextReader{ctx, in}, f.Size)
	if err != nil {
		return nil, bareError(err)
	}
	sum := sha256.Sum256(data)
	if want, known := r.known(f); known && want != sum {
		r.from.damaged(f)
		return nil, fmt.Errorf("%w: its SHA-256 is not the one that was recorded", ErrDamaged)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sums == nil {
		r.sums = make(map[string][32]byte)
	}
	r.sums[f.Path] = sum
	return data, nil
}

// readAll reads size bytes, after which there must be no more. Memory is taken
// as bytes come, not as they are announced.
func readAll(in io.Reader, size int64) ([]byte, error) {
	var data bytes.Buffer
	n, err := io.Copy(&data, io.LimitReader(in, size+1))
	switch {
	case err != nil:
		return nil, cutShort(err)
	case n != size:
		return nil, fmt.Errorf("%w: it does not have the %d bytes that it should have", ErrDamaged, size)
	}
	return data.Bytes(), nil
}

// Close lets go of the release and removes what was kept of it for a time. A
// release of a store is closed with the store.
func (r *Release) Close() error {
	if r.from == nil {
		return nil
	}
	return r.from.close()
}

// byPath is the order of files.
func byPath(a, b File) int { return strings.Compare(a.Path, b.Path) }
