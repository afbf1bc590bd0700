package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

func newServeCommand(out *output) *cobra.Command {
	flags := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve [flags] DIR",
		Short: "Serve a tree as production would",
		Long: `serve answers HTTP/1 and HTTP/2 requests for the files of DIR, each client with
the variant that suits it best, or the delta to an earlier release that it holds
(RFC 9842). It builds nothing: stale and damaged files are reported and not
served.

Standard output gets the URL, then a line per request: time, remote host,
method, path without the query, status, content coding, bytes of the body and
duration, and "incomplete" if the body was cut short. Fields that are not
printable or contain a space are quoted. When the reader of a pipe goes away,
serve stops as with SIGTERM, but with exit code 1; --quiet needs no reader.

SIGHUP reloads DIR and the certificate. On SIGTERM and SIGINT, responses have 10
seconds to finish; a second signal ends the process at once.`,
		Example: `  precompress serve dist
  precompress serve --fallback index.html --immutable dist
  precompress serve --addr :8443 --tls-cert cert.pem --tls-key key.pem dist`,
		Args:              requireDir,
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			out.quiet = flags.quiet
			return serveTree(cmd.Context(), out, flags, dirs[0])
		},
	}
	flags.register(cmd.Flags())
	useConfig(cmd, &flags.origins, nil)
	exitCodes(cmd, exitsServe)
	return cmd
}

// serveTree serves one tree until the context ends.
func serveTree(ctx context.Context, out *output, flags *serveFlags, dir string) error {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP) // before the URL is printed
	defer signal.Stop(hangup)
	certificate, err := flags.certificate()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	unread := sync.OnceFunc(func() {
		out.unread(dir)
		stop()
	})
	handler, err := flags.open(out, dir, unread)
	if err != nil {
		return err
	}
	defer handler.Close()
	listener, err := listen(flags.addr)
	if err != nil {
		return err
	}
	out.serving(dir, flags.addr, listener.Addr(), certificate != nil)
	if out.readerGone() {
		unread()
	}
	s := &site{dir, out, handler, certificate, newServer(out, handler, certificate)}
	return s.run(ctx, listener, hangup)
}

// open looks at the tree. unread is called when there is nobody any more to read
// the log.
func (f *serveFlags) open(out *output, dir string, unread func()) (*serve.Handler, error) {
	if err := validate([]string{dir}, precompress.Options{}); err != nil {
		return nil, err
	}
	opts := f.options
	opts.Decoders = decode.All()
	opts.Observe = func(e serve.Event) {
		out.served(e)
		if out.readerGone() {
			unread()
		}
	}
	opts.Fingerprint = f.names
	if f.immutable {
		opts.Immutable = func(name string) bool {
			_, _, _, found := f.names.Split(name)
			return found
		}
	}
	handler, err := serve.Dir(dir, opts)
	var option *serve.OptionError
	switch {
	case errors.As(err, &option):
		flag := map[string]string{"Fallback": "fallback", "NotFound": "not-found"}[option.Field]
		return nil, usageErrorf(flag, "--%s: %w", flag, option.Err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		return nil, asUsage(err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", printable(dir), err)
	}
	return handler, nil
}

// listen opens the socket.
func listen(addr string) (net.Listener, error) {
	if _, err := net.ResolveTCPAddr("tcp", addr); err != nil {
		return nil, usageErrorf("addr", "--addr: %w: %s", err, addressAdvice)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--addr: %w: choose another address, or port 0 for one that is free", err)
	}
	return listener, nil
}

// newServer bounds what a client can hold without asking for anything. There is
// no limit on how long a response takes: a large file over a slow line takes
// its time, and TCP's keep-alive finds out who is gone.
func newServer(out *output, handler http.Handler, certificate *certificate) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{
		Handler:           withoutBody(handler),
		ConnContext:       serve.ConnContext,
		Protocols:         protocols,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          out.serverLog(),
	}
	if certificate != nil {
		server.TLSConfig = certificate.config()
	}
	return server
}

// withoutBody gives requests that have a body, which nobody reads, little time
// to send it: the server reads it to its end before the next request.
func withoutBody(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			// Where that cannot be set, all stays as it was.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(10 * time.Second))
		}
		handler.ServeHTTP(w, r)
	})
}

// site is a tree that is being served.
type site struct {
	dir         string
	out         *output
	handler     *serve.Handler
	certificate *certificate // nil without TLS
	server      *http.Server
}

// run serves until the context ends, and looks at everything again at each
// hangup.
func (s *site) run(ctx context.Context, listener net.Listener, hangup <-chan os.Signal) error {
	ended := make(chan error, 1)
	go func() {
		if s.certificate != nil {
			ended <- s.server.ServeTLS(listener, "", "")
			return
		}
		ended <- s.server.Serve(serve.Listener(listener))
	}()
	go s.check(ctx)
	for {
		select {
		case <-hangup:
			s.reload()
			go s.check(ctx)
		case err := <-ended:
			return err
		case <-ctx.Done():
			return s.stop(ctx)
		}
	}
}

// check warns of variants that are not served. It reads the whole tree, while requests
// are answered.
func (s *site) check(ctx context.Context) {
	findings, err := s.handler.Check()
	if ctx.Err() == nil {
		s.out.findings(s.dir, findings, err)
	}
}

// reload reads the tree and the certificate again. What cannot be read stays as it was.
func (s *site) reload() {
	err := s.handler.Reload()
	if s.certificate != nil {
		err = errors.Join(err, s.certificate.load())
	}
	s.out.reloaded(s.dir, err)
}

// grace is how long responses may take to finish after shutdown begins.
const grace = 10 * time.Second

// stop lets responses finish. SIGTERM is the normal end of a server; an interrupt is an
// error, as for every command.
func (s *site) stop(ctx context.Context) error {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := s.server.Shutdown(limited); err != nil {
		s.out.message("%s: responses that took longer than %v to finish were cut", printable(s.dir), grace)
		s.server.Close()
	}
	var got signalError
	if errors.As(context.Cause(ctx), &got) && got.Signal == syscall.SIGTERM {
		return nil
	}
	return errFailed // if it was a signal, that makes it interrupted
}

// certificate is one that can be replaced while it is in use: they are renewed
// more often than servers are started.
type certificate struct {
	cert, key string // names of PEM files
	current   atomic.Pointer[tls.Certificate]
}

// certificate loads the one that the flags name, nil if they name none.
func (f *serveFlags) certificate() (*certificate, error) {
	if err := pairedFiles(f.cert, f.key); err != nil || f.cert == "" {
		return nil, err
	}
	c := &certificate{cert: f.cert, key: f.key}
	if err := c.load(); err != nil {
		return nil, asUsage(err)
	}
	return c, nil
}

// load reads the files. On an error the certificate stays as it was.
func (c *certificate) load() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	c.current.Store(&pair)
	return nil
}

func (c *certificate) config() *tls.Config {
	return &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		return c.current.Load(), nil
	}}
}
