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
	"strconv"
	"sync"
	"time"
)

// frame is what a connection of HTTP/1 shows of where an answer ends, which the
// transport keeps to itself.
type frame struct {
	seen   bool // there was a connection to look at
	both   bool // Content-Length and Transfer-Encoding came together
	beyond bool // bytes came behind the end
	line   oddLine
}

// maxWait is how long a connection is read on behind the end of an answer. Servers
// were asked to close it, so that few take as long.
const maxWait = 200 * time.Millisecond

// tap is a connection for one answer. It keeps the start of what comes, and lets
// itself be read on when the transport has closed it.
type tap struct {
	net.Conn

	reading sync.Mutex // held while reading; guards start and count
	start   []byte     // no more than maxHeader, and what the transport reads ahead
	count   int64      // bytes that have come

	mu      sync.Mutex // guards held and reading on
	held    bool       // end will close it
	further bool       // it is being read on
}

func (t *tap) Read(p []byte) (int, error) {
	t.reading.Lock()
	defer t.reading.Unlock()
	n, err := t.Conn.Read(p)
	t.count += int64(n)
	const most = maxHeader + 4<<10
	t.start = append(t.start, p[:min(n, most-len(t.start))]...)
	return n, err
}

// hold keeps the connection open until end.
func (t *tap) hold() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held = true
}

// Close is what the transport calls: it ends reading.
func (t *tap) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case !t.held:
		return t.Conn.Close()
	case t.further:
		return nil
	}
	return t.SetReadDeadline(time.Unix(1, 0))
}

func (t *tap) end() { _ = t.Conn.Close() } // all that matters has come

// look tells what there is behind an answer that was read to its end.
func (t *tap) look(a *Answer) frame {
	if !t.reading.TryLock() {
		return frame{} // the transport still reads: the answer has not ended
	}
	defer t.reading.Unlock()
	header, size, ok := lastHeader(t.start)
	if !ok {
		return frame{}
	}
	f := frame{seen: true, line: findOddLine(t.start[:size]), both: len(header.Values("Content-Length")) > 0 && len(header.Values("Transfer-Encoding")) > 0}
	switch {
	case a.bodiless():
	case f.both, a.Length < 0, a.Content.Cut != nil, a.Content.TooLarge:
		return f // where it ends is not known
	default:
		size += a.Length
	}
	f.beyond = t.readOn(size)
	return f
}

// oddLine is what is wrong with a line of a header that can be read all the same; ""
// for nothing.
type oddLine struct{ text, reference string }

// findOddLine looks for lines that servers must not send. What stands in front of them
// may read them in another way than clients.
func findOddLine(header []byte) oddLine {
	old := false
	for l := range bytes.Lines(header) {
		old = old || bytes.HasPrefix(l, []byte("HTTP/1.0 "))
		if bytes.HasPrefix(l, []byte("HTTP/")) || len(bytes.TrimSpace(l)) == 0 {
			continue
		}
		if l[0] == ' ' || l[0] == '\t' {
			return oddLine{"a field is continued on a second line", "RFC 9112, section 5.2"}
		}
		name, _, _ := bytes.Cut(l, []byte(":"))
		if old && bytes.EqualFold(bytes.TrimSpace(name), []byte("Transfer-Encoding")) {
			return oddLine{"Transfer-Encoding in an answer of HTTP/1.0, which has none", "RFC 9112, section 6.1"}
		}
		if len(name) > 0 && (name[len(name)-1] == ' ' || name[len(name)-1] == '\t') {
			return oddLine{"there is a space between the name of a field and its colon", "RFC 9112, section 5.1"}
		}
	}
	return oddLine{}
}

// readOn reports whether more than size bytes come.
func (t *tap) readOn(size int64) bool {
	t.mu.Lock()
	t.further = true
	err := t.SetReadDeadline(time.Now().Add(maxWait))
	t.mu.Unlock()
	buffer := make([]byte, 512)
	for err == nil && t.count <= size {
		var n int
		n, err = t.Conn.Read(buffer)
		t.count += int64(n)
	}
	return t.count > size
}

// lastHeader reads the header of an answer behind those of interim ones, and
// returns where it ends.
func lastHeader(raw []byte) (header http.Header, end int64, ok bool) {
	for {
		size := headerSize(raw[end:])
		if size < 0 {
			return nil, 0, false
		}
		r := textproto.NewReader(bufio.NewReader(bytes.NewReader(raw[end : end+size])))
		status, err := r.ReadLine()
		if err != nil {
			return nil, 0, false
		}
		fields, err := r.ReadMIMEHeader()
		if err != nil {
			return nil, 0, false
		}
		end += size
		if interim := len(status) > 9 && status[9] == '1'; !interim {
			return http.Header(fields), end, true
		}
	}
}

// headerSize returns the size of a header with the empty line behind it, -1 if
// that is not there.
func headerSize(raw []byte) int64 {
	size := int64(-1)
	for _, end := range []string{"\n\r\n", "\n\n"} {
		if i := bytes.Index(raw, []byte(end)); i >= 0 && (size < 0 || int64(i+len(end)) < size) {
			size = int64(i + len(end))
		}
	}
	return size
}

// dialer makes connections that can be looked at: all but those of HTTP/2, and of
// TLS through a proxy.
type dialer struct {
	config  *tls.Config
	timeout time.Duration
}

func (d dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: d.timeout}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &tap{Conn: conn}, nil
}

func (d dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout) // the transport's goes on behind the request
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config := d.config.Clone()
	if !slices.Contains(config.NextProtos, "h2") {
		config.NextProtos = append(slices.Clone(config.NextProtos), "h2", "http/1.1")
	}
	if config.ServerName == "" {
		if config.ServerName, _, err = net.SplitHostPort(address); err != nil {
			config.ServerName = address
		}
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	if secure.ConnectionState().NegotiatedProtocol == "h2" {
		return secure, nil
	}
	return &tap{Conn: secure}, nil
}

// checkFrames looks at where the answers end (RFC 9112, section 6.3).
func (e *examination) checkFrames() {
	told := make(map[string]bool)
	for _, a := range e.result.Answers {
		if !a.frame.seen {
			continue
		}
		e.look(framing)
		if odd := a.frame.line; odd.text != "" && !told[odd.text] {
			told[odd.text] = true
			e.find(malformed.citing(odd.reference), a.Coding, []*Answer{a}, "%s", odd.text)
		}
		text, c := "", framing
		switch {
		case a.frame.both:
			c = c.advising("send Content-Length or Transfer-Encoding, not both: what stands in front may go by the other one, and take one answer for two")
			text = "Content-Length and Transfer-Encoding in one answer"
		case !a.frame.beyond:
			continue
		case a.Question.Method == http.MethodHead:
			text = "content comes with an answer to HEAD"
		case a.bodiless():
			text = "content comes with a " + strconv.Itoa(a.Status)
		default:
			text = "more bytes come than Content-Length says"
		}
		if !told[text] {
			told[text] = true
			e.find(c, a.Coding, []*Answer{a}, "%s", text)
		}
	}
}
