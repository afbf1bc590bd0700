package serve

import (
	"errors"
	"io"
	"io/fs"
)

// seekable returns f, if it can seek, or else a file that seeks by reading on
// and by opening anew: files in a zip archive can only be read.
func seekable(tree fs.FS, name string, f fs.File) io.ReadSeekCloser {
	if s, ok := f.(io.ReadSeekCloser); ok {
		return s
	}
	return &reopener{tree: tree, name: name, file: f}
}

// reopener seeks in a file that can only be read.
type reopener struct {
	tree fs.FS
	name string
	file fs.File
	at   int64 // of the file
	want int64 // where the next Read has to start
}

func (r *reopener) Close() error { return r.file.Close() }

func (r *reopener) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.want
	case io.SeekEnd:
		info, err := r.file.Stat()
		if err != nil {
			return 0, err
		}
		offset += info.Size()
	}
	if offset < 0 {
		return 0, errors.New("seek before the start of the file")
	}
	r.want = offset
	return offset, nil
}

func (r *reopener) Read(p []byte) (int, error) {
	if r.want < r.at {
		f, err := r.tree.Open(r.name)
		if err != nil {
			return 0, err
		}
		r.file.Close()
		r.file, r.at = f, 0
	}
	skipped, err := io.CopyN(io.Discard, r.file, r.want-r.at)
	r.at += skipped
	if err != nil {
		return 0, err // io.EOF beyond the end, as a Read there has to return
	}
	n, err := r.file.Read(p)
	r.at += int64(n)
	r.want = r.at
	return n, err
}
