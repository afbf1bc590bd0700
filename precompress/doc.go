// Package precompress stores compressed variants next to the files of a tree of web
// assets: app.js.br, app.js.zst and app.js.gz next to app.js. It stores a variant only
// if it saves bytes, and only after it has decoded it and compared it with its source.
//
// [Build] builds a tree. It consists of three steps: [Open] locks the tree, [Tree.Plan]
// looks at it and returns a [Plan], and [Tree.Run] carries the plan out. A manifest in
// the tree records by content digest what was built, so that the next build only does
// what changed. [Tree.Problems] lists what a build would
// change, and [Tree.Clean] removes what builds wrote.
//
// A [Cache] keeps encodings beyond the tree: a tree that was deleted is restored from
// it. Machines that share a cache can divide the work: each fills the cache with one
// [Shard] ([Tree.FillCache]). The tree and its manifest are the same whatever the cache
// holds.
//
// With earlier releases ([Options.Previous], [Options.Releases]), a build also stores
// deltas: an asset encoded with an earlier content of it, for clients that have that
// content (RFC 9842). Machines that divide the work need the same releases.
//
// The package never prints, logs or exits. Errors about one file are of type [*Error];
// one bad file does not stop the others. Errors about options are of type
// [*OptionError].
package precompress
