// Package release reads the files of earlier releases of a site, which browsers may
// still hold and which are dictionaries for what follows them (RFC 9842), and keeps a
// store of them.
//
// A [History] is the earlier releases of a tree. It finds the dictionaries for the tree's
// files.
//
// A release is a directory or an archive (.tar, .tar.gz, .tgz, .tar.zst, .tzst, .zip), or
// it is in a store. Files that builds left in it do not count: variants and deltas next to
// their source, and the manifest. Nor do hidden files (a part of the path starts with a
// dot and is not .well-known), names that are not UTF-8 and, in a directory, links.
//
// An archive is not trusted. It is never unpacked into files with names of its own: the
// files that are wanted go to one temporary file without a name, and those of a zip
// archive are unpacked in memory when they are read. What no release has a reason to
// hold makes the whole archive refused, with an error that names the entry: ".." or a
// backslash in a name, absolute paths and drives, links, devices, sparse files and two
// entries with one name. The number of entries and bytes is limited; a zstd archive may
// need a window of 128 MiB. An archive that ends early is refused as well, and so is a
// tar archive without its end marker.
//
// A [Store] is a directory to which each release is added in turn. Each content is held
// once, uncompressed, named by its SHA-256: systems that keep such directories between
// runs of a CI compress them themselves. Nothing in it has a time, and adding the newest
// release again changes nothing. Contents are compared with their SHA-256 whenever they
// are read. Whoever can write to the store can still choose what is a dictionary, but
// not the bytes that a client decodes: those are the asset's.
//
// Callers distinguish errors by the Err variables that they wrap.
package release
