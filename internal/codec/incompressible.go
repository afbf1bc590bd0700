package codec

import (
	"fmt"

	"github.com/klauspost/compress"
	"github.com/klauspost/compress/zstd"
)

// minEstimated is the size in bytes from which a source is looked at before it is
// encoded. Below it, that costs about as much as encoding.
const minEstimated = 64 << 10

// Incompressible reports whether two quick estimates, from the statistics of the
// bytes and from the fastest zstd, both say that encoding would save less than
// 1/256 of the source. Each alone can be wrong about a file.
func Incompressible(src []byte) (bool, error) {
	if len(src) < minEstimated || compress.Estimate(src) > 0.02 {
		return false, nil
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return false, fmt.Errorf("estimate: %w", err)
	}
	defer enc.Close()
	return len(enc.EncodeAll(src, nil)) > len(src)-len(src)/256, nil
}
