package bench

import (
	"context"
	"errors"
	"os"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/precompress"
)

// Input is what one [Result] is about: a file, the files of a directory, or a sample.
type Input struct {
	name     string
	kind     Kind
	items    []item
	failures []*precompress.Error
	close    func() error // nil if nothing is open
}

// Kind is what an input is.
type Kind string

// Kinds of inputs.
const (
	File      Kind = "file"
	Directory Kind = "folder" // the output formats have always called it that
	Sample    Kind = "sample"
)

// item is the content of one file.
type item struct {
	path string // below the directory; "" for a single file
	size int64
	read func() ([]byte, error)
}

// Errors of inputs.
var (
	// ErrEmpty: there is nothing to measure.
	ErrEmpty = errors.New("holds nothing to measure")
	// ErrNotRegular: the path is neither a regular file nor a directory.
	ErrNotRegular = osfile.ErrNotRegular
)

// Open finds what to measure: a regular file, whatever its name, or the files of a directory
// that a build with these options would encode ([precompress.OpenSources]). For a file, only
// MaxSize of the options counts. Anything else, such as a FIFO, is an error, and is not
// opened. The caller has to call [Input.Close].
func Open(ctx context.Context, path string, opts precompress.Options) (*Input, error) {
	kind, open := File, precompress.OpenSource
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		kind, open = Directory, func(string, precompress.Options) (*precompress.Sources, error) {
			return precompress.OpenSources(ctx, path, opts)
		}
	}
	sources, err := open(path, opts)
	if err != nil {
		return nil, err
	}
	in := &Input{name: path, kind: kind, failures: sources.Failures, close: sources.Close}
	for _, f := range sources.Files {
		name := f.Path
		if kind == File {
			name = ""
		}
		in.items = append(in.items, item{name, f.Size, func() ([]byte, error) { return sources.Read(f.Path) }})
	}
	return in, nil
}

// Name returns the path that was given to [Open], or the name of a sample, such as
// "sample small".
func (in *Input) Name() string { return in.name }

// Kind returns the kind of the input.
func (in *Input) Kind() Kind { return in.kind }

// Bytes returns the total size of the files.
func (in *Input) Bytes() (sum int64) {
	for _, it := range in.items {
		sum += it.size
	}
	return sum
}

// Close closes what [Open] opened.
func (in *Input) Close() error {
	if in.close == nil {
		return nil
	}
	return in.close()
}
