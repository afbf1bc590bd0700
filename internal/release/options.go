package release

import "cmp"

// options are the settings of [openRelease]. The zero value means the defaults.
type options struct {
	// want reports whether a file with this path could be a dictionary; nil means
	// that all could be. Other files are not listed, and those of an archive are not
	// kept. It may be called for one file with two paths.
	want func(path string) bool

	limits  limits
	tempDir string // directory for temporary files; "" means that of the system
}

// limits bound what opening a release may cost, so that a hostile archive can fill
// neither memory nor disk. 0 means the default.
type limits struct {
	entries  int   // files and directories
	unpacked int64 // bytes that the archive unpacks to, those included that are not kept
	kept     int64 // bytes of files in a temporary file, until [Release.Close]
}

const (
	defaultEntries  int   = 200_000
	defaultUnpacked int64 = 16 << 30
	defaultKept     int64 = 2 << 30

	// maxWindow is the largest window of a zstd archive in bytes: what the zstd
	// command decodes by default.
	maxWindow = 128 << 20
	// maxName is the largest length of an entry's name in bytes.
	maxName = 4096
	// maxNames is the largest length of all names of an archive together in bytes.
	maxNames = 64 << 20
)

// withDefaults returns the limits with each 0 replaced.
func (l limits) withDefaults() limits {
	return limits{cmp.Or(l.entries, defaultEntries), cmp.Or(l.unpacked, defaultUnpacked), cmp.Or(l.kept, defaultKept)}
}
