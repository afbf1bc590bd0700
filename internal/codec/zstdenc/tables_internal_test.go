package zstdenc

import (
	"math/rand/v2"
	"testing"
)

// skewed returns counts of n symbols that decrease steeply.
func skewed(n int, seed uint64) []uint32 {
	r := rand.New(rand.NewPCG(seed, 3))
	counts := make([]uint32, n)
	for i := range counts {
		counts[i] = uint32(r.IntN(1 + 100_000>>i))
	}
	counts[n-1] = 1
	return counts
}

// TestDistribution checks that all states are assigned, and that exactly the symbols
// that occur have one.
func TestDistribution(t *testing.T) {
	for n := 2; n <= 53; n++ {
		for seed := range uint64(20) {
			counts := skewed(n, seed)
			counts[0]++
			d, _, price := bestDistribution(counts, 9)
			states := 0
			for s, norm := range d.norm {
				states += int(max(norm, -norm))
				if (counts[s] > 0) != (norm != 0) {
					t.Fatalf("%v: symbol %d of %d has %d states", counts, s, counts[s], norm)
				}
			}
			if states != d.size() {
				t.Fatalf("%v: %d states of %d", counts, states, d.size())
			}
			if least := entropyOf(counts, 9*bit); price < least*99/100 {
				t.Fatalf("%v: price %d is below the entropy %d", counts, price, least)
			}
		}
	}
}

// TestLog2 checks powers of two, squares, and that log2 never decreases.
func TestLog2(t *testing.T) {
	for shift := range 32 {
		if got := log2(1 << shift); got != uint32(shift)*bit {
			t.Errorf("log2(2^%d) = %d", shift, got)
		}
	}
	last := uint32(0)
	for x := uint32(1); x < 100_000; x++ {
		got := log2(x)
		if got < last {
			t.Fatalf("log2(%d) = %d is less than log2(%d) = %d", x, got, x-1, last)
		}
		last = got
		if square := log2(x * x); x < 1<<16 && (square > 2*got+2 || square+2 < 2*got) {
			t.Fatalf("log2(%d²) = %d, want about twice %d", x, square, got)
		}
	}
}

// TestCodes checks that consecutive numbers have the same code or the next one, and
// that each code covers as many numbers as its extra bits can distinguish.
func TestCodes(t *testing.T) {
	for name, c := range map[string]struct {
		from, to uint32
		code     func(uint32) (uint8, uint)
	}{
		"literals": {0, maxBlock - 1, literalsCode},
		"length":   {3, maxBlock, lengthCode},
		"offset":   {1, 1 << 20, offsetCode},
	} {
		begin := c.from
		last, bits := c.code(begin)
		for n := c.from; n <= c.to; n++ {
			code, extra := c.code(n)
			if code != last {
				if code != last+1 || n-begin != 1<<bits {
					t.Fatalf("%s: code %d of %d bits for %d to %d, then code %d", name, last, bits, begin, n-1, code)
				}
				begin, last, bits = n, code, extra
			}
			if extra != bits {
				t.Fatalf("%s: code %d has %d and %d bits", name, code, bits, extra)
			}
		}
	}
}
