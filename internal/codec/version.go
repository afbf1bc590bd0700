package codec

import (
	"fmt"
	"runtime/debug"

	"github.com/precompress/precompress/manifest"
)

// Versions are the names and versions of the encoders in the running binary, as
// manifests record them: "go-brrr v1.3.1-1". Another version may encode the same
// source to other bytes.
type Versions map[manifest.Coding]string

// Versions of modules that go.mod requires, for binaries whose build information has
// none: those of go test.
const (
	brrrVersion      = "v1.3.1"
	klauspostVersion = "v1.20.4"
)

// The revision at the end of each name is increased with every change of this
// package that changes what the encoder makes.
const (
	deflateVersion = "precompress/deflate 1"
	zstdVersion    = "precompress/zstd 1"
)

// ReadVersions reads the versions from the build information of the binary.
func ReadVersions() Versions {
	const brrrModule, klauspostModule = "github.com/molecule-man/go-brrr", "github.com/klauspost/compress"
	versions := map[string]string{brrrModule: brrrVersion, klauspostModule: klauspostVersion}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			versions[m.Path] = m.Version
		}
	}
	name := func(name, module string, revision int) string {
		return fmt.Sprintf("%s %s-%d", name, versions[module], revision)
	}
	brrr := name("go-brrr", brrrModule, 1)
	return Versions{
		manifest.Brotli: brrr,
		manifest.Zstd:   name("klauspost/zstd", klauspostModule, 1),
		manifest.Gzip:   name("klauspost/gzip", klauspostModule, 1),
		manifest.DCB:    brrr,
		manifest.DCZ:    zstdVersion,
	}
}

// At returns the encoder of a coding at a level.
func (v Versions) At(c manifest.Coding, level int) string {
	switch {
	case c == manifest.Gzip && level > maxFastGzip:
		return deflateVersion
	case c == manifest.Zstd && level > maxFastZstd:
		return zstdVersion
	}
	return v[c]
}
