// Package cache keeps the outcomes of encodings apart from the trees that they
// are for, so that a build directory that was wiped, or another machine, does not
// have them encoded again.
//
// [Open] opens a cache for a build: a directory of this machine, and behind it a
// store that several machines share. [OpenDirectory] is for looking at the directory
// and tending it. Neither reads the environment; where the directory is, the caller
// says.
package cache
