// Package precompress stores compressed variants next to the files of a tree
// of web assets: app.js.br, app.js.zst and app.js.gz beside app.js, each only
// where it pays, each decoded and compared with its source before it gets its
// name.
//
// [Open] locks a tree, [Tree.Plan] looks at it and returns a [Plan], which
// changes nothing, and [Tree.Run] carries a plan out. [Build] is the three in
// one. What a build did is remembered in a manifest in the tree, by content
// digest, so that the next build only does what changed.
//
// A [Cache] keeps what encodings came to beyond the tree: one that was wiped is
// restored from it, and machines that share one divide the work by [Shard]. The
// tree and its manifest are the same whatever the cache has.
//
// With earlier releases ([Options.Previous], [Options.Releases]) it stores deltas
// as well: an asset encoded with an earlier content of it, for clients that hold
// that one (RFC 9842). Machines that divide the work need the same releases.
//
// [Encoder] and [Sources] are parts of a build by themselves, for package bench, which
// measures codings and levels.
//
// The package never prints, logs or exits. Errors about one file are values of
// type [*Error]; one bad file does not stop the others.
package precompress
