package serve_test

import (
	"bytes"
	"encoding/binary"
)

// testFont returns a TrueType font, complete enough for a browser, in which
// every letter from A on is a square of another size.
func testFont() []byte {
	const glyphs = 50
	var glyf, loca, hmtx []byte
	for i := range glyphs {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		side := 400 + 10*i
		glyf = int16s(glyf, 1, 0, 0, side, side, 3, 0) // one contour, its box, its last point, no program
		glyf = append(glyf, 1, 1, 1, 1)                // points on the curve, coordinates of two bytes
		glyf = int16s(glyf, 0, 0, side, 0, 0, side, 0, -side)
		glyf = append(glyf, 0, 0) // so that the next one is aligned
		hmtx = int16s(hmtx, 1000, 0)
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	head := int16s(nil, 1, 0, 1, 0, 0, 0, 0x5F0F, 0x3CF5, 3, 1000)
	head = append(head, make([]byte, 16)...) // times
	head = int16s(head, 0, 0, 1000, 1000, 0, 8, 2, 1, 0)
	maxp := int16s(nil, 1, 0, glyphs, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
	hhea := int16s(nil, 1, 0, 800, -200, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, glyphs)
	cmap := int16s(nil, 0, 1, 3, 1, 0, 12, // one table, for Unicode
		4, 32, 0, 4, 4, 1, 0, // format 4 with two segments
		'A'+glyphs-2, -1, 0, 'A', -1, 1-'A', 1, 0, 0)
	os2 := int16s(nil, 4, 1000, 400, 5)
	os2 = append(os2, make([]byte, 96-len(os2))...)
	post := append(int16s(nil, 3, 0), make([]byte, 28)...)
	return fontFile([]fontTable{
		{"OS/2", os2}, {"cmap", cmap}, {"glyf", glyf}, {"head", head}, {"hhea", hhea},
		{"hmtx", hmtx}, {"loca", loca}, {"maxp", maxp}, {"name", int16s(nil, 0, 0, 6)}, {"post", post},
	})
}

type fontTable struct {
	tag  string
	data []byte
}

// fontFile puts tables together.
func fontFile(tables []fontTable) []byte {
	file := int16s(nil, 1, 0, len(tables), 128, 3, len(tables)*16-128)
	var body bytes.Buffer
	for _, t := range tables {
		file = append(file, t.tag...)
		var sum uint32
		for chunk := t.data; len(chunk) > 0; {
			var word [4]byte
			chunk = chunk[copy(word[:], chunk):]
			sum += binary.BigEndian.Uint32(word[:])
		}
		file = binary.BigEndian.AppendUint32(file, sum)
		file = binary.BigEndian.AppendUint32(file, uint32(12+16*len(tables)+body.Len()))
		file = binary.BigEndian.AppendUint32(file, uint32(len(t.data)))
		body.Write(t.data)
		body.Write(make([]byte, -len(t.data)&3))
	}
	return append(file, body.Bytes()...)
}

// int16s appends numbers of 16 bits.
func int16s(b []byte, numbers ...int) []byte {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint16(b, uint16(n))
	}
	return b
}
