package codec

import (
	"testing"

	"github.com/precompress/precompress/manifest"
)

// TestFreeListEveryLevel: without room for each level, the one that was free longest makes room
// for another; with it, every level has its own.
func TestFreeListEveryLevel(t *testing.T) {
	for _, each := range []bool{false, true} {
		list := freeList[*int]{everyLevel: each}
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
	e := NewMeasuringEncoder()
	for range 2 {
		for c, levels := range map[manifest.Coding][]int{manifest.Gzip: {1, 6, 10, 11}, manifest.Zstd: {1, 9, 19, 20}} {
			for _, level := range levels {
				if _, err := e.Append(t.Context(), nil, Params{Coding: c, Level: level}, []byte("a text")); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	// gzip beyond level 9 tries level 9, too.
	if g, z := &e.gzip, &e.zstd; len(g.fast.free) != 3 || len(g.small.free) != 2 || len(z.fast.free) != 2 || len(z.small.free) != 2 {
		t.Errorf("kept %d, %d, %d and %d", len(g.fast.free), len(g.small.free), len(z.fast.free), len(z.small.free))
	}
}

// TestFreeList: an encoder of the level asked for, and never more of them than
// were in use at a time.
func TestFreeList(t *testing.T) {
	var list freeList[int]
	made := 0
	get := func(level int) int {
		v, err := list.get(level, func() (int, error) { made++; return level, nil })
		if err != nil || v != level {
			t.Errorf("got one of level %d for %d: %v", v, level, err)
		}
		return v
	}
	for range 3 {
		a, b := get(1), get(2)
		list.put(2, b)
		list.put(1, a)
	}
	if made != 2 {
		t.Errorf("made %d where two are in use", made)
	}
	for level := range 10 {
		list.put(level, get(level))
	}
	if len(list.free) != 2 {
		t.Errorf("%d are kept where two were in use", len(list.free))
	}
}
