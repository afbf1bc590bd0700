package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
)

// recorder is an outlet that notes what the system is called for, in bytes:
// "write", "both" or "file". It fails from the moment that fail is set.
type recorder struct {
	*socket
	mu    sync.Mutex
	calls []string
	fail  error
}

func (r *recorder) note(what string, n int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, fmt.Sprint(what, " ", n))
	return r.fail
}

func (r *recorder) Write(p []byte) (int, error) {
	if err := r.note("write", int64(len(p))); err != nil {
		return 0, err
	}
	return r.TCPConn.Write(p)
}

func (r *recorder) writeBoth(first, second []byte) (int64, error) {
	if err := r.note("both", int64(len(first)+len(second))); err != nil {
		return int64(len(first) + 1), err // one byte of the second part is gone
	}
	return r.socket.writeBoth(first, second)
}

func (r *recorder) ReadFrom(src io.Reader) (int64, error) {
	n, err := r.TCPConn.ReadFrom(src)
	return n, errors.Join(err, r.note("file", n))
}

// taken returns the calls since the last time. The client has their bytes, so
// the calls are over.
func (r *recorder) taken() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.calls = nil }()
	return r.calls
}

// recording is a Listener whose connections have a recorder.
type recording struct {
	net.Listener
	conns chan *joinedConn
}

func (l recording) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		joined := conn.(*joinedConn)
		joined.out = &recorder{socket: joined.out.(*socket)}
		l.conns <- joined
	}
	return conn, err
}

// visitor is a client with one connection to a server on a Listener.
type visitor struct {
	net.Conn
	t      *testing.T
	reader *bufio.Reader
	conn   *joinedConn // the server's end
}

func visit(t *testing.T, h http.Handler, set func(*http.Server)) *visitor {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h, ConnContext: ConnContext}
	if set != nil {
		set(server)
	}
	conns := make(chan *joinedConn, 100)
	go server.Serve(recording{Listener(ln), conns})
	t.Cleanup(func() { server.Close() })
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute)) // a test that hangs fails
	return &visitor{conn, t, bufio.NewReader(conn), <-conns}
}

func (v *visitor) ask(method, target string, fields ...string) {
	v.t.Helper()
	lines := append([]string{method + " " + target + " HTTP/1.1", "Host: localhost"}, fields...)
	if _, err := io.WriteString(v, strings.Join(lines, "\r\n")+"\r\n\r\n"); err != nil {
		v.t.Fatal(err)
	}
}

