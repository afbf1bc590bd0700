package main

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/precompress"
)

// audited prints a line for every file and total that is over budget, with
// --quiet too, and tells which budgets could not be held against every asset.
func (o *output) audited(dir string, a audited) {
	if o.json != nil {
		o.json.overBudget(a.over)
	}
	for _, x := range a.over {
		o.faulty(overrunText(x) + "\n")
	}
	for _, u := range a.unknown {
		text := fmt.Sprintf("the budget %s leaves out %s whose size is not known: not built yet, or failed",
			precompress.PrintablePath(u.budget.Text), count(u.assets, "asset"))
		if o.json != nil {
			o.json.warning(text)
		}
		o.warnings(dir, []string{text})
	}
}

// overrunText says what is over budget, and by how much.
func overrunText(x budget.Overrun) string {
	what := precompress.PrintablePath(x.Path) + ": " + string(x.Coding)
	if x.Path == "" {
		what = "total of " + count(x.Assets, "file") + ": " + countedIn(x.Coding)
	}
	return fmt.Sprintf("%s: over budget: %s bytes, %s over the limit of %s (%s)", what,
		humanize.Comma(x.Bytes), humanize.Comma(x.Excess()), humanize.Comma(x.Budget.Limit), precompress.PrintablePath(x.Budget.Text))
}

// idleBudget tells that a budget is about no asset of any tree.
func (o *output) idleBudget(b budget.Budget) {
	text := fmt.Sprintf("the budget %s matches no asset: correct its glob (files that are skipped do not count)", precompress.PrintablePath(b.Text))
	if o.json != nil {
		o.json.failure("budget", text)
	}
	o.message("%s: %s", o.red("failed"), text)
}
