package release

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/osfile"
)

// Options are the settings of [Open]. The zero value means the defaults.
type Options struct {
	// Want reports whether a file of this path could be a dictionary; nil means
	// that all could be. Files that are not wanted are not listed, and those of an
	// archive not kept. It may be asked about one file under two paths.
	Want func(path string) bool
	// Limits bound what opening may cost.
	Limits Limits
	// TempDir is the directory for temporary files; "" means that of the system.
	TempDir string
}

// Open opens the earlier release at path: a directory, or an archive whose name
// ends in .tar, .tar.gz, .tgz, .tar.zst, .tzst or .zip, in any case of letters.
// If everything in an archive is in one directory and no file is wanted by the path
// that has it, then that directory is taken for the release.
func Open(ctx context.Context, path string, opts Options) (*Release, error) {
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	r := &Release{Name: displayName(filepath.Base(path))}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		err = osfile.BareError(err)
	case info.IsDir():
		r.files, r.from, err = openDirectory(ctx, path, opts)
		if abs, e := filepath.Abs(path); e == nil { // "." is no name
			r.Name = displayName(filepath.Base(abs))
		}
	default:
		r.files, r.from, err = openArchive(ctx, path, opts)
	}
	if err != nil {
		return nil, fmt.Errorf("earlier release %q: %w", path, err)
	}
	return r, nil
}

// CheckPath returns an error that wraps [ErrFormat] if what is at path can be no
// earlier release, as far as a look from outside tells: a store of releases, a
// device, a file with another name than archives have.
func CheckPath(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		err = osfile.BareError(err)
	case info.IsDir():
		if isStore(path) {
			err = fmt.Errorf("%w: it is a store of releases: give it with --releases", ErrFormat)
		}
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%w: it is neither a file nor a directory; name a directory or an archive", ErrFormat)
	default:
		_, err = kindByName(path)
	}
	if err != nil {
		return fmt.Errorf("earlier release %q: %w", path, err)
	}
	return nil
}

// isStore reports whether a directory is a store of releases.
func isStore(dir string) bool {
	d, err := openDisk(dir)
	if err != nil || d == nil {
		return false // opening it as a release tells why
	}
	defer d.root.Close()
	marked, err := d.isMarked()
	return err == nil && marked
}

// Kinds of archives.
const (
	kindTar     = "tar"
	kindTarGzip = "gzip"
	kindTarZstd = "zstd"
	kindZip     = "zip"
)

// kindByName returns the kind that a file's name stands for.
func kindByName(name string) (string, error) {
	name = strings.ToLower(filepath.Base(name))
	for _, k := range []struct{ suffix, kind string }{
		{".tar", kindTar},
		{".tar.gz", kindTarGzip}, {".tgz", kindTarGzip},
		{".tar.zst", kindTarZstd}, {".tzst", kindTarZstd},
		{".zip", kindZip},
	} {
		if strings.HasSuffix(name, k.suffix) {
			return k.kind, nil
		}
	}
	return "", fmt.Errorf("%w: its name ends in none of .tar, .tar.gz, .tgz, .tar.zst, .tzst and .zip; name a directory or such an archive", ErrFormat)
}

// kindByContent returns the kind that a file's first bytes tell of, "" if none.
func kindByContent(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return kindTarGzip
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")), isSkippable(head):
		return kindTarZstd
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return kindZip
	case len(head) >= 263 && string(head[257:262]) == "ustar":
		return kindTar
	}
	return ""
}

// isSkippable reports whether a skippable frame comes first (RFC 8878, section
// 3.1.2), as some zstd programs write it.
func isSkippable(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

// checkKind says why a file cannot be of the kind that its name tells of. An old
// tar archive has no mark to be known by.
func checkKind(kind string, head []byte) error {
	found := kindByContent(head)
	switch {
	case len(head) == 0:
		return fmt.Errorf("%w: it is empty; copy or archive it anew", ErrDamaged)
	case found == kind, found == "" && kind == kindTar:
		return nil
	case found == "":
		return fmt.Errorf("%w: its name is that of a %s file, but it is none", ErrFormat, kind)
	}
	return fmt.Errorf("%w: its name is that of a %s file, but it is a %s file; rename it", ErrFormat, kind, found)
}

// openArchive opens an archive whose name and content are of one kind.
func openArchive(ctx context.Context, path string, opts Options) ([]File, content, error) {
	kind, err := kindByName(path)
	if err != nil {
		return nil, nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, osfile.BareError(err)
	}
	head := make([]byte, 512)
	n, err := f.ReadAt(head, 0)
	if err == nil || err == io.EOF {
		err = checkKind(kind, head[:n])
	}
	if err == nil && kind == kindZip {
		return openZip(ctx, f, opts)
	}
	defer f.Close() // read-only: nothing can be lost
	if err != nil {
		return nil, nil, osfile.BareError(err)
	}
	in, done, err := unpack(kind, f)
	if err != nil {
		return nil, nil, archiveError(err)
	}
	defer done()
	return openTar(ctx, in, opts)
}

// errTwice is about the name of two entries: which of them was meant is not known.
var errTwice = fmt.Errorf("%w: two entries have this name; archive anew", ErrUnsafe)

// shorten returns an entry's name as it may stand in a message.
func shorten(name string) string {
	if len(name) > 200 {
		return name[:200] + "…"
	}
	return name
}

// archiveError gives the errors of the packages that unpack the words and
// sentinels of this one.
func archiveError(err error) error {
	var ofSystem *fs.PathError
	switch {
	case err == nil, err == io.EOF: // the end of an entry
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it ends early; copy or archive it anew", ErrDamaged)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return overLimit("it needs a zstd window of over %d bytes; compress it with a smaller one", maxWindow)
	case errors.Is(err, tar.ErrHeader):
		return fmt.Errorf("%w: it is no tar archive, or damaged: %w", ErrFormat, err)
	case errors.As(err, &ofSystem), isOwn(err):
		return err
	}
	return fmt.Errorf("%w: %w; copy or archive it anew", ErrDamaged, err)
}

// isOwn reports whether an error has its words already.
func isOwn(err error) bool {
	for _, own := range []error{ErrTooLarge, ErrDamaged, ErrUnsafe, ErrLimit, ErrFormat, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, own) {
			return true
		}
	}
	return false
}
