package precompress

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/precompress/precompress/internal/bytesize"
	"github.com/precompress/precompress/manifest"
)

// Saving is the least that a variant must save to be kept. The zero value
// asks for more than the bytes of its Content-Encoding field
// ([manifest.Coding.FieldSize]). Whatever the saving, a variant that is not
// smaller than its source is never kept.
type Saving struct {
	set     bool
	bytes   int64
	percent float64
}

// SaveBytes returns a Saving of at least n bytes.
func SaveBytes(n int64) Saving { return Saving{set: true, bytes: n} }

// SavePercent returns a Saving of at least p percent of the source's bytes.
func SavePercent(p float64) Saving { return Saving{set: true, percent: p} }

// ParseSaving reads "120", "1kB" or "3%".
func ParseSaving(text string) (Saving, error) {
	if number, found := strings.CutSuffix(strings.TrimSpace(text), "%"); found {
		p, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(p >= 0 && p < 100) {
			return Saving{}, fmt.Errorf("%q is not a percentage from 0 to below 100", text)
		}
		return SavePercent(p), nil
	}
	n, err := bytesize.Parse(text)
	if err != nil {
		return Saving{}, err
	}
	return SaveBytes(n), nil
}

// pays reports whether a variant of the given size is worth keeping.
func (s Saving) pays(source, variant int64, c manifest.Coding) bool {
	saved := source - variant
	switch {
	case saved <= 0:
		return false
	case !s.set:
		return saved > c.FieldSize()
	}
	return saved >= s.bytes && float64(saved)*100 >= s.percent*float64(source)
}

// mayPay reports whether any variant of a source of this size could be kept:
// the smallest stream of any coding is one byte.
func (s Saving) mayPay(source int64, codings []manifest.Coding) bool {
	for _, c := range codings {
		if s.pays(source, 1, c) {
			return true
		}
	}
	return false
}

// candidate is what weigh chooses among: one coding's encoded size, if it is
// known.
type candidate struct {
	coding manifest.Coding
	size   int64
	probed bool // found incompressible by the probe, never encoded
}

// weigh decides for each candidate of one source whether its variant is kept
// ("") or why it is omitted. It is a pure function of sizes, so that a plan
// can weigh again what an earlier build measured.
func weigh(source int64, candidates []candidate, saving Saving, dropDominated bool) []manifest.Omission {
	out := make([]manifest.Omission, len(candidates))
	for i, c := range candidates {
		switch {
		case c.probed:
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
