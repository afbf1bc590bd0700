package main

import (
	"github.com/precompress/precompress/precompress"
)

// reported tells of the page that was written about one tree.
func (o *output) reported(dir, file string, p *precompress.Plan, problems []precompress.Problem, length int) {
	if file != standardOutput {
		var bytes int64
		assets := p.Sizes()
		for _, a := range assets {
			bytes += a.Size
		}
		o.result("%s: %s, %s: see %s (%s)\n", o.bold(precompress.PrintablePath(dir)), count(len(assets), "asset"), size(bytes), precompress.PrintablePath(file), size(int64(length)))
	}
	warnings := warningTexts(p.Warnings)
	if len(problems) > 0 {
		text := "not up to date: " + problemCounts(problems)
		if p.Encodes() {
			text += ": the page counts what is to be encoded as if it were not there"
		}
		warnings = append([]string{text}, warnings...)
	}
	o.warnings(dir, warnings)
	o.failures(dir, p.Failures)
}
