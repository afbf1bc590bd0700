// Package zstdenc encodes zstd frames (RFC 8878) as small as it can in the time
// that a build step has: of all the ways to write a text as literals and
// earlier occurrences it looks for the cheapest, under prices from the
// statistics of the block itself, which it gets by several passes over it.
package zstdenc

import (
	"context"
	"slices"

	"github.com/precompress/precompress/precompress/internal/lz"
)

// effort is how hard an encoder tries.
type effort struct {
	depth int // positions looked at for a match
	nice  int // length of a match that is taken at once
	width int // ways kept a position
	pass  int // passes over a block, of which the best is kept
}

// Encoder encodes one text at a time. Its buffers are kept for the next.
type Encoder struct {
	effort     effort
	predefined [3]*table
	estimator  estimator
	tree       lz.Tree
	parser     parser
	matches    matches
	prices     prices
	spare      []sequence
	block      [2]*block
}

// window is the largest distance of a match without a dictionary: browsers take
// no larger one (RFC 9659).
const window = 8 << 20

// New returns an encoder.
func New(level int) *Encoder {
	e := &Encoder{effort: effort{depth: 128, nice: 256, width: 1, pass: 3}}
	if level > 19 {
		e.effort = effort{depth: 512, nice: 999, width: 6, pass: 6}
	}
	defaults := defaultDistributions()
	for i, d := range defaults {
		e.predefined[i] = &table{distribution: d, coder: newFSECoder(d)}
	}
	e.estimator.predefined = &defaults
	e.block = [2]*block{{}, {}}
	return e
}

// Encode returns src as one zstd frame.
func (e *Encoder) Encode(ctx context.Context, src []byte) ([]byte, error) {
	out := appendFrameHeader(nil, len(src))
	if len(src) == 0 {
		return append(out, 1, 0, 0), nil // one raw block of nothing
	}
	e.tree.Reset(src, lz.Options{Window: window, Depth: e.effort.depth, Nice: e.effort.nice})
	e.parser.text, e.parser.width, e.parser.nice = src, e.effort.width, uint32(e.effort.nice)
	e.matches.found, e.matches.first = e.matches.found[:0], append(e.matches.first[:0], 0)
	before := state{repeat: [3]uint32{1, 4, 8}}
	begin, end := 0, 0
	for begin < len(src) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end = e.look(end, min(begin+maxBlock, len(src)))
		sizes := e.cut(src, begin, end, &before)
		if end < len(src) && len(sizes) > 1 {
			sizes = sizes[:len(sizes)-1] // it may go on
		}
		for _, size := range sizes {
			b := e.best(src, begin, begin+size, &before)
			out = appendBlock(out, b, src[begin:begin+size], begin+size == len(src))
			before = b.after
			begin += size
			e.matches.drop(size)
		}
	}
	return out, nil
}

// look collects the matches of the positions from begin to end.
func (e *Encoder) look(begin, end int) int {
	m := &e.matches
	for range end - begin {
		m.found = e.tree.Append(m.found)
		m.first = append(m.first, uint32(len(m.found)))
	}
	return end
}

// drop forgets the first n positions.
func (m *matches) drop(n int) {
	gone := m.first[n]
	m.found = slices.Delete(m.found, 0, int(gone))
	m.first = slices.Delete(m.first, 0, n)
	for i := range m.first {
		m.first[i] -= gone
	}
}

// cut returns the sizes of the blocks that a part of the text is best cut into.
func (e *Encoder) cut(src []byte, begin, end int, before *state) []int {
	e.startPrices(src[begin:end], before)
	e.spare, _ = e.parser.parse(e.spare[:0], begin, end, &e.matches, before.repeat, &e.prices)
	return e.estimator.split(parts(src[begin:end], e.spare))
}

// startPrices sets prices from what is known before the first parse.
func (e *Encoder) startPrices(text []byte, before *state) {
	var counts [256]uint32
	for _, c := range text {
		counts[c]++
	}
	e.prices.setLiterals(&counts)
	e.setFields(before.tables)
}

func (e *Encoder) setFields(tables [3]*table) {
	var fields [3]distribution
	for i, t := range tables {
		if t == nil {
			t = e.predefined[i]
		}
		fields[i] = t.distribution
	}
	e.prices.setFields(&fields)
}

// best returns the smallest of several ways to write a block, each parsed
// under the prices that the one before came to.
func (e *Encoder) best(src []byte, begin, end int, before *state) *block {
	text := src[begin:end]
	best, next := e.block[0], e.block[1]
	e.startPrices(text, before)
	for pass := range e.effort.pass {
		sequences, repeat := e.parser.parse(e.spare[:0], begin, end, &e.matches, before.repeat, &e.prices)
		e.spare = sequences
		e.write(next, text, sequences, before, repeat)
		e.prices.setLiterals(&next.literals.counts)
		e.setFields(next.tables)
		if pass == 0 || next.size < best.size {
			best, next = next, best
		}
	}
	e.block = [2]*block{best, next}
	return best
}
