package release

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/precompress/precompress/internal/osfile"
)

// The marker tells backup programs that the directory can be made anew, people what
// it is, and us that it is ours: without it, nothing is stored in or removed from
// a directory. The first line is that of https://bford.info/cachedir/.
const (
	markerName   = "CACHEDIR.TAG"
	markerPrefix = `Signature: 8a477f597d28d172789f06886806bc55
# This directory is a store of earlier releases of precompress.
`
	markerText = markerPrefix + `# It holds what was deployed before, so that the next release can be sent as the
# difference to it. Without it the next build makes no such differences.
`
)

// openDisk opens the directory of a store. It returns nil if the directory is missing.
func openDisk(dir string) (*disk, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, syscall.ENOTDIR), err == nil && !info.IsDir():
		return nil, ErrNotDirectory
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &disk{root: root}, nil
}

// isMarked reports whether the directory is a store of ours. It may also be free to
// become one; else the error is [ErrNotStore].
func (d *disk) isMarked() (bool, error) {
	data, err := d.read(markerName, 4096)
	if err == nil && strings.HasPrefix(string(data), markerPrefix) {
		return true, nil
	}
	if err != nil && !osfile.IsNotExist(err) && !errors.Is(err, ErrDamaged) && !errors.Is(err, osfile.ErrNotRegular) {
		return false, err
	}
	names, err := d.names(".")
	if err != nil {
		return false, err
	}
	for _, name := range names {
		// The root of a file system has the directory lost+found.
		if !osfile.IsTempName(name) && name != "lost+found" {
			return false, ErrNotStore
		}
	}
	return false, nil
}

// mark makes a free directory a store.
func (d *disk) mark() error {
	marked, err := d.isMarked()
	if err != nil || marked {
		return err
	}
	return d.write(markerName, []byte(markerText))
}
