package bench

import (
	"math"
	"strconv"

	"github.com/precompress/precompress/internal/page"
)

// cell is a number in a table; Range is shown below it.
type cell struct {
	value       float64 // to sort by, or NaN
	Text, Range string
}

// Sort returns the value as the page's script reads it, "" for NaN.
func (c cell) Sort() string {
	switch {
	case math.IsNaN(c.value):
		return ""
	case math.IsInf(c.value, 1):
		return "Infinity"
	}
	return strconv.FormatFloat(c.value, 'g', -1, 64)
}

// timingCell shows a median and, if runs differ, their range.
func timingCell(t Timing) cell {
	c := cell{value: t.Median.Seconds(), Text: seconds(t.Median.Seconds())}
	if t.Min != t.Max {
		c.Range = seconds(t.Min.Seconds()) + " – " + seconds(t.Max.Seconds())
	}
	return c
}

// unit is a unit of measurement and its size in the unit that numbers are given in.
type unit struct {
	name string
	size float64
}

// Units, largest first.
var (
	timeUnits  = [...]unit{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}}
	speedUnits = [...]unit{{"Tbit/s", 1e6}, {"Gbit/s", 1e3}, {"Mbit/s", 1}, {"kbit/s", 1e-3}}
	byteUnits  = [...]unit{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}
)

// seconds returns a time in seconds as in 37.1 s and −4.20 ms.
func seconds(s float64) string {
	if s == 0 {
		return "0 s"
	}
	return measured(s, timeUnits[:])
}

// signedSeconds returns a time with its sign, as in +4.20 ms.
func signedSeconds(s float64) string {
	if s > 0 {
		return "+" + seconds(s)
	}
	return seconds(s)
}

// speed returns a link speed given in Mbit/s as in 1.25 Gbit/s, and "any" for +Inf.
func speed(mbits float64) string {
	if math.IsInf(mbits, 1) {
		return "any"
	}
	return measured(mbits, speedUnits[:])
}

// measured returns a number with three digits, in the largest unit in which it is at
// least 1.
func measured(v float64, units []unit) string {
	sign, u := split(&v, units)
	digits := 2
	switch v /= u.size; {
	case v >= 999.5:
		return sign + page.Comma(int64(math.Round(v))) + " " + u.name
	case v >= 99.95:
		digits = 0
	case v >= 9.995:
		digits = 1
	}
	return sign + strconv.FormatFloat(v, 'f', digits, 64) + " " + u.name
}

// split returns the sign of a number, which it removes, and the unit to show it in.
func split(v *float64, units []unit) (sign string, u unit) {
	if *v < 0 {
		sign, *v = "−", -*v
	}
	for _, u := range units {
		if *v >= u.size*0.9995 {
			return sign, u
		}
	}
	return sign, units[len(units)-1]
}

// tick returns a round number for an axis, as in 4.05 MB and 200 ms.
func tick(v float64, units []unit) string {
	if v == 0 {
		return "0"
	}
	sign, u := split(&v, units)
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v/u.size, 'g', 6, 64), 64) // always valid
	return sign + strconv.FormatFloat(rounded, 'f', -1, 64) + " " + u.name
}

// byteCount returns a number of bytes as in 1,234 bytes.
func byteCount(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return page.Comma(n) + " bytes"
}

func timeTick(v float64) string  { return tick(v, timeUnits[:]) }
func speedTick(v float64) string { return tick(v, speedUnits[:]) }
func bytesTick(v float64) string { return tick(v, byteUnits[:]) }

func gainTick(v float64) string {
	if v > 0 {
		return "+" + timeTick(v)
	}
	return timeTick(v)
}
