// Package cache keeps the results of encodings apart from the trees that they are for,
// so that neither a new build directory nor another machine has to encode the same
// bytes again.
//
// [Open] opens a cache for a build: a directory on this machine, and behind it a store
// that several machines share. Pass it to the build as precompress.Options.Cache, and
// close it afterwards. [OpenDirectory] is for maintenance: to inspect, shrink, empty
// and verify a cache directory. Nothing here reads the environment: the caller says
// where the directory is.
package cache
