// Package zstdenc encodes zstd frames (RFC 8878) as small as it can in the time
// that a build step has: of all the ways to write a text as literals and
// earlier occurrences it looks for the cheapest, under prices from the
// statistics of the block itself, which it gets by several passes over it.
package zstdenc

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/precompress/precompress/precompress/internal/lz"
)

// effort is how hard an encoder tries.
type effort struct {
	depth  int // positions looked at for a match
	nice   int // length of a match that is taken at once
	width  int // ways kept a position
	pass   int // most passes over a block, of which the best is kept
	enough int // passes end when one gains less than this part
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

// New returns an encoder.
func New(level int) *Encoder {
	e := &Encoder{effort: effort{depth: 128, nice: 256, width: 1, pass: 3, enough: 1000}}
	if level > 19 {
		e.effort = effort{depth: 512, nice: 999, width: 6, pass: 6, enough: 10000}
	}
	if v := os.Getenv("EFFORT"); v != "" {
		fmt.Sscan(v, &e.effort.depth, &e.effort.nice, &e.effort.width, &e.effort.pass, &e.effort.enough)
	}
	defaults := defaultDistributions()
	for i, d := range defaults {
		e.predefined[i] = &table{distribution: d, coder: newFSECoder(d)}
	}
	e.estimator.predefined = &defaults
	e.block = [2]*block{{}, {}}
	return e
}

// Encode returns src as one zstd frame. A decoder needs a window of window bytes
// at most, and the dictionary, whose content src may refer to (RFC 8878,
// section 5, raw content); nil means none.
func (e *Encoder) Encode(ctx context.Context, src, dictionary []byte, window int) ([]byte, error) {
	out := appendFrameHeader(nil, len(src), window)
	if len(src) == 0 {
		return append(out, 1, 0, 0), nil // one raw block of nothing
	}
	text, reach := src, min(window, len(src))
	if len(dictionary) > 0 {
		text = slices.Concat(dictionary, src)
		// A dictionary is in reach as long as the window has not left it behind.
		if reach = window; len(src) <= window {
			reach = len(text)
		}
	}
	e.tree.Reset(text, lz.Options{Window: reach, Depth: e.effort.depth, Nice: e.effort.nice})
	e.tree.Skip(len(dictionary))
	e.parser.text, e.parser.width, e.parser.nice = text, e.effort.width, uint32(e.effort.nice)
	return e.blocks(ctx, out, text, len(dictionary))
}

// blocks appends the blocks of text from begin on.
func (e *Encoder) blocks(ctx context.Context, out, src []byte, begin int) ([]byte, error) {
	e.matches.found, e.matches.first = e.matches.found[:0], append(e.matches.first[:0], 0)
	before := state{repeat: [3]uint32{1, 4, 8}}
	end := begin
	for begin < len(src) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end = e.look(end, min(begin+maxBlock, len(src)))
		blocks := e.cut(src, begin, end, &before)
		if end < len(src) && len(blocks) > 1 {
			blocks = blocks[:len(blocks)-1] // it may go on
		}
		for _, p := range blocks {
			b := e.best(src, begin, begin+p.bytes, &before, &p)
			out = appendBlock(out, b, src[begin:begin+p.bytes], begin+p.bytes == len(src))
			before = b.after
			begin += p.bytes
			e.matches.drop(p.bytes)
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

// cut returns the blocks that a part of the text is best cut into.
func (e *Encoder) cut(src []byte, begin, end int, before *state) []part {
	var counts [256]uint32
	for _, c := range src[begin:end] {
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
	e.spare, _ = e.parser.parse(e.spare[:0], begin, end, &e.matches, before.repeat, &e.prices)
	return e.estimator.split(parts(src[begin:end], e.spare))
}

// best returns the smallest of several ways to write a block, each parsed
// under the prices that the one before came to, the first under those of p.
func (e *Encoder) best(src []byte, begin, end int, before *state, p *part) *block {
	text := src[begin:end]
	best, next := e.block[0], e.block[1]
	e.prices.setLiterals(&p.literals)
	e.prices.setCounts(&p.codes)
	for pass := range e.effort.pass {
		sequences, repeat := e.parser.parse(e.spare[:0], begin, end, &e.matches, before.repeat, &e.prices)
		e.spare = sequences
		e.write(next, text, sequences, before, repeat)
		e.prices.setLiterals(&next.literals.counts)
		if os.Getenv("V") == "huff" && next.after.code != nil {
			for s, b := range next.after.code.bits {
				if b > 0 {
					e.prices.literal[s] = uint32(b) * bit
				}
			}
		}
		if os.Getenv("V") == "mix" && next.after.code != nil {
			for s, b := range next.after.code.bits {
				if b > 0 {
					e.prices.literal[s] = (e.prices.literal[s] + uint32(b)*bit) / 2
				}
			}
		}
		if len(sequences) > 0 {
			e.prices.setTables(&next.tables)
		}
		if pass == 0 {
			best, next = next, best
			continue
		}
		gain := best.size - next.size
		if gain > 0 {
			best, next = next, best
		}
		if gain*e.effort.enough <= best.size {
			break
		}
	}
	e.block = [2]*block{best, next}
	return best
}
