package deflate

import (
	"math"
	"slices"
	"testing"
)

// TestLengths: a code is complete and within its limit; where a limit does not
// bind, both ways to make a code are as good.
func TestLengths(t *testing.T) {
	t.Parallel()
	var c coder
	for seed := range uint64(300) {
		symbols := random(seed, 2+int(seed)%lastCode, 256)
		counts := make([]uint32, len(symbols))
		for s, n := range symbols {
			counts[s] = 1 << (n % 25)
		}
		for _, limit := range []int{9, maxCodeBits} {
			lengths := make([]uint8, len(counts))
			c.lengths(lengths, counts, limit)
			kraft, price := 0, uint64(0)
			for s, n := range lengths {
				if n == 0 || int(n) > limit {
					t.Fatalf("seed %d: length %d, limit %d", seed, n, limit)
				}
				kraft += 1 << (maxCodeBits - n)
				price += uint64(counts[s]) * uint64(n)
			}
			if kraft != 1<<maxCodeBits {
				t.Errorf("seed %d: the code is not complete", seed)
			}
			merged := make([]uint8, len(counts))
			c.limited(merged, limit)
			other := uint64(0)
			for s, n := range merged {
				other += uint64(counts[s]) * uint64(n)
			}
			if other != price {
				t.Errorf("seed %d: %d and %d bits", seed, price, other)
			}
		}
	}
}

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
