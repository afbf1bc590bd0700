// Package deflate encodes DEFLATE streams (RFC 1951) as small as it can in the
// time that a build step has: of all the ways to write a text as literals and
// earlier occurrences it looks for the cheapest, under prices from the
// statistics of the block itself, which it gets by several passes over it.
package deflate

import (
	"context"
	"math/bits"
	"slices"

	"github.com/precompress/precompress/internal/codec/entropy"
	"github.com/precompress/precompress/internal/codec/lz"
)

// effort is how hard an encoder tries.
type effort struct {
	depth   int // positions looked at for a match
	whole   int // length of a match that is not cut
	pass    int // most passes over a block, of which the best is kept
	enough  int // passes end when one gains less than this part
	groups  int // of parts, between which a region is split at first
	resplit int // rounds of splitting and parsing
	polish  int // rounds of small changes to a block's codes
	// restart is how often a block is begun again: one of less than 1 KiB, one
	// of less than 4 KiB, any other.
	restart [3]int
}

// Encoder encodes one text at a time. Its buffers are kept for the next.
type Encoder struct {
	usual   effort // of the level
	effort  effort // for the text under work
	log     *logarithm
	builder *builder
	lengths [maxLength + 1]uint16 // symbols of lengths
	tree    lz.Tree
	matches matches
	parser  parser
	prices  prices
	parts   []part // between which blocks may end
	groups  []part // of those
	items   []item // of a region
	spare   []item // of a block
	blocks  []*block
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
	e.usual = effortOf(level)
	return e
}

func effortOf(level int) effort {
	switch level {
	case 10:
		return effort{depth: 32, whole: 128, pass: 2, enough: 1000, groups: 32}
	case 11:
		return effort{depth: 64, whole: 258, pass: 3, enough: 2000, groups: 48, resplit: 1, restart: [3]int{2, 2, 0}}
	case 12:
		return effort{depth: 128, whole: 258, pass: 4, enough: 1500, groups: 64, resplit: 2, restart: [3]int{2, 1, 0}}
	}
	return effort{depth: 1024, whole: 258, pass: 12, enough: 100000, groups: 160, resplit: 5, polish: 3, restart: [3]int{60, 40, 8}}
}

// effortFor returns how hard to try for a text. With few different bytes nearly
// everything repeats somewhere: passes settle for matches where literals would
// be cheaper, unless they are begun again often.
func (e *Encoder) effortFor(src []byte) effort {
	const few = 12
	var seen [256]bool
	symbols := 0
	for _, c := range src {
		if !seen[c] {
			seen[c] = true
			if symbols++; symbols > few {
				return e.usual
			}
		}
	}
	return effortOf(13)
}

// A region is a part of a text whose matches are held at the same time.
const (
	maxRegion        = 512 << 10
	maxRegionMatches = 3 << 20
)

// Append appends src as one DEFLATE stream, which ends on a whole byte. It
// fails only if ctx is done.
func (e *Encoder) Append(ctx context.Context, out, src []byte) ([]byte, error) {
	w := entropy.BitWriter{Out: out}
	if len(src) == 0 {
		w.Add(1|1<<1, headBits) // the fixed codes, and their end of the block
		w.Add(0, 7)
		w.Align()
		return w.Out, nil
	}
	e.effort = e.effortFor(src)
	e.tree.Reset(src, lz.Options{Window: maxDistance, Depth: e.effort.depth, Nice: maxLength, Longest: maxLength})
	e.matches.reset()
	e.parser.whole = e.effort.whole
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
		if last := len(blocks) - 1; end < len(src) && blocks[last].begin > (end-begin)/2 {
			blocks = blocks[:last] // it may go on
		}
		region := begin
		for _, b := range blocks {
			b.write(&w, src[region+b.begin:region+b.end], region+b.end == len(src), &e.builder.fixed, &e.lengths)
			begin = region + b.end
		}
		e.matches.drop(begin - region)
	}
	w.Align()
	return w.Out, nil
}

