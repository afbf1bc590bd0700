package deflate

import (
	"math"
	"slices"
	"testing"
)

// TestDescribe checks that the runs of a description expand to the code lengths.
func TestDescribe(t *testing.T) {
	t.Parallel()
	var d describer
	var into description
	for seed := range uint64(200) {
		var lengths codeLengths
		for s, n := range random(seed, symbolCount, 250) {
			// Runs of the same value, among them of zeros.
			if n < uint8(seed) && s > 0 {
				lengths[s] = lengths[s-1]
			} else {
				lengths[s] = n % 16
			}
		}
		clear(lengths[literalSymbols:distanceBase])
		clear(lengths[distanceBase+distanceSymbols:])
		d.describe(&into, &lengths, 4)
		var got []uint8
		for _, r := range into.runs {
			if r.symbol >= repeatLast && r.repeat >= 1<<runExtra[r.symbol-repeatLast] {
				t.Fatalf("seed %d: %d repeats of symbol %d do not fit its extra bits", seed, r.repeat, r.symbol)
			}
			switch n := int(r.repeat); r.symbol {
			case repeatLast:
				got = append(got, slices.Repeat(got[len(got)-1:], n+3)...)
			case repeatZero:
				got = append(got, make([]uint8, n+3)...)
			case repeatZeros:
				got = append(got, make([]uint8, n+11)...)
			default:
				got = append(got, r.symbol)
			}
		}
		want := append(slices.Clone(lengths[:into.literals]), lengths[distanceBase:distanceBase+into.distances]...)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: the runs expand to %v, want %v", seed, got, want)
		}
	}
}

func TestLogarithm(t *testing.T) {
	t.Parallel()
	log := newLogarithm()
	for x := uint32(1); x < 1<<30; x += x>>7 + 1 {
		if want := math.Log2(float64(x)) * bit; math.Abs(float64(log.of(x))-want) > 1.25 {
			t.Fatalf("log2(%d) = %d, want %.1f", x, log.of(x), want)
		}
	}
}
