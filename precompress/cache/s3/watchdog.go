package s3

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

var errSlow = errors.New("it does not answer, or too slowly")

// watchdog ends a request that makes too little progress: bytes that move win
// it time, but never more than one window of it.
type watchdog struct {
	window time.Duration
	rate   int64 // bytes per second at least
	cancel context.CancelCauseFunc

	mu       sync.Mutex
	timer    *time.Timer
	deadline time.Time
}

// watch returns a context for a request that is to make progress within first.
func watch(ctx context.Context, first, window time.Duration, rate int64) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watchdog{window: window, rate: rate, cancel: cancel, deadline: time.Now().Add(first)}
	w.timer = time.AfterFunc(first, func() { cancel(errSlow) })
	return ctx, w
}

// moved notes that n bytes moved.
func (w *watchdog) moved(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	won := time.Duration(float64(n) / float64(w.rate) * float64(time.Second))
	w.set(now, min(w.deadline.Sub(now)+won, max(w.window, w.deadline.Sub(now))))
}

// begin notes that the request has come to a new stage, which has this time for
// its first progress.
func (w *watchdog) begin(first time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set(time.Now(), first)
}

// pause stops the clock until begin is called.
func (w *watchdog) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
}

func (w *watchdog) set(now time.Time, left time.Duration) {
	w.deadline = now.Add(left)
	w.timer.Reset(left)
}

// stop ends watching and the request.
func (w *watchdog) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// watchedReader reports what is read. It hides the other methods of its reader.
type watchedReader struct {
	io.Reader
	w *watchdog
}

func (r watchedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.w.moved(n)
	return n, err
}
