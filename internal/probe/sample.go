package probe

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Sample picks n targets, always the same ones of the same manifest, or all if
// there are no more. Every type of file, by its extension, has its turn until n
// are picked, the types with the most files first. Of one type the largest file
// is taken, and from there on down to the smallest in even steps. The order is
// that of the targets.
func Sample(targets []Target, n int) []Target {
	if n >= len(targets) {
		return targets
	}
	groups := byType(targets)
	take := make([]int, len(groups))
	for left := n; left > 0; {
		for i := range groups {
			if left > 0 && take[i] < len(groups[i]) {
				take[i]++
				left--
			}
		}
	}
	var picked []int
	for i, g := range groups {
		picked = append(picked, spread(g, take[i])...)
	}
	slices.Sort(picked)
	sample := make([]Target, len(picked))
	for i, at := range picked {
		sample[i] = targets[at]
	}
	return sample
}

// byType returns the indices of the targets of each type, the largest file first.
func byType(targets []Target) [][]int {
	indices := make(map[string][]int)
	for i, t := range targets {
		ext := strings.ToLower(path.Ext(t.Asset.Path))
		indices[ext] = append(indices[ext], i)
	}
	var groups [][]int
	for _, g := range indices {
		slices.SortFunc(g, func(a, b int) int {
			return cmp.Or(cmp.Compare(targets[b].Asset.Size, targets[a].Asset.Size), cmp.Compare(a, b))
		})
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(slices.Min(a), slices.Min(b)))
	})
	return groups
}

// spread picks n of the group in even steps, the first and the last among them.
func spread(group []int, n int) []int {
	var picked []int
	for k := range n {
		at := 0
		if n > 1 {
			at = k * (len(group) - 1) / (n - 1)
		}
		picked = append(picked, group[at])
	}
	return picked
}
