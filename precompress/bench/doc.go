// Package bench measures content codings and their levels on files: bytes, times,
// and what they mean on a link of some speed.
//
// [Open] names what is to be measured, a file or the files of a folder that a build
// would encode; [Samples] generates some without files. [Run] encodes and decodes
// each file in every [Setting] and sums up. A [Result] then says for a [Link] what
// a level saves, below which speed it pays ([Result.BreakEven]), and which levels
// are worth considering at all ([Row.Pareto]).
//
// # How it measures
//
// Files come one after the other. Of each, all runs are made before the next: run
// by run, one setting after the other, so that a machine that gets slower or faster
// meanwhile does so for all of them. One encoding runs at a time. What is timed is
// encoding from memory to memory, and decoding to the end, the making of the decoder
// included, as a client makes one for each response. Not timed are reading, comparing
// and making the encoders that are kept for use again: each setting encodes a little
// of the file first. Before anything large is encoded or decoded the garbage collector
// is run, so that what was measured before leaves nothing for it to do; what it
// does meanwhile counts.
//
// Each outcome of each run is decoded and compared with the source, by the
// implementation that builds verify variants with. An encoder that errs ends the
// measurement: no other one takes over from it, as it would in a build.
//
// In memory are one file, its outcome in one setting, and what that decodes to.
//
// The package never prints.
package bench
