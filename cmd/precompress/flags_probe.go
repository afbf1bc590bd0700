package main

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/probe"
	"github.com/precompress/precompress/manifest"
)

// probeFlags are the flags of probe.
type probeFlags struct {
	options  probe.Options
	manifest string
	sample   int // 0: every asset
	insecure bool
	outputFlags
	origins origins
}

func (f *probeFlags) register(fs *pflag.FlagSet) {
	o := &f.options
	fs.SortFlags = false
	fs.Var(named(&f.manifest, "FILE"), "manifest", "ask for every asset of this manifest below URL, and compare with what the build made")
	fs.Var(parsed(&f.sample, "N", "", parseCount), "sample", "with --manifest: ask for N assets only, always the same, of all types and sizes")
	fs.Var(&textFlag{kind: "'NAME: VALUE'", set: f.addHeader}, "header", "send this field with every request (repeatable)")
	fs.BoolVar(&f.insecure, "insecure", false, "accept any TLS certificate")
	fs.Var(parsed(&o.Timeout, "DURATION", "10s", parseTimeout), "timeout", "give up on a request, with the content of its answer, after this time")
	fs.VarP(parsed(&o.Jobs, "N", "4", parseCount), "jobs", "j", "send at most this many requests at a time")
	fs.Var(parsed(&o.Rate, "RATE", "20", parseRate), "rate", "send at most this many requests a second in total")
	fs.Var(parsed(&o.MaxBody, "SIZE", "32MiB", parseLimit), "max-size", "do not check content above this size, coded or decoded")
	fs.Var(parsed(&o.Fingerprint, "REGEXP", "", manifest.NewFingerprint), "fingerprint", "what REGEXP matches in a file's name, or its group, is its fingerprint: give the build's")
	f.registerQuiet(fs)
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print every request, and what was checked and is fine")
	f.registerJSON(fs)
	f.registerColor(fs)
}

// addHeader reads "Name: value". Errors do not repeat the value, which may be a
// secret.
func (f *probeFlags) addHeader(s string) error {
	name, value, found := strings.Cut(s, ":")
	if !found {
		return errors.New("there is no colon: write it like 'Name: value'")
	}
	value = strings.Trim(value, " \t")
	if err := probe.CheckHeader(name, value); err != nil {
		return err
	}
	if f.options.Header == nil {
		f.options.Header = make(http.Header)
	}
	f.options.Header.Add(name, value)
	return nil
}

func parseTimeout(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a time above zero: write it like 10s or 1m30s", s)
	}
	return d, nil
}

func parseRate(s string) (float64, error) {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n >= 0.01 && n <= 1e6) { // and no NaN
		return 0, fmt.Errorf("%q is not a number of requests a second from 0.01 to 1000000", s)
	}
	return n, nil
}
