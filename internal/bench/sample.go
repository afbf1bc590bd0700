package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/precompress/precompress/precompress"
)

// SampleKinds returns the kinds of samples that [Samples] knows.
func SampleKinds() []string { return []string{"json", "json-base64", "small", "rfc"} }

// Samples generates the inputs of a kind. They are made of a fixed seed: everyone
// measures the same bytes. The one exception is a PNG's compressed part, which is as
// package image/png of the release of Go makes it.
//
//	json         a list of records as an API answers with, of 1.9 kB, 200 kB and 5 MB
//	json-base64  a JSON document with a PNG in base64, and that PNG by itself
//	small        a JSON body of 115 bytes
//	rfc          a text in the form of an RFC, of 300 kB
//
// Each input's name is that of its kind with "sample " in front, of json with its size
// behind.
//
// The error wraps [precompress.ErrInvalidOptions] if there is no such kind.
func Samples(kind string) ([]*Input, error) {
	switch kind {
	case "json":
		return []*Input{
			newSample("json-1.9kB", jsonList(3, 1_900)),
			newSample("json-200kB", jsonList(1, 200_000)),
			newSample("json-5MB", jsonList(1, 5_000_000)),
		}, nil
	case "json-base64":
		picture := photo()
		return []*Input{newSample("json-base64", jsonPicture(picture)), newSample("png", picture)}, nil
	case "small":
		return []*Input{newSample("small", smallBody())}, nil
	case "rfc":
		return []*Input{newSample("rfc", rfcText(300_000))}, nil
	}
	return nil, fmt.Errorf("%w: unknown sample %q: choose from %s", precompress.ErrInvalidOptions, kind, strings.Join(SampleKinds(), ", "))
}

func newSample(name string, content []byte) *Input {
	return &Input{name: "sample " + name, kind: Sample, items: []item{{"", int64(len(content)), func() ([]byte, error) { return content, nil }}}}
}

// dice are random numbers that depend on nothing but the seed: only whole numbers of
// the generator itself, which is specified, and no method that another release of Go
// may derive from them in another way.
type dice struct{ source *rand.PCG }

func newDice(seed uint64) dice { return dice{rand.NewPCG(seed, seed)} }

// n returns a number from 0 to below limit.
func (d dice) n(limit int) int { return int(d.source.Uint64() % uint64(limit)) }

// between returns a number from low to high.
func (d dice) between(low, high int) int { return low + d.n(high-low+1) }

// chance is true so many times out of a hundred.
func (d dice) chance(percent int) bool { return d.n(100) < percent }

func (d dice) pick(list []string) string { return list[d.n(len(list))] }

// skewed is pick with a liking for what is in front, as languages have for some words.
func (d dice) skewed(list []string) string {
	return list[min(d.n(len(list)), d.n(len(list)), d.n(len(list)))]
}

// some returns so many of a list, in its order.
func (d dice) some(list []string, count int) []string {
	chosen := slices.Clone(list)
	for len(chosen) > count {
		at := d.n(len(chosen))
		chosen = slices.Delete(chosen, at, at+1)
	}
	return chosen
}

// hex returns so many hexadecimal digits.
func (d dice) hex(digits int) string {
	text := ""
	for len(text) < digits {
		text += fmt.Sprintf("%016x", d.source.Uint64())
	}
	return text[:digits]
}
