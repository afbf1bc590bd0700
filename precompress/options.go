package precompress

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress/cache"
)

// Options are the settings of a build. The zero value means the defaults.
type Options struct {
	// Include and Exclude are doublestar globs for slash-separated paths relative to
	// the tree. A glob without a slash matches a name at any depth; one that matches a
	// directory matches everything below it. An empty Include includes everything.
	// Excluded by default are names that begin with a dot, except .well-known, and
	// formats that are already compressed. Exclude is read in order after that: the last
	// glob that matches decides, and one with a leading "!" includes the file again.
	Include, Exclude []string

	// Codings lists the content codings to store; nil means all known.
	Codings []manifest.Coding
	// Levels overrides [DefaultLevel] per coding, on the scale of the coding's reference
	// program, which gzip's goes beyond; see [LevelRange].
	Levels map[manifest.Coding]int
	// Rules override the settings above for some of the files; a later rule overrides
	// an earlier one.
	Rules []Rule

	// MinSize is the size in bytes below which a source is skipped.
	MinSize int64
	// MaxSize is the size in bytes above which a source is skipped; 0 means
	// [DefaultMaxSize].
	MaxSize int64
	// MinSaving is the least that a variant must save to be stored.
	MinSaving Saving
	// DropDominated omits a variant if another one is no larger and is accepted by at
	// least the same clients.
	DropDominated bool

	// Out names a directory for the variants and the manifest; "" stores them next to
	// the sources. It is created if it is missing. OutOriginals copies the sources there
	// as well, also those that are not built, except hidden ones.
	Out          string
	OutOriginals bool
	// Manifest names the manifest file, relative to the working directory; "" means
	// [manifest.Name] in the directory of the variants.
	Manifest string

	// Previous names earlier releases of the tree, the newest first: directories or
	// archives (.tar, .tar.gz, .tar.zst, .zip). Releases names a directory that is a
	// store of them: a build without failures adds its sources to it and keeps the last
	// Keep releases before them; 0 means [DefaultKeep]. With either, builds make deltas
	// for clients that have an earlier release (RFC 9842).
	Previous []string
	Releases string
	Keep     int
	// Deltas lists the codings of deltas; nil means all known, an empty list none.
	Deltas []manifest.Coding
	// Fingerprint finds files of two releases that are the same asset under different
	// names.
	Fingerprint manifest.Fingerprint

	// Jobs is the number of assets to work on at a time; 0 means GOMAXPROCS.
	Jobs int
	// MaxMemory limits the bytes that the assets being worked on may need together. A
	// source that needs more alone is skipped. 0 means [DefaultMemory], and larger
	// sources are done one at a time.
	MaxMemory int64

	// Cache is asked before anything is encoded, unless Force is set, and gets every new
	// encoding; nil means none.
	Cache Cache

	// FollowSymlinks follows symbolic links that stay inside the tree. Without it, links
	// are skipped.
	FollowSymlinks bool
	// Force encodes everything again and overwrites foreign siblings.
	Force bool

	// Waiting is called once if another process holds the lock of the tree.
	Waiting func()
	// Progress is called as work is done, from one goroutine at a time.
	Progress func(Progress)
}

// Cache keeps encodings beyond one tree. Package cache has implementations. Its
// methods are called from several goroutines at a time and do not fail: an entry that
// cannot be read does not exist, and what cannot be stored is encoded again one day.
// They return soon after ctx is done. Neither side changes the bytes of an entry.
type Cache interface {
	// Get returns the entry of a key. It returns an entry from a source that others
	// write to only if valid accepts it.
	Get(ctx context.Context, key cache.Key, valid func(cache.Entry) error) (cache.Entry, bool)
	// Put keeps an entry. Storing it elsewhere may go on after the return.
	Put(ctx context.Context, key cache.Key, entry cache.Entry)
	// Parallel is the number of sources to look up at a time: more than the number of
	// cores if lookups wait for a network. All codings of a source are then looked up
	// at the same time.
	Parallel() int
}

// Defaults of [Options].
const (
	DefaultMaxSize int64 = 1 << 30
	DefaultMemory  int64 = 2 << 30
	DefaultKeep    int   = 3
)

// Progress is how far a run has come.
type Progress struct {
	// Assets counts the sources that are done, of TotalAssets that need work; Bytes is
	// the sum of their sizes. Sources that failed count as done.
	Assets, TotalAssets int
	Bytes, TotalBytes   int64
}

// DefaultLevel returns the level of a coding where [Options] names none: the
// strongest that the coding's reference program offers without extra memory.
func DefaultLevel(c manifest.Coding) int { return codec.DefaultLevel(c) }

// LevelRange returns the lowest and highest level of a coding. The levels of gzip
// above 9, which its reference program does not have, search for the cheapest
// encoding, each harder than the one before.
func LevelRange(c manifest.Coding) (low, high int) { return codec.LevelRange(c) }

