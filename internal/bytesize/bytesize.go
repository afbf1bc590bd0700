// Package bytesize reads sizes as people write them.
package bytesize

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// largest is the largest size that is read, in bytes.
const largest = 1 << 62

// Parse reads a number of bytes such as "4096", "10kB" or "300MiB".
func Parse(text string) (int64, error) {
	n, err := humanize.ParseBytes(text)
	switch {
	case err == nil && n <= largest:
		return int64(n), nil
	case err == nil, errors.Is(err, strconv.ErrRange), strings.HasPrefix(err.Error(), "too large"):
		return 0, fmt.Errorf("%q is too large for a size: the largest is %s", text, humanize.IBytes(largest))
	}
	return 0, fmt.Errorf("%q is not a size in bytes such as 4096, 10kB or 300MiB", text)
}