func (v *visitor) answer(method string) (*http.Response, []byte) {
	v.t.Helper()
	resp, err := http.ReadResponse(v.reader, &http.Request{Method: method})
	if err != nil {
		v.t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return resp, body
}

func (v *visitor) calls() []string { return v.conn.out.(*recorder).taken() }

// numbers is text of n bytes in which every place is told from its neighbours.
func numbers(n int) []byte {
	var text bytes.Buffer
	for i := 0; text.Len() < n; i++ {
		fmt.Fprintf(&text, "%d,", i)
	}
	return text.Bytes()[:n]
}

// newNumbers serves files of numbers, each named by its size.
func newNumbers(t *testing.T, opts Options, sizes ...int) *Handler {
	t.Helper()
	dir := t.TempDir()
	for _, n := range sizes {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(n)), numbers(n), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h, err := Dir(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// TestListenerJoins has answers of every size around net/http's buffer go out
// in one call each, on one connection, and nothing remain behind.
func TestListenerJoins(t *testing.T) {
	v := visit(t, newNumbers(t, Options{}, 30_000), nil)
	parts := []int{1, 100, 1000, 2047, 2048, 2049, 8191, 8192, 8193, 12_288, 29_999, 30_000}
	for n := 3500; n <= 4200; n++ {
		parts = append(parts, n)
	}
	joined := 0
	for _, n := range parts {
		v.ask("GET", "/30000", fmt.Sprintf("Range: bytes=0-%d", n-1))
		if resp, body := v.answer("GET"); resp.StatusCode != 206 || !bytes.Equal(body, numbers(n)) {
			t.Fatalf("%d bytes: %s, %d", n, resp.Status, len(body))
		}
		calls := v.calls()
		if len(calls) != 1 {
			t.Fatalf("%d bytes: %q", n, calls)
		}
		if strings.HasPrefix(calls[0], "both") {
			joined++
		}
	}
	if joined < 300 || joined == len(parts) {
		t.Errorf("%d of %d were joined", joined, len(parts))
	}
	v.ask("GET", "/30000")
	resp, body := v.answer("GET")
	if calls := v.calls(); !bytes.Equal(body, numbers(30_000)) || len(calls) != 1 || !strings.HasPrefix(calls[0], "both") {
		t.Errorf("200: %q, %d bytes", calls, len(body))
	}
	v.ask("HEAD", "/30000")
	if resp, _ := v.answer("HEAD"); resp.ContentLength != 30_000 || len(v.calls()) != 1 {
		t.Errorf("HEAD: %s", resp.Status)
	}
	v.ask("GET", "/30000", "If-None-Match: "+resp.Header.Get("Etag"))
	if resp, _ := v.answer("GET"); resp.StatusCode != 304 || len(v.calls()) != 1 {
		t.Errorf("304: %s", resp.Status)
	}
}

// TestListenerFiles leaves large files to the system.
func TestListenerFiles(t *testing.T) {
	const size = 1 << 20
	events := make(chan Event, 1)
	v := visit(t, newNumbers(t, Options{Observe: func(e Event) { events <- e }}, size), nil)
	for range 2 {
		v.ask("GET", fmt.Sprint("/", size))
		if _, body := v.answer("GET"); !bytes.Equal(body, numbers(size)) {
			t.Fatalf("%d bytes", len(body))
		}
		<-events // the call for the file is noted after its end
		calls := v.calls()
		// net/http reads the first 512 bytes itself.
		if len(calls) != 2 || !strings.HasPrefix(calls[0], "write ") || calls[1] != fmt.Sprint("file ", size-512) {
			t.Errorf("%q", calls)
		}
	}
}

// TestListenerPipeline sends many requests at once: the answers come whole and
// in order.
func TestListenerPipeline(t *testing.T) {
	sizes := []int{10, 3700, 4000, 4096, 30_000, 300_000}
	v := visit(t, newNumbers(t, Options{}, sizes...), nil)
	var methods []string
	for i := range 60 {
		methods = append(methods, []string{"GET", "HEAD", "GET", "GET", "POST"}[i%5])
		v.ask(methods[i], fmt.Sprint("/", sizes[i%len(sizes)]))
	}
	for i, method := range methods {
		resp, body := v.answer(method)
		want := numbers(sizes[i%len(sizes)])
		switch method {
		case "HEAD":
			if resp.ContentLength != int64(len(want)) {
				t.Errorf("%d: HEAD: %d", i, resp.ContentLength)
			}
		case "GET":
			if !bytes.Equal(body, want) {
				t.Errorf("%d: GET: %d bytes, want %d", i, len(body), len(want))
			}
		default:
			if resp.StatusCode != 405 {
				t.Errorf("%d: %s", i, resp.Status)
			}
		}
	}
}

// TestListenerContinue: a client that waits to be told to send its body gets
// the answer instead.
func TestListenerContinue(t *testing.T) {
	v := visit(t, newNumbers(t, Options{}, 30_000), nil)
	v.ask("GET", "/30000", "Content-Length: 10", "Expect: 100-continue")
	if resp, body := v.answer("GET"); resp.StatusCode != 200 || !bytes.Equal(body, numbers(30_000)) {
		t.Errorf("%s, %d bytes", resp.Status, len(body))
	}
}

// TestListenerErrors: an answer that cannot be sent is told of, wherever it
// fails.
func TestListenerErrors(t *testing.T) {
	for _, test := range []struct {
		size  int
		flush bool
	}{{4090, true}, {4090, false}, {30_000, true}} {
		events := make(chan Event, 1)
		h := newNumbers(t, Options{Observe: func(e Event) { events <- e }}, test.size)
		v := visit(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !test.flush {
				w = outer{w: w}
			}
			h.ServeHTTP(w, r)
		}), nil)
		v.conn.out.(*recorder).fail = os.ErrDeadlineExceeded
		v.ask("GET", fmt.Sprint("/", test.size))
		if e := <-events; !errors.Is(e.Err, os.ErrDeadlineExceeded) {
			t.Errorf("%v: %v", test, e.Err)
		}
		if _, err := http.ReadResponse(v.reader, nil); err == nil {
			t.Errorf("%v: an answer", test)
		}
	}
}

// TestJoinedConn holds a connection to the contract of an io.Writer.
func TestJoinedConn(t *testing.T) {
	small, large := numbers(100), numbers(smallWrite+1)
	fail := errors.New("no")
	for _, test := range []struct {
		name  string
		do    func(c *joinedConn) (int, error)
		calls []string
		n     int
		err   error
	}{
		{"not holding", func(c *joinedConn) (int, error) { return c.Write(small) }, []string{"write 100"}, 100, nil},
		{"held", func(c *joinedConn) (int, error) { c.hold(); return c.Write(small) }, nil, 100, nil},
		{"too large", func(c *joinedConn) (int, error) { c.hold(); return c.Write(large) }, []string{"write 4097"}, 4097, nil},
		{"joined", func(c *joinedConn) (int, error) { c.hold(); c.Write(small); return c.Write(large) }, []string{"both 4197"}, 4097, nil},
		{"held again", func(c *joinedConn) (int, error) { c.hold(); c.Write(small); c.Write(large); return c.Write(small) }, []string{"both 4197"}, 100, nil},
		{"released", func(c *joinedConn) (int, error) { c.hold(); c.Write(small); return 0, c.release() }, []string{"write 100"}, 0, nil},
		{"released twice", func(c *joinedConn) (int, error) { c.hold(); c.Write(small); c.release(); return 0, c.release() }, []string{"write 100"}, 0, nil},
		{"after release", func(c *joinedConn) (int, error) { c.hold(); c.release(); return c.Write(small) }, []string{"write 100"}, 100, nil},
		{"file", func(c *joinedConn) (int, error) {
			c.hold()
			c.Write(small)
			n, err := c.ReadFrom(bytes.NewReader(large))
			return int(n), err
		}, []string{"write 100", "file 4097"}, 4097, nil},
		{"joined, failing", func(c *joinedConn) (int, error) {
			c.hold()
			c.Write(small)
			c.out.(*recorder).fail = fail
			return c.Write(large)
		}, []string{"both 4197"}, 1, fail},
		{"released, failing", func(c *joinedConn) (int, error) {
			c.hold()
			c.Write(small)
			c.out.(*recorder).fail = fail
			return 0, c.release()
		}, []string{"write 100"}, 0, fail},
		{"file, failing", func(c *joinedConn) (int, error) {
			c.hold()
			c.Write(small)
			c.out.(*recorder).fail = fail
			n, err := c.ReadFrom(bytes.NewReader(large))
			return int(n), err
		}, []string{"write 100"}, 0, fail},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := visit(t, http.NotFoundHandler(), nil)
			n, err := test.do(v.conn)
			if calls := v.calls(); n != test.n || !errors.Is(err, test.err) || !slices.Equal(calls, test.calls) {
				t.Errorf("%d, %v, %q", n, err, calls)
			}
		})
	}
}

