package precompress

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"github.com/precompress/precompress/manifest"
)

// lock keeps builds of one folder apart, across processes. The kernel lets go
// of it when a process ends, however it ends.
type lock struct{ file *flock.Flock }

// acquireLock waits until it holds the lock of dir or ctx is done. If another
// process holds it, waiting is called once.
func acquireLock(ctx context.Context, dir string, waiting func()) (*lock, error) {
	file, locked, err := tryLock(dir)
	if err != nil {
		return nil, &Error{Op: "lock", Path: dir, Err: err}
	}
	if !locked {
		if waiting != nil {
			waiting()
		}
		if _, err := file.TryLockContext(ctx, 50*time.Millisecond); err != nil {
			return nil, &Error{Op: "wait for another run on this folder", Path: dir, Err: err}
		}
	}
	return &lock{file}, nil
}

func (l *lock) release() error { return l.file.Unlock() }

// tryLock locks the folder itself, so that no lock file is left to be
// deployed; where the system cannot do that, a file in the folder for
// temporary files that stands for it.
func tryLock(dir string) (*flock.Flock, bool, error) {
	if runtime.GOOS != "windows" {
		file := flock.New(dir, flock.SetFlag(os.O_RDONLY))
		locked, err := file.TryLock()
		if err == nil {
			return file, locked, nil
		}
		if errors.Is(err, fs.ErrPermission) {
			return nil, false, err
		}
	}
	stand := fmt.Sprintf("precompress-%s.lock", manifest.Sum([]byte(resolve(dir))))
	file := flock.New(filepath.Join(os.TempDir(), stand))
	locked, err := file.TryLock()
	return file, locked, err
}
