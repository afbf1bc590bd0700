// Package cache keeps the outcomes of encodings apart from the trees that they
// are for, so that a build folder that was wiped, or another machine, does not
// have them encoded again.
package cache
