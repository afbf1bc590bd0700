package precompress

import "github.com/precompress/precompress/manifest"

// encodingCost returns about how many nanoseconds encoding takes on one core,
// verified: so much for each source and so much for each byte, as measured on
// files of web sites. At the default levels, brotli is more than 90 % of it.
// Only the ratios matter.
func encodingCost(s setting, size int64) int64 {
	if s.dictionary != nil {
		return deltaCost(s, size)
	}
	const brotli, zstd, gzip = 0, 1, 2
	table := [...][]struct{ upTo, source, byte int64 }{
		brotli: {{4, 100_000, 20}, {5, 400_000, 35}, {6, 400_000, 45}, {7, 400_000, 60}, {8, 600_000, 85}, {9, 600_000, 120}, {10, 2_000_000, 1100}, {11, 1_000_000, 3600}},
		zstd:   {{2, 60_000, 9}, {5, 75_000, 15}, {9, 80_000, 19}, {18, 150_000, 65}, {19, 400_000, 650}, {20, 700_000, 1150}, {21, 800_000, 1350}, {22, 1_300_000, 2100}},
		gzip:   {{3, 90_000, 15}, {7, 80_000, 16}, {8, 80_000, 32}, {9, 50_000, 76}, {10, 100_000, 400}, {11, 200_000, 500}, {12, 350_000, 600}, {13, 12_000_000, 3700}},
	}
	row := table[gzip]
	switch s.coding {
	case manifest.Brotli:
		row = table[brotli]
	case manifest.Zstd:
		row = table[zstd]
	}
	for _, at := range row {
		if int64(s.level) <= at.upTo {
			return at.source + at.byte*size
		}
	}
	last := row[len(row)-1]
	return last.source + last.byte*size
}

// deltaCost is [encodingCost] for a delta: reading the dictionary in is much
// cheaper than encoding is.
func deltaCost(s setting, size int64) int64 {
	stream := setting{coding: manifest.Brotli, level: s.level}
	if s.coding == manifest.DCZ {
		return 1_000_000 + 700*size + 350*s.dictionary.size
	}
	return encodingCost(stream, size) + 100*s.dictionary.size
}
