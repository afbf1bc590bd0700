// Package release reads the files of earlier releases of a site, which browsers
// may still hold and which are dictionaries for what follows them (RFC 9842),
// and keeps a store of them.
//
// [Open] takes a directory or an archive (.tar, .tar.gz, .tgz, .tar.zst, .tzst,
// .zip) of one release. What builds left in it does not count: variants and
// deltas next to their source, and the manifest. Nor do hidden files, those with
// a part of the path that starts with a dot other than .well-known, names that
// are not UTF-8 and, in a directory, links.
//
// An archive is not trusted. It is never unpacked into files with names of its
// own: those that are wanted are kept in one temporary file without a name, and
// those of a zip archive are unpacked in memory when they are read. What no
// release has a reason to hold is refused with the whole archive, and the error
// names the entry: ".." or a backslash in a name, absolute paths and drives,
// links, devices, sparse files and two entries of one name. [Limits] bound
// entries and bytes; a zstd archive may need a window of 128 MiB. An archive
// that ends early is refused as well, also a tar archive that lacks the mark of
// its end.
//
// A [Store] is a directory that is given each release in its turn. Contents are
// held once each under their SHA-256, as they are: what keeps such directories
// between runs of a CI compresses them itself. Nothing in it tells a time, and
// adding what is the newest already changes nothing. Contents are compared with
// their SHA-256 whenever they are read. Whoever can write to the store can still
// choose what is a dictionary, but not the bytes that a client decodes: those
// are the asset's.
//
// Errors that callers tell apart wrap one of the Err variables.
package release
