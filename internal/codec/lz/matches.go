package lz

import "slices"

// Matches holds the matches at consecutive positions of a text, in an encoder's
// own form M. Call Reset before use.
type Matches[M any] struct {
	all   []M
	first []uint32 // by position, and one more: the index in all where its matches begin
}

// Reset removes all positions. It keeps the buffers.
func (m *Matches[M]) Reset() { m.all, m.first = m.all[:0], append(m.first[:0], 0) }

// Len returns the number of matches at all positions together.
func (m *Matches[M]) Len() int { return len(m.all) }

// At returns the matches at the i-th position.
func (m *Matches[M]) At(i int) []M { return m.all[m.first[i]:m.first[i+1]] }

// Append adds a position, with the matches that find appends to its argument.
func (m *Matches[M]) Append(find func([]M) []M) {
	m.all = find(m.all)
	m.first = append(m.first, uint32(len(m.all)))
}

// Drop removes the first n positions.
func (m *Matches[M]) Drop(n int) {
	gone := m.first[n]
	m.all = slices.Delete(m.all, 0, int(gone))
	m.first = slices.Delete(m.first, 0, n)
	for i := range m.first {
		m.first[i] -= gone
	}
}
