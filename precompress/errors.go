package precompress

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Error is what went wrong with one file. It reads like
// "app.js: br: verify: decoded content differs".
type Error struct {
	Op     string          // what was being done: [OpRead], [OpEncode], ...
	Path   string          // slash-separated, relative to the tree; of [OpOpen] and [OpLock] as the caller named it
	Coding manifest.Coding // "" unless the error is about one coding
	// File is the base name of the file that Op is about if that is not Path's, else "".
	File string
	Err  error
}

// The operations of an [Error].
const (
	OpOpen          = "open"
	OpMakeDirectory = "make directory"
	OpLock          = "lock"
	OpWait          = "wait for another run on this directory"
	OpReadDirectory = "read directory"
	OpRead          = "read"
	OpEncode        = "encode"
	OpVerify        = "verify"
	OpWrite         = "write"
	OpSetAttributes = "set mode and time"
	OpCopy          = "copy"
	OpRemove        = "remove"
	OpStore         = "store" // a release
	OpClose         = "close"
)

func (e *Error) Error() string {
	var parts []string
	if e.Path != "" {
		parts = append(parts, PrintablePath(e.Path))
	}
	if e.Coding != "" {
		parts = append(parts, string(e.Coding))
	}
	if op := strings.TrimSpace(e.Op + " " + PrintablePath(e.File)); op != "" {
		parts = append(parts, op)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

func (e *Error) Unwrap() error { return e.Err }

// sortFailures sorts by path, then by coding.
func sortFailures(failures []*Error) {
	slices.SortStableFunc(failures, func(a, b *Error) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Coding), string(b.Coding)))
	})
}

// Errors that callers tell apart, wrapped in an [*Error] if they are about one file.
var (
	// ErrForeign means that a file that no build wrote has the name of one to write
	// and has other content: a sibling that does not decode to its source.
	ErrForeign = errors.New("a file that precompress did not write is in the way")
	// ErrSourceChanged means that the source was edited while it was being read,
	// twice.
	ErrSourceChanged = errors.New("the source kept changing while it was read")
	// ErrVerify means that an encoder's output does not decode to its source.
	ErrVerify = codec.ErrVerify
	// ErrDiskFull means that the disk is full; the build stops early.
	ErrDiskFull = errors.New("no space left on the disk")
	// ErrInvalidOptions is wrapped by every error about [Options].
	ErrInvalidOptions = errors.New("invalid options")
	// ErrNotDirectory means that the root of a tree is not a directory.
	ErrNotDirectory = errors.New("not a directory")
	// ErrStalePlan means that the tree was run, cleaned or closed since the plan was
	// made.
	ErrStalePlan = errors.New("the tree has changed since the plan was made")
	// ErrOtherTree means that a plan was made for another tree, by another open [Tree] of
	// the same directory, or by none.
	ErrOtherTree = errors.New("the plan was made for another tree")
	// ErrReadOnly means that the tree was opened to read only.
	ErrReadOnly = errors.New("the tree was opened to read only")
)

// bareError strips the path and operation that package os puts around a cause,
// because an [*Error] names them already, and recognizes a full disk.
func bareError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return ErrDiskFull
	}
	return osfile.BareError(err)
}

// Warning is something that did not keep a run from its end but that its user
// should know.
type Warning struct {
	Kind WarningKind
	// Path is the file or release that the warning is about, "" for none.
	Path string
	// Text says what is wrong and what to do about it, with Path.
	Text string
}

// String returns the text.
func (w Warning) String() string { return w.Text }

// WarningKind is a kind of [Warning]. The values are stable.
type WarningKind string

// The kinds of warnings.
const (
	// WarnManifest: the manifest of the last build cannot be used.
	WarnManifest WarningKind = "manifest"
	// WarnRelease: an earlier release, or a file in it, cannot be used.
	WarnRelease WarningKind = "release"
	// WarnUnmatched: no asset has a file in an earlier release.
	WarnUnmatched WarningKind = "unmatched"
	// WarnEncoder: the output of an encoder was wrong and was replaced.
	WarnEncoder WarningKind = "encoder"
)

// appendNew appends the warnings that are not there yet: one file can be the
// dictionary of many assets.
func appendNew(to []Warning, more ...Warning) []Warning {
	for _, w := range more {
		if !slices.Contains(to, w) {
			to = append(to, w)
		}
	}
	return to
}

// PrintablePath returns path for use in a message: unchanged if it is printable
// UTF-8, else quoted as a Go string, so that the name of a file can neither break a
// line nor send codes to a terminal.
func PrintablePath(path string) string {
	printable := utf8.ValidString(path)
	for _, r := range path {
		printable = printable && unicode.IsPrint(r)
	}
	if printable {
		return path
	}
	return strconv.Quote(path)
}
