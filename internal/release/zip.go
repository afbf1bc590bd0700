package release

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/precompress/precompress/internal/osfile"
)

// zipped are the files of a zip archive, which are unpacked when they are read.
type zipped struct {
	file *os.File
	at   map[string]*zip.File // by path
}

func (z zipped) open(f File) (io.ReadCloser, error) {
	e, found := z.at[f.Path]
	if !found {
		return nil, fs.ErrNotExist
	}
	in, err := e.Open()
	if err != nil {
		return nil, archiveError(cutShort(err))
	}
	return zipEntry{in}, nil
}

func (z zipped) close() error { return z.file.Close() }

// zipEntry words the errors of reading an entry.
type zipEntry struct{ io.ReadCloser }

func (z zipEntry) Read(p []byte) (int, error) {
	n, err := z.ReadCloser.Read(p)
	return n, archiveError(err)
}

// openZip lists a zip archive. It takes over f.
func openZip(ctx context.Context, f *os.File, opts Options) ([]File, content, error) {
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, osfile.BareError(err)
	}
	files, at, err := readDirectory(ctx, f, info.Size(), newListing(opts))
	if err != nil {
		f.Close() // a read-only handle: nothing can be lost
		return nil, nil, err
	}
	return files, zipped{f, at}, nil
}

// readDirectory reads what the archive says of its entries. How many there are
// shows only after all are in memory, so that the bytes are bounded by which they
// are told.
func readDirectory(ctx context.Context, f io.ReaderAt, size int64, list *listing) ([]File, map[string]*zip.File, error) {
	in := &directoryReader{ctx: ctx, r: f, left: 1<<20 + 256*int64(list.limits.Entries)}
	archive, err := zip.NewReader(in, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are judged below
		return nil, nil, archiveError(cutShort(err))
	}
	in.free = true
	left := list.limits.Unpacked
	var found []entry
	for i, e := range archive.File {
		wanted, err := zipFile(e, list, &left)
		if err != nil {
			return nil, nil, fmt.Errorf("entry %q: %w", shorten(e.Name), err)
		}
		if wanted != "" {
			found = append(found, entry{File: File{Path: wanted, Size: int64(e.UncompressedSize64)}, at: int64(i)})
		}
	}
	at := make(map[string]*zip.File)
	var files []File
	for _, e := range list.settle(found) {
		files = append(files, e.File)
		at[e.Path] = archive.File[e.at]
	}
	return files, at, nil
}

// zipFile notes one entry and returns its path if it may be wanted, else "".
func zipFile(e *zip.File, list *listing, left *int64) (string, error) {
	name, err := cleanEntry(e.Name)
	if err != nil {
		return "", err
	}
	if err := list.more(name); err != nil {
		return "", err
	}
	mode := e.Mode()
	switch {
	case mode.IsDir():
		return "", nil
	case !mode.IsRegular():
		return "", fmt.Errorf("%w: it is a link or a device, and only files and directories are taken; archive without it, or unpack the archive and name the directory", ErrUnsafe)
	case list.exists[name]:
		return "", errTwice
	case e.Flags&1 != 0:
		return "", fmt.Errorf("%w: it is encrypted; unpack the archive and name the directory", ErrFormat)
	case e.Method != zip.Store && e.Method != zip.Deflate:
		return "", fmt.Errorf("%w: it is compressed by method %d; archive with deflate, or unpack the archive and name the directory", ErrFormat, e.Method)
	case e.UncompressedSize64 > uint64(*left):
		return "", overLimit("the archive unpacks to over %d bytes", list.limits.Unpacked)
	}
	*left -= int64(e.UncompressedSize64)
	if !list.file(name) {
		return "", nil
	}
	return name, nil
}

// directoryReader bounds how many bytes are read until it is set free, which it
// is before goroutines share it.
type directoryReader struct {
	ctx  context.Context
	r    io.ReaderAt
	left int64
	free bool
}

func (d *directoryReader) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 { // an entry may claim to be anywhere
		return 0, fmt.Errorf("%w: it has no place in the archive", ErrDamaged)
	}
	if !d.free {
		if err := d.ctx.Err(); err != nil {
			return 0, err
		}
		if d.left -= int64(len(p)); d.left < 0 {
			return 0, overLimit("its directory of entries is too large")
		}
	}
	return d.r.ReadAt(p, at)
}
