package osfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// MarkerName is the name of the file that marks a directory: backup programs skip
// directories that have it (https://bford.info/cachedir/).
const MarkerName = "CACHEDIR.TAG"

// maxMarker bounds what is read of a marker, in bytes.
const maxMarker = 4096

// Marker is the content of a file [MarkerName]. Its first line tells backup programs
// that the directory can be made again, its second line is how a program recognizes a
// directory of its own, and the rest is for people. Without its marker, nothing should
// be stored in a directory or removed from it.
type Marker struct{ title, text string }

// NewMarker returns the marker with this title, which no other kind of directory has,
// and this text. Both are lines of prose; text may have several.
func NewMarker(title, text string) Marker {
	title = "Signature: 8a477f597d28d172789f06886806bc55\n# " + title + "\n"
	return Marker{title, title + "# " + strings.ReplaceAll(text, "\n", "\n# ") + "\n"}
}

// Find reports whether a directory has the marker, and, if it has not, whether it is
// free to get it: it holds nothing that anybody could miss.
func (m Marker) Find(fsys FS) (marked, free bool, err error) {
	if marked, err = m.isIn(fsys); marked || err != nil {
		return marked, false, err
	}
	if free, err = isFree(fsys); free || err != nil {
		return false, free, err
	}
	// Another process may have marked it in the meantime.
	marked, err = m.isIn(fsys)
	return marked, false, err
}

// isIn reports whether the directory has the marker. Anything else of its name does
// not count.
func (m Marker) isIn(fsys FS) (bool, error) {
	data, err := ReadFile(fsys, MarkerName, maxMarker)
	switch {
	case err == nil:
		return strings.HasPrefix(string(data), m.title), nil
	case IsNotExist(err), errors.Is(err, ErrNotRegular), errors.Is(err, ErrTooLarge):
		return false, nil
	}
	if info, statErr := fsys.Lstat(MarkerName); statErr == nil && !info.Mode().IsRegular() {
		return false, nil // a link that leads nowhere, or out of the root
	}
	return false, err
}

// isFree reports whether a directory holds only temporary files, and what every file
// system has in its root.
func isFree(fsys FS) (bool, error) {
	dir, err := fsys.OpenFile(".", os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer dir.Close() // opened for reading: no write can fail
	for {
		names, err := dir.Readdirnames(64)
		for _, name := range names {
			if !IsTempName(name) && name != "lost+found" {
				return false, nil
			}
		}
		switch {
		case err == io.EOF:
			return true, nil
		case err != nil:
			return false, err
		}
	}
}

// Write marks a directory.
func (m Marker) Write(fsys FS, perm fs.FileMode) error {
	return WriteFile(fsys, MarkerName, []byte(m.text), perm)
}

// Lock locks a directory and returns what unlocks it. While another process has the
// lock, it waits until ctx is done; before that, waiting (if not nil) is called once.
//
// It locks the directory itself, so that no lock file is left in it. Where the system
// cannot do that, it locks a file named standIn in the system's directory for
// temporary files. The kernel releases the lock when a process ends, however it ends.
func Lock(ctx context.Context, dir, standIn string, waiting func()) (unlock func() error, err error) {
	file, locked, err := tryLock(dir, standIn)
	if err == nil && !locked {
		if waiting != nil {
			waiting()
		}
		_, err = file.TryLockContext(ctx, 20*time.Millisecond)
	}
	if err != nil {
		return nil, err
	}
	return file.Unlock, nil
}

// tryLock is [Lock] without the waiting: it reports whether it got the lock.
func tryLock(dir, standIn string) (file *flock.Flock, locked bool, err error) {
	if runtime.GOOS != "windows" {
		file := flock.New(dir, flock.SetFlag(os.O_RDONLY))
		locked, err := file.TryLock()
		if err == nil || errors.Is(err, fs.ErrPermission) {
			return file, locked, err
		}
	}
	file = flock.New(filepath.Join(os.TempDir(), standIn))
	locked, err = file.TryLock()
	return file, locked, err
}

// RealPath returns an absolute path without symbolic links, also of a file that does
// not exist yet: the links of the existing part are resolved, and a link that leads
// nowhere is replaced by its target, which is where a file made through it comes into
// being. A loop of links stays as it is.
func RealPath(path string) string { return realPath(path, 255) }

func realPath(path string, links int) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	parent := filepath.Dir(abs)
	if parent == abs {
		return abs
	}
	parent = realPath(parent, links)
	abs = filepath.Join(parent, filepath.Base(abs))
	target, err := os.Readlink(abs)
	if err != nil || links == 0 {
		return abs
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(parent, target)
	}
	return realPath(target, links-1)
}
