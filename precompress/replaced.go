package precompress

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// replacements count the outputs of encoders that were wrong and that a second
// encoder replaced, in several goroutines at a time.
type replacements struct {
	mu sync.Mutex
	of map[setting]int
}

func (r *replacements) add(s setting) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = make(map[setting]int)
	}
	r.of[s]++
}

// warnings says what was replaced, a line for each coding and level.
func (r *replacements) warnings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	sorted := slices.SortedFunc(maps.Keys(r.of), func(a, b setting) int {
		return cmp.Or(strings.Compare(string(a.coding), string(b.coding)), cmp.Compare(a.level, b.level))
	})
	var lines []string
	for _, s := range sorted {
		lines = append(lines, fmt.Sprintf("%s %d: the encoder was wrong %d times, as verifying found; another took over, and what is stored is right; please report this",
			s.coding, s.level, r.of[s]))
	}
	return lines
}
