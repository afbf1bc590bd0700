package precompress

import (
	"context"
	"fmt"
	"time"

	"github.com/gofrs/flock"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// lock keeps builds of one directory apart, across processes. The kernel lets go
// of it when a process ends, however it ends.
type lock struct{ file *flock.Flock }

// acquireLock waits until it holds the lock of dir or ctx is done. If another
// process holds it, waiting is called once.
func acquireLock(ctx context.Context, dir string, waiting func()) (*lock, error) {
	standIn := fmt.Sprintf("precompress-%s.lock", manifest.Sum([]byte(resolve(dir))))
	file, locked, err := osfile.TryLock(dir, standIn)
	if err != nil {
		return nil, &Error{Op: "lock", Path: dir, Err: err}
	}
	if !locked {
		if waiting != nil {
			waiting()
		}
		if _, err := file.TryLockContext(ctx, 50*time.Millisecond); err != nil {
			return nil, &Error{Op: "wait for another run on this directory", Path: dir, Err: err}
		}
	}
	return &lock{file}, nil
}

func (l *lock) release() error { return l.file.Unlock() }
