package release

import (
	"context"
	"errors"
	"fmt"
)

// Options are the settings of [Open]. The zero value means the defaults.
type Options struct {
	// Want tells whether a file of this path could be a dictionary; nil means
	// that all could be. Files that are not wanted are not listed, and those of an
	// archive not kept. It may be asked about one file under two paths.
	Want func(path string) bool
	// Limits bound what opening may cost.
	Limits Limits
	// TempDir is the folder for temporary files; "" means that of the system.
	TempDir string
}

// Open opens the earlier release at path: a folder, or an archive whose name
// ends in .tar, .tar.gz, .tgz, .tar.zst, .tzst or .zip, in any case of letters.
func Open(ctx context.Context, path string, opts Options) (*Release, error) {
	return nil, fmt.Errorf("earlier release %q: %w", path, errors.ErrUnsupported)
}
