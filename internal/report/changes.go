package report

import (
	"cmp"
	"fmt"
	"html/template"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/internal/page"
)

// mostChanges is how many changes are listed; the rest are summed up.
const mostChanges = 100

// changes compares the tree with an earlier build.
type changes struct {
	Since         string
	Before, After int64  // bytes of the smallest representations of all assets compared
	Kinds         string // how many changes of each kind
	Listed        []change
	More          int
	MoreBytes     int64
	Unknown       int // names that are not built yet
}

// Delta returns the change of the total, in bytes.
func (c *changes) Delta() int64 { return c.After - c.Before }

// change is the change of the assets of one name.
type change struct {
	budget.Change
	Name string
	Kind string
	most int64 // bytes of the largest change
}

func newChanges(since string, found budget.Comparison) *changes {
	c := &changes{Since: since, Unknown: found.Unknown, Before: found.Before.Smallest, After: found.After.Smallest, Kinds: "No sizes changed"}
	counts := tally{}
	for _, x := range found.Changes {
		kind := changeKind(x)
		counts[kind]++
		if len(c.Listed) == mostChanges {
			c.More++
			c.MoreBytes += x.Delta()
			continue
		}
		c.Listed = append(c.Listed, change{Change: x, Name: changeName(x), Kind: kind, most: magnitude(found.Changes[0].Delta())})
	}
	if len(counts) > 0 {
		c.Kinds = counts.text(counts.mostFrequent())
	}
	return c
}

func changeKind(x budget.Change) string {
	switch {
	case x.Before.Files == 0:
		return "new"
	case x.After.Files == 0:
		return "removed"
	case x.Delta() > 0:
		return "larger"
	case x.Delta() < 0:
		return "smaller"
	}
	return "unchanged in size"
}

// changeName returns the stable name of assets, with their number if there are several.
func changeName(x budget.Change) string {
	name := page.Shown(x.Name)
	if x.Before.Files > 1 || x.After.Files > 1 {
		name += fmt.Sprintf(" (%d → %d files)", x.Before.Files, x.After.Files)
	}
	return name
}

// Signed returns the change with its sign, as in +1,234.
func (c change) Signed() string { return page.Signed(c.Delta()) }

// Percent returns the change relative to the size before, as in +3.1 %.
func (c change) Percent() string {
	if c.Before.Smallest == 0 || c.After.Files == 0 {
		return "–"
	}
	return fmt.Sprintf("%+.1f %%", 100*float64(c.Delta())/float64(c.Before.Smallest))
}

// Bar draws a bar from the middle: to the right for more bytes, to the left for fewer.
func (c change) Bar() template.HTML {
	const width, height = 200, 14
	return page.Strip(width, height, func(canvas *page.Canvas) {
		long := max(1, width/2*float64(magnitude(c.Delta()))/float64(max(c.most, 1)))
		switch cmp.Compare(c.Delta(), 0) {
		case 1:
			canvas.Rect("grown", width/2, 0, long, height, "")
		case -1:
			canvas.Rect("shrunk", width/2-long, 0, long, height, "")
		}
		canvas.Line("axis", width/2, 0, width/2, height)
	})
}

func magnitude(n int64) int64 { return max(n, -n) }
