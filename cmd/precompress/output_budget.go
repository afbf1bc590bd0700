package main

import (
	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/precompress"
)

// overBudget prints a line for every file and total that is over budget.
func (o *output) overBudget(over []precompress.Overrun) {
	if o.json != nil {
		o.json.overBudget(over)
	}
	for _, x := range over {
		what := precompress.PrintablePath(x.Path) + ": " + string(x.Coding)
		if x.Path == "" {
			what = "total of " + count(x.Assets, "file") + ": " + countedIn(x.Coding)
		}
		o.result("%s: over budget: %s bytes, %s over the limit of %s (%s)\n", what,
			humanize.Comma(x.Bytes), humanize.Comma(x.Excess()), humanize.Comma(x.Budget.Limit), precompress.PrintablePath(x.Budget.Text))
	}
}

// unknownBudget tells that a budget could not be held against every asset.
func (o *output) unknownBudget(dir string, b precompress.Budget, assets int) {
	if !o.quiet {
		o.message("warning: %s: the budget %s leaves out %s whose size is not known: not built yet, or failed",
			precompress.PrintablePath(dir), precompress.PrintablePath(b.Text), count(assets, "asset"))
	}
}

// idleBudget tells that a budget is about no asset of any tree.
func (o *output) idleBudget(b precompress.Budget) {
	o.message("%s: the budget %s matches no asset: correct its glob (files that are skipped do not count)", o.red("failed"), precompress.PrintablePath(b.Text))
}
