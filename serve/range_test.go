package serve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRange(t *testing.T) {
	one := func(start, length int64) []byteRange { return []byteRange{{start, length}} }
	tests := []struct {
		field   string
		size    int64
		want    []byteRange
		verdict rangeVerdict
	}{
		{"bytes=0-0", 100, one(0, 1), rangeSatisfiable},
		{"bytes=0-99", 100, one(0, 100), rangeSatisfiable},
		{"bytes=90-", 100, one(90, 10), rangeSatisfiable},
		{"bytes=90-1000", 100, one(90, 10), rangeSatisfiable},
		{"bytes=-10", 100, one(90, 10), rangeSatisfiable},
		{"bytes=-1000", 100, one(0, 100), rangeSatisfiable},
		{"BYTES=5-6", 100, one(5, 2), rangeSatisfiable},
		{"bytes= 5-6 ,\t,", 100, one(5, 2), rangeSatisfiable},
		{"bytes=0-1,100-", 100, one(0, 2), rangeSatisfiable},
		{"bytes=0-1,-1", 100, []byteRange{{0, 2}, {99, 1}}, rangeSatisfiable},
		{"bytes=20-29,0-9", 100, []byteRange{{20, 10}, {0, 10}}, rangeSatisfiable},
		{"bytes=0-9,10-19", 100, []byteRange{{0, 10}, {10, 10}}, rangeSatisfiable},
		{"bytes=5-99999999999999999999999", 100, one(5, 95), rangeSatisfiable},
		{"bytes=-99999999999999999999999", 100, one(0, 100), rangeSatisfiable},
		{"bytes=100-", 100, nil, rangeUnsatisfiable},
		{"bytes=-0", 100, nil, rangeUnsatisfiable},
		{"bytes=99999999999999999999999-", 100, nil, rangeUnsatisfiable},
		{"bytes=0-", 0, nil, rangeUnsatisfiable},
		{"bytes=-5", 0, nil, rangeIgnored},
		{"bytes=9-5", 100, nil, rangeIgnored},
		{"bytes=0-9,5-14", 100, nil, rangeIgnored},
		{"bytes=0-,0-,0-", 100, nil, rangeIgnored},
		{"bytes=0-0,9-5", 100, nil, rangeIgnored},
		{"bytes=" + strings.Repeat("0-0,", 5000), 100, nil, rangeIgnored},
		{"bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18,20-20,22-22,24-24,26-26,28-28,30-30,32-32", 100, nil, rangeIgnored},
		{"lines=0-9", 100, nil, rangeIgnored},
		{"bytes", 100, nil, rangeIgnored},
		{"bytes=", 100, nil, rangeIgnored},
		{"bytes=-", 100, nil, rangeIgnored},
		{"bytes=--1", 100, nil, rangeIgnored},
		{"bytes=+1-2", 100, nil, rangeIgnored},
		{"bytes=1 - 2", 100, nil, rangeIgnored},
		{"bytes=0x1-2", 100, nil, rangeIgnored},
		{"", 100, nil, rangeIgnored},
	}
	for _, tt := range tests {
		got, verdict := parseRange([]string{tt.field}, tt.size)
		if verdict != tt.verdict || !cmp.Equal(got, tt.want, cmp.AllowUnexported(byteRange{})) {
			t.Errorf("%q of %d: %v, %v, want %v, %v", tt.field, tt.size, got, verdict, tt.want, tt.verdict)
		}
	}
	if _, verdict := parseRange([]string{"bytes=0-1", "bytes=0-1"}, 100); verdict != rangeIgnored {
		t.Errorf("two lines: %v", verdict)
	}
}

// FuzzParseRange: what is satisfiable lies inside, in few parts that do not
// overlap.
func FuzzParseRange(f *testing.F) {
	for _, s := range []string{"bytes=0-0", "bytes=-5", "bytes=5-", "bytes=0-1,3-4", "bytes=9-5", "bytes=,", "x=1-2"} {
		f.Add(s, int64(100))
	}
	f.Fuzz(func(t *testing.T, field string, size int64) {
		if size < 0 {
			return
		}
		ranges, verdict := parseRange([]string{field}, size)
		if (verdict == rangeSatisfiable) != (len(ranges) > 0) || len(ranges) > maxRanges {
			t.Fatalf("verdict %v with %d ranges", verdict, len(ranges))
		}
		total := int64(0)
		for _, r := range ranges {
			if r.start < 0 || r.length <= 0 || r.start >= size || r.length > size-r.start {
				t.Fatalf("%v is not inside of %d", r, size)
			}
			total += r.length
		}
		if total > size {
			t.Fatalf("%d bytes of %d", total, size)
		}
	})
}
