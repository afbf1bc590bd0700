package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"sync/atomic"
)

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
		return nil, usageError{err}
	}
	return c, nil
}

// pairedFiles refuses one file where two are needed.
func pairedFiles(cert, key string) error {
	switch {
	case cert == "" && key != "":
		return usageError{errors.New("--tls-key goes with a certificate: name it with --tls-cert")}
	case cert != "" && key == "":
		return usageError{errors.New("--tls-cert goes with its private key: name it with --tls-key")}
	}
	return nil
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
