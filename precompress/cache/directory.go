package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/precompress/precompress/internal/osfile"
)

// Directory is a cache directory. Several processes may use one at a time, and
// nothing is locked: entries are whole from the moment they have their names,
// and one that another process removed is a miss. What stands in the directory is
// not trusted: links that lead out of it are not followed, and what is no
// regular file is a miss.
type Directory struct {
	root *os.Root
	now  func() time.Time
}

// DefaultMaxBytes is the size in bytes that a cache directory is kept below.
const DefaultMaxBytes int64 = 2 << 30

// OpenDirectory opens a cache directory to look at it and tend it. The error wraps
// [fs.ErrNotExist] if there is none or nothing is in it yet, and [ErrNotCache]
// if it holds something else.
func OpenDirectory(dir string) (*Directory, error) {
	root, err := openDirectory(dir, false)
	if err != nil {
		return nil, err
	}
	return newDirectory(root), nil
}

func newDirectory(root *os.Root) *Directory { return &Directory{root: root, now: time.Now} }

// Close lets go of the directory.
func (f *Directory) Close() error { return f.root.Close() }

// touchAfter is how old the time of an entry's last use may get before a hit
// renews it: exact enough to tell the least recently used ones, and most hits
// cost no write.
const touchAfter = time.Hour

// get returns a key's entry. The error is for faults other than a missing or
// damaged entry; a damaged one is dropped.
func (f *Directory) get(key Key) (e Entry, found bool, err error) {
	name := entryName(key)
	e, info, err := f.read(key)
	switch {
	case err == nil:
		f.touch(name, info.ModTime())
		return e, true, nil
	case osfile.IsNotExist(err):
		return Entry{}, false, nil
	case f.isDamage(name, err):
		f.root.Remove(name) // best effort: storing the entry replaces it
		return Entry{}, false, nil
	}
	return Entry{}, false, err
}

// touch renews the time of a file's last use.
func (f *Directory) touch(name string, used time.Time) {
	if now := f.now(); now.Sub(used) > touchAfter {
		f.root.Chtimes(name, now, now) // best effort: those who may write see to it
	}
}

// read returns a key's entry after checking it.
func (f *Directory) read(key Key) (Entry, fs.FileInfo, error) {
	file, info, err := osfile.OpenRegular(f.root, entryName(key), os.O_RDONLY)
	if err != nil {
		return Entry{}, nil, err
	}
	defer file.Close()
	// The head is checked first: it takes a true one to have memory given out.
	var head [headerSize]byte
	if _, err := io.ReadFull(file, head[:]); err != nil {
		return Entry{}, nil, shortRead(err)
	}
	total, err := envelopeLength(key, head[:])
	if err == nil && total != info.Size() {
		err = fmt.Errorf("%w: it has %d bytes in place of %d", ErrDamaged, info.Size(), total)
	}
	if err != nil {
		return Entry{}, nil, err
	}
	data := make([]byte, total)
	copy(data, head[:])
	if _, err := io.ReadFull(file, data[headerSize:]); err != nil {
		return Entry{}, nil, shortRead(err)
	}
	e, err := decodeEnvelope(key, data)
	return e, info, err
}

// shortRead marks the error of a file that ends early.
func shortRead(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it is cut short", ErrDamaged)
	}
	return err
}

// isDamage reports whether reading an entry failed because of what stands under
// its name, not because of the system.
func (f *Directory) isDamage(name string, err error) bool {
	if errors.Is(err, ErrDamaged) {
		return true
	}
	info, err := f.root.Lstat(name)
	return err == nil && !info.Mode().IsRegular()
}

// put stores an envelope.
func (f *Directory) put(key Key, envelope []byte) error {
	name := entryName(key)
	err := writeFile(f.root, name, envelope)
	if errors.Is(err, fs.ErrNotExist) {
		if err = f.root.Mkdir(shardOf(key), 0o777); err == nil || errors.Is(err, fs.ErrExist) {
			err = writeFile(f.root, name, envelope)
		}
	}
	if err == nil {
		return f.remark()
	}
	if _, _, readErr := f.read(key); readErr == nil {
		return nil // another process stored it, and on some systems has it open
	}
	return err
}
