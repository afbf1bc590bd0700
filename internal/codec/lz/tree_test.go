package lz_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/precompress/precompress/internal/codec/lz"
)

func texts() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 1))
	few := make([]byte, 3000)
	for i := range few {
		few[i] = "ab"[r.IntN(2)]
	}
	words := make([]byte, 0, 3000)
	for len(words) < 2990 {
		words = append(words, []string{"lorem ", "ipsum ", "dolor ", "sit "}[r.IntN(4)]...)
	}
	return map[string][]byte{
		"two letters": few, "words": words, "a run": bytes.Repeat([]byte{0}, 3000), "empty": nil, "three": []byte("abc"),
		"twice": bytes.Repeat([]byte("xyz"), 2), "long": bytes.Repeat(few[:900], 3),
	}
}

// nearest returns the nearest match of each length at pos, shortest first.
func nearest(text []byte, pos, window, least int) (all []lz.Match) {
	longest := least - 1
	for at := pos - 1; at >= max(pos-window, 0); at-- {
		if n := lz.CommonPrefix(text[at:], text[pos:]); n > longest {
			longest = n
			all = append(all, lz.Match{Length: uint32(n), Distance: uint32(pos - at)})
		}
	}
	return all
}

// TestAll checks that, with enough depth, the longest match is always found.
func TestAll(t *testing.T) {
	for name, text := range texts() {
		for _, window := range []int{1 << 20, 1024, 100} {
			if testing.Short() && window > len(text) && len(text) > 1024 {
				continue // slow to check
			}
			var tree lz.Tree
			tree.Reset(text, lz.Options{Window: window, Depth: 1 << 20, Nice: 1 << 20})
			for pos := range text {
				// The ring of positions may reach one byte less than the window.
				least := min(window, 1<<10-1)
				if window > len(text) {
					least = window
				}
				found := tree.Append(nil)
				check(t, fmt.Sprintf("%s, window %d, at %d", name, window, pos), text, pos, window, found)
				want := nearest(text, pos, least, 4)
				if got := longestOf(found); len(want) > 0 && got < want[len(want)-1].Length {
					t.Fatalf("%s, window %d, at %d: longest match %d, want %d", name, window, pos, got, want[len(want)-1].Length)
				}
			}
		}
	}
}

// check checks that everything found is a match inside the window, in order of
// increasing length and distance.
func check(t *testing.T, where string, text []byte, pos, window int, found []lz.Match) {
	t.Helper()
	for i, m := range found {
		at := pos - int(m.Distance)
		if m.Distance == 0 || int(m.Distance) > window || at < 0 || m.Length < lz.MinLength || lz.CommonPrefix(text[at:], text[pos:]) < int(m.Length) {
			t.Fatalf("%s: not a match: %+v", where, m)
		}
		if i > 0 && (m.Length <= found[i-1].Length || m.Distance < found[i-1].Distance) {
			t.Fatalf("%s: not in order: %+v", where, found)
		}
	}
}

func longestOf(found []lz.Match) uint32 {
	if len(found) == 0 {
		return 0
	}
	return found[len(found)-1].Length
}

// TestNice checks that matches longer than Nice are reported in full.
func TestNice(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 500)
	var tree lz.Tree
	tree.Reset(text, lz.Options{Window: 1 << 20, Depth: 8, Nice: 16})
	tree.Skip(10)
	for pos := 10; pos < 60; pos++ {
		found := tree.Append(nil)
		check(t, fmt.Sprint(pos), text, pos, 1<<20, found)
		if got, want := longestOf(found), uint32(len(text)-pos); got != want {
			t.Fatalf("at %d: %d bytes, want %d", pos, got, want)
		}
	}
}

// TestReset checks that a reused tree finds the same matches as a new one.
func TestReset(t *testing.T) {
	var used lz.Tree
	for name, text := range texts() {
		o := lz.Options{Window: 1 << 15, Depth: 16, Nice: 64}
		var fresh lz.Tree
		used.Reset(text, o)
		fresh.Reset(text, o)
		for pos := range text {
			if a, b := fmt.Sprint(used.Append(nil)), fmt.Sprint(fresh.Append(nil)); a != b {
				t.Fatalf("%s at %d: a reused tree finds %s, a new one %s", name, pos, a, b)
			}
		}
	}
}
