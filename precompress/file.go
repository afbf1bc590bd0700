package precompress

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// readStable returns a file's bytes and what was known of it at that moment.
// It fails with [ErrSourceChanged] if the file was edited meanwhile.
func readStable(root *os.Root, name string) ([]byte, fs.FileInfo, error) {
	f, before, err := osfile.OpenRegular(root, name, os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	// One byte more than expected tells a file that grew.
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

// hasher reads files to digest them, with buffers used again.
type hasher struct{ buffers sync.Pool }

// file returns the digest of a regular file and what it looked like. What it
// reads, others are told of as well.
func (h *hasher) file(ctx context.Context, root *os.Root, name string, also ...io.Writer) (manifest.Digest, fs.FileInfo, error) {
	f, info, err := osfile.OpenRegular(root, name, os.O_RDONLY)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	digest, err := h.sum(ctx, f, also...)
	return digest, info, err
}

// variant is like file, and returns what is wrong with the form of a coding's
// stream as well.
func (h *hasher) variant(ctx context.Context, root *os.Root, name string, c manifest.Coding) (digest manifest.Digest, info fs.FileInfo, form, err error) {
	f, info, err := osfile.OpenRegular(root, name, os.O_RDONLY)
	if err != nil {
		return 0, nil, nil, err
	}
	defer f.Close()
	buffer := h.buffer()
	defer h.buffers.Put(buffer)
	n, err := io.ReadFull(f, *buffer)
	if err == io.EOF || err == io.ErrUnexpectedEOF { // it is read in full
		content := (*buffer)[:n]
		return manifest.Sum(content), info, manifest.CheckForm(c, bytes.NewReader(content)), nil
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
	return digest, info, manifest.CheckForm(c, bufio.NewReaderSize(f, len(*buffer))), nil
}

// sum returns the digest of what is left of a file.
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

// buffer returns a buffer that goes back to h.buffers.
func (h *hasher) buffer() *[]byte {
	buffer, _ := h.buffers.Get().(*[]byte)
	if buffer == nil {
		b := make([]byte, 128<<10)
		buffer = &b
	}
	return buffer
}

// attributes are what a written file takes over from its source.
type attributes struct {
	mode  fs.FileMode // permission bits
	mtime time.Time
}

// attributesOf returns what a variant takes over. Times that the system's call
// cannot set, nanoseconds since 1970 in 64 bits, become the nearest it can.
func attributesOf(info fs.FileInfo) *attributes {
	mtime := info.ModTime()
	if latest := time.Unix(0, math.MaxInt64); mtime.After(latest) {
		mtime = latest
	}
	if earliest := time.Unix(0, math.MinInt64); mtime.Before(earliest) {
		mtime = earliest
	}
	return &attributes{info.Mode().Perm(), mtime}
}

// writeAtomic gives name the content that fill writes, whole or not at all,
// replacing a file of that name. Without attributes the file gets the
// process's default mode and the current time.
func writeAtomic(root *os.Root, name string, attr *attributes, fill func(io.Writer) error) error {
	temp := directoryPrefix(name) + osfile.TempName()
	// Until its attributes are set, nobody else may read the file.
	mode := fs.FileMode(0o600)
	if attr == nil {
		mode = 0o666
	}
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	err = fill(f)
	if err == nil && attr != nil {
		err = f.Chmod(attr.mode)
	}
	err = errors.Join(err, f.Close())
	if err == nil && attr != nil {
		err = root.Chtimes(temp, attr.mtime, attr.mtime)
	}
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		root.Remove(temp) // best effort: the next run removes what is left
	}
	return err
}

// directoryPrefix returns the directory of a path with its slash, "" for the root.
func directoryPrefix(name string) string { return name[:strings.LastIndex(name, "/")+1] }

// setAttributes brings a file's mode and modification time in line.
func setAttributes(root *os.Root, name string, info fs.FileInfo, attr *attributes) error {
	if info.Mode().Perm() != attr.mode {
		if err := root.Chmod(name, attr.mode); err != nil {
			return err
		}
	}
	if !info.ModTime().Equal(attr.mtime) {
		return root.Chtimes(name, attr.mtime, attr.mtime)
	}
	return nil
}

func sameAttributes(info fs.FileInfo, attr *attributes) bool {
	return info.Mode().Perm() == attr.mode && info.ModTime().Equal(attr.mtime)
}
