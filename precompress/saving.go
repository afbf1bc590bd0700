package precompress

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/precompress/precompress/internal/bytesize"
	"github.com/precompress/precompress/manifest"
)

// Saving is the least that a variant must save to be stored. The zero value requires
// more than the bytes of the Content-Encoding field ([manifest.Coding.FieldSize]). A
// variant that is not smaller than its source is never stored.
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

// pays reports whether a variant of the given size is worth storing.
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

// mayPay reports whether any variant of a source of this size could be stored: the
// smallest stream of any coding has one byte.
func (s Saving) mayPay(source int64, codings []manifest.Coding) bool {
	for _, c := range codings {
		if s.pays(source, 1, c) {
			return true
		}
	}
	return false
}
