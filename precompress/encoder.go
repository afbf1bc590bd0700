package precompress

import (
	"context"
	"io"

	"github.com/precompress/precompress/manifest"
)

// Encoder encodes contents as builds do, one by one and without a tree, for
// measuring. It keeps the encoders of every level that it was asked for, so that
// only the first use of a level pays for making one: zstd's take 40 MiB each, at
// four speeds below level 19. [NewEncoder] makes one; it is for one goroutine at a
// time.
type Encoder struct{ codecs codecs }

// NewEncoder returns an encoder that has made none yet.
func NewEncoder() *Encoder {
	e := &Encoder{}
	e.codecs.zstd.each, e.codecs.gzip.each = true, true
	e.codecs.deflate.each, e.codecs.optimal.each = true, true
	return e
}

// Encode returns src in a coding that variants are stored in, at a level within
// its [LevelRange]. Unlike a build it neither decodes the outcome, nor spares what
// is incompressible, nor has another encoder take over from one that errs. It ends
// soon after ctx does, with its error, except for zstd below level 19, which is
// encoded in one go. The error wraps [ErrInvalidOptions] if there is no such coding
// or level.
func (e *Encoder) Encode(ctx context.Context, coding manifest.Coding, level int, src []byte) ([]byte, error) {
	return e.Append(ctx, coding, level, nil, src)
}

// Append is [Encoder.Encode] that appends to dst, whose room is used: who encodes
// again and again need not have it made anew each time.
func (e *Encoder) Append(ctx context.Context, coding manifest.Coding, level int, dst, src []byte) ([]byte, error) {
	if err := checkLevel(coding, level); err != nil {
		return nil, invalid("Levels", "%w", err)
	}
	return e.codecs.encodeNow(ctx, coding, level, dst, src)
}

// NewDecoder returns a reader of what encoded holds in a coding that variants are
// stored in: the implementation that builds verify variants with, which is not the
// encoder's. Like browsers it refuses zstd that needs a window of more than 8 MiB
// (RFC 9659), and like some of them it takes no second member of gzip.
func NewDecoder(coding manifest.Coding, encoded io.Reader) (io.ReadCloser, error) {
	return newDecoder(coding, encoded)
}

// EncoderID returns the encoder of a coding at a level and its version, as
// manifests record it: "go-brrr v1.3.1-1".
func EncoderID(coding manifest.Coding, level int) string {
	return encoderAt(encoderIDs(), coding, level)
}
