package s3

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

var errSlow = errors.New("it does not answer, or too slowly")

// progressTimer cancels a request that makes too little progress. Bytes that move give
// it more time, but never more than one window of it.
type progressTimer struct {
	window time.Duration
	rate   int64 // bytes per second at least
	cancel context.CancelCauseFunc

	mu       sync.Mutex
	timer    *time.Timer
	deadline time.Time
}

// requireProgress returns a context for a request that has to make progress within first.
func requireProgress(ctx context.Context, first, window time.Duration, rate int64) (context.Context, *progressTimer) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &progressTimer{window: window, rate: rate, cancel: cancel, deadline: time.Now().Add(first)}
	t.timer = time.AfterFunc(first, func() { cancel(errSlow) })
	return ctx, t
}

// moved counts n bytes as progress.
func (t *progressTimer) moved(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	gained := time.Duration(float64(n) / float64(t.rate) * float64(time.Second))
	t.set(now, min(t.deadline.Sub(now)+gained, max(t.window, t.deadline.Sub(now))))
}

// begin starts a new stage of the request, which has this time for its first progress.
func (t *progressTimer) begin(first time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.set(time.Now(), first)
}

// pause stops the clock until begin is called.
func (t *progressTimer) pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Stop()
}

func (t *progressTimer) set(now time.Time, left time.Duration) {
	t.deadline = now.Add(left)
	t.timer.Reset(left)
}

// stop stops the timer and ends the request.
func (t *progressTimer) stop() {
	t.timer.Stop()
	t.cancel(nil)
}

// progressReader counts what is read as progress. It hides the other methods of its reader.
type progressReader struct {
	io.Reader
	t *progressTimer
}

func (r progressReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.t.moved(n)
	return n, err
}
