//go:build unix

package main

import "github.com/creack/pty"

var _ = pty.Open
