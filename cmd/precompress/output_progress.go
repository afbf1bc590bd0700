package main

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/precompress/precompress/precompress"
)

// progress is a bar on standard error, where that is a terminal; elsewhere it
// is nothing.
type progress struct {
	on  bool
	out *output
	bar *progressbar.ProgressBar // nil until there is work
}

func (o *output) progress() *progress {
	return &progress{on: isTerminal(o.stderr) && !o.quiet, out: o}
}

// update shows how far a run has come.
func (p *progress) update(now precompress.Progress) {
	if !p.on {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(now.TotalBytes,
			progressbar.OptionSetWriter(p.out.stderr),
			progressbar.OptionSetDescription("compressing"),
			progressbar.OptionShowBytes(true),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionEnableColorCodes(p.out.color),
			progressbar.OptionClearOnFinish())
	}
	p.bar.Set64(now.Bytes) // a bar that cannot be drawn is no fault of the build
}

// stop takes the bar away.
func (p *progress) stop() {
	if p.bar != nil {
		p.bar.Clear()
		p.bar = nil
	}
	p.on = false
}
