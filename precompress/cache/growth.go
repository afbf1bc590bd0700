package cache

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
)

// The file "growth" spares builds a walk through the directory. Its first line is
// the size that the last walk found; every build that stored something adds a
// line with how much. Appending needs no lock, and no build loses another's
// line. The sum is too high by what was stored anew in place of the same, which
// costs a walk, and too low by what builds stored that were killed, or that
// ended during a walk. So a walk comes at the latest when the file has grown to
// maxGrowthFile: that is after some hundreds of builds.
const maxGrowthFile = 4 << 10

// grow adds n bytes to the estimate and returns it. known is false if there is
// none that can be used.
func (f *Directory) grow(n int64) (estimate int64, known bool) {
	flag := os.O_RDONLY
	if n > 0 {
		flag = os.O_RDWR | os.O_APPEND
	}
	file, info, err := osfile.OpenRegular(f.root, growthName, flag)
	if err != nil || info.Size() > maxGrowthFile {
		if err == nil {
			file.Close() // nothing was written
		}
		return 0, false
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 2*maxGrowthFile))
	if err != nil {
		return 0, false
	}
	estimate, known = parseGrowth(string(text))
	if known && n > 0 {
		_, err = fmt.Fprintf(file, "%d\n", n)
	}
	return estimate + n, known && err == nil && estimate <= math.MaxInt64-n
}

// parseGrowth returns the sum of the file's lines.
func parseGrowth(text string) (sum int64, ok bool) {
	text, whole := strings.CutSuffix(text, "\n")
	if !whole {
		return 0, false
	}
	for line := range strings.SplitSeq(text, "\n") {
		n, err := strconv.ParseInt(line, 10, 64)
		if err != nil || n < 0 || sum > math.MaxInt64-n {
			return 0, false
		}
		sum += n
	}
	return sum, true
}

// setGrowth stores what a walk found to be the directory's size.
func (f *Directory) setGrowth(size int64) error {
	return writeFile(f.root, growthName, fmt.Appendf(nil, "%d\n", size))
}
