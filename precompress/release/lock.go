package release

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// lock waits until no other process changes the store in dir, or ctx is done.
// The kernel lets go of the lock when a process ends, however it ends.
func lock(ctx context.Context, dir string) (unlock func() error, err error) {
	file, locked, err := tryLock(dir)
	if err == nil && !locked {
		_, err = file.TryLockContext(ctx, 20*time.Millisecond)
	}
	if err != nil {
		return nil, fmt.Errorf("lock: %w", bareError(err))
	}
	return file.Unlock, nil
}

// tryLock locks the folder itself, so that no lock file is kept with the store;
// where the system cannot do that, a file in the folder for temporary files that
// stands for it.
func tryLock(dir string) (*flock.Flock, bool, error) {
	if runtime.GOOS != "windows" {
		file := flock.New(dir, flock.SetFlag(os.O_RDONLY))
		locked, err := file.TryLock()
		if err == nil || errors.Is(err, fs.ErrPermission) {
			return file, locked, err
		}
	}
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil, false, err
	}
	sum := sha256.Sum256([]byte(real))
	file := flock.New(filepath.Join(os.TempDir(), fmt.Sprintf("precompress-releases-%x.lock", sum[:8])))
	locked, err := file.TryLock()
	return file, locked, err
}
