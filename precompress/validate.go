package precompress

import (
	"io"
	"maps"
	"os"
	"path/filepath"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Validate checks options and the trees to build with them, before anything is
// written. Trees must be directories that do not contain each other. Out, Manifest,
// Previous and Releases are for a single tree. The error is an [*OptionError], or wraps
// [ErrNotDirectory] or the system's.
func Validate(dirs []string, opts Options) error {
	opts, err := opts.withDefaults()
	if err != nil {
		return err
	}
	if len(dirs) > 1 {
		if err := validateForSeveral(len(dirs), opts); err != nil {
			return err
		}
	}
	for i, dir := range dirs {
		if err := requireDirectory(dir); err != nil {
			return err
		}
		if opts.Out != "" {
			if err := apart(dir, opts.Out); err != nil {
				return err
			}
		}
		if err := validateReleases(dir, opts); err != nil {
			return err
		}
		for _, other := range dirs[:i] {
			if err := separate(other, dir); err != nil {
				return err
			}
		}
	}
	if err := validateOut(opts.Out); err != nil {
		return err
	}
	return validateManifest(opts.Manifest)
}

// validateForSeveral refuses options that only make sense for one tree.
func validateForSeveral(dirs int, opts Options) error {
	for _, x := range []struct {
		isSet bool
		field string
		what  string
	}{
		{len(opts.Previous) > 0, "Previous", "earlier releases go with one tree"},
		{opts.Releases != "", "Releases", "earlier releases go with one tree"},
		{opts.Out != "", "Out", "an output directory or a manifest file goes with one tree"},
		{opts.Manifest != "", "Manifest", "an output directory or a manifest file goes with one tree"},
	} {
		if x.isSet {
			return invalid(x.field, "%s, not with %d: build each tree on its own", x.what, dirs)
		}
	}
	return nil
}

// separate refuses trees where one contains the other.
func separate(a, b string) error {
	rel, bInA := relative(a, b)
	_, aInB := relative(b, a)
	switch {
	case bInA && rel == ".":
		return invalid("", "the tree %q is named twice: name it once", b)
	case bInA || aInB:
		return invalid("", "the trees %q and %q contain one another: name the outer one only", a, b)
	}
	return nil
}

// validateReleases refuses earlier releases, or a store of them, inside the tree or the
// output directory, and the other way round: they would be built or served themselves.
// A hidden name would not help: Exclude can include it again, and some servers serve
// it.
func validateReleases(dir string, opts Options) error {
	for i, path := range append([]string{opts.Releases}, opts.Previous...) {
		field := "Previous"
		if i == 0 {
			field = "Releases"
		}
		if path == "" {
			continue
		}
		for _, root := range []string{dir, opts.Out} {
			if root == "" {
				continue
			}
			_, inside := relative(root, path)
			_, around := relative(path, root)
			if around || inside {
				return invalid(field, "the earlier releases in %q and %q contain one another: put them elsewhere", path, root)
			}
		}
	}
	return nil
}

// validateOut requires a directory, or a name that one can be created under.
func validateOut(out string) error {
	for out != "" {
		info, err := os.Stat(out)
		switch {
		case err == nil && info.IsDir():
			return nil
		case err == nil:
			return invalid("Out", "%q is not a directory: name one for the output, or a name that is free", out)
		case !osfile.IsNotExist(err):
			return &Error{Op: OpOpen, Path: out, Err: bareError(err)}
		}
		parent := filepath.Dir(out)
		if parent == out {
			return nil
		}
		out = parent
	}
	return nil
}

func validateManifest(file string) error {
	if file == "" {
		return nil
	}
	if _, coding, ok := manifest.SplitSuffix(filepath.Base(file)); ok {
		return invalid("Manifest", "the manifest %q has the name of a %s variant: choose another", file, coding)
	}
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() {
		return invalid("Manifest", "the manifest %q is not a regular file: name a file, or a name that is free", file)
	}
	if err == nil {
		return validateManifestContent(file)
	}
	return requireDirectory(filepath.Dir(file))
}

// validateManifestContent refuses a file that was never a manifest, because the build
// would overwrite it.
func validateManifestContent(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return &Error{Op: OpOpen, Path: file, Err: bareError(err)}
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 512))
	if err != nil {
		return &Error{Op: OpRead, Path: file, Err: bareError(err)}
	}
	if !resemblesManifest(head) {
		return errNotManifest(file)
	}
	return nil
}

// Encoders returns the encoder of each coding and its version, as manifests record
// them at the default levels: "go-brrr v1.3.1-1".
func Encoders() map[manifest.Coding]string {
	versions := codec.ReadVersions()
	encoders := maps.Clone(versions)
	for _, c := range manifest.Codings() {
		encoders[c] = versions.At(c, DefaultLevel(c))
	}
	return encoders
}
