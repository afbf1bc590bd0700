package release

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/precompress/precompress/internal/osfile"
)

// zipped is the content of a zip archive. Its files are unpacked when they are read.
type zipped struct {
	file    *os.File
	entries []*zip.File
}

func (z zipped) open(f File) (io.ReadCloser, error) {
	in, err := z.entries[f.at].Open()
	if err != nil {
		return nil, archiveError(cutShort(err))
	}
	return zipEntry{in}, nil
}

func (z zipped) close() error { return z.file.Close() }

// zipEntry translates the errors of reading an entry.
type zipEntry struct{ io.ReadCloser }

func (z zipEntry) Read(p []byte) (int, error) {
	n, err := z.ReadCloser.Read(p)
	return n, archiveError(err)
}

// openZip lists a zip archive. It closes f after an error, else the content's close does.
func openZip(ctx context.Context, f *os.File, list *listing) ([]File, content, error) {
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, osfile.BareError(err)
	}
	files, entries, err := readDirectory(ctx, f, info.Size(), list)
	if err != nil {
		f.Close() // opened for reading: no write can fail
		return nil, nil, err
	}
	return files, zipped{f, entries}, nil
}

// readDirectory reads the archive's directory of entries. Their number is known only
// after all are in memory, so the bytes that they take in the archive are bounded.
func readDirectory(ctx context.Context, f io.ReaderAt, size int64, list *listing) ([]File, []*zip.File, error) {
	in := &directoryReader{ctx: ctx, r: f, left: 1<<20 + 256*int64(list.limits.entries)}
	archive, err := zip.NewReader(in, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are checked below
		return nil, nil, archiveError(cutShort(err))
	}
	in.free = true
	left := list.limits.unpacked
	var found []File
	for i, e := range archive.File {
		wanted, err := zipFile(e, list, &left)
		if err != nil {
			return nil, nil, fmt.Errorf("entry %q: %w", shorten(e.Name), err)
		}
		if wanted != "" {
			found = append(found, File{Path: wanted, Size: int64(e.UncompressedSize64), at: int64(i)})
		}
	}
	return list.choose(found), archive.File, nil
}

// zipFile checks one entry and returns its path if it may be wanted, else "".
func zipFile(e *zip.File, list *listing, left *int64) (string, error) {
	name, err := cleanEntry(e.Name)
	if err != nil {
		return "", err
	}
	if err := list.add(name); err != nil {
		return "", err
	}
	mode := e.Mode()
	switch {
	case mode.IsDir():
		return "", nil
	case !mode.IsRegular():
		return "", fmt.Errorf("%w: it is a link or a device, and only files and directories are accepted; create the archive without it, or unpack it and name the directory", errUnsafe)
	case list.exists[name]:
		return "", errTwice
	case e.Flags&1 != 0:
		return "", fmt.Errorf("%w: it is encrypted; unpack the archive and name the directory", ErrFormat)
	case e.Method != zip.Store && e.Method != zip.Deflate:
		return "", fmt.Errorf("%w: it is compressed by method %d; use deflate, or unpack the archive and name the directory", ErrFormat, e.Method)
	case e.UncompressedSize64 > uint64(*left):
		return "", overLimit("the archive unpacks to over %d bytes", list.limits.unpacked)
	}
	*left -= int64(e.UncompressedSize64)
	if !list.addFile(name) {
		return "", nil
	}
	return name, nil
}

// directoryReader bounds the bytes that are read until free is set, which happens before
// goroutines share it.
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
