// Package deflate encodes DEFLATE streams (RFC 1951). It spends the time that a
// build step can afford on small output: it searches for the cheapest sequence of
// literals and matches (an optimal parse), with prices taken from the block's own
// statistics, which several passes over the block refine.
package deflate

import (
	"context"
	"math/bits"
	"slices"

	"github.com/precompress/precompress/internal/codec/entropy"
	"github.com/precompress/precompress/internal/codec/lz"
)

// effort limits how much work an encoder does.
type effort struct {
	depth       int // positions visited in the search for matches at one position
	nice        int // a match of this length or more is never shortened
	maxPasses   int // passes over a block; the best one is kept
	gainDivisor int // passes end when one saves less than 1/gainDivisor of the block
	groups      int // number of groups of parts in a region, for the coarse split
	resplits    int // rounds of parsing and splitting again
	polish      int // rounds of small changes to a block's codes
	// restarts is how often the passes over a block start again from other prices:
	// for a block of less than 1 KiB, of less than 4 KiB, and of any other size.
	restarts [3]int
}

// Encoder encodes DEFLATE streams. It keeps its buffers for the next text, and is
// not safe for concurrent use. Create one with [New].
type Encoder struct {
	levelEffort effort // of the level
	effort      effort // for the current text
	log         *logarithm
	builder     *builder
	symbols     lengthSymbols
	tree        lz.Tree
	found       []lz.Match // at one position
	matches     lz.Matches[token]
	parser      parser
	prices      prices
	parts       []part
	groups      []part
	tokens      []token // of a region
	scratch     []token // of a block, for the current pass
	blocks      []*block
	trial       tables // of the current pass
}

// New returns an encoder for a level from 10 to 13.
func New(level int) *Encoder {
	e := &Encoder{log: newLogarithm()}
	e.builder = newBuilder(e.log)
	e.prices.log, e.prices.symbols = e.log, &e.symbols
	for n := uint32(minLength); n <= maxLength; n++ {
		code, _ := lengthCode(n)
		e.symbols[n] = uint16(firstLength + code)
	}
	e.levelEffort = effortOf(level)
	return e
}

// effortOf returns the effort of a level.
func effortOf(level int) effort {
	switch level {
	case 10:
		return effort{depth: 32, nice: 128, maxPasses: 2, gainDivisor: 1000, groups: 32}
	case 11:
		return effort{depth: 64, nice: 258, maxPasses: 3, gainDivisor: 2000, groups: 48, resplits: 1, restarts: [3]int{2, 2, 0}}
	case 12:
		return effort{depth: 128, nice: 258, maxPasses: 4, gainDivisor: 1500, groups: 64, resplits: 2, restarts: [3]int{2, 1, 0}}
	}
	return effort{depth: 1024, nice: 258, maxPasses: 12, gainDivisor: 100000, groups: 160, resplits: 5, polish: 3, restarts: [3]int{60, 40, 8}}
}

// effortFor returns the effort for a text. A text of only a few different bytes
// gets the highest: nearly everything in it has a match somewhere, so that passes
// get stuck with matches where literals would be cheaper, unless they restart
// often.
func (e *Encoder) effortFor(src []byte) effort {
	const few = 12
	var seen [256]bool
	symbols := 0
	for _, c := range src {
		if !seen[c] {
			seen[c] = true
			if symbols++; symbols > few {
				return e.levelEffort
			}
		}
	}
	return effortOf(13)
}

// A region is the part of a text whose matches are in memory at the same time.
const (
	maxRegion        = 512 << 10 // bytes
	maxRegionMatches = 3 << 20   // no position is added to a region that has so many
)

// Append appends src to out as one complete DEFLATE stream, padded to a whole
// byte. src must be shorter than 2 GiB. The only error is that of ctx.
func (e *Encoder) Append(ctx context.Context, out, src []byte) ([]byte, error) {
	w := entropy.BitWriter{Out: out}
	if len(src) == 0 {
		w.Add(1|1<<1, headBits) // the last block, with the fixed codes
		w.Add(0, 7)             // the end of the block
		w.Align()
		return w.Out, nil
	}
	e.effort = e.effortFor(src)
	e.tree.Reset(src, lz.Options{Window: maxDistance, Depth: e.effort.depth, Nice: maxLength, MaxLength: maxLength})
	e.matches.Reset()
	e.parser.nice = e.effort.nice
	begin, end := 0, 0
	for begin < len(src) {
		for end < min(begin+maxRegion, len(src)) && e.matches.Len() < maxRegionMatches {
			if end&0xFFF == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			e.matches.Append(e.findMatches)
			end++
		}
		blocks, err := e.region(ctx, src[begin:end])
		if err != nil {
			return nil, err
		}
		if last := len(blocks) - 1; end < len(src) && blocks[last].begin > (end-begin)/2 {
			blocks = blocks[:last] // it may continue in the next region
		}
		region := begin
		for _, b := range blocks {
			b.write(&w, src[region+b.begin:region+b.end], region+b.end == len(src), &e.builder.fixed, &e.symbols)
			begin = region + b.end
		}
		e.matches.Drop(begin - region)
	}
	w.Align()
	return w.Out, nil
}

