// Package serve serves a tree of web assets over HTTP, with the variants that a build
// has stored next to them: every client gets the best representation that it accepts
// (RFC 9110).
//
//	//go:embed all:dist
//	var dist embed.FS
//
//	site, err := fs.Sub(dist, "dist")
//	...
//	handler, err := serve.New(site, serve.Options{})
//	...
//	http.Handle("/", handler)
//
// # Paths
//
// Every regular file of the tree is served under its exact path, and a directory's
// index page under the directory's path with a slash. Without the slash there is a
// redirect. Variants, the manifest, temporary files of a build, and dotfiles (except
// /.well-known) are not served under their own names. An archive such as site.tar.gz,
// without a site.tar, is.
//
// # Which variants are sent
//
// All files of an asset are read at its first use. If the tree has a manifest, a
// variant is sent only if the source and the variant have the size and XXH64 that the
// build recorded. Without a manifest, a variant must decode to its source if its
// decoder is linked (see package serve/decode), or else not be older than its source.
// In any case it must be smaller than its source and, for zstd, need a window of at
// most 8 MiB (RFC 9659). Otherwise the source is sent. [Handler.Check] returns the
// variants that are not sent, and why.
//
// # Compression dictionaries
//
// A delta is an asset's content encoded with an earlier content that the client has
// (RFC 9842). Deltas are stored next to their asset, under names like
// [manifest.DeltaName], and are not served under these names. A delta is sent if
// Available-Dictionary names its dictionary and Accept-Encoding lists "dcb" or "dcz" by
// name, unless another representation has a higher qvalue or is smaller, or the
// request is from a page of another origin that may not read the response. If the tree
// has a manifest, the source and the delta must be as recorded. Without one, the
// delta's header must fit its name, and it must not be older than its source: it
// cannot be decoded without the dictionary. A dcz may need a window of 8 MiB or, if the
// manifest has the size of its dictionary, 1.25 times that size, up to 128 MiB.
//
// An asset with a match pattern in the manifest is offered as a dictionary, with
// Use-As-Dictionary, if its Cache-Control gives it a lifetime: clients can use a
// dictionary only while it is fresh. A pattern that is relative to the asset is sent
// with the directory that the client requested, from [http.Request.RequestURI]:
// browsers keep one dictionary per pattern, whatever directory it came from. Behind a
// proxy that rewrites paths, set RequestURI to the path that clients see, or to "" to
// send the pattern as it is.
//
// # Changes to the tree
//
// The names are those at the time of [New] or of the last [Handler.Reload]. The content
// is that of its first use afterwards. Small files are then kept in memory. Larger files
// are opened for every request, and read again in full if their state (size, time,
// file) has changed.
//
// # Responses
//
// Every response for an asset with variants has Vary: Accept-Encoding, even one without
// a coding, which a cache must not send to everyone. For an asset with deltas it is
// Vary: Accept-Encoding, Available-Dictionary. The Sec-Fetch fields are not in Vary: they
// only withhold deltas from requests of other origins. Every representation has its own
// strong ETag, made from its bytes. A Range counts bytes of the representation, in its
// coding.
package serve
