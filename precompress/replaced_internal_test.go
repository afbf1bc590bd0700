package precompress

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
)

// TestReplaced: output that does not decode to its source is replaced by a
// second encoder's where there is one, and that is said once for each setting.
func TestReplaced(t *testing.T) {
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
		var c codecs
		wrong, err := c.encode(t.Context(), tt.coding, tt.level, bytes.ToUpper(src))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			data, err := c.verified(t.Context(), tt.coding, tt.level, wrong, src)
			if !tt.spare {
				if !errors.Is(err, ErrVerify) || data != nil {
					t.Errorf("%s %d: %d bytes, error %v", tt.coding, tt.level, len(data), err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s %d: %v", tt.coding, tt.level, err)
			} else if err := verify(t.Context(), tt.coding, bytes.NewReader(data), src); err != nil {
				t.Errorf("%s %d: replaced: %v", tt.coding, tt.level, err)
			}
		}
		lines := c.replaced.warnings()
		if tt.spare && (len(lines) != 1 || !strings.Contains(lines[0], "wrong 2 times")) || !tt.spare && lines != nil {
			t.Errorf("%s %d: warnings %q", tt.coding, tt.level, lines)
		}
	}
}
