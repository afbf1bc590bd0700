package osfile

import (
	"context"
	"io"
)

// ContextReader reads until its context ends.
type ContextReader struct {
	Ctx context.Context
	io.Reader
}

// Read fails with the context's error once that has ended.
func (r ContextReader) Read(p []byte) (int, error) {
	if err := r.Ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
