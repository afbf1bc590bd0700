package main

import (
	"context"
	"io"
	"net"
	"net/http"
)

// net/http hands a response of more than its buffer of 4 KiB to the system in
// two parts: the buffer with the header and the content's beginning, then the
// rest. For the usual asset that is half of all time. joinedListener's
// connections put the two together.
type joinedListener struct{ net.Listener }

func (l joinedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		return &joinedConn{TCPConn: tcp}, err
	}
	return conn, err
}

// joinedConn holds back a small write as long as a handler is at work, who
// will most likely write more. One goroutine at a time writes to it: that of
// its HTTP/1 connection.
type joinedConn struct {
	*net.TCPConn
	holding bool
	held    []byte
}

// smallWrite is the most that is held back, and copied: net/http's buffer.
const smallWrite = 4 << 10

func (c *joinedConn) Write(p []byte) (int, error) {
	if c.holding && len(c.held) == 0 && len(p) <= smallWrite {
		c.held = append(c.held, p...)
		return len(p), nil
	}
	if len(c.held) == 0 {
		return c.TCPConn.Write(p)
	}
	before := len(c.held)
	both := net.Buffers{c.held, p}
	n, err := both.WriteTo(c.TCPConn)
	c.held = c.held[:0]
	return max(0, int(n)-before), err
}

// ReadFrom has the system send files by itself.
func (c *joinedConn) ReadFrom(r io.Reader) (int64, error) {
	if err := c.release(); err != nil {
		return 0, err
	}
	return c.TCPConn.ReadFrom(r)
}

// release sends what is held back, and holds back no more.
func (c *joinedConn) release() error {
	c.holding = false
	if len(c.held) == 0 {
		return nil
	}
	_, err := c.TCPConn.Write(c.held)
	c.held = c.held[:0]
	return err
}

// joinedKey is the key of a request's joinedConn in its context.
type joinedKey struct{}

// withConn is an http.Server's ConnContext.
func withConn(ctx context.Context, conn net.Conn) context.Context {
	if joined, ok := conn.(*joinedConn); ok { // not what TLS made of it
		return context.WithValue(ctx, joinedKey{}, joined)
	}
	return ctx
}

// joinWrites has the connection hold back while the handler is at work.
// HTTP/2 writes from goroutines of its own, and to one connection for many
// requests.
func joinWrites(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, ok := r.Context().Value(joinedKey{}).(*joinedConn)
		if !ok || r.ProtoMajor != 1 {
			handler.ServeHTTP(w, r)
			return
		}
		conn.holding = true
		defer conn.release() // an error shows at the next write too
		handler.ServeHTTP(w, r)
	})
}
