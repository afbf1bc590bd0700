package precompress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// manifestFile is the file that holds the manifest of a tree.
type manifestFile struct {
	root   *os.Root // its directory, nil if there is none yet
	name   string
	inTree string // its path in the tree of sources, "" if it is not there
	chosen bool   // by [Options.Manifest]
}

// openManifestFile opens the directory of the manifest file. variants is where the
// variants are, nil if there is no such directory yet.
func openManifestFile(dir string, opts Options, variants *os.Root) (manifestFile, error) {
	if opts.Manifest == "" {
		return manifestFile{root: variants, name: manifest.Name}, nil
	}
	root, err := os.OpenRoot(filepath.Dir(opts.Manifest))
	if err != nil {
		return manifestFile{}, &Error{Op: OpOpen, Path: filepath.Dir(opts.Manifest), Err: bareError(err)}
	}
	file := manifestFile{root: root, name: filepath.Base(opts.Manifest), chosen: true}
	if rel, inside := relative(dir, opts.Manifest); inside {
		file.inTree = filepath.ToSlash(rel)
	}
	return file, nil
}

// load returns the manifest of the last build and the bytes of its file. A missing
// or unusable manifest is an empty one, an unusable one with a warning: what the
// siblings are is then found out by decoding them.
func (f manifestFile) load() (m *manifest.Manifest, data []byte, warnings []Warning, err error) {
	m = &manifest.Manifest{}
	if f.root == nil {
		return m, nil, nil, nil
	}
	data, err = f.read()
	if osfile.IsNotExist(err) {
		return m, nil, nil, nil
	}
	if info, statErr := f.root.Lstat(f.name); err != nil && statErr == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%w: move it away, the manifest goes there", osfile.ErrNotRegular)
		return nil, nil, nil, &Error{Op: OpRead, Path: f.name, Err: err}
	}
	if err != nil {
		return nil, nil, nil, &Error{Op: OpRead, Path: f.name, Err: bareError(err)}
	}
	decoded, err := manifest.Decode(data)
	if err != nil && !resemblesManifest(data) && (f.chosen || json.Valid(data)) {
		return nil, nil, nil, errNotManifest(f.name)
	}
	if err != nil {
		text := fmt.Sprintf("%s: %v; continuing as if there were none", PrintablePath(f.name), err)
		return m, data, []Warning{{WarnManifest, f.name, text}}, nil
	}
	return decoded, data, nil, nil
}

func (f manifestFile) read() ([]byte, error) {
	file, _, err := osfile.OpenRegular(f.root, f.name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// save writes the manifest unless the file holds it already.
func (f manifestFile) save(m *manifest.Manifest) error {
	data, err := m.Encode()
	if err != nil {
		return err
	}
	old, err := f.read()
	if err == nil && bytes.Equal(old, data) {
		return nil
	}
	err = osfile.WriteFile(f.root, f.name, data, 0o666)
	if err != nil {
		return &Error{Op: OpWrite, Path: f.name, Err: bareError(err)}
	}
	return nil
}

// errNotManifest is about a file with the name of the manifest and other content.
func errNotManifest(name string) error {
	return invalid("Manifest", "the manifest file %q holds something else: move it away, or choose another name", name)
}

// resemblesManifest reports whether a file that is no valid manifest was one of some
// version, so that no other file is overwritten because of its name.
func resemblesManifest(data []byte) bool {
	rest, isObject := bytes.CutPrefix(bytes.TrimSpace(data), []byte("{"))
	return len(data) == 0 || isObject && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(`"version"`))
}
