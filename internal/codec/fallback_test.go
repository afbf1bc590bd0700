package codec

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
)

// TestFallback: output that does not decode to its source is replaced by a
// second encoder's where there is one, and that is counted for each coding and level.
func TestFallback(t *testing.T) {
	t.Parallel()
	src := []byte(strings.Repeat("replace me. ", 100))
	for _, tt := range []struct {
		coding manifest.Coding
		level  int
		spare  bool
	}{
		{manifest.Brotli, 11, true},
		{manifest.Zstd, 9, false},
		{manifest.Zstd, 19, true},
		{manifest.Zstd, 22, true},
		{manifest.Gzip, 9, false},
		{manifest.Gzip, 10, true},
		{manifest.Gzip, 13, true},
	} {
		var e Encoder
		wrong, err := e.Append(t.Context(), nil, Params{Coding: tt.coding, Level: tt.level}, bytes.ToUpper(src))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			data, err := e.verified(t.Context(), Params{Coding: tt.coding, Level: tt.level}, wrong, src)
			if !tt.spare {
				if !errors.Is(err, ErrVerify) || data != nil {
					t.Errorf("%s %d: %d bytes, error %v", tt.coding, tt.level, len(data), err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s %d: %v", tt.coding, tt.level, err)
			} else if err := Verify(t.Context(), Params{Coding: tt.coding}, bytes.NewReader(data), src); err != nil {
				t.Errorf("%s %d: replaced: %v", tt.coding, tt.level, err)
			}
		}
		found := e.Fallbacks()
		if want := (Fallback{tt.coding, tt.level, 2}); tt.spare && (len(found) != 1 || found[0] != want) || !tt.spare && found != nil {
			t.Errorf("%s %d: fallbacks %v", tt.coding, tt.level, found)
		}
	}
}
