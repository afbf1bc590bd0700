package entropy

import (
	"math/rand/v2"
	"testing"
)

// TestLengths checks that a code is complete and within its limit, and that both
// algorithms find codes of the same price.
func TestLengths(t *testing.T) {
	t.Parallel()
	var c CodeBuilder
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		counts := make([]uint32, 2+seed%286)
		for s := range counts {
			counts[s] = 1 << r.IntN(25)
		}
		for _, limit := range []int{9, maxCodeBits} {
			lengths := make([]uint8, len(counts))
			c.Lengths(lengths, counts, limit)
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
			c.packageMerge(merged, limit)
			other := uint64(0)
			for s, n := range merged {
				other += uint64(counts[s]) * uint64(n)
			}
			if other != price {
				t.Errorf("seed %d: %d bits, with package-merge %d", seed, price, other)
			}
		}
	}
}

// TestLengthsOfFew compares with an exhaustive search over all codes for a few
// symbols.
func TestLengthsOfFew(t *testing.T) {
	t.Parallel()
	var c CodeBuilder
	for n := 2; n <= 6; n++ {
		for seed := range uint64(30) {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			counts := make([]uint32, n)
			for i := range counts {
				counts[i] = 1 + uint32(r.IntN(1<<(2*i)))
			}
			for limit := 3; limit <= 5; limit++ {
				lengths := make([]uint8, n)
				c.Lengths(lengths, counts, limit)
				got := 0
				for s, length := range lengths {
					got += int(counts[s]) * int(length)
				}
				if want := leastBits(counts, limit, 1<<limit); got != want {
					t.Errorf("%v within %d bits: %d bits, want %d", counts, limit, got, want)
				}
			}
		}
	}
}

// leastBits returns the fewest bits that the symbols can take in total. It tries
// every length for every symbol. space is the number of codes of limit bits that
// are still free.
func leastBits(counts []uint32, limit, space int) int {
	if len(counts) == 0 {
		return 0
	}
	least := 1 << 30
	for length := 1; length <= limit; length++ {
		if takes := 1 << (limit - length); takes <= space-(len(counts)-1) {
			least = min(least, length*int(counts[0])+leastBits(counts[1:], limit, space-takes))
		}
	}
	return least
}
