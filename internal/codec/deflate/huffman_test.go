package deflate

import (
	"math"
	"slices"
	"testing"
)

// TestDescribe: the runs that a description is made of say the same as the
// lengths.
func TestDescribe(t *testing.T) {
	t.Parallel()
	var d describer
	var into description
	for seed := range uint64(200) {
		var lengths [symbolCount]uint8
		for s, n := range random(seed, symbolCount, 250) {
			// Runs of the same value, among them of zeros.
			if n < uint8(seed) && s > 0 {
				lengths[s] = lengths[s-1]
			} else {
				lengths[s] = n % 16
			}
		}
		clear(lengths[literalCodes:lastCode])
		clear(lengths[lastCode+distanceCodes:])
		d.describe(&into, &lengths, 4)
		var said []uint8
		for _, r := range into.symbols {
			if r.symbol >= repeatLast && r.repeat >= 1<<runExtra[r.symbol-repeatLast] {
				t.Fatalf("seed %d: %d repeats of symbol %d do not fit its extra bits", seed, r.repeat, r.symbol)
			}
			switch n := int(r.repeat); r.symbol {
			case repeatLast:
				said = append(said, slices.Repeat(said[len(said)-1:], n+3)...)
			case repeatZero:
				said = append(said, make([]uint8, n+3)...)
			case repeatZeros:
				said = append(said, make([]uint8, n+11)...)
			default:
				said = append(said, r.symbol)
			}
		}
		want := append(slices.Clone(lengths[:into.literals]), lengths[lastCode:lastCode+into.distances]...)
		if !slices.Equal(said, want) {
			t.Fatalf("seed %d: says %v, not %v", seed, said, want)
		}
	}
}

func TestLogarithm(t *testing.T) {
	t.Parallel()
	log := newLogarithm()
	for x := uint32(1); x < 1<<30; x += x>>7 + 1 {
		if want := math.Log2(float64(x)) * bit; math.Abs(float64(log.of(x))-want) > 1.25 {
			t.Fatalf("log2(%d) = %d, want %.1f parts of a bit", x, log.of(x), want)
		}
	}
}
