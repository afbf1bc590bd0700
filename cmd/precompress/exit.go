package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/precompress"
)

// Exit codes, a contract with scripts (README, "Exit codes").
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotUpToDate = 3 // or over budget, or faults found by probe
	exitInterrupted = 130
)

// What the help of each command says about them.
const (
	exitsBuild = `  0    done
  1    something failed, everything else was done; or the output could not be
       printed
  2    the command line or the configuration file is wrong, nothing was written
  3    done, but over a budget
  130  interrupted, what was written is whole
`
	exitsClean = `  0    done
  1    something failed, everything else was done; or the output could not be
       printed
  2    the command line or the configuration file is wrong, nothing was written
  130  interrupted, what was written is whole
`
	exitsCheck = `  0    up to date
  1    something could not be read, or the output could not be printed
  2    the command line or the configuration file is wrong
  3    not up to date, or over a budget
  130  interrupted
`
	exitsReport = `  0    done
  1    the tree is not built, something could not be read, or the page could not
       be written
  2    the command line or the configuration file is wrong
  130  interrupted
`
	exitsServe = `  0    stopped by SIGTERM
  1    the address or the tree cannot be used, or the output could not be
       printed
  2    the command line or the configuration file is wrong
  130  stopped by SIGINT
`
	exitsProbe = `  0    no faults; there may be advice
  1    a request got no answer, a URL redirects to another host, or the output
       could not be printed
  2    the command line or the configuration file is wrong, nothing was sent
  3    faults were found
  130  interrupted
`
	exitsCache = `  0    done
  1    something failed, or the output could not be printed
  2    the command line or the configuration file is wrong, or the directory is
       not a cache
  130  interrupted
`
	exitsCacheVerify = `  0    every entry is whole
  1    an entry was damaged or could not be read
  2    the command line or the configuration file is wrong, or the directory is
       not a cache
  130  interrupted
`
	exitsBench = `  0    done
  1    a file could not be measured, all others were; or the output could not be
       printed
  2    the command line or the configuration file is wrong, nothing was measured
  130  interrupted
`
	exitsConfig = `  0    done
  1    the output could not be printed
  2    the command line or the configuration file is wrong
`
	exitsSimple = `  0    done
  1    the output could not be printed
  2    the command line is wrong
`
)

// exitCodes adds a command's exit codes to its help, and wraps the help at 80 columns.
func exitCodes(cmd *cobra.Command, codes string) {
	template := strings.ReplaceAll(cmd.UsageTemplate(), ".FlagUsages ", ".FlagUsagesWrapped 80 ")
	cmd.SetUsageTemplate(template + "\nExit codes:\n" + codes)
}

// These errors end a command whose output has said everything.
var (
	errFailed      = errors.New("failed")
	errNotUpToDate = errors.New("not up to date")
	errOverBudget  = errors.New("over budget")
	errFaultsFound = errors.New("faults found")
)

// isVerdict reports whether a command did all that it was asked, and found something
// wrong with the tree or the server.
func isVerdict(err error) bool {
	return err == errNotUpToDate || err == errOverBudget || err == errFaultsFound
}

// interruption ends a command at a signal, and says what it has done so far.
type interruption struct {
	error
	outcome string
}

func (e interruption) Unwrap() error { return e.error }

// usageError is an error in the command line or in the configuration file.
type usageError struct {
	error
	flags []string // that it is about, for [origins.explain]
}

// usageErrorf returns an error about some flags, whose names are separated by spaces.
func usageErrorf(flags, format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...), strings.Fields(flags)}
}

// asUsage makes an error one of usage.
func asUsage(err error) error { return usageError{err, nil} }

// contradiction is about two flags that exclude each other.
func contradiction(a, b string) error {
	return usageErrorf(a+" "+b, "--%s and --%s contradict each other: give one of them", a, b)
}

func (e usageError) Unwrap() error { return e.error }

func exitCode(ctx context.Context, err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &usage),
		errors.Is(err, precompress.ErrInvalidOptions),
		errors.Is(err, precompress.ErrNotDirectory):
		return exitUsage
	case isVerdict(err):
		return exitNotUpToDate
	}
	return exitFailed
}

// signalError is the cause of a context that ends with a signal.
type signalError struct{ os.Signal }

func (e signalError) Error() string { return e.String() }

// suggestion is an error in the command line with a hint of its own.
type suggestion struct {
	error
	hint string
}

func (e suggestion) Unwrap() error { return asUsage(e.error) }
