// Package conformance has test cases for servers of precompressed assets, and the
// tree of files that they request. See README.md.
package conformance

import "embed"

// Files has the directories Tree, which is served, and Beside, which must never be.
//
//go:embed all:tree all:beside
var Files embed.FS

// The directories in Files.
const (
	Tree   = "tree"
	Beside = "beside"
)

// Dictionary is the name of the file in Beside that is the dictionary for the
// deltas of app.js.
const Dictionary = "earlier.app.js"

// Cases is the content of cases.txt, in the format that README.md describes.
//
//go:embed cases.txt
var Cases string

//go:generate go run ./mktree .
