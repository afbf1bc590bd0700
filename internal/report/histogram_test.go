package report

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/page"
	"github.com/precompress/precompress/manifest"
)

func TestBins(t *testing.T) {
	t.Parallel()
	asset := func(size, variant int64) manifest.Asset {
		return manifest.Asset{Size: size, Variants: []manifest.Variant{{Coding: manifest.Gzip, Size: variant}}}
	}
	for name, test := range map[string]struct {
		assets []manifest.Asset
		want   []bin
	}{
		"none":   {nil, nil},
		"bounds": {[]manifest.Asset{asset(100, 99), asset(199, 50), asset(200, 100)}, []bin{{50, 100, 0, 2}, {100, 200, 2, 1}, {200, 500, 1, 0}}},
		"empty":  {[]manifest.Asset{asset(0, 0), asset(1, 1)}, []bin{{0, 1, 1, 1}, {1, 2, 1, 1}}},
		"gaps":   {[]manifest.Asset{asset(900, 60)}, []bin{{50, 100, 0, 1}, {100, 200, 0, 0}, {200, 500, 0, 0}, {500, 1000, 1, 0}}},
		"not known": {[]manifest.Asset{{Size: 7, Variants: []manifest.Variant{{Coding: manifest.Gzip, Stale: true}, {Coding: manifest.Brotli, Omitted: manifest.Larger}}}},
			[]bin{{5, 10, 1, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, bins(test.assets)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBinsWide: sizes from nothing to the largest that there is make no more bins
// than can be seen, and none is lost.
func TestBinsWide(t *testing.T) {
	t.Parallel()
	all := bins([]manifest.Asset{{Size: 0}, {Size: 3}, {Size: 1 << 40}, {Size: 1<<63 - 1}})
	sum := 0
	for i, b := range all {
		sum += b.Sources
		if i > 0 && b.From != all[i-1].To {
			t.Errorf("there is something between %+v and %+v", all[i-1], b)
		}
	}
	if len(all) != mostBins || all[0].From != 0 || sum != 4 {
		t.Errorf("%d bins of %d files: %+v", len(all), sum, all)
	}
}

func TestStep(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]int{0: 1, 1: 1, 5: 1, 6: 2, 11: 2, 12: 5, 29: 5, 30: 10, 999: 200, 20000: 5000} {
		if got := step(most); got != want {
			t.Errorf("step(%d) = %d, want %d", most, got, want)
		}
	}
	if got, want := fmt.Sprint(bin{From: 0, To: 200}.Sizes(), " ", bin{From: 1000, To: 2000}.Sizes()), "under 200 B 1.0 kB to 2.0 kB"; got != want {
		t.Errorf("bins are called %q, want %q", got, want)
	}
}

// TestHistogramScale: there is room for the numbers beside the bars.
func TestHistogramScale(t *testing.T) {
	t.Parallel()
	for _, files := range []int{1, 999, 20_000, 12_000_000} {
		text := string(histogramFigure([]bin{{From: 0, To: 100, Sources: files}}).HTML())
		labels := regexp.MustCompile(`<text class="small faint last" x="([0-9.]+)"[^>]*>([0-9,]+)<`).FindAllStringSubmatch(text, -1)
		if len(labels) < 4 {
			t.Fatalf("%d labels in %s", len(labels), text)
		}
		for _, l := range labels {
			if end, err := strconv.ParseFloat(l[1], 64); err != nil || end < page.TextWidth(l[2]) {
				t.Errorf("%d files: %s ends at %s, %v, and is about %g wide", files, l[2], l[1], err, page.TextWidth(l[2]))
			}
		}
	}
}
