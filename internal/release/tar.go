package release

import (
	"archive/tar"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
)

// openTar reads a tar archive from start to end and keeps the files that are wanted in a
// temporary file in tempDir.
func openTar(ctx context.Context, in io.Reader, list *listing, tempDir string) ([]File, content, error) {
	kept, err := newSpool(tempDir, list.limits.kept)
	if err != nil {
		return nil, nil, err
	}
	t := newTarReader(ctx, in, list)
	t.spool = kept
	files, err := t.readAll()
	if err != nil {
		return nil, nil, errors.Join(err, kept.close())
	}
	return files, kept, nil
}

type tarReader struct {
	in    *boundedReader
	list  *listing
	spool interface { // a [*spool]
		keep(in io.Reader, size int64) (at int64, err error)
	}
	found []File
}

func newTarReader(ctx context.Context, in io.Reader, list *listing) *tarReader {
	limit := list.limits.unpacked
	return &tarReader{in: &boundedReader{ctx: ctx, r: in, left: limit, limit: limit}, list: list}
}

func (t *tarReader) readAll() ([]File, error) {
	archive := tar.NewReader(t.in)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			if err := t.end(); err != nil {
				return nil, err
			}
			return t.list.choose(t.found), nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) { // names are checked below
			return nil, archiveError(err)
		}
		if err := t.entry(header, archive); err != nil {
			return nil, fmt.Errorf("entry %q: %w", shorten(header.Name), archiveError(err))
		}
	}
}

// entry checks one entry, and keeps its bytes if they may be wanted.
func (t *tarReader) entry(h *tar.Header, in io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return t.list.add("") // about entries that follow: git writes one
	}
	name, err := cleanEntry(h.Name)
	if err != nil {
		return err
	}
	if err := t.list.add(name); err != nil {
		return err
	}
	switch {
	case h.Typeflag == tar.TypeDir:
		return nil
	case h.Typeflag != tar.TypeReg || isSparse(h):
		return fmt.Errorf("%w: it is %s, and only files and directories are accepted; create the archive without it, or unpack it and name the directory", errUnsafe, kindOf(h))
	case t.list.exists[name]:
		return errTwice
	case h.Size > t.in.left:
		return t.in.over()
	}
	if !t.list.addFile(name) {
		return nil
	}
	f := File{Path: name, Size: h.Size}
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

// end checks what follows the last entry: the end-of-archive marker, without which the
// archive was cut short, and then only zeros.
func (t *tarReader) end() error {
	if t.in.ended {
		return fmt.Errorf("%w: it ends early: its end marker is missing; create the archive again from the release's directory", ErrDamaged)
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := t.in.Read(buf)
		if strings.Trim(string(buf[:n]), "\x00") != "" {
			return fmt.Errorf("%w: something follows the end of the archive; create it again from the release's directory", ErrDamaged)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return archiveError(err)
		}
	}
}

// isSparse reports whether a file has holes, which take no bytes in the archive: it could
// claim to have any size.
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

// boundedReader fails when more than a limit has been read, or ctx is done.
type boundedReader struct {
	ctx   context.Context
	r     io.Reader
	left  int64
	limit int64
	ended bool // r has no more
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

// spool is the content of a tar archive: one temporary file with the wanted files, one
// after the other. The name of an entry never becomes the name of a file. Where the
// system can, the temporary file has no name either, so that nothing is left however the
// process ends.
type spool struct {
	file *os.File
	path string // "" if it has no name
	size int64
	max  int64
}

func newSpool(dir string, limit int64) (*spool, error) {
	f, err := os.OpenFile(filepath.Join(cmp.Or(dir, os.TempDir()), osfile.TempName()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	s := &spool{file: f, path: f.Name(), max: limit}
	if os.Remove(s.path) == nil {
		s.path = ""
	}
	return s, nil
}

// keep appends size bytes and returns where they start.
func (s *spool) keep(in io.Reader, size int64) (at int64, err error) {
	if size > s.max-s.size {
		return 0, overLimit("over %d bytes of wanted files", s.max)
	}
	at = s.size
	n, err := io.Copy(s.file, io.LimitReader(in, size))
	s.size += n
	if err == nil && n != size {
		err = io.ErrUnexpectedEOF
	}
	return at, err
}

func (s *spool) open(f File) (io.ReadCloser, error) {
	return io.NopCloser(io.NewSectionReader(s.file, f.at, f.Size)), nil
}

func (s *spool) close() error {
	err := s.file.Close()
	if s.path != "" {
		if gone := os.Remove(s.path); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