// TestListenerNext: the writes of other handlers are not held back, be they as
// small as can be, nor is a connection that one takes over.
func TestListenerNext(t *testing.T) {
	seen := make(chan struct{})
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hijack" {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			if _, ok := conn.(interface{ NetConn() net.Conn }).NetConn().(*net.TCPConn); !ok {
				t.Errorf("%T", conn)
			}
			io.WriteString(conn, "taken\n")
			<-seen
			return
		}
		for range 3 {
			io.WriteString(w, "event\n")
			w.(http.Flusher).Flush()
			<-seen // deadlock if it were held back
		}
	})
	v := visit(t, newNumbers(t, Options{Next: next}, 30_000), nil)
	v.ask("GET", "/30000") // this one is
	v.answer("GET")
	v.ask("GET", "/events")
	resp, err := http.ReadResponse(v.reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(resp.Body)
	for range 3 {
		if line, err := lines.ReadString('\n'); line != "event\n" {
			t.Fatalf("%q, %v", line, err)
		}
		seen <- struct{}{}
	}
	io.Copy(io.Discard, lines)
	v.ask("GET", "/hijack")
	if line, err := v.reader.ReadString('\n'); line != "taken\n" {
		t.Errorf("%q, %v", line, err)
	}
	close(seen)
}

// outer is a ResponseWriter of someone else's: it cannot flush, and does what
// it likes after a write.
type outer struct {
	w     http.ResponseWriter
	after func()
}

func (o outer) Header() http.Header    { return o.w.Header() }
func (o outer) WriteHeader(status int) { o.w.WriteHeader(status) }
func (o outer) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.after != nil {
		o.after()
	}
	return n, err
}

// TestListenerMiddleware has something between the server and the handler: what
// was held back comes out, whatever that does.
func TestListenerMiddleware(t *testing.T) {
	const size = 4090 // with the header, more than the buffer by less than that
	observe := func(e Event) {
		if e.Err != nil || e.Bytes != size {
			t.Errorf("%d bytes, %v", e.Bytes, e.Err)
		}
	}
	h := newNumbers(t, Options{Observe: observe}, size)
	for name, around := range map[string]http.HandlerFunc{
		"no flush": func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(outer{w: w}, r) },
		"panic": func(w http.ResponseWriter, r *http.Request) {
			defer func() { recover() }()
			h.ServeHTTP(outer{w, func() { panic("outer") }}, r)
		},
		"timeout": http.TimeoutHandler(h, time.Minute, "").ServeHTTP,
	} {
		t.Run(name, func(t *testing.T) {
			v := visit(t, around, nil)
			for range 2 {
				v.ask("GET", fmt.Sprint("/", size))
				if _, body := v.answer("GET"); !bytes.Equal(body, numbers(size)) {
					t.Errorf("%d bytes", len(body))
				}
			}
			if v.conn.holding || v.conn.holds() {
				t.Error("it holds back still")
			}
		})
	}
}

