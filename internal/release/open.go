package release

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/precompress/precompress/internal/osfile"
)

// openRelease opens the earlier release at path: a directory, or an archive whose name ends in
// .tar, .tar.gz, .tgz, .tar.zst, .tzst or .zip, in upper or lower case. If everything in
// an archive is in one directory, and no file is wanted by a path with that directory,
// then the directory is the release.
func openRelease(ctx context.Context, path string, opts options) (*Release, error) {
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	r := &Release{Name: displayName(filepath.Base(path))}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		err = osfile.BareError(err)
	case info.IsDir():
		r.files, r.from, err = openDirectory(ctx, path, newListing(opts))
		if abs, e := filepath.Abs(path); e == nil { // "." is no name
			r.Name = displayName(filepath.Base(abs))
		}
	default:
		r.files, r.from, err = openArchive(ctx, path, opts)
	}
	if err != nil {
		return nil, fmt.Errorf("earlier release %q: %w", path, err)
	}
	return r, nil
}

// CheckPath returns an error that wraps [ErrFormat] if path cannot be an earlier
// release: it is a store of releases, a device, or a file without the name of an
// archive. The content of a file is not read.
func CheckPath(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		err = osfile.BareError(err)
	case info.IsDir():
		if isStore(path) {
			err = fmt.Errorf("%w: %w", ErrFormat, ErrIsStore)
		}
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%w: it is neither a file nor a directory; name a directory or an archive", ErrFormat)
	default:
		_, err = kindByName(path)
	}
	if err != nil {
		return fmt.Errorf("earlier release %q: %w", path, err)
	}
	return nil
}

// isStore reports whether a directory is a store of releases.
func isStore(dir string) bool {
	d, err := openDisk(dir)
	if err != nil || d == nil {
		return false // opening it as a release returns the error
	}
	defer d.Close()
	marked, err := d.isMarked()
	return err == nil && marked
}
