package release

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/precompress/precompress/internal/osfile"
)

// lock waits until no other process changes the store in dir, or ctx is done.
// The kernel lets go of the lock when a process ends, however it ends.
func lock(ctx context.Context, dir string) (unlock func() error, err error) {
	file, locked, err := tryLock(dir)
	if err == nil && !locked {
		_, err = file.TryLockContext(ctx, 20*time.Millisecond)
	}
	if err != nil {
		return nil, fmt.Errorf("lock: %w", osfile.BareError(err))
	}
	return file.Unlock, nil
}

// tryLock locks the directory itself, or what stands for it.
func tryLock(dir string) (*flock.Flock, bool, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil, false, err
	}
	sum := sha256.Sum256([]byte(real))
	return osfile.TryLock(dir, fmt.Sprintf("precompress-releases-%x.lock", sum[:8]))
}
