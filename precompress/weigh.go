package precompress

import "github.com/precompress/precompress/manifest"

// candidate is what weigh chooses among: the encoded size of one coding.
type candidate struct {
	coding manifest.Coding
	size   int64
	// incompressible is set if the source was found incompressible and not encoded.
	incompressible bool
}

// weigh decides for each candidate of one source whether its variant is kept ("") or
// why it is omitted. It depends on sizes alone, so that a plan can weigh again what an
// earlier build measured.
func weigh(source int64, candidates []candidate, saving Saving, dropDominated bool) []manifest.Omission {
	out := make([]manifest.Omission, len(candidates))
	for i, c := range candidates {
		switch {
		case c.incompressible:
			out[i] = manifest.Incompressible
		case !saving.pays(source, c.size, c.coding):
			out[i] = manifest.Larger
		}
	}
	if !dropDominated {
		return out
	}
	for i, c := range candidates {
		for j, d := range candidates {
			beaten := support(d.coding) > support(c.coding) && d.size <= c.size
			if out[i] == "" && beaten && (out[j] == "" || out[j] == manifest.Dominated) {
				out[i] = manifest.Dominated
			}
		}
	}
	return out
}

// support ranks codings by the clients that accept them: those that accept
// zstd accept br, those that accept br accept gzip.
func support(c manifest.Coding) int {
	switch c {
	case manifest.Gzip:
		return 3
	case manifest.Brotli:
		return 2
	}
	return 1
}

// weighDelta decides whether a delta is kept ("") or why it is omitted, given the
// bytes of the smallest other representation. A response with a delta has two field
// values more than one without a coding: its coding, and the second name in Vary (RFC
// 9842, section 6.2).
func weighDelta(smallest, size int64, c manifest.Coding, saving Saving) manifest.Omission {
	fields := c.FieldSize() + int64(len(", Available-Dictionary"))
	if smallest-size > fields && saving.pays(smallest, size, c) {
		return ""
	}
	return manifest.Larger
}
