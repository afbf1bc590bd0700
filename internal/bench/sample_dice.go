package bench

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// sampleWords has the lists of words and sentences that samples are made of.
//
//go:embed sample_words.txt
var sampleWords string

// dice makes the random choices of a sample. They depend on nothing but the seed: dice
// uses only the numbers of the generator itself, whose algorithm is specified. Other
// methods of package rand may change with the release of Go.
type dice struct {
	source *rand.PCG
	lists  map[string][]string // of sampleWords, by name
}

func newDice(seed uint64) dice {
	d := dice{rand.NewPCG(seed, seed), make(map[string][]string)}
	for section := range strings.SplitSeq(strings.TrimSuffix(sampleWords, "\n"), "\n\n") {
		name, content, _ := strings.Cut(section, ":\n")
		if name, byLine := strings.CutSuffix(name, " by line"); byLine {
			d.lists[name] = strings.Split(content, "\n")
		} else {
			d.lists[name] = strings.Fields(content)
		}
	}
	return d
}

// n returns a number from 0 to limit-1.
func (d dice) n(limit int) int { return int(d.source.Uint64() % uint64(limit)) }

// between returns a number from low to high, both included.
func (d dice) between(low, high int) int { return low + d.n(high-low+1) }

// chance returns true with a probability in percent.
func (d dice) chance(percent int) bool { return d.n(100) < percent }

// pick returns an item of a list. All are equally likely.
func (d dice) pick(list string) string {
	items := d.lists[list]
	return items[d.n(len(items))]
}

// skewed returns an item of a list. The first are the most likely, as some words of a
// language are more frequent than others.
func (d dice) skewed(list string) string {
	items := d.lists[list]
	return items[min(d.n(len(items)), d.n(len(items)), d.n(len(items)))]
}

// some returns a number of items of a list, in its order.
func (d dice) some(list string, count int) []string {
	chosen := slices.Clone(d.lists[list])
	for len(chosen) > count {
		at := d.n(len(chosen))
		chosen = slices.Delete(chosen, at, at+1)
	}
	return chosen
}

// hex returns hexadecimal digits.
func (d dice) hex(digits int) string {
	text := ""
	for len(text) < digits {
		text += fmt.Sprintf("%016x", d.source.Uint64())
	}
	return text[:digits]
}
