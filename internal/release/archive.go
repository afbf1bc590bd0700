package release

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/osfile"
)

// Kinds of archives.
const (
	kindTar     = "tar"
	kindTarGzip = "gzip"
	kindTarZstd = "zstd"
	kindZip     = "zip"
)

// kindByName returns the kind of an archive by its name.
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

// kindByContent returns the kind of an archive by its first bytes, "" if it has none.
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

// isSkippable reports whether a file starts with a skippable frame (RFC 8878, section
// 3.1.2), as some zstd programs write it.
func isSkippable(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

// checkKind returns an error if a file cannot be of the kind that its name says. An old
// tar archive has nothing to be recognized by.
func checkKind(kind string, head []byte) error {
	found := kindByContent(head)
	switch {
	case len(head) == 0:
		return fmt.Errorf("%w: it is empty; copy or create it again", ErrDamaged)
	case found == kind, found == "" && kind == kindTar:
		return nil
	case found == "":
		return fmt.Errorf("%w: its name is that of a %s file, but it is not one", ErrFormat, kind)
	}
	return fmt.Errorf("%w: its name is that of a %s file, but it is a %s file; rename it", ErrFormat, kind, found)
}

// openArchive opens an archive whose name and content agree.
func openArchive(ctx context.Context, path string, opts options) ([]File, content, error) {
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
		return openZip(ctx, f, newListing(opts))
	}
	defer f.Close() // opened for reading: no write can fail
	if err != nil {
		return nil, nil, osfile.BareError(err)
	}
	in, done, err := unpack(kind, f)
	if err != nil {
		return nil, nil, archiveError(err)
	}
	defer done()
	return openTar(ctx, in, newListing(opts), opts.tempDir)
}

// unpack returns the tar archive in a file, decompressed; done frees memory.
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
