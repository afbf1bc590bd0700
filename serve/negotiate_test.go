package serve_test

import (
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

// negotiations are Accept-Encoding lines, split by "|", and the coding to send
// of br (80 bytes), zstd (85), gzip (90) and identity (300); "-" if there is
// none to send, "none" stands for no field line.
var negotiations = []struct{ accept, want string }{
	{"none", ""},
	{"", ""},
	{" ", ""},
	{"br", "br"},
	{"gzip", "gzip"},
	{"zstd, gzip", "zstd"},
	{"gzip, br, zstd", "br"},
	{"gzip, br;q=0.9", "gzip"},
	{"br;q=0.5", "br"},
	{"identity, br", "br"},
	{"identity, br;q=0.999", ""},
	{"identity;q=0.001, br;q=0.002", "br"},
	{"*", "br"},
	{"*;q=0.5, gzip", "gzip"},
	{"*;q=0.8, gzip;q=0.3", "br"},
	{"*;q=0", "-"},
	{"*;q=0, identity", ""},
	{"*;q=0, identity;q=0", "-"},
	{"identity;q=0", "-"},
	{"identity;q=0, *", "br"},
	{"br;q=0, *;q=0.1", "zstd"},
	{"br;q=0|gzip;q=0.1", "gzip"},
	{"br|br;q=0", ""},
	{"br;q=0, br", ""},
	{"x-gzip", "gzip"},
	{"X-GZip;Q=1", "gzip"},
	{"x-br", ""},
	{"x-", ""},
	{"BR", "br"},
	{"zſtd", ""},
	{"br;q=1.000", "br"},
	{"br;q=1.", "br"},
	{"br;q=0., gzip", "gzip"},
	{"br;q=1.001", ""},
	{"br;q=1.0000", ""},
	{"br;q=0.1234", ""},
	{"br;q=2", ""},
	{"br;q=.5", ""},
	{"br;q=", ""},
	{"br;q", ""},
	{"br;", ""},
	{"br;q=1;q=0", ""},
	{"br;q = 1", ""},
	{"br;q=0 .5", ""},
	{"br;level=3", ""},
	{`br;q="1"`, ""},
	{"br;q=-1", ""},
	{"br gzip", ""},
	{"br\t;\tq=0.3\t,\tgzip ; q=0.2", "br"},
	{",, ,br,,", "br"},
	{"br\u00a0", ""},
	{"deflate, compress", ""},
}

func TestNegotiate(t *testing.T) {
	offers := []serve.Offer{{Coding: "br", Size: 80}, {Coding: "zstd", Size: 85}, {Coding: "gzip", Size: 90}, {Size: 300}}
	for _, n := range negotiations {
		got := "-"
		if i, ok := serve.Negotiate(acceptLines(n.accept), offers); ok {
			got = string(offers[i].Coding)
		}
		if got != n.want {
			t.Errorf("%q: %q, want %q", n.accept, got, n.want)
		}
	}
}

func acceptLines(s string) []string {
	if s == "none" {
		return nil
	}
	return strings.Split(s, "|")
}

func TestNegotiateTies(t *testing.T) {
	tests := []struct {
		offers []serve.Offer
		want   int
	}{
		{[]serve.Offer{{Coding: "gzip", Size: 9}, {Coding: "br", Size: 9}}, 0},
		{[]serve.Offer{{Coding: "gzip", Size: 9}, {Coding: "br", Size: 8}}, 1},
		{[]serve.Offer{{Coding: "identity", Size: 7}, {Coding: "br", Size: 8}}, 0},
	}
	for _, tt := range tests {
		if i, ok := serve.Negotiate([]string{"br, gzip, identity"}, tt.offers); !ok || i != tt.want {
			t.Errorf("%v: %d, %v", tt.offers, i, ok)
		}
	}
	if i, ok := serve.Negotiate([]string{"*;q=0"}, []serve.Offer{{Coding: "gzip", Size: 9}, {Coding: "br", Size: 8}}); ok {
		t.Errorf("everything is refused, and %d chosen", i)
	}
	if _, ok := serve.Negotiate([]string{"*"}, nil); ok {
		t.Error("something was chosen from nothing")
	}
}

// FuzzNegotiate compares with a slow reading of the grammar that shares
// nothing with the fast one.
func FuzzNegotiate(f *testing.F) {
	for _, n := range negotiations {
		f.Add(n.accept, 80, 90)
		f.Add(n.accept, 90, 80)
	}
	f.Fuzz(func(t *testing.T, accept string, br, gz int) {
		lines := acceptLines(accept)
		offers := []serve.Offer{
			{Coding: manifest.Brotli, Size: int64(br)}, {Coding: manifest.Gzip, Size: int64(gz)}, {Size: 1000},
		}
		i, ok := serve.Negotiate(lines, offers)
		if allocs := testing.AllocsPerRun(1, func() { serve.Negotiate(lines, offers) }); allocs > 0 {
			t.Errorf("%q: %v allocations", accept, allocs)
		}
		best := 0.0
		for _, o := range offers {
			best = max(best, slowWeight(lines, string(o.Coding)))
		}
		switch {
		case !ok && best > 0:
			t.Errorf("%q: nothing chosen, best qvalue %v", accept, best)
		case ok && slowWeight(lines, string(offers[i].Coding)) == 0:
			t.Errorf("%q: %v has qvalue 0", accept, offers[i])
		case ok && slowWeight(lines, string(offers[i].Coding)) < best:
			t.Errorf("%q: %v is not the best", accept, offers[i])
		}
	})
}
