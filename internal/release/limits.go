package release

import "fmt"

// MaxFile is the size in bytes of the largest file that may be a dictionary.
const MaxFile int64 = 50 << 20

// Limits bound what opening a release may cost, so that a hostile archive can
// fill neither memory nor disk. 0 means the default.
type Limits struct {
	// Entries is how many files and directories there may be; 200,000 by default.
	Entries int
	// Unpacked is how many bytes the archive may unpack to, those included that
	// are not kept; 16 GiB by default.
	Unpacked int64
	// Kept is how many bytes of files may be kept in a temporary file until
	// [Release.Close]; 2 GiB by default.
	Kept int64
}

const (
	defaultEntries  int   = 200_000
	defaultUnpacked int64 = 16 << 30
	defaultKept     int64 = 2 << 30

	// maxWindow is the largest window in bytes of a zstd archive: what the zstd
	// command decodes without being told to take more.
	maxWindow = 128 << 20
	// maxName is the largest length of an entry's name in bytes.
	maxName = 4096
	// maxNames is how many bytes all names of an archive may have.
	maxNames = 64 << 20
)

// withDefaults returns the limits with each 0 replaced.
func (l Limits) withDefaults() Limits {
	if l.Entries == 0 {
		l.Entries = defaultEntries
	}
	if l.Unpacked == 0 {
		l.Unpacked = defaultUnpacked
	}
	if l.Kept == 0 {
		l.Kept = defaultKept
	}
	return l
}

// overLimit is the error for a limit that was reached.
func overLimit(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrLimit, fmt.Sprintf(format, args...))
}
