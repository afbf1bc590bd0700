// Package serve serves a tree of web assets and the variants that a build has
// left beside them: to every client the representation that suits it best, as
// RFC 9110 asks.
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
// # What is served
//
// Every regular file of the tree under its exact name, and a directory's index
// page under the directory's name with a slash; without the slash there is a
// redirect. The variants' own files, the manifest, temporary files of a build,
// and dotfiles (except /.well-known) are not served. An archive such as
// site.tar.gz, with no site.tar beside it, is.
//
// # When a variant is used
//
// An asset's files are read in full at its first use. With a manifest in the
// tree, a variant is used only if its source and itself are, byte for byte
// (size and XXH64), what the build recorded. Without, where its decoder is
// linked (see package serve/decode), only if it decodes to its source; else if
// it is not older than its source. In any case it must be smaller than its
// source and, if it is zstd, need a window of no more than 8 MiB (RFC 9659).
// What is not used, and why, [Handler.Check] tells; the source is sent instead.
//
// # Compression dictionaries
//
// A delta is an asset's content encoded with an earlier one that the client
// holds (RFC 9842). Deltas stand beside their asset, named as
// [manifest.DeltaName] says, and are not served under these names either. One is
// sent to a client whose Available-Dictionary is the very dictionary of the
// delta and whose Accept-Encoding lists "dcb" or "dcz" by name, if no other
// representation has a higher qvalue or is smaller; but not to a page of another
// site that may not read the answer. With a manifest, source and delta must be
// what the build recorded; without one, the delta's header must fit its name,
// and it must not be older than its source: nothing can be decoded without the
// dictionary. dcz may need a window of 8 MiB, or of 1.25 times the dictionary
// that the manifest tells the size of, but of no more than 128 MiB.
//
// An asset with a match pattern in the manifest is offered as a dictionary, with
// Use-As-Dictionary, as long as its Cache-Control lets a client use it without
// asking: a dictionary is of use only while it is fresh. A pattern that is
// relative to the asset is sent behind the directory that the client has asked for,
// as [http.Request.RequestURI] has it: browsers keep one dictionary per pattern,
// whatever directory it was sent from. Behind a proxy that rewrites paths, set
// RequestURI to what clients see, or to "" to have the pattern sent as it is.
//
// Names are those of the time of [New] or the last [Handler.Reload], content
// that of its first use after. Small files are kept in memory from then on.
// Larger ones are opened at each request, and looked at again if their state
// (size, time, file) is not what it was.
//
// # What the answers say
//
// Vary: Accept-Encoding stands on every answer for a name that has variants,
// also on that without a coding: a cache must not give it to everyone. Every
// representation has a strong ETag of its own, made from its bytes. A Range
// counts bytes of the representation, in its coding; so it does for a delta.
// With deltas, the field is Vary: Accept-Encoding, Available-Dictionary. It does
// not name the Sec-Fetch fields, which only keep a delta from those who could
// not have asked for it with a browser.
package serve
