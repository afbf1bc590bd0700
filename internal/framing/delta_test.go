package framing

import (
	"math"
	"testing"
)

func TestDeltaWindow(t *testing.T) {
	for dictionary, want := range map[int64]uint64{
		0: 8 << 20, 6 << 20: 8 << 20, 8 << 20: 10 << 20, 100 << 20: 125 << 20, 103 << 20: 128 << 20, 128 << 20: 128 << 20, math.MaxInt64: 128 << 20,
	} {
		if got := DeltaWindow(dictionary); got != want {
			t.Errorf("a dictionary of %d bytes: %d, want %d", dictionary, got, want)
		}
	}
}
