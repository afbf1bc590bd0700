// Package release reads the files of earlier releases, the sources of
// dictionaries (RFC 9842), and keeps a store of them.
package release
