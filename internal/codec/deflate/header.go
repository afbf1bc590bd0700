package deflate

import "github.com/precompress/precompress/internal/codec/entropy"

// describer finds how the lengths of a block's codes are best written (RFC
// 1951, section 3.2.7).
type describer struct {
	coder entropy.Coder
	price [maxRun + 1 + symbolCount]uint32 // by position: bits from there on
	step  [symbolCount]uint8               // by position: the run that is written there
	kind  [symbolCount]uint8               // and by which symbol
}

// description is how the lengths of a block's codes are written.
type description struct {
	literals, distances int // lengths that are written
	symbols             []run
	lengths             [lengthSymbols]uint8
	bits                uint64
}

// run is a symbol of the code of lengths, and what follows it.
type run struct{ symbol, repeat uint8 }

const (
	lengthSymbols = 19
	repeatLast    = 16 // 3 to 6 times
	repeatZero    = 17 // 3 to 10 times
	repeatZeros   = 18 // 11 to 138 times
	maxRun        = 138
)

// runExtra has the extra bits of the three symbols for runs, runLeast the
// shortest run of each.
var (
	runExtra = [3]uint{2, 3, 7}
	runLeast = [3]int{3, 3, 11}
)

// lengthOrder is the order in which the lengths of the code of lengths stand.
var lengthOrder = [lengthSymbols]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// describe sets how codes of the given lengths are written in the fewest bits
// that a few rounds come to: runs under prices, then prices from those runs.
func (d *describer) describe(into *description, lengths *[symbolCount]uint8, rounds int) {
	literals, distances := literalCodes, distanceCodes
	for literals > firstLength && lengths[literals-1] == 0 {
		literals--
	}
	for distances > 1 && lengths[lastCode+distances-1] == 0 {
		distances--
	}
	into.literals, into.distances = literals, distances
	var all [symbolCount]uint8
	copy(all[:], lengths[:literals])
	copy(all[literals:], lengths[lastCode:lastCode+distances])
	text := all[:literals+distances]
	prices := [lengthSymbols]uint32{6, 6, 6, 6, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 4, 4, 4}
	into.bits = 1 << 62
	var code [lengthSymbols]uint8
	for range rounds {
		d.parse(text, &prices)
		count := d.count(text)
		d.coder.Lengths(code[:], count[:], 7)
		if bits := descriptionBits(&count, &code); bits < into.bits {
			into.bits, into.lengths = bits, code
			into.symbols = d.runs(into.symbols[:0], text)
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

// parse finds the cheapest way to write text, from its end on.
func (d *describer) parse(text []uint8, prices *[lengthSymbols]uint32) {
	d.price[len(text)] = 0
	same := 0 // how often the value at i stands from there on
	for i := len(text) - 1; i >= 0; i-- {
		v := text[i]
		if i+1 < len(text) && text[i+1] == v {
			same++
		} else {
			same = 1
		}
		best, step, kind := prices[v]+d.price[i+1], 1, v
		try := func(symbol uint8, low, high int) {
			price := prices[symbol] + uint32(runExtra[symbol-repeatLast])
			for n := low; n <= min(high, same); n++ {
				if p := price + d.price[i+n]; p < best {
					best, step, kind = p, n, symbol
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
		d.price[i], d.step[i], d.kind[i] = best, uint8(step), kind
	}
}

func (d *describer) count(text []uint8) (n [lengthSymbols]uint32) {
	for i := 0; i < len(text); i += int(d.step[i]) {
		n[d.kind[i]]++
	}
	return n
}

func (d *describer) runs(out []run, text []uint8) []run {
	for i := 0; i < len(text); i += int(d.step[i]) {
		r := run{symbol: d.kind[i]}
		if r.symbol >= repeatLast {
			r.repeat = d.step[i] - uint8(runLeast[r.symbol-repeatLast])
		}
		out = append(out, r)
	}
	return out
}

// descriptionBits returns the bits of a description with the given symbols.
func descriptionBits(count *[lengthSymbols]uint32, code *[lengthSymbols]uint8) uint64 {
	bits := 5 + 5 + 4 + 3*uint64(writtenLengths(code))
	for s, n := range count {
		bits += uint64(n) * uint64(code[s])
		if s >= repeatLast {
			bits += uint64(n) * uint64(runExtra[s-repeatLast])
		}
	}
	return bits
}

// writtenLengths returns how many lengths of the code of lengths are written.
func writtenLengths(code *[lengthSymbols]uint8) int {
	n := lengthSymbols
	for n > 4 && code[lengthOrder[n-1]] == 0 {
		n--
	}
	return n
}

// write writes the description behind the three bits of the block's head.
func (d *description) write(w *entropy.BitWriter) {
	n := writtenLengths(&d.lengths)
	w.Add(uint64(d.literals-firstLength), 5)
	w.Add(uint64(d.distances-1), 5)
	w.Add(uint64(n-4), 4)
	for _, s := range lengthOrder[:n] {
		w.Add(uint64(d.lengths[s]), 3)
	}
	var codes [lengthSymbols]uint16
	assign(codes[:], d.lengths[:])
	for _, r := range d.symbols {
		w.Add(uint64(codes[r.symbol]), uint(d.lengths[r.symbol]))
		if r.symbol >= repeatLast {
			w.Add(uint64(r.repeat), runExtra[r.symbol-repeatLast])
		}
	}
}
