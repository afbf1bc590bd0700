package zstdenc

import "github.com/precompress/precompress/internal/codec/entropy"

// literals has the literals of a block, and how often each byte occurs.
type literals struct {
	bytes  []byte
	counts [256]uint32
	coder  entropy.CodeBuilder
}

func (l *literals) reset() {
	l.bytes = l.bytes[:0]
	l.counts = [256]uint32{}
}

func (l *literals) add(b []byte) {
	l.bytes = append(l.bytes, b...)
	for _, c := range b {
		l.counts[c]++
	}
}

// Kinds of literals sections (RFC 8878, section 3.1.1.3.1.1).
const (
	literalsRaw = iota
	literalsRLE
	literalsCompressed
	literalsTreeless
)

// section appends the shortest literals section (RFC 8878, section 3.1.1.3.1).
// before is the code that earlier blocks left, nil if there is none. The second
// result is the code that the next block may use again.
func (l *literals) section(out []byte, before *huffman) ([]byte, *huffman) {
	best, code := l.plain(), before
	if before != nil {
		if section := l.coded(before, nil, literalsTreeless); section != nil && len(section) < len(best) {
			best = section
		}
	}
	if h, ok := bestHuffman(&l.counts, &l.coder); ok {
		if section := l.coded(h, h.description, literalsCompressed); section != nil && len(section) < len(best) {
			best, code = section, h
		}
	}
	return append(out, best...), code
}

// plain returns the raw section, or the RLE section if all literals are the same.
func (l *literals) plain() []byte {
	n := len(l.bytes)
	if n > 1 && l.counts[l.bytes[0]] == uint32(n) {
		return append(plainHeader(n, literalsRLE), l.bytes[0])
	}
	return append(plainHeader(n, literalsRaw), l.bytes...)
}

// plainHeader returns the header of a raw or RLE section of n literals (RFC 8878,
// section 3.1.1.3.1.1).
func plainHeader(n, kind int) []byte {
	switch {
	case n < 1<<5:
		return []byte{byte(kind | n<<3)}
	case n < 1<<12:
		return []byte{byte(kind | 1<<2 | n<<4), byte(n >> 4)}
	}
	return []byte{byte(kind | 3<<2 | n<<4), byte(n >> 4), byte(n >> 12)}
}

// oneStream is the largest number of literals for which a section with a single
// stream can be used. More literals need four streams.
const oneStream = 1<<10 - 1

// coded returns the section with the literals encoded by h, after the given
// description. It returns nil if h has no code for one of them, or the section
// would not be shorter than the literals.
func (l *literals) coded(h *huffman, description []byte, kind int) []byte {
	n := len(l.bytes)
	if size, ok := h.size(&l.counts); !ok || int(size/8)+len(description) >= n {
		return nil
	}
	const maxHeader = 5 // bytes
	w := entropy.BitWriter{Out: append(make([]byte, maxHeader, maxHeader+n), description...)}
	if n <= oneStream {
		h.stream(&w, l.bytes)
	} else {
		h.fourStreams(&w, l.bytes)
	}
	body := w.Out[maxHeader:]
	if len(body) >= n {
		return nil
	}
	header := codedHeader(n, len(body), kind)
	return append(append(w.Out[:0:0], header...), body...)
}

// codedHeader returns the header of a section whose n literals take size bytes,
// description included (RFC 8878, section 3.1.1.3.1.1).
func codedHeader(n, size, kind int) []byte {
	var format, width, length int
	switch {
	case n <= oneStream:
		format, width, length = 0, 10, 3
	case n < 1<<14:
		format, width, length = 2, 14, 4
	default:
		format, width, length = 3, 18, 5
	}
	v := uint64(kind) | uint64(format)<<2 | uint64(n)<<4 | uint64(size)<<(4+width)
	out := make([]byte, length)
	for i := range out {
		out[i] = byte(v >> (8 * i))
	}
	return out
}
