package zstdenc

import (
	"slices"

	"github.com/precompress/precompress/internal/codec/lz"
)

// matches are those of consecutive positions of a text, for as many passes as
// it takes.
type matches struct {
	found []lz.Match
	first []uint32 // by position, and one more: where its matches begin
}

func (m *matches) reset() { m.found, m.first = m.found[:0], append(m.first[:0], 0) }

// at returns the matches of the i-th position.
func (m *matches) at(i int) []lz.Match { return m.found[m.first[i]:m.first[i+1]] }

// collect adds the matches of the next n positions.
func (m *matches) collect(tree *lz.Tree, n int) {
	for range n {
		m.found = tree.Append(m.found)
		m.first = append(m.first, uint32(len(m.found)))
	}
}

// drop forgets the first n positions.
func (m *matches) drop(n int) {
	gone := m.first[n]
	m.found = slices.Delete(m.found, 0, int(gone))
	m.first = slices.Delete(m.first, 0, n)
	for i := range m.first {
		m.first[i] -= gone
	}
}
