// Package bench measures content codings and their levels on files: bytes, times,
// and what they mean on a link of some speed.
//
// [Open] names what is to be measured, a file or the files of a directory that a build
// would encode; [Samples] generates some without files. [Run] encodes and decodes
// each file in every [Setting] and sums up. A [Result] then says for a [Link] what
// a level saves, below which speed it pays ([Result.BreakEven]), and which levels
// are worth considering at all ([Row.Pareto]).
//
// # How it measures
//
// Files come in batches of up to 4 MiB; a larger one is a batch of its own. Of each
// batch all runs are made before the next: run by run, one setting after the other, so
// that a machine that gets slower or faster meanwhile does so for all of them. One
// encoding runs at a time. What is timed is a pass: all files of the batch encoded, from
// memory to memory that is there already; or decoded, the making of the decoders
// included, as a client makes one for each response.
//
// What a setting takes shall not depend on what was measured before it. So before the
// passes of each the garbage collector is run and the encoder is used on up to 16 KiB,
// neither of which is timed; what the collector does meanwhile counts. A pass that took
// less than 20 ms was but one to warm up with: more are made until 5 ms are measured,
// and their mean is that of the run. Not timed are reading and comparing either.
//
// Of each run the outcome of the last pass is decoded and compared with the source, by
// the implementation that builds verify variants with. An encoder that errs ends the
// measurement: no other one takes over from it, as it would in a build.
//
// In memory are a batch and its outcomes in one setting: about twice the bytes of the
// largest file, and what the encoders work with, up to about 500 MB at the
// levels of [Defaults].
//
// The package never prints.
package bench
