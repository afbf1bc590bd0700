package zstdenc

import "github.com/precompress/precompress/internal/codec/entropy"

// literals are those of one block, and how often each byte is among them.
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

// section appends the literals section that is the shortest. before is the
// code of the block before, nil if there is none; the code that the next block
// may use again is returned.
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

// plain returns the section without a code: raw, or the one byte that all
// literals are.
func (l *literals) plain() []byte {
	n := len(l.bytes)
	if n > 1 && l.counts[l.bytes[0]] == uint32(n) {
		return append(plainHead(n, literalsRLE), l.bytes[0])
	}
	return append(plainHead(n, literalsRaw), l.bytes...)
}

func plainHead(n, kind int) []byte {
	switch {
	case n < 1<<5:
		return []byte{byte(kind | n<<3)}
	case n < 1<<12:
		return []byte{byte(kind | 1<<2 | n<<4), byte(n >> 4)}
	}
	return []byte{byte(kind | 3<<2 | n<<4), byte(n >> 4), byte(n >> 12)}
}

// oneStream is the number of literals up to which a section of one stream can
// be used; more need four.
const oneStream = 1<<10 - 1

// coded returns a section with the literals in a code's streams, behind its
// description; nil if the code has not all of them or they do not get shorter.
func (l *literals) coded(h *huffman, description []byte, kind int) []byte {
	n := len(l.bytes)
	if size, ok := h.size(&l.counts); !ok || int(size/8)+len(description) >= n {
		return nil
	}
	const room = 5 // for the header
	w := entropy.BitWriter{Out: append(make([]byte, room, room+n), description...)}
	if n <= oneStream {
		h.stream(&w, l.bytes)
	} else {
		h.fourStreams(&w, l.bytes)
	}
	body := w.Out[room:]
	if len(body) >= n {
		return nil
	}
	head := codedHead(n, len(body), kind)
	return append(append(w.Out[:0:0], head...), body...)
}

// codedHead returns the header of a coded section of n literals in size bytes.
func codedHead(n, size, kind int) []byte {
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
