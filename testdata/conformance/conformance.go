// Package conformance holds what a server of precompressed assets has to get
// right: cases, and the tree that they are about. See README.md.
package conformance

import "embed"

// Files holds Tree, to be served, and Beside, which must never be.
//
//go:embed all:tree all:beside
var Files embed.FS

// The folders in Files.
const (
	Tree   = "tree"
	Beside = "beside"
)

// Dictionary is the file in Beside that the deltas of app.js are made with.
const Dictionary = "earlier.app.js"

// Cases is the text of cases.txt.
//
//go:embed cases.txt
var Cases string

//go:generate go run ./mktree .
