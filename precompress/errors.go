package precompress

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/precompress/precompress/manifest"
)

// Error is what went wrong with one file. It reads like
// "app.js: br: verify: decoded content differs".
type Error struct {
	Op     string          // what was being done: "read", "encode", "verify", "write", ...
	Path   string          // slash-separated, relative to the tree; "" for the tree itself
	Coding manifest.Coding // "" where the fault is not one coding's
	Err    error
}

func (e *Error) Error() string {
	var parts []string
	if e.Path != "" {
		parts = append(parts, PrintablePath(e.Path))
	}
	if e.Coding != "" {
		parts = append(parts, string(e.Coding))
	}
	if e.Op != "" {
		parts = append(parts, e.Op)
	}
	return strings.Join(append(parts, e.Err.Error()), ": ")
}

func (e *Error) Unwrap() error { return e.Err }

// Faults that callers tell apart, wrapped in an [*Error] where they concern
// one file.
var (
	// ErrForeign: a file that no build wrote has the name of one to be written,
	// and is not the same: a sibling that does not decode to its source.
	ErrForeign = errors.New("a file that precompress did not write is in the way")
	// ErrSourceChanged: the source was edited while it was being read, twice.
	ErrSourceChanged = errors.New("the source kept changing while it was read")
	// ErrVerify: an encoder's output does not decode to its source.
	ErrVerify = errors.New("decoded content differs")
	// ErrDiskFull: no space is left; the build stops early.
	ErrDiskFull = errors.New("no space left on the disk")
	// ErrInvalidOptions is wrapped by every error about [Options].
	ErrInvalidOptions = errors.New("invalid options")
	// ErrNotDirectory: the tree's root is not a directory.
	ErrNotDirectory = errors.New("not a directory")
)

// PrintablePath returns path as it may stand in a message: unchanged if it is
// printable UTF-8, else quoted as a Go string, so that a file's name can
// neither break a line nor send codes to a terminal.
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
