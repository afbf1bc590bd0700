package zstdenc

import (
	"math/bits"

	"github.com/precompress/precompress/internal/codec/entropy"
)

// sequence is a number of literals and the match that follows them (RFC 8878,
// section 3.1.1.3.2). offset is 1 to 3 for a repeat offset, else the distance + 3.
type sequence struct{ literals, length, offset uint32 }

// Number of codes of each field (RFC 8878, section 3.1.1.3.2.1.1).
const (
	literalCodes = 36
	lengthCodes  = 53
	offsetCodes  = 32
)

// literalsCode returns the code of a literals length and its number of extra bits.
func literalsCode(n uint32) (code uint8, extra uint) {
	switch {
	case n < 16:
		return uint8(n), 0
	case n < 24:
		return uint8(16 + (n-16)/2), 1
	case n < 32:
		return uint8(20 + (n-24)/4), 2
	case n < 48:
		return uint8(22 + (n-32)/8), 3
	case n < 64:
		return 24, 4
	}
	extra = uint(bits.Len32(n) - 1)
	return uint8(19 + extra), extra
}

// lengthCode returns the code of a match length, 3 or more, and its number of extra
// bits, which are the low bits of length - 3.
func lengthCode(length uint32) (code uint8, extra uint) {
	n := length - 3
	switch {
	case n < 32:
		return uint8(n), 0
	case n < 40:
		return uint8(32 + (n-32)/2), 1
	case n < 48:
		return uint8(36 + (n-40)/4), 2
	case n < 64:
		return uint8(38 + (n-48)/8), 3
	case n < 96:
		return uint8(40 + (n-64)/16), 4
	case n < 128:
		return 42, 5
	}
	extra = uint(bits.Len32(n) - 1)
	return uint8(36 + extra), extra
}

// offsetCode returns the code of an offset and its number of extra bits. Both are
// the same number.
func offsetCode(offset uint32) (code uint8, extra uint) {
	extra = uint(bits.Len32(offset) - 1)
	return uint8(extra), extra
}

// defaultDistributions returns the default distributions by field (RFC 8878,
// section 3.1.1.3.2.2).
func defaultDistributions() [3]distribution {
	return [3]distribution{
		{6, []int16{
			4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
		}},
		{5, []int16{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}},
		{6, []int16{
			1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
		}},
	}
}

// The fields of a sequence, in the order of their tables in a block.
const (
	fieldLiterals = iota
	fieldOffset
	fieldLength
)

// maxLog returns the largest accuracy log allowed for a field's table (RFC 8878,
// section 3.1.1.3.2.1).
func maxLog(field int) uint { return [3]uint{9, 8, 9}[field] }

// codeCounts has the number of times that each code of each field occurs.
type codeCounts struct {
	literals [literalCodes]uint32
	offset   [offsetCodes]uint32
	length   [lengthCodes]uint32
}

func (c *codeCounts) field(i int) []uint32 {
	switch i {
	case fieldLiterals:
		return c.literals[:]
	case fieldOffset:
		return c.offset[:]
	}
	return c.length[:]
}

func (c *codeCounts) add(s sequence) {
	ll, _ := literalsCode(s.literals)
	of, _ := offsetCode(s.offset)
	ml, _ := lengthCode(s.length)
	c.literals[ll]++
	c.offset[of]++
	c.length[ml]++
}

// Compression modes of a table (RFC 8878, section 3.1.1.3.2.1).
const (
	modePredefined = iota
	modeRLE
	modeFSE
	modeRepeat
)

// table is how one field of a block's sequences is coded.
type table struct {
	mode         int
	distribution distribution
	description  []byte // as its mode requires
	price        uint64 // of the description and all codes
	coder        *fseCoder
}

// chooseTable returns the cheapest table for the counted codes of a field. before is
// the table that earlier blocks left, nil if there is none. predefined and before
// have a coder.
func chooseTable(counts []uint32, field int, predefined, before *table) *table {
	used, only := 0, 0
	for s, n := range counts {
		if n > 0 {
			used++
			only = s
		}
	}
	var best *table
	consider := func(t *table) {
		if best == nil || t.price < best.price {
			best = t
		}
	}
	if used == 1 {
		consider(&table{
			mode: modeRLE, distribution: distribution{0, rle(only)}, description: []byte{byte(only)}, price: 8 * bit,
		})
	}
	if price, ok := predefined.distribution.total(counts); ok {
		consider(&table{mode: modePredefined, distribution: predefined.distribution, price: price, coder: predefined.coder})
	}
	if before != nil {
		if price, ok := before.distribution.total(counts); ok {
			consider(&table{mode: modeRepeat, distribution: before.distribution, price: price, coder: before.coder})
		}
	}
	if used > 1 {
		d, description, price := bestDistribution(counts, maxLog(field))
		consider(&table{mode: modeFSE, distribution: d, description: description, price: price})
	}
	if best.coder == nil {
		best.coder = newFSECoder(best.distribution)
	}
	return best
}

// rle returns the normalized counts of a distribution with a single symbol.
func rle(symbol int) []int16 {
	norm := make([]int16, symbol+1)
	norm[symbol] = 1
	return norm
}

// appendSequences appends a sequences section (RFC 8878, section 3.1.1.3.2). There
// must be at least one sequence.
func appendSequences(out []byte, sequences []sequence, tables *[3]*table) []byte {
	out = appendCount(out, len(sequences))
	out = append(out, byte(tables[fieldLiterals].mode<<6|tables[fieldOffset].mode<<4|tables[fieldLength].mode<<2))
	for _, t := range tables {
		out = append(out, t.description...)
	}
	ll, of, ml := tables[fieldLiterals].coder, tables[fieldOffset].coder, tables[fieldLength].coder
	w := &entropy.BitWriter{Out: out}
	var stateLL, stateOF, stateML uint32
	for i := len(sequences) - 1; i >= 0; i-- {
		s := sequences[i]
		llCode, llBits := literalsCode(s.literals)
		ofCode, ofBits := offsetCode(s.offset)
		mlCode, mlBits := lengthCode(s.length)
		if i == len(sequences)-1 {
			stateLL, stateOF, stateML = ll.start(llCode), of.start(ofCode), ml.start(mlCode)
		} else {
			stateOF = of.next(w, stateOF, ofCode)
			stateML = ml.next(w, stateML, mlCode)
			stateLL = ll.next(w, stateLL, llCode)
		}
		w.Add(uint64(s.literals)&(1<<llBits-1), llBits)
		w.Add(uint64(s.length-3)&(1<<mlBits-1), mlBits)
		w.Add(uint64(s.offset)&(1<<ofBits-1), ofBits)
	}
	ml.flush(w, stateML)
	of.flush(w, stateOF)
	ll.flush(w, stateLL)
	return endBackward(w)
}

// appendCount appends the number of sequences (RFC 8878, section 3.1.1.3.2.1).
func appendCount(out []byte, n int) []byte {
	switch {
	case n < 128:
		return append(out, byte(n))
	case n < 0x7F00:
		return append(out, byte(n>>8|128), byte(n))
	}
	return append(out, 255, byte(n-0x7F00), byte((n-0x7F00)>>8))
}
