// A module of its own, so that what is measured against is no dependency of
// those who import precompress.
module github.com/precompress/precompress/testdata/bench-serve

go 1.26.0

require (
	github.com/precompress/precompress v0.0.0
	github.com/vearutop/statigz v1.4.0
)

require (
	github.com/andybalholm/brotli v1.3.0 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
)

replace github.com/precompress/precompress => ../..
