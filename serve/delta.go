package serve

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/manifest"
)

// delta is a delta that is in use.
type delta struct {
	variant
	dictionary manifest.Dictionary
	release    string
}

// maxDeltaWindow is the most that a decoder of dcz has to support, in bytes,
// however large the dictionary is (RFC 9842, section 5).
const maxDeltaWindow = 128 << 20

// lookAtDeltas decides about the asset's deltas.
func (in *inspection) lookAtDeltas() error {
	for _, file := range in.a.deltas {
		if err := in.lookAtDelta(file); err != nil {
			return err
		}
	}
	if in.a.listed != nil {
		for _, d := range in.a.listed.Deltas {
			if d.Stored() && !slices.Contains(in.a.deltas, d.Name(in.a.path)) {
				in.refuseDelta(d.Name(in.a.path), &fault{reason: Missing})
			}
		}
	}
	slices.SortFunc(in.deltas, func(x, y delta) int {
		return cmp.Or(bytes.Compare(x.dictionary[:], y.dictionary[:]), cmp.Compare(x.coding, y.coding))
	})
	return nil
}

// lookAtDelta decides about one delta. There is no decoding it, for want of the
// dictionary: with a manifest the build is trusted; without one, the header
// has to fit the file's name.
func (in *inspection) lookAtDelta(file string) error {
	_, short, c, _ := manifest.SplitDelta(file)
	record, listed := in.deltaRecord(short, c)
	d := delta{variant: variant{coding: c, file: file}, dictionary: record.Dictionary, release: record.Release}
	var err error
	d.measured, err = measure(in.ix.tree, file, nil, -1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		in.refuseDelta(file, &fault{reason: Missing})
		return nil
	case errors.Is(err, fs.ErrPermission):
		in.refuseDelta(file, &fault{Damaged, err})
		return nil
	case err != nil:
		return err
	}
	f := in.compareWithManifest(d.variant, manifest.Variant{Size: record.Size, Digest: record.Digest}, listed)
	if f == nil {
		d.dictionary, f, err = in.checkDelta(file, record)
	}
	if err == nil && f == nil {
		f, err = in.compareWithSource(d.variant)
	}
	if err != nil {
		return err
	}
	if f != nil {
		in.refuseDelta(file, f)
		return nil
	}
	in.deltas = append(in.deltas, d)
	return nil
}

// deltaRecord returns what the manifest says of a stored delta.
func (in *inspection) deltaRecord(short string, c manifest.Coding) (manifest.Delta, bool) {
	if in.a.listed == nil {
		return manifest.Delta{}, false
	}
	d, ok := in.a.listed.Delta(short, c)
	return d, ok && d.Stored()
}

func (in *inspection) refuseDelta(file string, f *fault) {
	_, short, c, _ := manifest.SplitDelta(file)
	in.problems = append(in.problems, Problem{Path: in.a.path, Coding: c, Dictionary: short, Reason: f.reason, Err: f.err})
}

// checkDelta checks the header and the form of a delta, and returns the
// dictionary that the header names.
func (in *inspection) checkDelta(file string, record manifest.Delta) (manifest.Dictionary, *fault, error) {
	f, _, err := openRegular(in.ix.tree, file)
	if err != nil {
		return manifest.Dictionary{}, nil, err
	}
	defer f.Close()
	_, short, c, _ := manifest.SplitDelta(file)
	dictionary, err := readDeltaHeader(f, c)
	switch {
	case err != nil:
	case dictionary.Short() != short, in.ix.manifest != nil && dictionary != record.Dictionary:
		err = fmt.Errorf("it is made for dictionary %s", dictionary)
	case c == manifest.DCZ:
		err = framing.CheckZstd(f, deltaWindow(record.DictionarySize))
	default:
		err = framing.Check(manifest.Brotli, f)
	}
	switch {
	case errors.Is(err, manifest.ErrWindow):
		return dictionary, &fault{Window, err}, nil
	case err != nil:
		return dictionary, &fault{Damaged, err}, nil
	}
	return dictionary, nil, nil
}

// readDeltaHeader reads what stands before the stream (RFC 9842, sections 4 and
// 5): some bytes that never change, and the dictionary's SHA-256.
func readDeltaHeader(r io.Reader, c manifest.Coding) (d manifest.Dictionary, err error) {
	magic := []byte{0xff, 'D', 'C', 'B'}
	if c == manifest.DCZ { // a skippable frame of 32 bytes
		magic = []byte{0x5e, 0x2a, 0x4d, 0x18, 32, 0, 0, 0}
	}
	start := make([]byte, len(magic))
	if _, err = io.ReadFull(r, start); err == nil {
		_, err = io.ReadFull(r, d[:])
	}
	if err == nil && !bytes.Equal(start, magic) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("it does not start with the header of %s", c)
	}
	return d, err
}

// deltaWindow returns the largest window, in bytes, that a decoder of dcz has to
// support with a dictionary of the given size (RFC 9842, section 5). Of one
// whose size is not known it is that of the smallest.
func deltaWindow(dictionarySize int64) uint64 {
	size := min(dictionarySize, maxDeltaWindow) // the sum cannot overflow
	return uint64(min(max(size+size/4, manifest.MaxWindow), maxDeltaWindow))
}
