package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
)

// Listener makes the answers of a [Handler] cheaper to send. net/http hands an
// answer of more than 4 KiB to the system in two writes: its buffer, with the
// header and the content's beginning, then the rest. For a usual asset the
// second write is a good part of all time. On the connections of this listener
// the two become one, if the server passes them on with [ConnContext]:
//
//	server := &http.Server{Handler: handler, ConnContext: serve.ConnContext}
//	err = server.Serve(serve.Listener(listener))
//
// Without ConnContext, and around anything but a TCP listener, it changes
// nothing.
//
// Only what a Handler sends over HTTP/1 is joined. While it writes, at most
// 4 KiB are held back, and nothing once it has written. What other
// handlers send, [Options.Next] among them, goes out as it always does: a flush
// is a flush. So do HTTP/2 and everything over TLS, for which the listener may
// be used as well. Large files are sent by the operating system still.
// Deadlines, hijacking and half-closing work as on any TCP connection, whose
// type, however, is not *net.TCPConn; its NetConn method returns that.
func Listener(ln net.Listener) net.Listener { return joinedListener{ln} }

// ConnContext is for the field of this name of an [http.Server] that serves a
// [Listener]. It lets a [Handler] find the connection of its request. To use it
// with a ConnContext of your own, call one from the other.
func ConnContext(ctx context.Context, conn net.Conn) context.Context {
	if joined, ok := conn.(*joinedConn); ok { // not what TLS made of it
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

// smallWrite is the most that is held back, and copied: net/http's buffer.
const smallWrite = 4 << 10

// joinedConn holds back a small write while a Handler is about to write more.
// Between hold and release it may have bytes in held, at no other time.
type joinedConn struct {
	*net.TCPConn
	out outlet

	// A handler may outlive its request (http.TimeoutHandler), and then there
	// are two goroutines that write.
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

// writeBoth writes both parts with one call of the system, where it has such.
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

// ReadFrom has the system send files by itself.
func (c *joinedConn) ReadFrom(r io.Reader) (int64, error) {
	if err := c.release(); err != nil {
		return 0, err
	}
	return c.out.ReadFrom(r)
}

// hold has the next small write wait for the one after it, or for release.
func (c *joinedConn) hold() {
	c.mu.Lock()
	c.holding = true
	c.mu.Unlock()
}

// holds reports whether something is held back.
func (c *joinedConn) holds() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.held) > 0
}

// release sends what is held back, and holds back no more.
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

// writeJoined writes a part of the content as writeRange does, in one go with
// the header where the connection allows it.
func (s *selection) writeJoined(w http.ResponseWriter, r *http.Request, part byteRange) (int64, error) {
	conn, _ := r.Context().Value(joinedKey{}).(*joinedConn)
	// HTTP/2 writes from goroutines of its own, to one connection for many
	// requests.
	if conn == nil || r.ProtoMajor != 1 {
		return s.writeRange(w, part)
	}
	conn.hold()
	defer conn.release() // also if something around w panics
	n, err := s.writeRange(w, part)
	if err == nil && conn.holds() {
		// The end of the content is in net/http's buffer still.
		err = http.NewResponseController(w).Flush()
		if errors.Is(err, http.ErrNotSupported) {
			err = nil // it comes by itself, later
		}
	}
	if releaseErr := conn.release(); err == nil {
		err = releaseErr
	}
	return n, err
}
