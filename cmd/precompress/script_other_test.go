//go:build !unix

package main

import "github.com/rogpeppe/go-internal/testscript"

func systemCommands() map[string]func(*testscript.TestScript, bool, []string) { return nil }
