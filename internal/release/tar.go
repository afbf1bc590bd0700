package release

import (
	"archive/tar"
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// spooled are the files of a tar archive, kept in a temporary file.
type spooled struct {
	*spool
	at map[string]int64 // by path
}

func (s spooled) open(f File) (io.ReadCloser, error) {
	at, found := s.at[f.Path]
	if !found {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(io.NewSectionReader(s.file, at, f.Size)), nil
}

// openTar reads a tar archive from its start to its end and keeps the files that
// are wanted. in is what the archive's file unpacks to.
func openTar(ctx context.Context, in io.Reader, opts Options) ([]File, content, error) {
	list := newListing(opts)
	kept, err := newSpool(opts.TempDir, list.limits.Kept)
	if err != nil {
		return nil, nil, err
	}
	t := newTarReader(ctx, in, list)
	t.spool = kept
	found, err := t.readAll()
	if err != nil {
		return nil, nil, errors.Join(err, kept.close())
	}
	at := make(map[string]int64, len(found))
	files := make([]File, len(found))
	for i, e := range found {
		files[i], at[e.Path] = e.File, e.at
	}
	return files, spooled{kept, at}, nil
}

type tarReader struct {
	in    *boundedReader
	list  *listing
	spool interface { // a [*spool]
		keep(in io.Reader, size int64) (at int64, err error)
	}
	found []entry
}

func newTarReader(ctx context.Context, in io.Reader, list *listing) *tarReader {
	limit := list.limits.Unpacked
	return &tarReader{in: &boundedReader{ctx: ctx, r: in, left: limit, limit: limit}, list: list}
}

func (t *tarReader) readAll() ([]entry, error) {
	archive := tar.NewReader(t.in)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			if err := t.end(); err != nil {
				return nil, err
			}
			return t.list.settle(t.found), nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) { // names are judged below
			return nil, archiveError(err)
		}
		if err := t.entry(header, archive); err != nil {
			return nil, fmt.Errorf("entry %q: %w", shorten(header.Name), archiveError(err))
		}
	}
}

// entry notes one entry, and keeps its bytes if they may be wanted.
func (t *tarReader) entry(h *tar.Header, in io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return t.list.more("") // it is about entries that follow: git writes one
	}
	name, err := cleanEntry(h.Name)
	if err != nil {
		return err
	}
	if err := t.list.more(name); err != nil {
		return err
	}
	switch {
	case h.Typeflag == tar.TypeDir:
		return nil
	case h.Typeflag != tar.TypeReg || isSparse(h):
		return fmt.Errorf("%w: it is %s, and only files and directories are taken; archive without it, or unpack the archive and name the directory", ErrUnsafe, kindOf(h))
	case t.list.exists[name]:
		return errTwice
	case h.Size > t.in.left:
		return t.in.over()
	}
	if !t.list.file(name) {
		return nil
	}
	f := entry{File: File{Path: name, Size: h.Size}}
	if h.Size <= MaxFile {
		hash := sha256.New()
		if f.at, err = t.spool.keep(io.TeeReader(in, hash), h.Size); err != nil {
			return err
		}
		f.SHA256 = [32]byte(hash.Sum(nil))
	}
	t.found = append(t.found, f)
	return nil
}

// end checks what follows the last entry: the mark of the end, without which the
// archive was cut short, and nothing but zeros after that.
func (t *tarReader) end() error {
	if t.in.ended {
		return fmt.Errorf("%w: it ends early: the mark of its end is missing; make the archive anew from the release's directory", ErrDamaged)
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := t.in.Read(buf)
		if strings.Trim(string(buf[:n]), "\x00") != "" {
			return fmt.Errorf("%w: something follows the end of the archive; make it anew from the release's directory", ErrDamaged)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return archiveError(err)
		}
	}
}

// isSparse reports whether a file has holes that the archive does not hold: it could
// claim any size for a few bytes.
func isSparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

func kindOf(h *tar.Header) string {
	switch h.Typeflag {
	case tar.TypeSymlink, tar.TypeLink:
		return "a link"
	case tar.TypeChar, tar.TypeBlock:
		return "a device"
	case tar.TypeFifo:
		return "a FIFO"
	case tar.TypeReg, tar.TypeGNUSparse:
		return "a sparse file"
	}
	return fmt.Sprintf("of the unknown type %q", h.Typeflag)
}

// boundedReader ends with an error when more than a limit was read or ctx is
// done.
type boundedReader struct {
	ctx   context.Context
	r     io.Reader
	left  int64
	limit int64
	ended bool // the end of r was met
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	b.ended = b.ended || n == 0 && err == io.EOF
	if b.left < 0 {
		return 0, b.over()
	}
	return n, err
}

func (b *boundedReader) over() error {
	return overLimit("it unpacks to over %d bytes", b.limit)
}

// unpack returns what a compressed archive unpacks to; done lets go of memory.
func unpack(kind string, f *os.File) (in io.Reader, done func(), err error) {
	file := bufio.NewReaderSize(f, 256<<10)
	switch kind {
	case kindTarGzip:
		z, err := gzip.NewReader(file)
		if err != nil {
			return nil, nil, archiveError(cutShort(err))
		}
		return z, func() {}, nil
	case kindTarZstd:
		z, err := zstd.NewReader(file, zstd.WithDecoderMaxWindow(maxWindow),
			zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return file, func() {}, nil
}
