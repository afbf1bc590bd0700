module github.com/precompress/precompress

go 1.26.0

require (
	github.com/andybalholm/brotli v1.3.0
	github.com/bmatcuk/doublestar/v4 v4.10.4
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/dustin/go-humanize v1.1.0
	github.com/gofrs/flock v0.13.2
	github.com/klauspost/compress v1.20.4
	github.com/molecule-man/go-brrr v1.3.1
	golang.org/x/sync v0.25.0
)

require golang.org/x/sys v0.49.0 // indirect
