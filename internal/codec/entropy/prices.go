package entropy

// Bit is the price of one bit. Prices are integers in units of 1/Bit of a bit:
// fine enough that rounding errors do not add up, and the same on every machine.
const Bit = 256

// Totals returns the sum of counts, and how many of them are not zero: the
// number of different symbols that occur.
func Totals(counts []uint32) (total uint32, used int) {
	for _, n := range counts {
		total += n
		if n > 0 {
			used++
		}
	}
	return total, used
}
