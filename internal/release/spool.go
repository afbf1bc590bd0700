package release

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// spool is one temporary file that holds the wanted files of an archive one after
// the other. No name of an entry ever becomes the name of a file. Where the
// system can, the file has no name of its own either, so that nothing is left
// however the process ends.
type spool struct {
	file *os.File
	path string // "" if the name is gone
	size int64
	max  int64
}

func newSpool(dir string, limit int64) (*spool, error) {
	f, err := os.CreateTemp(dir, ".precompress-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	s := &spool{file: f, path: f.Name(), max: limit}
	if os.Remove(s.path) == nil {
		s.path = ""
	}
	return s, nil
}

// keep appends size bytes and returns where they start.
func (s *spool) keep(in io.Reader, size int64) (at int64, err error) {
	if size > s.max-s.size {
		return 0, overLimit("over %d bytes of wanted files", s.max)
	}
	at = s.size
	n, err := io.Copy(s.file, io.LimitReader(in, size))
	s.size += n
	if err == nil && n != size {
		err = io.ErrUnexpectedEOF
	}
	return at, err
}

func (s *spool) close() error {
	err := s.file.Close()
	if s.path != "" {
		if gone := os.Remove(s.path); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
