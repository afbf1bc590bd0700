package precompress

import "testing"

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
