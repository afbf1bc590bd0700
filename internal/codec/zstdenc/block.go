package zstdenc

// state is what a block may use again from the blocks before it.
type state struct {
	repeat [3]uint32 // the repeat offsets (RFC 8878, section 3.1.1.5), in bytes
	code   *huffman  // of literals; nil if none was used yet
	tables [3]*table // by field; nil if none were used yet
}

// block is an encoded block.
type block struct {
	content   []byte // of a Compressed_Block; nil for a raw or RLE block
	size      int    // in bytes, header included
	after     state  // for the next block
	sequences []sequence
	literals  literals
	codes     codeCounts
	tables    [3]*table // nil without sequences
}

// Kinds of blocks (RFC 8878, section 3.1.1.2.2).
const (
	blockRaw = iota
	blockRLE
	blockCompressed
)

const blockHeader = 3 // bytes

// encodeBlock sets b to the block of text that has the given sequences, or to a
// raw or RLE block if that is no larger. before is the state that the block starts
// with, repeat are the repeat offsets after the sequences.
func (e *Encoder) encodeBlock(b *block, text []byte, sequences []sequence, before *state, repeat [3]uint32) {
	b.sequences = append(b.sequences[:0], sequences...)
	b.literals.reset()
	b.codes = codeCounts{}
	b.tables = before.tables
	rest := text
	for _, s := range sequences {
		b.literals.add(rest[:s.literals])
		rest = rest[s.literals+s.length:]
		b.codes.add(s)
	}
	b.literals.add(rest)
	b.after = *before
	b.after.repeat = repeat
	b.content, b.after.code = b.literals.section(b.content[:0], before.code)
	if len(sequences) == 0 {
		b.content = append(b.content, 0)
	} else {
		for i := range b.tables {
			b.tables[i] = chooseTable(b.codes.field(i), i, e.predefined[i], before.tables[i])
		}
		b.content = appendSequences(b.content, sequences, &b.tables)
		b.after.tables = b.tables
	}
	b.size = blockHeader + len(b.content)
	if uniform(text) {
		b.size, b.content, b.after = blockHeader+1, nil, *before
	}
	if b.size >= blockHeader+len(text) {
		b.size, b.content, b.after = blockHeader+len(text), nil, *before
	}
}

// uniform reports whether all bytes of text are the same, and there are some.
func uniform(text []byte) bool {
	for _, c := range text {
		if c != text[0] {
			return false
		}
	}
	return len(text) > 0
}

// appendBlock appends a block with its header.
func appendBlock(out []byte, b *block, text []byte, last bool) []byte {
	kind, size, content := blockCompressed, len(b.content), b.content
	if content == nil {
		kind, size, content = blockRaw, len(text), text
		if uniform(text) {
			kind, content = blockRLE, text[:1]
		}
	}
	header := size<<3 | kind<<1
	if last {
		header |= 1
	}
	out = append(out, byte(header), byte(header>>8), byte(header>>16))
	return append(out, content...)
}
