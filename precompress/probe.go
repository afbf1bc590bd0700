package precompress

import (
	"fmt"

	"github.com/klauspost/compress"
	"github.com/klauspost/compress/zstd"
)

// probeSize is the size in bytes from which a source is probed. Below it,
// finding out costs about as much as encoding.
const probeSize = 64 << 10

// incompressible reports whether two quick looks, at the statistics of the bytes
// and at what the fastest zstd finds, both say that nothing is to be gained:
// less than 1/256 of the source. Either alone can be wrong about a file.
func incompressible(src []byte) (bool, error) {
	if len(src) < probeSize || compress.Estimate(src) > 0.02 {
		return false, nil
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return false, fmt.Errorf("probe: %w", err)
	}
	defer enc.Close()
	return len(enc.EncodeAll(src, nil)) > len(src)-len(src)/256, nil
}
