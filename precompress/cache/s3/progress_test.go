package s3

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress: a transfer may be slow, but not stand still or crawl.
func TestProgress(t *testing.T) {
	for name, test := range map[string]struct {
		every time.Duration
		bytes int
		ends  bool
	}{
		"fast":  {100 * time.Millisecond, 10_000, false},
		"slow":  {900 * time.Millisecond, 1000, false},
		"still": {900 * time.Millisecond, 0, true},
		"crawl": {10 * time.Millisecond, 1, true},
	} {
		t.Run(name, func(t *testing.T) { checkProgress(t, test.every, test.bytes, test.ends) })
	}
}

// checkProgress moves bytes at regular times for a minute, 1,000 bytes per
// second being the least that is allowed.
func checkProgress(t *testing.T, every time.Duration, bytes int, ends bool) {
	synctest.Test(t, func(t *testing.T) {
		ctx, timer := requireProgress(t.Context(), time.Second, time.Second, 1000)
		defer timer.stop()
		from := time.Now()
		for ctx.Err() == nil && time.Since(from) < time.Minute {
			time.Sleep(every)
			timer.moved(bytes)
		}
		if ended := errors.Is(context.Cause(ctx), errSlow); ended != ends {
			t.Errorf("ended: %t, want %t", ended, ends)
		}
		if ends && time.Since(from) > 2*time.Second {
			t.Errorf("it ended after %v", time.Since(from))
		}
	})
}
