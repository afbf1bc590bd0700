package cache

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
)

// The file "growth" spares builds a walk through the directory. Its first line is the
// size that the last walk found; every build that stored something adds a line with
// how much. Appending needs no lock, and no build loses another's line. The sum is too
// high by what replaced the same entry, which costs a walk, and too low by what builds
// stored that were killed or that ended during a walk. So there is a walk at the latest
// when the file has grown to maxGrowth: that is after some hundreds of builds.
const (
	growthName = "growth"
	maxGrowth  = 4 << 10 // bytes of that file
)

// estimateSize adds the size of what was stored to the estimate of the directory's
// size, and returns that. known is false if there is no estimate that can be used.
func (d *Directory) estimateSize(added int64) (estimate int64, known bool) {
	flag := os.O_RDONLY
	if added > 0 {
		flag = os.O_RDWR | os.O_APPEND
	}
	file, info, err := osfile.OpenRegular(d.root, growthName, flag)
	if err != nil {
		return 0, false
	}
	defer file.Close()
	if info.Size() > maxGrowth {
		return 0, false
	}
	text, err := io.ReadAll(io.LimitReader(file, 2*maxGrowth)) // others may append to it
	if err != nil {
		return 0, false
	}
	estimate, known = parseGrowth(string(text))
	if known && added > 0 {
		_, err = fmt.Fprintf(file, "%d\n", added)
	}
	return estimate + added, known && err == nil && estimate <= math.MaxInt64-added
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

// setSize stores the size that a walk found.
func (d *Directory) setSize(size int64) error {
	return osfile.WriteFile(d.root, growthName, fmt.Appendf(nil, "%d\n", size), 0o666)
}

// repairEstimate replaces an estimate that cannot be used. Where there is none, the
// next build that stores something makes one. If it cannot be written, that is no
// failure of a build that stored nothing.
func (d *Directory) repairEstimate(ctx context.Context) error {
	if _, err := d.root.Lstat(growthName); err != nil {
		return nil
	}
	found, err := d.walk(ctx)
	if err == nil {
		d.setSize(found.size) // best effort
	}
	return err
}
