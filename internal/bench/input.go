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
	close    func() error
}

// Kind is what an input is.
type Kind string

// What there is to measure.
const (
	File      Kind = "file"
	Directory Kind = "folder" // the word that --json and --csv have had from the start
	Sample    Kind = "sample"
)

// item is the content of one file.
type item struct {
	path string // as messages name it
	size int64
	read func() ([]byte, error)
}

// Faults of inputs.
var (
	// ErrEmpty: there is nothing to measure.
	ErrEmpty = errors.New("holds nothing to measure")
	// ErrNotRegular: it is neither a regular file nor a directory.
	ErrNotRegular = osfile.ErrNotRegular
)

// Open finds what is to be measured of a file or a directory: a regular file, whatever
// its name, or of a directory what a build with these options would encode
// ([precompress.OpenSources]). Of a file's options only MaxSize counts. Anything else,
// such as a FIFO, is refused without being opened.
func Open(ctx context.Context, path string, opts precompress.Options) (*Input, error) {
	info, err := os.Stat(path)
	isDirectory := err == nil && info.IsDir() // else the fault shows again
	open := precompress.OpenSource
	if isDirectory {
		open = func(string, precompress.Options) (*precompress.Sources, error) {
			return precompress.OpenSources(ctx, path, opts)
		}
	}
	sources, err := open(path, opts)
	if err != nil {
		return nil, err
	}
	in := &Input{name: path, kind: File, failures: sources.Failures, close: sources.Close}
	if isDirectory {
		in.kind = Directory
	}
	for _, f := range sources.Files {
		shown := f.Path
		if !isDirectory {
			shown = ""
		}
		in.items = append(in.items, item{shown, f.Size, func() ([]byte, error) { return sources.Read(f.Path) }})
	}
	return in, nil
}

// Name returns the input's name: the path that it was opened by, or that of a sample,
// such as "sample small".
func (in *Input) Name() string { return in.name }

// Kind returns what the input is.
func (in *Input) Kind() Kind { return in.kind }

// Bytes returns the size of all that is to be measured.
func (in *Input) Bytes() (sum int64) {
	for _, it := range in.items {
		sum += it.size
	}
	return sum
}

// Close lets go of what Open opened.
func (in *Input) Close() error {
	if in.close == nil {
		return nil
	}
	return in.close()
}
