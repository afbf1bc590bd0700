package probe

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"sync"
	"time"
)

// wireFraming is what a connection of HTTP/1 shows about where an answer ends. The
// transport of net/http does not report it.
type wireFraming struct {
	observed    bool // there was a connection to observe
	twoLengths  bool // Content-Length and Transfer-Encoding came together
	excess      bool // more bytes came after the end of the answer
	invalidLine invalidLine
}

// invalidLine is a header line that servers must not send but clients can read. The
// zero value is none.
type invalidLine struct{ text, reference string }

// maxWait is how long a connection is read after the end of an answer. Servers are
// asked to close it, so few take as long.
const maxWait = 200 * time.Millisecond

// maxHeader is the most bytes that the header of an answer may have.
const maxHeader = 64 << 10

// recordingConn is a connection for one answer. It records the start of what it
// receives, and can be read further after the transport has closed it.
type recordingConn struct {
	net.Conn

	reading sync.Mutex // held while reading; guards start and count
	start   []byte     // at most maxHeader, and what the transport reads ahead
	count   int64      // bytes received

	mu       sync.Mutex // guards held and isReadOn
	held     bool       // Close leaves the connection open: release closes it
	isReadOn bool       // inspect reads it
}

func (c *recordingConn) Read(p []byte) (int, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	n, err := c.Conn.Read(p)
	c.count += int64(n)
	const most = maxHeader + 4<<10
	c.start = append(c.start, p[:min(n, most-len(c.start))]...)
	return n, err
}

// hold keeps the connection open until release.
func (c *recordingConn) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = true
}

// release closes the connection.
func (c *recordingConn) release() { _ = c.Conn.Close() } // everything of interest was received

// Close is called by the transport. On a held connection it only stops the reading.
func (c *recordingConn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !c.held:
		return c.Conn.Close()
	case c.isReadOn:
		return nil
	}
	return c.SetReadDeadline(time.Unix(1, 0))
}

// inspect reports how an answer that was read to its end is framed. length is how many
// bytes of content the answer has, -1 if that is unknown.
func (c *recordingConn) inspect(length int64) wireFraming {
	if !c.reading.TryLock() {
		return wireFraming{} // the transport still reads: the answer has not ended
	}
	defer c.reading.Unlock()
	header, size, ok := lastHeader(c.start)
	if !ok {
		return wireFraming{}
	}
	f := wireFraming{
		observed:    true,
		twoLengths:  len(header.Values("Content-Length")) > 0 && len(header.Values("Transfer-Encoding")) > 0,
		invalidLine: findInvalidLine(c.start[:size]),
	}
	if !f.twoLengths && length >= 0 {
		f.excess = c.readPast(size + length)
	}
	return f
}

// readPast reports whether more than size bytes are received.
func (c *recordingConn) readPast(size int64) bool {
	c.mu.Lock()
	c.isReadOn = true
	err := c.SetReadDeadline(time.Now().Add(maxWait))
	c.mu.Unlock()
	buffer := make([]byte, 512)
	for err == nil && c.count <= size {
		var n int
		n, err = c.Conn.Read(buffer)
		c.count += int64(n)
	}
	return c.count > size
}

// findInvalidLine returns the first header line that servers must not send. A proxy may
// read it differently than a client does.
func findInvalidLine(header []byte) invalidLine {
	isHTTP10 := false
	for l := range bytes.Lines(header) {
		isHTTP10 = isHTTP10 || bytes.HasPrefix(l, []byte("HTTP/1.0 "))
		if bytes.HasPrefix(l, []byte("HTTP/")) || len(bytes.TrimSpace(l)) == 0 {
			continue
		}
		if l[0] == ' ' || l[0] == '\t' {
			return invalidLine{"a field continues on a second line", "RFC 9112, section 5.2"}
		}
		name, _, _ := bytes.Cut(l, []byte(":"))
		if isHTTP10 && bytes.EqualFold(bytes.TrimSpace(name), []byte("Transfer-Encoding")) {
			return invalidLine{"an answer of HTTP/1.0 has Transfer-Encoding, which HTTP/1.0 does not define", "RFC 9112, section 6.1"}
		}
		if len(name) > 0 && (name[len(name)-1] == ' ' || name[len(name)-1] == '\t') {
			return invalidLine{"there is a space between a field name and its colon", "RFC 9112, section 5.1"}
		}
	}
	return invalidLine{}
}

// lastHeader parses the header of the final answer, after those of interim answers
// (1xx), and returns where it ends.
func lastHeader(raw []byte) (header http.Header, end int64, ok bool) {
	unread := bytes.NewReader(raw)
	buffered := bufio.NewReader(unread)
	r := textproto.NewReader(buffered)
	for {
		status, err := r.ReadLine()
		if err != nil {
			return nil, 0, false
		}
		fields, err := r.ReadMIMEHeader()
		if err != nil {
			return nil, 0, false
		}
		if isInterim := len(status) > 9 && status[9] == '1'; !isInterim {
			return http.Header(fields), int64(len(raw) - unread.Len() - buffered.Buffered()), true
		}
	}
}

// dialer makes connections that are recorded, except for HTTP/2 and for TLS through a
// proxy.
type dialer struct {
	config  *tls.Config
	timeout time.Duration
}

func (d dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: d.timeout}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &recordingConn{Conn: conn}, nil
}

func (d dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout) // the transport's context outlives the request
	defer cancel()
	config := d.config.Clone()
	if !slices.Contains(config.NextProtos, "h2") {
		config.NextProtos = append(slices.Clone(config.NextProtos), "h2", "http/1.1")
	}
	conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	secure := conn.(*tls.Conn)
	if secure.ConnectionState().NegotiatedProtocol == "h2" {
		return secure, nil
	}
	return &recordingConn{Conn: secure}, nil
}
