package serve

import (
	"io"
	"io/fs"
	"net/http"
	"path"
)

// openDirectory opens a directory of the index.
func (ix *index) openDirectory(name string) (http.File, error) {
	info, err := fs.Stat(ix.tree, name)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(ix.tree, name)
	if err != nil {
		return nil, err
	}
	d := &directory{info: info}
	for _, e := range entries {
		full := path.Join(name, e.Name())
		n := ix.names[full]
		if !n.dir && (n.asset == nil || !n.asset.source) {
			continue
		}
		if info, err := fs.Stat(ix.tree, full); err == nil {
			d.entries = append(d.entries, info)
		}
	}
	return d, nil
}

// directory lists what may be seen of a directory.
type directory struct {
	info    fs.FileInfo
	entries []fs.FileInfo // not yet returned
}

func (d *directory) Close() error                   { return nil }
func (d *directory) Stat() (fs.FileInfo, error)     { return d.info, nil }
func (d *directory) Seek(int64, int) (int64, error) { return 0, nil }

func (d *directory) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: fs.ErrInvalid}
}

// Readdir does as that of [os.File].
func (d *directory) Readdir(count int) ([]fs.FileInfo, error) {
	n := len(d.entries)
	if count > 0 {
		if n == 0 {
			return nil, io.EOF
		}
		n = min(n, count)
	}
	next := d.entries[:n]
	d.entries = d.entries[n:]
	return next, nil
}