// region returns the blocks that a text is best cut into. What a text is cut
// into depends on how it is parsed, and the other way round: before each block
// is worked out, several rounds of both settle that.
func (e *Encoder) region(ctx context.Context, text []byte) ([]*block, error) {
	e.first(text)
	parts := e.split(e.items)
	for range e.effort.resplit {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e.items = e.items[:0]
		at := 0
		for i := range parts {
			e.prices.setCounts(&parts[i].counts, e.log, &e.lengths)
			end := at + parts[i].bytes
			e.items = e.parser.parse(e.items, text[at:end], &e.matches, at, &e.prices)
			at = end
		}
		before := parts
		if parts = e.split(e.items); slices.EqualFunc(before, parts, func(a, b part) bool { return a.bytes == b.bytes }) {
			break
		}
	}
	return e.workOut(ctx, text, parts)
}

// first sets the items of a text under prices that are good for most.
func (e *Encoder) first(text []byte) {
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
	e.items = e.parser.parse(e.items[:0], text, &e.matches, 0, &e.prices)
	c = countItems(e.items, &e.lengths)
	e.prices.setCounts(&c, e.log, &e.lengths)
	e.items = e.parser.parse(e.items[:0], text, &e.matches, 0, &e.prices)
}

// workOut returns the best blocks for parts of a text.
func (e *Encoder) workOut(ctx context.Context, text []byte, parts []part) ([]*block, error) {
	held := 0
	for _, b := range e.blocks {
		held += cap(b.items)
	}
	if held > 2*maxRegion {
		e.blocks = nil // of texts whose blocks were as large, but others
	}
	for len(e.blocks) < len(parts) {
		e.blocks = append(e.blocks, &block{})
	}
	blocks := e.blocks[:len(parts)]
	at := 0
	for i, b := range blocks {
		b.begin, b.end = at, at+parts[i].bytes
		if err := e.best(ctx, b, text[b.begin:b.end], &parts[i].counts); err != nil {
			return nil, err
		}
		at = b.end
	}
	return blocks, nil
}

// best sets the smallest of several ways to write a block, each parsed under
// the prices that the one before came to, the first under those of c. Once that
// gains no more it starts again from other prices.
func (e *Encoder) best(ctx context.Context, b *block, text []byte, c *counts) error {
	b.bits = 1 << 62
	e.prices.setCounts(c, e.log, &e.lengths)
	restarts, dice := e.restarts(len(text)), dice(1)
	for start := 0; ; start++ {
		if err := e.passes(ctx, b, text); err != nil || start == restarts {
			break
		}
		switch start {
		case 0:
			e.prices.setFixed(&e.builder.fixed, &e.lengths)
		case 1:
			e.prices.setLengths(&b.tables.lengths, &b.counts, e.log, &e.lengths)
		default:
			e.prices.setChance(&b.counts, e.log, &e.lengths, &dice)
		}
	}
	e.builder.best(&b.tables, &b.counts, 5)
	e.builder.polish(&b.tables, &b.counts, e.effort.polish)
	fixed := e.builder.fixedBits(&b.counts)
	b.fixed = fixed <= b.tables.bits
	b.bits = min(fixed, b.tables.bits)
	return ctx.Err()
}

// restarts returns how often a block of so many bytes is started on again.
func (e *Encoder) restarts(n int) int {
	return e.effort.restart[min(max(bits.Len(uint(n))-9, 0)/2, len(e.effort.restart)-1)]
}

// passes parses a block until that gains nothing.
func (e *Encoder) passes(ctx context.Context, b *block, text []byte) error {
	last := uint64(1 << 62)
	for range e.effort.pass {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.spare = e.parser.parse(e.spare[:0], text, &e.matches, b.begin, &e.prices)
		now := countItems(e.spare, &e.lengths)
		e.builder.simple(&e.try, &now, 3)
		bits := min(e.builder.fixedBits(&now), e.try.bits)
		e.keep(b, &now)
		e.prices.setCounts(&now, e.log, &e.lengths)
		if last <= bits || (last-bits)*uint64(e.effort.enough) <= bits {
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
