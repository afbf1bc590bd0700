package codec

import "github.com/precompress/precompress/manifest"

// Cost returns about how many nanoseconds of one core it takes to encode and verify
// a source of size bytes: a fixed part for each source and a part for each byte, as
// measured on files of web sites. At the default levels, brotli is more than 90 %
// of it. Only the ratios matter.
func Cost(p Params, size int64) int64 {
	if p.Dictionary != nil {
		return deltaCost(p, size)
	}
	const brotli, zstd, gzip = 0, 1, 2
	table := [...][]struct{ upTo, source, byte int64 }{
		brotli: {{4, 100_000, 20}, {5, 400_000, 35}, {6, 400_000, 45}, {7, 400_000, 60}, {8, 600_000, 85}, {9, 600_000, 120}, {10, 2_000_000, 1100}, {11, 1_000_000, 3600}},
		zstd:   {{2, 60_000, 9}, {5, 75_000, 15}, {9, 80_000, 19}, {18, 150_000, 65}, {19, 400_000, 650}, {20, 700_000, 1150}, {21, 800_000, 1350}, {22, 1_300_000, 2100}},
		gzip:   {{3, 90_000, 15}, {7, 80_000, 16}, {8, 80_000, 32}, {9, 50_000, 76}, {10, 100_000, 400}, {11, 200_000, 500}, {12, 350_000, 600}, {13, 12_000_000, 3700}},
	}
	row := table[gzip]
	switch p.Coding {
	case manifest.Brotli:
		row = table[brotli]
	case manifest.Zstd:
		row = table[zstd]
	}
	for _, at := range row {
		if int64(p.Level) <= at.upTo {
			return at.source + at.byte*size
		}
	}
	last := row[len(row)-1]
	return last.source + last.byte*size
}

// deltaCost is [Cost] for a delta. Reading a dictionary is much cheaper than
// encoding.
func deltaCost(p Params, size int64) int64 {
	if p.Coding == manifest.DCZ {
		return 1_000_000 + 700*size + 350*p.Dictionary.Size()
	}
	return Cost(Params{Coding: manifest.Brotli, Level: p.Level}, size) + 100*p.Dictionary.Size()
}

// Memory returns about how many bytes it takes to encode a source of size bytes
// with all of the given parameters, one after another, at the highest point: the
// source, its encoded forms, the largest of the working memories that are freed,
// and those that are kept for the next source. Deltas are for [DeltaMemory].
func Memory(size int64, all []Params) int64 {
	var freed, kept int64
	for _, p := range all {
		frees, keeps := workingMemory(p.Coding, p.Level, size)
		freed = max(freed, frees)
		kept += keeps
	}
	return 2*size + freed + kept
}

// DeltaMemory is [Memory] for one delta: the source, its encoded form, the
// dictionary, and the working memory.
func DeltaMemory(size int64, p Params) int64 {
	dictionary := p.Dictionary.Size()
	if p.Coding == manifest.DCZ {
		return 2*size + dictionary + 24*mebibyte + 14*(size+dictionary)
	}
	freed, _ := workingMemory(manifest.Brotli, p.Level, size)
	return 2*size + dictionary + freed + 16*mebibyte + 9*dictionary
}

// workingMemory returns the working memory of an encoder in bytes, fitted to the
// measured peaks of whole processes: what is freed once a source is encoded, and
// what is kept for the next.
func workingMemory(c manifest.Coding, level int, size int64) (freed, kept int64) {
	switch c {
	case manifest.Brotli:
		window := int64(1) << brotliWindow(size)
		if level < 10 {
			return 4*mebibyte + 4*window, 0
		}
		return 4*mebibyte + 6*window + 21*min(size, window)/2, 0
	case manifest.Zstd:
		if level > maxFastZstd {
			need := 12*mebibyte + 30*min(size, mebibyte) + 12*min(size, manifest.MaxWindow)
			if size > maxKept {
				return need, 0
			}
			return 0, need
		}
		return 2 * min(size, manifest.MaxWindow), 44 * mebibyte
	}
	if level > maxFastGzip {
		return 0, 6*mebibyte + 24*min(size, mebibyte)
	}
	return 0, 2 * mebibyte
}
