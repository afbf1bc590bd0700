package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/precompress/precompress/precompress"
)

// progress is a bar on standard error where that is a terminal, and nothing
// elsewhere. It is redrawn at a steady pace, so that the time left counts down while
// a large file is encoded. A run that ends before the first redraw shows none.
type progress struct {
	out  *output
	quit chan struct{} // nil while the bar is not drawn
	done chan struct{} // closed when drawing has ended

	mu      sync.Mutex // guards what follows
	started time.Time
	now     precompress.Progress
}

const progressPace = 250 * time.Millisecond

func (o *output) progress() *progress { return &progress{out: o} }

// update shows how far a run has come.
func (p *progress) update(now precompress.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = now
	if p.quit == nil && p.started.IsZero() && !p.out.quiet && isTerminal(p.out.stderr) && os.Getenv("TERM") != "dumb" {
		p.started = time.Now()
		p.quit, p.done = make(chan struct{}), make(chan struct{})
		go p.draw()
	}
}

// stop takes the bar away.
func (p *progress) stop() {
	if p.quit != nil {
		close(p.quit)
		<-p.done
		p.quit = nil
	}
}

// draw draws the bar until stop is called, and then clears it.
func (p *progress) draw() {
	defer close(p.done)
	pace := time.NewTicker(progressPace)
	defer pace.Stop()
	drawn := false
	for {
		select {
		case <-p.quit:
			if drawn {
				fmt.Fprint(p.out.stderr, "\r\x1b[K")
			}
			return
		case <-pace.C:
			p.mu.Lock()
			now, elapsed := p.now, time.Since(p.started)
			p.mu.Unlock()
			fmt.Fprint(p.out.stderr, "\r"+progressLine(now, elapsed, width(p.out.stderr))+"\x1b[K")
			drawn = true
		}
	}
}

// progressLine returns a line of fewer than width columns: as many of its parts
// as fit, and a bar in the room that is left.
func progressLine(now precompress.Progress, elapsed time.Duration, width int) string {
	share := 1.0
	if now.TotalBytes > 0 {
		share = float64(now.Bytes) / float64(now.TotalBytes)
	}
	parts := []string{fmt.Sprintf("%3.0f %%", 100*share), size(now.Bytes) + " of " + size(now.TotalBytes)}
	if now.Bytes > 0 {
		rate := float64(now.Bytes) / elapsed.Seconds()
		left := time.Duration(float64(now.TotalBytes-now.Bytes) / rate * float64(time.Second))
		parts = append(parts, left.Round(time.Second).String()+" left", size(int64(rate))+"/s")
	}
	line := ""
	for _, part := range parts {
		if part = part + "  "; len(line)+len(part) < width {
			line += part
		}
	}
	const narrowest, widest = 10, 40
	if room := min(width-len(line)-len("[] "), widest); room >= narrowest {
		full := int(share * float64(room))
		line += "[" + strings.Repeat("#", full) + strings.Repeat("-", room-full) + "]"
	}
	return strings.TrimRight(line, " ")
}

// width returns the columns of a terminal.
func width(terminal any) int {
	if f, ok := terminal.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}
