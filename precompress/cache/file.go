package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/precompress/precompress/internal/osfile"
)

// readFile returns a regular file's bytes, unless they are more than limit.
func readFile(root *os.Root, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := osfile.OpenRegular(root, name, os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, nil, fmt.Errorf("%w: %d bytes are too many", ErrDamaged, info.Size())
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, nil, err
	}
	return data, info, nil
}

// writeFile gives name its content, whole or not at all. Nothing is flushed to
// disk: what a power cut damages is noticed by its digest.
func writeFile(root *os.Root, name string, data []byte) error {
	temp := path.Join(path.Dir(name), osfile.TempName())
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		root.Remove(temp) // best effort: pruning removes what is left
	}
	return err
}
