// Package zstdenc encodes zstd frames (RFC 8878). It spends the time that a build
// step can afford on small output: it searches for the cheapest sequence of
// literals and matches (an optimal parse), with prices taken from the block's own
// statistics, which several passes over the block refine.
package zstdenc

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/precompress/precompress/internal/codec/lz"
)

// effort limits how much work an encoder does.
type effort struct {
	depth       int // positions visited in the search for matches at one position
	nice        int // a match of this length or more is taken at once
	width       int // paths kept for each position
	maxPasses   int // passes over a block; the best one is kept
	gainDivisor int // passes end when one saves less than 1/gainDivisor of the block
}

// The levels that [New] distinguishes.
const (
	MinLevel = 19
	MaxLevel = 22
)

// effortOf returns the effort of a level.
func effortOf(level int) effort {
	switch {
	case level <= 19:
		return effort{depth: 64, nice: 256, width: 1, maxPasses: 12, gainDivisor: 1000}
	case level == 20:
		return effort{depth: 64, nice: 256, width: 2, maxPasses: 8, gainDivisor: 500}
	case level == 21:
		return effort{depth: 128, nice: 256, width: 2, maxPasses: 12, gainDivisor: 2000}
	}
	return effort{depth: 256, nice: 512, width: 3, maxPasses: 12, gainDivisor: 2000}
}

// Encoder encodes zstd frames. It keeps its buffers for the next text, and is not
// safe for concurrent use. Create one with [New].
type Encoder struct {
	effort     effort
	predefined [3]*table // by field
	estimator  estimator
	limit      int // largest content of a block, in bytes
	tree       lz.Tree
	parser     parser
	matches    lz.Matches[lz.Match]
	prices     prices
	scratch    []sequence
	block      [2]*block // the best of the current block, and the next pass
}

// New returns an encoder for a level from [MinLevel] to [MaxLevel]. Any other level
// means the nearest of these.
func New(level int) *Encoder {
	e := &Encoder{effort: effortOf(level), block: [2]*block{{}, {}}}
	defaults := defaultDistributions()
	for i, d := range defaults {
		e.predefined[i] = &table{distribution: d, coder: newFSECoder(d)}
	}
	e.estimator.predefined = &defaults
	return e
}

// Encode returns src as one zstd frame, with a content size and without a checksum
// (RFC 8878, section 3.1.1).
//
// window limits the window, in bytes, that a decoder needs. It must be at least
// 1 KiB. Without a dictionary, 8 MiB is what every HTTP client supports (RFC 9659);
// with one, RFC 9842, section 5, says what is allowed. dictionary is a raw content
// dictionary (RFC 8878, section 5), nil for none. src and dictionary together must
// be shorter than 2 GiB.
//
// The error is that of ctx, or [ErrTooLarge].
func (e *Encoder) Encode(ctx context.Context, src, dictionary []byte, window int) ([]byte, error) {
	if len(src)+len(dictionary) >= 1<<31-1 {
		return nil, ErrTooLarge
	}
	out := appendFrameHeader(nil, len(src), window)
	if len(src) == 0 {
		return append(out, 1, 0, 0), nil // an empty raw block
	}
	text, reach := src, min(window, len(src))
	if len(dictionary) > 0 {
		text = slices.Concat(dictionary, src)
		// The whole dictionary can be referred to as long as src fits the window.
		if reach = window; len(src) <= window {
			reach = len(text)
		}
	}
	e.tree.Reset(text, lz.Options{Window: reach, Depth: e.effort.depth, Nice: e.effort.nice})
	for at := 0; at < len(dictionary); at += maxBlock {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e.tree.Skip(min(at+maxBlock, len(dictionary)))
	}
	e.parser.reset(text, e.effort)
	e.limit = min(maxBlock, window)
	e.matches.Reset()
	return e.appendBlocks(ctx, out, text, len(dictionary))
}

