package codec

import (
	"math/rand/v2"
	"testing"

	"github.com/precompress/precompress/manifest"
)

// TestGzipBeyondNine: the slow levels are not larger than the fast one, even
// where few different bytes occur.
func TestGzipBeyondNine(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	skewed := make([]byte, 5000)
	for i := range skewed {
		skewed[i] = "0000000001"[r.IntN(10)]
	}
	var e Encoder
	fast, err := e.Append(t.Context(), nil, Params{Coding: manifest.Gzip, Level: 9}, skewed)
	if err != nil {
		t.Fatal(err)
	}
	for level := 10; level <= 13; level++ {
		slow, err := e.Encode(t.Context(), Params{Coding: manifest.Gzip, Level: level}, skewed)
		if err != nil || len(slow) > len(fast) {
			t.Errorf("level %d: %d bytes, level 9 %d (%v)", level, len(slow), len(fast), err)
		}
	}
}
