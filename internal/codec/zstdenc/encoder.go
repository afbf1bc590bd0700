// Package zstdenc encodes zstd frames (RFC 8878) as small as it can in the time
// that a build step has: of all the ways to write a text as literals and
// earlier occurrences it looks for the cheapest, under prices from the
// statistics of the block itself, which it gets by several passes over it.
package zstdenc

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/precompress/precompress/internal/codec/lz"
)

// effort is how hard an encoder tries.
type effort struct {
	depth  int // positions looked at for a match
	nice   int // length of a match that is taken at once
	width  int // ways kept a position
	passes int // most passes over a block, of which the best is kept
	enough int // passes end with one that gains less than this part of the block
}

// Levels that an encoder has.
const (
	MinLevel = 19
	MaxLevel = 22
)

// effortOf returns the effort of a level. Level 19 takes the way of a parse that
// keeps one way a position, the others keep more.
func effortOf(level int) effort {
	switch {
	case level <= 19:
		return effort{depth: 64, nice: 256, width: 1, passes: 12, enough: 1000}
	case level == 20:
		return effort{depth: 64, nice: 256, width: 2, passes: 8, enough: 500}
	case level == 21:
		return effort{depth: 128, nice: 256, width: 2, passes: 12, enough: 2000}
	}
	return effort{depth: 256, nice: 512, width: 3, passes: 12, enough: 2000}
}

// Encoder encodes one text at a time. Its buffers are kept for the next.
type Encoder struct {
	effort     effort
	predefined [3]*table
	estimator  estimator
	limit      int // of a block's content
	tree       lz.Tree
	parser     parser
	matches    matches
	prices     prices
	spare      []sequence
	block      [2]*block
}

// New returns an encoder of a level from [MinLevel] to [MaxLevel]; levels beyond
// are taken for the nearest.
func New(level int) *Encoder {
	e := &Encoder{effort: effortOf(level), block: [2]*block{{}, {}}}
	defaults := defaultDistributions()
	for i, d := range defaults {
		e.predefined[i] = &table{distribution: d, coder: newFSECoder(d)}
	}
	e.estimator.predefined = &defaults
	return e
}

// Encode returns src as one zstd frame with its size, without a digest. Decoders
// need a window of at most window bytes, 1 KiB or more; without a dictionary it
// should be 8 MiB (RFC 9659), with one as much as RFC 9842, section 5, allows.
// dictionary is raw content that src may refer to (RFC 8878, section 5); nil
// means none. Both together are less than 2 GiB. The error is that of ctx, or
// [ErrTooLarge].
func (e *Encoder) Encode(ctx context.Context, src, dictionary []byte, window int) ([]byte, error) {
	if len(src)+len(dictionary) >= 1<<31-1 {
		return nil, ErrTooLarge
	}
	out := appendFrameHeader(nil, len(src), window)
	if len(src) == 0 {
		return append(out, 1, 0, 0), nil // one raw block of nothing
	}
	text, reach := src, min(window, len(src))
	if len(dictionary) > 0 {
		text = slices.Concat(dictionary, src)
		// The dictionary is in reach until the window has left it behind.
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
	e.matches.reset()
	return e.appendBlocks(ctx, out, text, len(dictionary))
}

// ErrTooLarge is about content that the encoder cannot number the bytes of.
var ErrTooLarge = errors.New("source and dictionary together have 2 GiB or more")

// appendBlocks appends the blocks of text from begin on.
func (e *Encoder) appendBlocks(ctx context.Context, out, text []byte, begin int) ([]byte, error) {
	before := state{repeat: [3]uint32{1, 4, 8}} // section 3.1.1.5
	looked := begin
	for begin < len(text) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := min(begin+e.limit, len(text))
		e.matches.collect(&e.tree, end-looked)
		looked = end
		blocks := e.cut(text, begin, end, &before)
		if end < len(text) && len(blocks) > 1 {
			blocks = blocks[:len(blocks)-1] // it may go on
		}
		for _, p := range blocks {
			b, err := e.best(ctx, text, begin, begin+p.bytes, &before, &p)
			if err != nil {
				return nil, err
			}
			out = appendBlock(out, b, text[begin:begin+p.bytes], begin+p.bytes == len(text))
			before = b.after
			begin += p.bytes
			e.matches.drop(p.bytes)
		}
	}
	return out, nil
}

// cut returns the blocks that a part of the text is best cut into.
func (e *Encoder) cut(text []byte, begin, end int, before *state) []part {
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
	e.spare, _ = e.parser.parse(e.spare[:0], begin, end, &e.matches, before.repeat, &e.prices)
	return e.estimator.split(parts(text[begin:end], e.spare), e.limit)
}

// best returns the smallest of several ways to write a block, each parsed
// under the prices that the one before came to, the first under those of p. Only
// when a narrow parse gains no more is a wide one begun, from the best prices:
// begun at once, it may settle for worse ones.
func (e *Encoder) best(ctx context.Context, text []byte, begin, end int, before *state, p *part) (*block, error) {
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
		e.learn(e.block[0])
	}
}

// passes parses a block again and again, as long as that gains enough. The best
// is in e.block[0], also if it was there before.
func (e *Encoder) passes(ctx context.Context, text []byte, begin, end int, before *state) error {
	for range e.effort.passes {
		if err := ctx.Err(); err != nil {
			return err
		}
		best, next := e.block[0], e.block[1]
		sequences, repeat := e.parser.parse(e.spare[:0], begin, end, &e.matches, before.repeat, &e.prices)
		e.spare = sequences
		e.write(next, text[begin:end], sequences, before, repeat)
		e.learn(next)
		gain := best.size - next.size
		if gain > 0 {
			e.block = [2]*block{next, best}
		}
		if gain < best.size/e.effort.enough+1 {
			break
		}
	}
	return nil
}

// learn takes the prices from a block that was written.
func (e *Encoder) learn(b *block) {
	e.prices.setLiterals(&b.literals.counts)
	if b.after.code != nil {
		e.prices.nearCode(b.after.code)
	}
	if len(b.sequences) > 0 {
		e.prices.setTables(&b.tables)
	}
}