// TestListenerLate has handlers that outlive their requests write to the
// connection of later ones. The race detector looks on.
func TestListenerLate(t *testing.T) {
	h := newNumbers(t, Options{}, 30_000)
	var late sync.WaitGroup
	defer late.Wait()
	v := visit(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithoutCancel(r.Context())
		late.Go(func() { h.ServeHTTP(&nowhere{http.Header{}}, r.Clone(ctx)) })
		h.ServeHTTP(w, r)
	}), nil)
	for range 50 {
		v.ask("GET", "/30000")
		if _, body := v.answer("GET"); !bytes.Equal(body, numbers(30_000)) {
			t.Fatalf("%d bytes", len(body))
		}
	}
}

// nowhere is a ResponseWriter that keeps nothing.
type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) WriteHeader(int)             {}
func (n *nowhere) Write(p []byte) (int, error) { return len(p), nil }

// TestListenerHTTP2: nothing is held back there. A handler waits, in the midst
// of its answer, until the client has what it wrote.
func TestListenerHTTP2(t *testing.T) {
	arrived := make(chan struct{})
	sizes := []int{10, 4000, 30_000}
	inner := newNumbers(t, Options{}, sizes...)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		flush := http.NewResponseController(w).Flush
		if err := flush(); err != nil { // the header, a frame of its own
			t.Error(err)
		}
		inner.ServeHTTP(outer{begun{w}, func() {
			if err := flush(); err != nil {
				t.Error(err)
			}
			<-arrived
		}}, r)
	})
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	v := visit(t, h, func(s *http.Server) { s.Protocols = protocols })
	transport := &http.Transport{Protocols: protocols}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	for _, size := range sizes {
		resp, err := client.Get(fmt.Sprintf("http://%s/%d", v.RemoteAddr(), size))
		if err != nil {
			t.Fatal(err)
		}
		body := make([]byte, size)
		_, err = io.ReadFull(resp.Body, body)
		if err != nil || resp.ProtoMajor != 2 || !bytes.Equal(body, numbers(size)) {
			t.Fatalf("%s %d bytes, %v", resp.Proto, size, err)
		}
		arrived <- struct{}{}
		resp.Body.Close()
	}
}

// begun is a ResponseWriter whose header is sent.
type begun struct{ http.ResponseWriter }

func (begun) WriteHeader(int) {}

// TestListenerOther leaves connections that are not TCP as they are.
func TestListenerOther(t *testing.T) {
	ends := make(chan net.Conn, 1)
	_, end := net.Pipe()
	ends <- end
	if conn, err := Listener(pipes{ends}).Accept(); conn != end || err != nil {
		t.Errorf("%T, %v", conn, err)
	}
	close(ends)
	if conn, err := Listener(pipes{ends}).Accept(); conn != nil || !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v, %v", conn, err)
	}
	if ctx := ConnContext(t.Context(), end); ctx != t.Context() {
		t.Errorf("%v", ctx)
	}
}

// pipes is a listener that has its connections from a channel.
type pipes struct{ conns chan net.Conn }

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }
func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p.conns; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

// TestListenerAllocations: joining allocates nothing.
func TestListenerAllocations(t *testing.T) {
	h, err := New(fstest.MapFS{"a.txt": {Data: numbers(30_000)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := visit(t, http.NotFoundHandler(), nil)
	go io.Copy(io.Discard, v)
	v.conn.out = v.conn.out.(*recorder).socket
	r, err := http.NewRequestWithContext(ConnContext(t.Context(), v.conn), "GET", "/a.txt", nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &sink{conn: v.conn, header: http.Header{}}
	if allocs := testing.AllocsPerRun(100, func() { clear(w.header); h.ServeHTTP(w, r) }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// sink is a ResponseWriter that writes as net/http does.
type sink struct {
	conn   net.Conn
	header http.Header
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}
func (s *sink) Write(p []byte) (int, error) {
	n, err := s.conn.Write(p[:smallWrite])
	if err != nil {
		return n, err
	}
	m, err := s.conn.Write(p[smallWrite:])
	return n + m, err
}
