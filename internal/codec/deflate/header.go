package deflate

import "github.com/precompress/precompress/internal/codec/entropy"

// describer finds the shortest description of a block's codes: how to write the
// code lengths (RFC 1951, section 3.2.7).
type describer struct {
	coder  entropy.CodeBuilder
	price  [maxRun + 1 + symbolCount]uint32 // by position: bits from there to the end
	step   [symbolCount]uint8               // by position: code lengths written there
	symbol [symbolCount]uint8               // by position: the symbol that writes them
}

// description is the description of a block's codes.
type description struct {
	literals, distances int // number of code lengths written for each code
	runs                []run
	lengths             [codeLengthSymbols]uint8 // of the code length code
	bits                uint64
}

// run is a symbol of the code length alphabet, and the value of its extra bits.
type run struct{ symbol, repeat uint8 }

const (
	codeLengthSymbols = 19
	repeatLast        = 16 // 3 to 6 times
	repeatZero        = 17 // 3 to 10 times
	repeatZeros       = 18 // 11 to 138 times
	maxRun            = 138
)

// runExtra has the number of extra bits of the three symbols for runs, runMin the
// shortest run of each.
var (
	runExtra = [3]uint{2, 3, 7}
	runMin   = [3]int{3, 3, 11}
)

// lengthOrder is the order in which the lengths of the code length code are
// written.
var lengthOrder = [codeLengthSymbols]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// describe sets the shortest description of the code lengths that it finds. In
// each round it finds the cheapest runs, then sets the prices of symbols from the
// code for those runs. It stops when a round is no improvement.
func (d *describer) describe(into *description, lengths *codeLengths, rounds int) {
	literals, distances := literalSymbols, distanceSymbols
	for literals > firstLength && lengths[literals-1] == 0 {
		literals--
	}
	for distances > 1 && lengths[distanceBase+distances-1] == 0 {
		distances--
	}
	into.literals, into.distances = literals, distances
	var all [symbolCount]uint8
	copy(all[:], lengths[:literals])
	copy(all[literals:], lengths[distanceBase:distanceBase+distances])
	text := all[:literals+distances]
	prices := [codeLengthSymbols]uint32{6, 6, 6, 6, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 4, 4, 4}
	into.bits = 1 << 62
	var code [codeLengthSymbols]uint8
	for range rounds {
		d.parse(text, &prices)
		count := d.count(text)
		d.coder.Lengths(code[:], count[:], 7)
		if bits := descriptionBits(&count, &code); bits < into.bits {
			into.bits, into.lengths = bits, code
			into.runs = d.runs(into.runs[:0], text)
		} else {
			break
		}
		for s, n := range code {
			prices[s] = uint32(n)
			if n == 0 {
				prices[s] = 8
			}
		}
	}
}

// parse finds the cheapest runs for the code lengths in text, by dynamic
// programming from the end.
func (d *describer) parse(text []uint8, prices *[codeLengthSymbols]uint32) {
	d.price[len(text)] = 0
	same := 0 // length of the run of equal values that starts at i
	for i := len(text) - 1; i >= 0; i-- {
		v := text[i]
		if i+1 < len(text) && text[i+1] == v {
			same++
		} else {
			same = 1
		}
		best, step, bestSymbol := prices[v]+d.price[i+1], 1, v
		try := func(symbol uint8, low, high int) {
			price := prices[symbol] + uint32(runExtra[symbol-repeatLast])
			for n := low; n <= min(high, same); n++ {
				if p := price + d.price[i+n]; p < best {
					best, step, bestSymbol = p, n, symbol
				}
			}
		}
		if i > 0 && text[i-1] == v {
			try(repeatLast, 3, 6)
		}
		if v == 0 {
			try(repeatZero, 3, 10)
			try(repeatZeros, max(11, min(same, maxRun)-11), maxRun)
		}
		d.price[i], d.step[i], d.symbol[i] = best, uint8(step), bestSymbol
	}
}

// count returns how often each symbol occurs in the runs that parse found.
func (d *describer) count(text []uint8) (n [codeLengthSymbols]uint32) {
	for i := 0; i < len(text); i += int(d.step[i]) {
		n[d.symbol[i]]++
	}
	return n
}

// runs appends the runs that parse found.
func (d *describer) runs(out []run, text []uint8) []run {
	for i := 0; i < len(text); i += int(d.step[i]) {
		r := run{symbol: d.symbol[i]}
		if r.symbol >= repeatLast {
			r.repeat = d.step[i] - uint8(runMin[r.symbol-repeatLast])
		}
		out = append(out, r)
	}
	return out
}

// descriptionBits returns the size in bits of a description, given how often each
// symbol occurs and the lengths of the code length code.
func descriptionBits(count *[codeLengthSymbols]uint32, code *[codeLengthSymbols]uint8) uint64 {
	bits := 5 + 5 + 4 + 3*uint64(writtenLengths(code))
	for s, n := range count {
		bits += uint64(n) * uint64(code[s])
		if s >= repeatLast {
			bits += uint64(n) * uint64(runExtra[s-repeatLast])
		}
	}
	return bits
}

// writtenLengths returns how many lengths of the code length code are written.
func writtenLengths(code *[codeLengthSymbols]uint8) int {
	n := codeLengthSymbols
	for n > 4 && code[lengthOrder[n-1]] == 0 {
		n--
	}
	return n
}

// write writes the description, which follows the three bits of the block header.
func (d *description) write(w *entropy.BitWriter) {
	n := writtenLengths(&d.lengths)
	w.Add(uint64(d.literals-firstLength), 5)
	w.Add(uint64(d.distances-1), 5)
	w.Add(uint64(n-4), 4)
	for _, s := range lengthOrder[:n] {
		w.Add(uint64(d.lengths[s]), 3)
	}
	var codes [codeLengthSymbols]uint16
	assign(codes[:], d.lengths[:])
	for _, r := range d.runs {
		w.Add(uint64(codes[r.symbol]), uint(d.lengths[r.symbol]))
		if r.symbol >= repeatLast {
			w.Add(uint64(r.repeat), runExtra[r.symbol-repeatLast])
		}
	}
}
