package precompress

import (
	"testing"

	"github.com/precompress/precompress/manifest"
)

// TestFreeListOfEach: without room for each level, the one that was free longest makes room
// for another; with it, every level has its own.
func TestFreeListOfEach(t *testing.T) {
	for _, each := range []bool{false, true} {
		list := freeList[*int]{each: each}
		made := 0
		get := func(level int) {
			v, err := list.get(level, func() (*int, error) { made++; return new(int), nil })
			if err != nil {
				t.Fatal(err)
			}
			list.put(level, v)
		}
		for _, level := range []int{1, 2, 1, 2, 2} {
			get(level)
		}
		if want := map[bool]int{false: 4, true: 2}[each]; made != want {
			t.Errorf("each %t: %d made, want %d", each, made, want)
		}
	}
}

// TestEncoderKeeps: an Encoder has an encoder of every level, so that what is timed is
// not making one.
func TestEncoderKeeps(t *testing.T) {
	e := NewEncoder()
	for range 2 {
		for c, levels := range map[manifest.Coding][]int{manifest.Gzip: {1, 6, 10, 11}, manifest.Zstd: {1, 9, 19, 20}} {
			for _, level := range levels {
				if _, err := e.Encode(t.Context(), c, level, []byte("a text")); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	// gzip beyond level 9 tries level 9, too.
	if c := &e.codecs; len(c.gzip.free) != 3 || len(c.deflate.free) != 2 || len(c.zstd.free) != 2 || len(c.optimal.free) != 2 {
		t.Errorf("kept %d, %d, %d and %d", len(c.gzip.free), len(c.deflate.free), len(c.zstd.free), len(c.optimal.free))
	}
}
