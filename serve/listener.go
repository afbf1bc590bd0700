package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
)

// Listener makes the responses of a [Handler] cheaper to send. net/http sends a
// response of more than 4 KiB with two system calls: one for its buffer, with the
// header and the beginning of the content, and one for the rest. For an asset of usual
// size, the second call is a good part of the total cost. On the connections of this
// listener one call sends both, if the server has [ConnContext]:
//
//	server := &http.Server{Handler: handler, ConnContext: serve.ConnContext}
//	err = server.Serve(serve.Listener(listener))
//
// It has no effect without ConnContext, or around anything but a TCP listener.
//
// It joins only what a Handler sends over HTTP/1. Until the Handler has written its
// content, up to 4 KiB are held back. Other handlers' responses, including those of
// [Options.Next], HTTP/2, and connections with TLS are not affected. Large files are
// still sent with sendfile. Deadlines, hijacking and half-closing work as on any TCP
// connection. The type of the connections is not *net.TCPConn, but their NetConn
// method returns one.
func Listener(ln net.Listener) net.Listener { return joinedListener{ln} }

// ConnContext is for the ConnContext field of an [http.Server] that serves a
// [Listener]. It lets a [Handler] find the connection of its request. If the server
// has a ConnContext of its own, call this one from it.
func ConnContext(ctx context.Context, conn net.Conn) context.Context {
	if joined, ok := conn.(*joinedConn); ok { // without TLS
		return context.WithValue(ctx, joinedKey{}, joined)
	}
	return ctx
}

// joinedKey is the key of a request's joinedConn in its context.
type joinedKey struct{}

type joinedListener struct{ net.Listener }

func (l joinedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		return &joinedConn{TCPConn: tcp, out: &socket{TCPConn: tcp}}, err
	}
	return conn, err
}

// smallWrite is how many bytes are held back, and copied, at most: the size of
// net/http's buffer.
const smallWrite = 4 << 10

// joinedConn holds back a small write while a Handler is about to write more. Only
// between hold and release there may be bytes in held.
type joinedConn struct {
	*net.TCPConn
	out outlet

	// If a handler outlives its request (http.TimeoutHandler), two goroutines
	// write.
	mu      sync.Mutex
	holding bool
	held    []byte
}

// outlet is where the bytes of a joinedConn go.
type outlet interface {
	io.Writer
	io.ReaderFrom
	writeBoth(first, second []byte) (int64, error)
}

// socket is the outlet of a TCP connection.
type socket struct {
	*net.TCPConn
	parts [2][]byte
	both  net.Buffers
}

// writeBoth writes both parts with one system call, where there is one.
func (s *socket) writeBoth(first, second []byte) (int64, error) {
	s.parts = [2][]byte{first, second}
	s.both = s.parts[:]
	return s.both.WriteTo(s.TCPConn)
}

// NetConn returns the connection itself.
func (c *joinedConn) NetConn() net.Conn { return c.TCPConn }

// Write writes p or holds it back.
func (c *joinedConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.held) == 0 {
		if c.holding && len(p) <= smallWrite {
			c.held = append(c.held, p...)
			return len(p), nil
		}
		return c.out.Write(p)
	}
	before := len(c.held)
	n, err := c.out.writeBoth(c.held, p)
	c.held = c.held[:0]
	return max(0, int(n)-before), err
}

// ReadFrom lets the operating system send files (sendfile).
func (c *joinedConn) ReadFrom(r io.Reader) (int64, error) {
	if err := c.release(); err != nil {
		return 0, err
	}
	return c.out.ReadFrom(r)
}

// hold makes the next small write wait for the one after it, or for release.
func (c *joinedConn) hold() {
	c.mu.Lock()
	c.holding = true
	c.mu.Unlock()
}

// holds reports whether bytes are held back.
func (c *joinedConn) holds() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.held) > 0
}

// release sends the bytes that are held back, and ends holding.
func (c *joinedConn) release() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holding = false
	if len(c.held) == 0 {
		return nil
	}
	_, err := c.out.Write(c.held)
	c.held = c.held[:0]
	return err
}

// writeJoined is writeRange, with one system call for the header and the content if
// the connection allows it.
func (s *selection) writeJoined(w http.ResponseWriter, r *http.Request, part byteRange) (int64, error) {
	conn, _ := r.Context().Value(joinedKey{}).(*joinedConn)
	// HTTP/2 writes the responses to many requests from goroutines of its own.
	if conn == nil || r.ProtoMajor != 1 {
		return s.writeRange(w, part)
	}
	conn.hold()
	defer conn.release() // also if something around w panics
	n, err := s.writeRange(w, part)
	if err == nil && conn.holds() {
		// The end of the content is still in net/http's buffer.
		err = http.NewResponseController(w).Flush()
		if errors.Is(err, http.ErrNotSupported) {
			err = nil // net/http flushes it later
		}
	}
	if releaseErr := conn.release(); err == nil {
		err = releaseErr
	}
	return n, err
}
