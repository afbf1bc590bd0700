package serve_test

import (
	"bufio"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/precompress/precompress/serve"
)

// BenchmarkLoopback asks for 30 kB over a connection of its own, with and
// without a Listener, in turns. The time of an operation is that of all turns;
// what counts are the ratios of the medians: of a validation (304) and a HEAD to
// a GET (200), all with a Listener, and of a GET with to one without.
func BenchmarkLoopback(b *testing.B) {
	content := make([]byte, 30_000)
	rand.NewChaCha8([32]byte{}).Read(content)
	h := mustNew(b, fstest.MapFS{"a.bin": file(content, time.Time{})}, serve.Options{})
	plain, joined := dialLoopback(b, h, false), dialLoopback(b, h, true)
	validate := "If-None-Match: " + get(h, "/a.bin", "-").Header().Get("ETag") + "\r\n"
	turns := []struct {
		conn           *loopback
		method, fields string
		length         int64
		took           []time.Duration
	}{
		{conn: plain, method: "GET", length: int64(len(content))},
		{conn: joined, method: "GET", length: int64(len(content))},
		{conn: joined, method: "GET", fields: validate},
		{conn: joined, method: "HEAD"},
	}
	for b.Loop() {
		for i := range turns {
			turn := &turns[i]
			start := time.Now()
			if n := turn.conn.ask(b, turn.method, turn.fields); n != turn.length {
				b.Fatalf("turn %d: %d bytes", i, n)
			}
			turn.took = append(turn.took, time.Since(start))
		}
	}
	median := func(i int) float64 {
		slices.Sort(turns[i].took)
		return float64(turns[i].took[len(turns[i].took)/2])
	}
	ok := median(1)
	b.ReportMetric(ok/median(0), "joined/plain")
	b.ReportMetric(median(2)/ok, "304/200")
	b.ReportMetric(median(3)/ok, "HEAD/200")
}

// loopback is a client's end of a connection.
type loopback struct {
	net.Conn
	reader *bufio.Reader
}

func dialLoopback(b *testing.B, h http.Handler, joined bool) *loopback {
	b.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: h}
	if joined {
		server.ConnContext = serve.ConnContext
		ln = serve.Listener(ln)
	}
	go server.Serve(ln)
	b.Cleanup(func() { server.Close() })
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	return &loopback{conn, bufio.NewReaderSize(conn, 64<<10)}
}

// ask sends a request for the file and reads the answer. It returns the length
// of the content that came.
func (l *loopback) ask(b *testing.B, method, fields string) int64 {
	b.Helper()
	if _, err := io.WriteString(l, method+" /a.bin HTTP/1.1\r\nHost: localhost\r\n"+fields+"\r\n"); err != nil {
		b.Fatal(err)
	}
	resp, err := http.ReadResponse(l.reader, &http.Request{Method: method})
	if err != nil {
		b.Fatal(err)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	return n
}
