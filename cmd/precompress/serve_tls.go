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
	switch {
	case f.cert == "" && f.key == "":
		return nil, nil
	case f.cert == "":
		return nil, usageError{errors.New("--tls-key goes with a certificate: name it with --tls-cert")}
	case f.key == "":
		return nil, usageError{errors.New("--tls-cert goes with its private key: name it with --tls-key")}
	}
	c := &certificate{cert: f.cert, key: f.key}
	if err := c.load(); err != nil {
		return nil, usageError{err}
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
