package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"

	"github.com/precompress/precompress/serve"
	"github.com/vearutop/statigz"
	"github.com/vearutop/statigz/brotli"
)

// runProgram runs one of the servers in Go that are measured, each as a user would
// write it. It runs in a process of its own, and returns only on an error.
func runProgram(name, addr, dir string) error {
	switch name {
	case "plain":
		handler, err := serve.Dir(dir, serve.Options{})
		if err != nil {
			return err
		}
		return http.ListenAndServe(addr, handler)
	case "joined":
		handler, err := serve.Dir(dir, serve.Options{})
		if err != nil {
			return err
		}
		listener, err := net.Listen("tcp", addr)
		if err != nil {
			return err
		}
		server := &http.Server{Handler: handler, ConnContext: serve.ConnContext}
		return server.Serve(serve.Listener(listener))
	case "statigz":
		site, err := inMemory(dir)
		if err != nil {
			return err
		}
		return http.ListenAndServe(addr, statigz.FileServer(site, brotli.AddEncoding))
	}
	return fmt.Errorf("no program %q", name)
}

// memory has a directory's files in memory, like an embed.FS, for which statigz is
// made.
type memory struct {
	fs.ReadDirFS
	files map[string]memoryFile
}

// memoryFile is a file in memory. A copy of it is an open file.
type memoryFile struct {
	bytes.Reader
	info fs.FileInfo
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *memoryFile) Close() error               { return nil }

func (m memory) Open(name string) (fs.File, error) {
	file, ok := m.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &file, nil
}

// inMemory reads the files of a directory that has no subdirectories.
func inMemory(dir string) (memory, error) {
	m := memory{os.DirFS(dir).(fs.ReadDirFS), map[string]memoryFile{}}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		data, readErr := fs.ReadFile(m.ReadDirFS, e.Name())
		info, infoErr := e.Info()
		if err = errors.Join(err, readErr, infoErr); err != nil {
			break
		}
		m.files[e.Name()] = memoryFile{*bytes.NewReader(data), info}
	}
	return m, err
}
