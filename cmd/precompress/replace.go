package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// replaceFile gives a file new content, or makes it: whoever reads it finds all of
// the old or all of the new. A symbolic link stays one, and gets its target if it has
// none. The file keeps its mode.
func replaceFile(name string, content []byte) error {
	old, err := os.Stat(name)
	switch {
	case err == nil && !old.Mode().IsRegular():
		return errNotRegular
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return withoutName(err) // a loop of links is no name that is free
	}
	name = realPath(name)
	f, err := createBeside(name)
	if err != nil {
		return withoutName(err)
	}
	temp := f.Name()
	defer os.Remove(temp) // gone if all went well
	_, err = f.Write(content)
	if old != nil {
		err = errors.Join(err, f.Chmod(old.Mode().Perm()))
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return withoutName(err)
	}
	return withoutName(os.Rename(temp, name))
}

// createBeside makes an empty file in the directory of another.
func createBeside(name string) (*os.File, error) {
	temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".precompress-%016x.tmp", rand.Uint64()))
	return os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// canReplace finds out whether replaceFile may make files where it has to: it makes one
// and removes it.
func canReplace(name string) error {
	f, err := createBeside(realPath(name))
	if err != nil {
		return withoutName(err)
	}
	return withoutName(errors.Join(f.Close(), os.Remove(f.Name())))
}
