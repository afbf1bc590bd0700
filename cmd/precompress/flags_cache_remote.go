package main

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/precompress/cache"
	"github.com/precompress/precompress/precompress/cache/s3"
)

// remoteFlags are the flags that concern a cache which many machines share.
type remoteFlags struct {
	url   string // "" if there is none
	mode  cache.Mode
	flags *pflag.FlagSet // that the command line was parsed with
}

func (f *remoteFlags) register(fs *pflag.FlagSet) {
	f.flags = fs
	fs.Var(parsedValue{"URL", "", f.setURL}, "cache", "share the cache with other machines in a store that speaks S3: s3://BUCKET/PREFIX[?endpoint=URL&region=NAME]")
	fs.Var(parsedValue{"MODE", "readwrite", f.setMode}, "cache-mode", "what to do with that store: read, write or readwrite")
}

func (f *remoteFlags) setURL(s string) error {
	if s == "" {
		return errors.New("the address is empty: write it like s3://BUCKET/PREFIX")
	}
	f.url = s
	_, err := f.remote()
	return err
}

// remote opens the store, nil if there is none.
func (f *remoteFlags) remote() (cache.Remote, error) {
	if f.url == "" {
		return nil, nil
	}
	return s3.Open(f.url)
}

func (f *remoteFlags) setMode(s string) (err error) {
	f.mode, err = cache.ParseMode(s)
	return err
}

// validate refuses flags that would have no effect; off tells that there is to
// be no cache. In the file of settings the mode may stand for runs to come.
func (f *remoteFlags) validate(off bool) error {
	switch {
	case off && f.url != "" && onCommandLine(f.flags, "no-cache") && !onCommandLine(f.flags, "cache"):
		return nil // for once without the cache of the file
	case off && f.url != "":
		return usageError{errors.New("--no-cache and --cache contradict each other: give one of them")}
	case f.url == "" && onCommandLine(f.flags, "cache-mode"):
		return usageError{errors.New("--cache-mode is about a shared cache: name it with --cache s3://BUCKET/PREFIX")}
	}
	return nil
}