// findMatches appends the matches at the tree's next position.
func (e *Encoder) findMatches(tokens []token) []token {
	e.found = e.tree.Append(e.found[:0])
	for _, m := range e.found {
		tokens = append(tokens, newMatch(m.Length, m.Distance))
	}
	return tokens
}

// region returns the best blocks for the text of a region. The best split depends
// on the parse, and the best parse on the split, so both are repeated a few times
// before the blocks are encoded.
func (e *Encoder) region(ctx context.Context, text []byte) ([]*block, error) {
	e.parseFirst(text)
	parts := e.split(e.tokens)
	for range e.effort.resplits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e.tokens = e.tokens[:0]
		at := 0
		for i := range parts {
			e.prices.setCounts(&parts[i].counts)
			end := at + parts[i].bytes
			e.tokens = e.parser.parse(e.tokens, text[at:end], &e.matches, at, &e.prices)
			at = end
		}
		before := parts
		if parts = e.split(e.tokens); slices.EqualFunc(before, parts, func(a, b part) bool { return a.bytes == b.bytes }) {
			break
		}
	}
	return e.bestBlocks(ctx, text, parts)
}

// parseFirst parses a text twice: with prices that suit most texts, then with the
// prices that result from that.
func (e *Encoder) parseFirst(text []byte) {
	var c counts
	for _, b := range text {
		c[b]++
	}
	total := uint32(len(text))
	for n := minLength; n <= maxLength; n++ {
		c[e.symbols[n]] += total / uint32(4*n*n)
	}
	for s := range distanceSymbols {
		c[distanceBase+s] = total/20 + 1
	}
	e.prices.setCounts(&c)
	e.tokens = e.parser.parse(e.tokens[:0], text, &e.matches, 0, &e.prices)
	c = countTokens(e.tokens, &e.symbols)
	e.prices.setCounts(&c)
	e.tokens = e.parser.parse(e.tokens[:0], text, &e.matches, 0, &e.prices)
}

// bestBlocks returns the smallest block found for each part of a text.
func (e *Encoder) bestBlocks(ctx context.Context, text []byte, parts []part) ([]*block, error) {
	held := 0
	for _, b := range e.blocks {
		held += cap(b.tokens)
	}
	if held > 2*maxRegion {
		e.blocks = nil // earlier texts had large blocks at other indices: free them
	}
	for len(e.blocks) < len(parts) {
		e.blocks = append(e.blocks, &block{})
	}
	blocks := e.blocks[:len(parts)]
	at := 0
	for i, b := range blocks {
		b.begin, b.end = at, at+parts[i].bytes
		if err := e.bestBlock(ctx, b, text[b.begin:b.end], &parts[i].counts); err != nil {
			return nil, err
		}
		at = b.end
	}
	return blocks, nil
}

// bestBlock sets b to the smallest block found for text. The first pass uses the
// prices of c, each later one those that result from the pass before. When that
// gains no more, the passes start again from other prices.
func (e *Encoder) bestBlock(ctx context.Context, b *block, text []byte, c *counts) error {
	b.bits = 1 << 62
	e.prices.setCounts(c)
	restarts, random := e.restarts(len(text)), minstd(1)
	for start := 0; ; start++ {
		if err := e.passes(ctx, b, text); err != nil || start == restarts {
			break
		}
		switch start {
		case 0:
			e.prices.setFixed(&e.builder.fixed)
		case 1:
			e.prices.setLengths(&b.tables.lengths, &b.counts)
		default:
			e.prices.setRandom(&b.counts, &random)
		}
	}
	e.builder.best(&b.tables, &b.counts, 5)
	e.builder.polish(&b.tables, &b.counts, e.effort.polish)
	fixed := e.builder.fixedBits(&b.counts)
	b.fixed = fixed <= b.tables.bits
	b.bits = min(fixed, b.tables.bits)
	return ctx.Err()
}

// restarts returns the number of restarts for a block of n bytes.
func (e *Encoder) restarts(n int) int {
	return e.effort.restarts[min(max(bits.Len(uint(n))-9, 0)/2, len(e.effort.restarts)-1)]
}

// passes parses a block repeatedly, until a pass gains too little.
func (e *Encoder) passes(ctx context.Context, b *block, text []byte) error {
	last := uint64(1 << 62)
	for range e.effort.maxPasses {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.scratch = e.parser.parse(e.scratch[:0], text, &e.matches, b.begin, &e.prices)
		now := countTokens(e.scratch, &e.symbols)
		e.builder.optimal(&e.trial, &now, 3)
		bits := min(e.builder.fixedBits(&now), e.trial.bits)
		e.keep(b, &now)
		e.prices.setCounts(&now)
		if last <= bits || (last-bits)*uint64(e.effort.gainDivisor) <= bits {
			break
		}
		last = bits
	}
	return nil
}

// keep makes the current pass, whose counts are c, the block's form if it is the
// smallest so far.
func (e *Encoder) keep(b *block, c *counts) {
	fixed := e.builder.fixedBits(c)
	if min(fixed, e.trial.bits) >= b.bits {
		return
	}
	b.tokens = append(b.tokens[:0], e.scratch...)
	b.counts = *c
	b.fixed = fixed < e.trial.bits
	b.bits = min(fixed, e.trial.bits)
	b.tables, e.trial = e.trial, b.tables
}
