package osfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"
)

// TryLock locks a directory if nobody else has. It locks the directory itself, so that
// no lock file is left in it; where the system cannot do that, a file of the name
// standIn in the directory for temporary files. The kernel lets go of the lock when
// a process ends, however it ends.
func TryLock(dir, standIn string) (file *flock.Flock, locked bool, err error) {
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
