package main

import (
	"testing"
	"time"

	"github.com/precompress/precompress/precompress"
)

func TestProgressLine(t *testing.T) {
	const mega = 1_000_000
	for _, test := range []struct {
		done, total int64
		elapsed     time.Duration
		width       int
		want        string
	}{
		{0, 14 * mega, time.Second, 80, "  0 %  0 B of 14 MB  [----------------------------------------]"},
		{7 * mega, 14 * mega, 20 * time.Second, 80, " 50 %  7.0 MB of 14 MB  20s left  350 kB/s  [################-----------------]"},
		{7 * mega, 14 * mega, 20 * time.Second, 200, " 50 %  7.0 MB of 14 MB  20s left  350 kB/s  [####################--------------------]"},
		{7 * mega, 14 * mega, 70 * time.Second, 40, " 50 %  7.0 MB of 14 MB  1m10s left"},
		{7 * mega, 14 * mega, 20 * time.Second, 24, " 50 %  20s left"},
		{7 * mega, 14 * mega, 20 * time.Second, 10, " 50 %"},
		{7 * mega, 14 * mega, 20 * time.Second, 3, ""},
		{14 * mega, 14 * mega, 20 * time.Second, 60, "100 %  14 MB of 14 MB  0s left  700 kB/s  [###############]"},
		{0, 0, time.Second, 30, "100 %  0 B of 0 B"},
	} {
		now := precompress.Progress{Bytes: test.done, TotalBytes: test.total}
		got := progressLine(now, test.elapsed, test.width)
		if got != test.want {
			t.Errorf("%d of %d after %v in %d columns:\n got %q\nwant %q", test.done, test.total, test.elapsed, test.width, got, test.want)
		}
		if len(got) >= test.width {
			t.Errorf("%q has no less than %d columns", got, test.width)
		}
	}
}
