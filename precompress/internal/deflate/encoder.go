// Package deflate encodes DEFLATE streams (RFC 1951) as small as it can in the
// time that a build step has: of all the ways to write a text as literals and
// earlier occurrences it looks for the cheapest, under prices from the
// statistics of the block itself, which it gets by several passes over it.
package deflate

import (
	"context"
	"fmt"
	"os"

	"github.com/precompress/precompress/precompress/internal/lz"
)

// effort is how hard an encoder tries.
type effort struct {
	depth   int  // positions looked at for a match
	whole   int  // length of a match that is not cut
	pass    int  // most passes over a block, of which the best is kept
	enough  int  // passes end when one gains less than this part
	parts   int  // between which a text may be split
	resplit int  // times that a text is split again once it is parsed
	exact   bool // splits by the true size of blocks
	dice    int  // passes without gain after which statistics are left to chance
}

// Encoder encodes one text at a time. Its buffers are kept for the next.
type Encoder struct {
	effort  effort
	log     *logarithm
	builder *builder
	lengths [maxLength + 1]uint16 // symbols of lengths
	tree    lz.Tree
	matches matches
	parser  parser
	prices  prices
	cuts    []part
	spare   []item
	try     tables
}

// New returns an encoder for one of the levels 10 to 13.
func New(level int) *Encoder {
	e := &Encoder{log: newLogarithm()}
	e.builder = newBuilder(e.log)
	for n := uint32(minLength); n <= maxLength; n++ {
		code, _ := lengthCode(n)
		e.lengths[n] = uint16(firstLength + code)
	}
	switch level {
	case 10:
		e.effort = effort{depth: 32, whole: 128, pass: 2, enough: 1000, parts: 32}
	case 11:
		e.effort = effort{depth: 64, whole: 258, pass: 4, enough: 2000, parts: 48, resplit: 1}
	case 12:
		e.effort = effort{depth: 256, whole: 258, pass: 8, enough: 10000, parts: 64, resplit: 2}
	default:
		e.effort = effort{depth: 2048, whole: 259, pass: 30, enough: 1 << 30, parts: 96, resplit: 4, exact: true, dice: 10}
	}
	if v := os.Getenv("EFFORT"); v != "" {
		fmt.Sscan(v, &e.effort.depth, &e.effort.whole, &e.effort.pass, &e.effort.enough, &e.effort.parts, &e.effort.resplit, &e.effort.exact, &e.effort.dice)
	}
	return e
}

// A region is a part of a text whose matches are held at the same time.
const (
	maxRegion        = 512 << 10
	maxRegionMatches = 3 << 20
)

// Append appends src as one DEFLATE stream, which ends on a whole byte. It
// fails only if ctx is done.
func (e *Encoder) Append(ctx context.Context, out, src []byte) ([]byte, error) {
	w := bitWriter{out: out}
	if len(src) == 0 {
		w.add(1|1<<1, headBits) // the fixed codes, and their end of the block
		w.add(0, 7)
		w.align()
		return w.out, nil
	}
	e.tree.Reset(src, lz.Options{Window: maxDistance, Depth: e.effort.depth, Nice: maxLength, Longest: maxLength})
	e.matches.reset()
	e.parser.whole = uint32(e.effort.whole)
	begin, end := 0, 0
	for begin < len(src) {
		for end < min(begin+maxRegion, len(src)) && len(e.matches.found) < maxRegionMatches {
			if end&0xFFF == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			e.matches.look(&e.tree)
			end++
		}
		blocks, err := e.region(ctx, src[begin:end])
		if err != nil {
			return nil, err
		}
		if end < len(src) && len(blocks) > 1 {
			blocks = blocks[:len(blocks)-1] // it may go on
		}
		region := begin
		for _, b := range blocks {
			b.write(&w, src[region+b.begin:region+b.end], region+b.end == len(src), &e.builder.fixed, &e.lengths)
			begin = region + b.end
		}
		e.matches.drop(begin - region)
	}
	w.align()
	return w.out, nil
}

// region returns the blocks that a text is best cut into.
func (e *Encoder) region(ctx context.Context, text []byte) ([]*block, error) {
	items := e.first(text)
	blocks, err := e.blocks(ctx, text, e.split(e.parts(items, e.effort.parts, 100)))
	for range e.effort.resplit {
		if err != nil {
			return nil, err
		}
		items = items[:0]
		for _, b := range blocks {
			items = append(items, b.items...)
		}
		parts := e.split(e.parts(items, e.effort.parts, 50))
		if same(parts, blocks) {
			break
		}
		var again []*block
		if again, err = e.blocks(ctx, text, parts); err == nil {
			if total(again) >= total(blocks) {
				break
			}
			blocks = again
		}
	}
	return blocks, err
}

func same(parts []part, blocks []*block) bool {
	if len(parts) != len(blocks) {
		return false
	}
	for i, p := range parts {
		if p.bytes != blocks[i].end-blocks[i].begin {
			return false
		}
	}
	return true
}

func total(blocks []*block) (bits uint64) {
	for _, b := range blocks {
		bits += b.bits
	}
	return bits
}

// first returns the items of a text under prices that are good for most.
func (e *Encoder) first(text []byte) []item {
	var c counts
	for _, b := range text {
		c[b]++
	}
	total := uint32(len(text))
	for n := minLength; n <= maxLength; n++ {
		c[e.lengths[n]] += total / uint32(4*n*n)
	}
	for s := range distanceCodes {
		c[lastCode+s] = total/20 + 1
	}
	e.prices.setCounts(&c, e.log, &e.lengths)
	items := e.parser.parse(nil, text, &e.matches, 0, &e.prices)
	c = countItems(items, &e.lengths)
	e.prices.setCounts(&c, e.log, &e.lengths)
	return e.parser.parse(items[:0], text, &e.matches, 0, &e.prices)
}

// blocks returns the best blocks for parts of a text.
func (e *Encoder) blocks(ctx context.Context, text []byte, parts []part) (blocks []*block, err error) {
	at := 0
	for i := range parts {
		b := &block{begin: at, end: at + parts[i].bytes}
		if err := e.best(ctx, b, text[b.begin:b.end], &parts[i].counts); err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
		at = b.end
	}
	return blocks, nil
}

// best sets the smallest of several ways to write a block, each parsed under
// the prices that the one before came to, the first under those of c.
func (e *Encoder) best(ctx context.Context, b *block, text []byte, c *counts) error {
	b.bits = 1 << 62
	e.prices.setCounts(c, e.log, &e.lengths)
	var last uint64
	for pass := range e.effort.pass {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.spare = e.parser.parse(e.spare[:0], text, &e.matches, b.begin, &e.prices)
		now := countItems(e.spare, &e.lengths)
		e.builder.best(&e.try, &now, 4)
		e.keep(b, &now)
		bits := e.try.bits
		e.prices.setCounts(&now, e.log, &e.lengths)
		if pass > 0 && (last <= bits || (last-bits)*uint64(e.effort.enough) <= bits) {
			break
		}
		last = bits
	}
	return nil
}

// keep keeps the way that was just tried, if it is the best.
func (e *Encoder) keep(b *block, c *counts) {
	fixed := e.builder.fixedBits(c)
	if min(fixed, e.try.bits) >= b.bits {
		return
	}
	b.items = append(b.items[:0], e.spare...)
	b.counts = *c
	b.fixed = fixed < e.try.bits
	b.bits = min(fixed, e.try.bits)
	b.tables, e.try = e.try, b.tables
}
