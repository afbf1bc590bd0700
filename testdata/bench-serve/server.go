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

// server is a peer that runs.
type server struct {
	peer
	url   string
	cmd   *exec.Cmd
	ended chan struct{}
	rates []float64 // requests per second, one for each round
	total int       // requests, with those to warm up
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
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
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
		return nil, fmt.Errorf("%w: %s", err, said.String())
	}
	return s, nil
}

// freeAddr is an address of the loopback interface that nobody listens at.
func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// ready asks until there is an answer, which has to be the variant.
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
			return errors.New("it has ended")
		case <-deadline:
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

var errNoAnswer = errors.New("no answer")

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
		err = fmt.Errorf("it does not send the variant: %s, %d bytes", response.Status, len(body))
	}
	return err
}

// stop ends the server, in good order if it does so within some seconds. It may
// have ended already.
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

// load has wrk ask for the variant, and returns requests per second.
func (s *server) load(ctx context.Context, turn time.Duration) (float64, error) {
	seconds := fmt.Sprintf("-d%ds", max(1, int(turn.Seconds())))
	cmd := exec.CommandContext(ctx, "wrk", "-t1", "-c16", seconds, "-H", "Accept-Encoding: br", s.url)
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", cmd, err)
	}
	text := string(out)
	if strings.Contains(text, "Non-2xx") || strings.Contains(text, "Socket errors") {
		return 0, fmt.Errorf("%s: not every answer was right:\n%s", s.name, text)
	}
	found := wrkResult.FindStringSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("wrk printed what is not understood:\n%s", text)
	}
	requests, err := strconv.Atoi(found[1])
	rate, err2 := strconv.ParseFloat(found[2], 64)
	s.total += requests
	return rate, errors.Join(err, err2)
}

var wrkResult = regexp.MustCompile(`(?s)(\d+) requests in .*Requests/sec: *([0-9.]+)`)

// cost is the processor time of a request in microseconds, once the server has
// ended.
func (s *server) cost() float64 {
	state := s.cmd.ProcessState
	return float64((state.UserTime() + state.SystemTime()).Microseconds()) / float64(s.total)
}
