package codec

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
)

// TestVerify: output of an encoder that does not decode to the source
// is not taken.
func TestVerify(t *testing.T) {
	src := []byte(strings.Repeat("verify me. ", 1000))
	for _, c := range manifest.Codings() {
		var encoder Encoder
		data, err := encoder.Encode(t.Context(), Params{Coding: c, Level: DefaultLevel(c)}, src)
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		other := bytes.Clone(src)
		other[len(other)-1]++
		for name, tt := range map[string]struct {
			data, src []byte
			want      error
		}{
			"other content": {data, other, ErrVerify},
			"longer source": {data, append(bytes.Clone(src), 'x'), ErrVerify},
			"short source":  {data, src[:len(src)-1], ErrVerify},
			"empty source":  {data, nil, ErrVerify},
			"truncated":     {data[:len(data)-1], src, nil},
			"trailing":      {append(bytes.Clone(data), 'x'), src, nil},
			"empty":         {nil, src, nil},
			"both empty":    {nil, nil, nil},
		} {
			err := Verify(t.Context(), Params{Coding: c}, bytes.NewReader(tt.data), tt.src)
			if name == "both empty" && c == manifest.Zstd {
				continue // no frame decodes to nothing; nothing empty is ever built
			}
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%s, %s: %v", c, name, err)
			}
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Verify(cancelled, Params{Coding: manifest.Gzip}, bytes.NewReader(nil), src); err == nil {
		t.Error("a cancelled verification passed")
	}
}
