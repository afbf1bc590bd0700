package precompress

import (
	"path/filepath"

	"github.com/precompress/precompress/manifest"
)

// Validate checks options and the trees that are to be built with them, before
// anything is written. Trees must be folders apart from each other, and only a
// single one can have its variants or its manifest put elsewhere. The error
// wraps [ErrInvalidOptions], [ErrNotDirectory] or the system's.
func Validate(dirs []string, opts Options) error {
	opts, err := opts.withDefaults()
	if err != nil {
		return err
	}
	if len(dirs) > 1 && (opts.Out != "" || opts.Manifest != "") {
		return invalid("an output folder or a manifest file goes with one tree, not with %d: build them one by one", len(dirs))
	}
	for i, dir := range dirs {
		if err := requireFolder(dir); err != nil {
			return err
		}
		if opts.Out != "" {
			if err := apart(dir, opts.Out); err != nil {
				return err
			}
		}
		for _, other := range dirs[:i] {
			if nested(dir, other) {
				return invalid("the trees %q and %q lie in one another: name the outer one only", other, dir)
			}
		}
	}
	if opts.Manifest != "" {
		return requireFolder(filepath.Dir(opts.Manifest))
	}
	return nil
}

func nested(a, b string) bool {
	_, bInA := relative(a, b)
	_, aInB := relative(b, a)
	return bInA || aInB
}

// Encoders returns the encoder of each coding and its version, as manifests
// record them.
func Encoders() map[manifest.Coding]string { return encoderIDs() }
