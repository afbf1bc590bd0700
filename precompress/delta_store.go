package precompress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/internal/release"
)

// storeRelease adds the tree's sources to the store of releases, if there is one
// and the run had no failures: what failed today is built tomorrow, and only then
// someone may hold it. A fault is a failure of the run.
func (r *run) storeRelease(ctx context.Context, report *Report) {
	if r.history == nil || r.history.store == nil || report.Err() != nil {
		return
	}
	sources := make([]release.Source, 0, len(report.Assets))
	for _, a := range report.Assets {
		sources = append(sources, release.Source{Path: a.Path, Size: a.Size, Digest: a.Digest, Open: func() (io.ReadCloser, error) {
			f, _, err := osfile.OpenRegular(r.sources, a.Path, os.O_RDONLY)
			return f, err
		}})
	}
	_, err := r.history.store.Add(ctx, "", sources)
	if err == nil {
		// This one and those that deltas were made from.
		err = r.history.store.Keep(ctx, r.opts.Keep+1)
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		report.Stopped = context.Cause(ctx)
	default:
		report.Failures = append(report.Failures, &Error{Op: "store", Err: fmt.Errorf("%w; %s", err, storeHint(err))})
	}
}

// storeHint says what to do about a store that a release could not be added to.
func storeHint(err error) string {
	switch {
	case errors.Is(err, ErrDiskFull):
		return "make room on its disk and build again"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "make the directory writable, or name another, and build again"
	}
	return "build again, or name another directory"
}
