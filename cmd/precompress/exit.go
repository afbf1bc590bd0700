package main

import (
	"context"
	"errors"
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

// What the help of each command says of them.
const (
	exitsBuild = `  0    done
  1    something failed, all else was done; or the output could not be printed
  2    the command line or the file of settings is wrong, nothing was written
  3    done, but over a budget
  130  interrupted, what was written is whole
`
	exitsClean = `  0    done
  1    something failed, all else was done; or the output could not be printed
  2    the command line or the file of settings is wrong, nothing was written
  130  interrupted, what was written is whole
`
	exitsCheck = `  0    up to date
  1    something could not be read, or the output not be printed
  2    the command line or the file of settings is wrong
  3    not up to date, or over a budget
  130  interrupted
`
	exitsReport = `  0    done
  1    the tree is not built, something could not be read, or the page not be
       written
  2    the command line or the file of settings is wrong
  130  interrupted
`
	exitsServe = `  0    stopped by SIGTERM
  1    the address or the tree cannot be used, or the output not be printed
  2    the command line or the file of settings is wrong
  130  stopped by SIGINT
`
	exitsProbe = `  0    no faults; there may be advice
  1    a request had no answer, a URL leads to another host, or the output could
       not be printed
  2    the command line or the file of settings is wrong; nothing was asked
  3    faults were found
  130  interrupted
`
	exitsCache = `  0    done
  1    something failed, or the output could not be printed
  2    the command line or the file of settings is wrong, or the directory is not a
       cache
  130  interrupted
`
	exitsCacheVerify = `  0    every entry is whole
  1    an entry was damaged or could not be read
  2    the command line or the file of settings is wrong, or the directory is not a
       cache
  130  interrupted
`
	exitsBench = `  0    done
  1    a file could not be measured, all else was; or the output could not be
       printed
  2    the command line or the file of settings is wrong, nothing was measured
  130  interrupted
`
	exitsConfig = `  0    done
  1    the output could not be printed
  2    the command line or the file of settings is wrong
`
	exitsSimple = `  0    done
  1    the output could not be printed
  2    the command line is wrong
`
)

// exitCodes adds a command's exit codes to its help, which it fits to 80
// columns.
func exitCodes(cmd *cobra.Command, codes string) {
	template := strings.ReplaceAll(cmd.UsageTemplate(), ".FlagUsages ", ".FlagUsagesWrapped 80 ")
	cmd.SetUsageTemplate(template + "\nExit codes:\n" + codes)
}

// These end a command whose output says all there is to say.
var (
	errFailed      = errors.New("failed")
	errNotUpToDate = errors.New("not up to date")
	errOverBudget  = errors.New("over budget")
	errFaultsFound = errors.New("faults found")
)

// isVerdict reports whether a command did all that it was asked, and found fault
// with the tree, or the server.
func isVerdict(err error) bool {
	return err == errNotUpToDate || err == errOverBudget || err == errFaultsFound
}

// interruption ends a command at a signal, and says what became of its work.
type interruption struct {
	error
	outcome string
}

func (e interruption) Unwrap() error { return e.error }

// usageError is a fault of the command line.
type usageError struct{ error }

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