// ErrTooLarge is returned for a source and dictionary of 2 GiB or more together.
var ErrTooLarge = errors.New("source and dictionary together have 2 GiB or more")

// appendBlocks appends the blocks of text[begin:]. What comes before is the
// dictionary.
func (e *Encoder) appendBlocks(ctx context.Context, out, text []byte, begin int) ([]byte, error) {
	before := state{repeat: [3]uint32{1, 4, 8}} // section 3.1.1.5
	searched := begin                           // matches are known up to here
	for begin < len(text) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := min(begin+e.limit, len(text))
		for ; searched < end; searched++ {
			e.matches.Append(e.tree.Append)
		}
		blocks := e.split(text, begin, end, &before)
		if end < len(text) && len(blocks) > 1 {
			blocks = blocks[:len(blocks)-1] // it may continue behind end
		}
		for _, p := range blocks {
			b, err := e.bestBlock(ctx, text, begin, begin+p.bytes, &before, &p)
			if err != nil {
				return nil, err
			}
			out = appendBlock(out, b, text[begin:begin+p.bytes], begin+p.bytes == len(text))
			before = b.after
			begin += p.bytes
			e.matches.Drop(p.bytes)
		}
	}
	return out, nil
}

// split returns the blocks into which text[begin:end] is best divided.
func (e *Encoder) split(text []byte, begin, end int, before *state) []part {
	var counts [256]uint32
	for _, c := range text[begin:end] {
		counts[c]++
	}
	e.prices.setLiterals(&counts)
	tables := before.tables
	for i := range tables {
		if tables[i] == nil {
			tables[i] = e.predefined[i]
		}
	}
	e.prices.setTables(&tables)
	e.parser.width = 1
	e.scratch, _ = e.parser.parse(e.scratch[:0], begin, end, &e.matches, before.repeat, &e.prices)
	return e.estimator.split(parts(text[begin:end], e.scratch), e.limit)
}

// bestBlock returns the smallest block found for text[begin:end]. The first pass
// uses the prices of p, each later one those that result from the pass before. The
// first passes keep one path for each position. Those that keep more start from
// the best prices of the first ones, since otherwise they may get stuck with worse
// prices.
func (e *Encoder) bestBlock(ctx context.Context, text []byte, begin, end int, before *state, p *part) (*block, error) {
	e.prices.setLiterals(&p.literals)
	e.prices.setCounts(&p.codes)
	e.block[0].size = math.MaxInt
	for width := 1; ; width = e.effort.width {
		e.parser.width = width
		if err := e.passes(ctx, text, begin, end, before); err != nil {
			return nil, err
		}
		if width == e.effort.width {
			return e.block[0], nil
		}
		e.updatePrices(e.block[0])
	}
}

// passes parses a block repeatedly, until a pass gains too little. It leaves the
// best block in e.block[0], which may be the one that was there before.
func (e *Encoder) passes(ctx context.Context, text []byte, begin, end int, before *state) error {
	for range e.effort.maxPasses {
		if err := ctx.Err(); err != nil {
			return err
		}
		best, next := e.block[0], e.block[1]
		sequences, repeat := e.parser.parse(e.scratch[:0], begin, end, &e.matches, before.repeat, &e.prices)
		e.scratch = sequences
		e.encodeBlock(next, text[begin:end], sequences, before, repeat)
		e.updatePrices(next)
		gain := best.size - next.size
		if gain > 0 {
			e.block = [2]*block{next, best}
		}
		if gain < best.size/e.effort.gainDivisor+1 {
			break
		}
	}
	return nil
}

// updatePrices sets the prices from an encoded block.
func (e *Encoder) updatePrices(b *block) {
	e.prices.setLiterals(&b.literals.counts)
	if b.after.code != nil {
		e.prices.nearCode(b.after.code)
	}
	if len(b.sequences) > 0 {
		e.prices.setTables(&b.tables)
	}
}