// OptionError is an error about [Options]. It wraps [ErrInvalidOptions] and Err.
type OptionError struct {
	// Field names the field as Go writes it, such as "MinSize" or "Rules[2].Globs";
	// it is "" if the error is about the directories to build instead.
	Field string
	// Err says what is wrong, and what to do about it.
	Err error
}

// Error returns a text such as "invalid options: MinSize: it is negative: -1".
func (e *OptionError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%v: %v", ErrInvalidOptions, e.Err)
	}
	return fmt.Sprintf("%v: %s: %v", ErrInvalidOptions, e.Field, e.Err)
}

// Unwrap returns [ErrInvalidOptions] and the cause.
func (e *OptionError) Unwrap() []error { return []error{ErrInvalidOptions, e.Err} }

func invalid(field, format string, args ...any) error {
	return &OptionError{field, fmt.Errorf(format, args...)}
}

// withDefaults returns o with every default filled in, or an [*OptionError].
func (o Options) withDefaults() (Options, error) {
	var err error
	if o.Codings, err = orderedCodings(o.Codings); err != nil {
		return o, invalid("Codings", "%w", err)
	}
	if o.Deltas, err = orderedDeltas(o.Deltas); err != nil {
		return o, invalid("Deltas", "%w", err)
	}
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	levels := make(map[manifest.Coding]int)
	for _, c := range manifest.Codings() {
		levels[c] = DefaultLevel(c)
	}
	if err := checkLevels(o.Levels); err != nil {
		return o, invalid("Levels", "%w", err)
	}
	maps.Copy(levels, o.Levels)
	o.Levels = levels
	if o.MaxSize == 0 {
		o.MaxSize = DefaultMaxSize
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	return o, o.validate()
}

func (o Options) validate() error {
	for _, setting := range []struct {
		field, name string
		value       int64
	}{
		{"MinSize", "minimum size", o.MinSize}, {"MaxSize", "maximum size", o.MaxSize}, {"MaxMemory", "memory limit", o.MaxMemory},
		{"MinSaving", "minimum saving", o.MinSaving.bytes}, {"Jobs", "number of jobs", int64(o.Jobs)}, {"Keep", "number of releases to keep", int64(o.Keep)},
	} {
		if setting.value < 0 {
			return invalid(setting.field, "the %s is negative: %d", setting.name, setting.value)
		}
	}
	if p := o.MinSaving.percent; !(p >= 0 && p < 100) {
		return invalid("MinSaving", "%v percent is out of range: give at least 0 and less than 100", p)
	}
	if o.OutOriginals && o.Out == "" {
		return invalid("OutOriginals", "originals can only be put into a separate output directory: name one")
	}
	if slices.Contains(o.Previous, "") {
		return invalid("Previous", "the path of an earlier release is empty: name a directory or an archive")
	}
	selection, err := newSelection(o)
	if err != nil {
		return err
	}
	if need := minMemory(selection.rules); o.MaxMemory != 0 && o.MaxMemory < need {
		return invalid("MaxMemory", "the memory limit of %s is too low: give at least %d MiB", humanize.IBytes(uint64(o.MaxMemory)), (need+mebibyte-1)/mebibyte)
	}
	return nil
}

func checkLevels(levels map[manifest.Coding]int) error {
	for _, c := range slices.Sorted(maps.Keys(levels)) {
		if err := codec.CheckLevel(c, levels[c]); err != nil {
			return err
		}
	}
	return nil
}

func orderedCodings(chosen []manifest.Coding) ([]manifest.Coding, error) {
	if chosen == nil {
		return manifest.Codings(), nil
	}
	if len(chosen) == 0 {
		return nil, errors.New("no coding is chosen")
	}
	for _, c := range chosen {
		if c.Suffix() == "" {
			return nil, fmt.Errorf("unknown coding %q", c)
		}
	}
	return inOrder(manifest.Codings(), chosen), nil
}

// orderedDeltas is [orderedCodings] for those of deltas, which may be none.
func orderedDeltas(chosen []manifest.Coding) ([]manifest.Coding, error) {
	if chosen == nil {
		return manifest.DeltaCodings(), nil
	}
	for _, c := range chosen {
		if !c.IsDelta() {
			return nil, fmt.Errorf("unknown coding %q of deltas", c)
		}
	}
	return inOrder(manifest.DeltaCodings(), chosen), nil
}

func inOrder(all, chosen []manifest.Coding) []manifest.Coding {
	return slices.DeleteFunc(all, func(c manifest.Coding) bool { return !slices.Contains(chosen, c) })
}

// usesDeltas reports whether deltas are in use, if only from the next build on.
func (o Options) usesDeltas() bool {
	return (len(o.Previous) > 0 || o.Releases != "") && len(o.Deltas) > 0
}
