// Package cache keeps the outcomes of encodings apart from the trees that they
// are for, so that a build folder that was wiped, or another machine, does not
// have them encoded again.
//
// [Open] opens a cache for a build: a folder of this machine, and behind it a
// store that several machines share. [OpenFolder] is for looking at the folder
// and tending it. Neither reads the environment; where the folder is, the caller
// says.
package cache
