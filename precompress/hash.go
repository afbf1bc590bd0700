package precompress

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// readStable returns a file's bytes and its state at that moment. It fails with
// [ErrSourceChanged] if the file was edited meanwhile.
func readStable(root *os.Root, name string) ([]byte, fs.FileInfo, error) {
	f, before, err := osfile.OpenRegular(root, name, os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	// One byte more than expected reveals a file that grew.
	data := make([]byte, before.Size()+1)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	after, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if int64(n) != before.Size() || !sameState(before, after) {
		return nil, nil, ErrSourceChanged
	}
	return data[:n:n], after, nil
}

// sameState reports whether a file looks unedited between two moments.
func sameState(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}

// hasher computes the digests of files, in several goroutines at a time, with
// buffers that are used again.
type hasher struct{ buffers sync.Pool }

// file returns the digest of a regular file and its state. It writes the bytes to
// also, which are hashes.
func (h *hasher) file(ctx context.Context, root *os.Root, name string, also ...io.Writer) (manifest.Digest, fs.FileInfo, error) {
	f, info, err := osfile.OpenRegular(root, name, os.O_RDONLY)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	digest, err := h.sum(ctx, f, also...)
	return digest, info, err
}

// variant is file for a variant. format is the error that clients would meet in the
// format of its coding.
func (h *hasher) variant(ctx context.Context, root *os.Root, name string, c manifest.Coding) (digest manifest.Digest, info fs.FileInfo, format, err error) {
	f, info, err := osfile.OpenRegular(root, name, os.O_RDONLY)
	if err != nil {
		return 0, nil, nil, err
	}
	defer f.Close()
	buffer := h.buffer()
	defer h.buffers.Put(buffer)
	n, err := io.ReadFull(f, *buffer)
	if err == io.EOF || err == io.ErrUnexpectedEOF { // the buffer holds all of it
		content := (*buffer)[:n]
		return manifest.Sum(content), info, framing.Check(c, bytes.NewReader(content)), nil
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		digest, err = h.sum(ctx, f)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return 0, nil, nil, err
	}
	return digest, info, framing.Check(c, bufio.NewReaderSize(f, len(*buffer))), nil
}

// sum returns the digest of the rest of a file.
func (h *hasher) sum(ctx context.Context, f *os.File, also ...io.Writer) (manifest.Digest, error) {
	buffer := h.buffer()
	defer h.buffers.Put(buffer)
	d := xxhash.New()
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := f.Read(*buffer)
		d.Write((*buffer)[:n])
		for _, w := range also {
			w.Write((*buffer)[:n]) // a hash: it cannot fail
		}
		if err == io.EOF {
			return manifest.Digest(d.Sum64()), nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// buffer returns a buffer, which the caller puts back into h.buffers.
func (h *hasher) buffer() *[]byte {
	buffer, _ := h.buffers.Get().(*[]byte)
	if buffer == nil {
		b := make([]byte, 128<<10)
		buffer = &b
	}
	return buffer
}
