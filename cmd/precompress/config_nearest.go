package main

import "slices"

// nearest returns the name that text may be a slip of, "" if none is near: at
// most one change in three letters.
func nearest(text string, names []string) string {
	best, least := "", len(text)/3+1
	for _, name := range slices.Sorted(slices.Values(names)) {
		if d := distance(text, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance returns how many bytes must be inserted, removed or replaced to get
// from a to b (Levenshtein's distance).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
