package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// server is a running peer.
type server struct {
	peer
	url   string
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended
	rates []float64     // requests per second, one for each round
	total int           // number of requests, warm-up included
}

// start starts a peer and waits until it sends the variant.
func start(ctx context.Context, p peer, site site) (*server, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	cmd, err := p.command(addr, site.dir)
	if err != nil {
		return nil, err
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{peer: p, url: "http://" + addr + "/" + asset, cmd: cmd, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		_ = cmd.Wait() // it is stopped by a signal
	}()
	if err := s.ready(ctx, site.variant); err != nil {
		s.stop()
		return nil, fmt.Errorf("%w: %s", err, output.String())
	}
	return s, nil
}

// freeAddr returns a loopback address with a free port.
func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// ready repeats a request until the server answers. The answer must be the variant.
func (s *server) ready(ctx context.Context, variant []byte) error {
	deadline := time.After(20 * time.Second)
	for {
		err := s.check(ctx, variant)
		if err == nil || !errors.Is(err, errNoAnswer) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.ended:
			return errors.New("the server has exited")
		case <-deadline:
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

var errNoAnswer = errors.New("no answer")

// check requests the asset once. The error wraps errNoAnswer if there is no answer.
func (s *server) check(ctx context.Context, variant []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept-Encoding", "br")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && (response.Header.Get("Content-Encoding") != "br" || !bytes.Equal(body, variant)) {
		err = fmt.Errorf("the server does not send the variant: %s, %d bytes", response.Status, len(body))
	}
	return err
}

// stop interrupts the server, and kills it if it does not exit within five seconds.
// It may have exited already.
func (s *server) stop() {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.cmd.Process.Kill()
	}
	select {
	case <-s.ended:
	case <-time.After(5 * time.Second):
		s.cmd.Process.Kill()
		<-s.ended
	}
}

// load requests the variant with wrk, and returns the requests per second.
func (s *server) load(ctx context.Context, turn time.Duration) (float64, error) {
	seconds := fmt.Sprintf("-d%ds", max(1, int(turn.Seconds())))
	cmd := exec.CommandContext(ctx, "wrk", "-t1", "-c16", seconds, "-H", "Accept-Encoding: br", s.url)
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", cmd, err)
	}
	text := string(out)
	if strings.Contains(text, "Non-2xx") || strings.Contains(text, "Socket errors") {
		return 0, fmt.Errorf("%s: wrk reports errors:\n%s", s.name, text)
	}
	found := wrkResult.FindStringSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("cannot parse the output of wrk:\n%s", text)
	}
	requests, err := strconv.Atoi(found[1])
	rate, err2 := strconv.ParseFloat(found[2], 64)
	s.total += requests
	return rate, errors.Join(err, err2)
}

var wrkResult = regexp.MustCompile(`(?s)(\d+) requests in .*Requests/sec: *([0-9.]+)`)

// cost returns the CPU time per request in microseconds. The server must have exited.
func (s *server) cost() float64 {
	state := s.cmd.ProcessState
	return float64((state.UserTime() + state.SystemTime()).Microseconds()) / float64(s.total)
}
