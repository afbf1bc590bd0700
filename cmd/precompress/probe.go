package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/probe"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// probeFlags are the flags of probe.
type probeFlags struct {
	options  probe.Options
	manifest string
	sample   int // 0: every asset
	insecure bool
	quiet    bool
	verbose  bool
	json     bool
	color    string
}

func newProbeCommand(out *output) *cobra.Command {
	flags := &probeFlags{}
	cmd := &cobra.Command{
		Use:   "probe [flags] URL...",
		Short: "Ask a live server whether it serves what the build made",
		Long: `probe sends each URL some 20 to 45 requests: with several Accept-Encoding
values, HEAD, conditions, ranges, and as a browser that holds a dictionary. It
compares the answers with each other, with the RFCs, and with --manifest with
what the build made.

Standard output gets a table of the answers (with --manifest only under
--verbose), a line for each finding, sorted by URL and check, and one that sums
up. Faults break clients or caches, or keep from clients what the build made;
advice costs bytes or requests. Which layer answered is taken from what the
answers say: Server, Via, Age, Cache-Status and the like.

With --manifest, URL is that of the directory that the build's tree is served as; a
slash is added if it has none. Every asset is asked for by its path. --sample N
asks for N of them, always the same: of each type of file in turn, from the
largest down in even steps.

Redirects are followed on the same host and port only, and from http to https on
the same host; at most 10. Of a URL that leads elsewhere nothing is checked, and
the exit code is 1: ask for where it leads to. HTTP/2 is used where TLS offers
it; HTTP_PROXY, HTTPS_PROXY and NO_PROXY are heeded. A user and password in a
URL are sent, and not printed; nor are values of --header. Where an answer
repeats one, there is [secret] in its place.
Content of more than --max-size, coded or decoded, is not checked, and a finding
says so.`,
		Example: `  precompress probe https://www.example.com/ https://www.example.com/app.js
  precompress probe --manifest precompress-manifest.json https://example.com/
  precompress probe --insecure --header 'Host: example.com' https://10.0.0.7/`,
		Args: requireURLs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, urls []string) error {
			if err := out.configure(&buildFlags{quiet: flags.quiet, verbose: flags.verbose, json: flags.json, color: flags.color}); err != nil {
				return err
			}
			return probeURLs(cmd.Context(), out, flags, urls)
		},
	}
	flags.register(cmd.Flags())
	heedConfig(cmd, nil)
	exitCodes(cmd, exitsProbe)
	return cmd
}

func (f *probeFlags) register(fs *pflag.FlagSet) {
	o := &f.options
	fs.SortFlags = false
	fs.Var(nameValue{"FILE", &f.manifest}, "manifest", "ask for every asset of this manifest below URL, and compare with what the build made")
	fs.Var(parsedValue{"N", "", func(s string) (err error) { f.sample, err = parseJobs(s); return }}, "sample", "with --manifest: ask for N assets only, always the same, of all types and sizes")
	fs.Var(parsedValue{"'NAME: VALUE'", "", f.addHeader}, "header", "send this field with every request (repeatable)")
	fs.BoolVar(&f.insecure, "insecure", false, "take any TLS certificate")
	fs.Var(parsedValue{"DURATION", "10s", func(s string) (err error) { o.Timeout, err = parseTimeout(s); return }}, "timeout", "give up on a request, with the content of its answer, after this time")
	fs.VarP(parsedValue{"N", "4", func(s string) (err error) { o.Jobs, err = parseJobs(s); return }}, "jobs", "j", "have at most this many requests under way")
	fs.Var(parsedValue{"RATE", "20", func(s string) (err error) { o.Rate, err = parseRate(s); return }}, "rate", "send at most this many requests a second, over all")
	fs.Var(parsedValue{"SIZE", "32MiB", func(s string) (err error) { o.MaxBody, err = parseLimit(s); return }}, "max-size", "do not check content above this size, coded or decoded")
	fs.Var(fingerprintValue(&o.Fingerprint), "fingerprint", "what REGEXP matches in a file's name, or its group, is its fingerprint: give the build's")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but faults")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print every request, and what was checked and is fine")
	fs.BoolVar(&f.json, "json", false, "print one JSON object and nothing else on standard output")
	fs.Var(parsedValue{"WHEN", "auto", func(s string) (err error) { f.color, err = parseColor(s); return }}, "color", "color the output: always, never, or auto: on a terminal without NO_COLOR")
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

// requireURLs wants at least one URL on the command line.
func requireURLs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError{fmt.Errorf("no URL is named: write what to ask for, as in: %s https://www.example.com/", cmd.CommandPath())}
	}
	return nil
}

// probeURLs asks, and prints what was found out.
func probeURLs(ctx context.Context, out *output, flags *probeFlags, urls []string) error {
	targets, err := flags.targets(urls)
	if err != nil {
		return usageError{err}
	}
	opts := flags.options
	opts.UserAgent = "precompress-probe/" + strings.Trim(programVersion(), "()")
	if flags.insecure {
		opts.TLS = &tls.Config{InsecureSkipVerify: true}
	}
	opts.Observe = func(r *probe.Result) { out.probedURL(r, flags.manifest == "") }
	results, err := probe.Run(ctx, targets, opts)
	if err != nil && ctx.Err() == nil {
		return usageError{err}
	}
	p := probed{results, len(targets), ctx.Err() != nil}
	out.probed(p)
	switch faults, unanswered := p.count(); {
	case p.interrupted, unanswered > 0:
		return errFailed
	case faults > 0:
		return errFaultsFound
	}
	return nil
}

// targets are the URLs, or with a manifest the assets below the one URL.
func (f *probeFlags) targets(urls []string) ([]probe.Target, error) {
	var targets []probe.Target
	seen := make(map[string]bool)
	for _, s := range urls {
		u, err := probe.ParseURL(s)
		if err != nil {
			return nil, err
		}
		if !seen[u.String()] {
			targets = append(targets, probe.Target{URL: u})
		}
		seen[u.String()] = true
	}
	switch {
	case f.manifest == "" && f.sample > 0:
		return nil, errors.New("--sample picks from the assets of a manifest: name it with --manifest")
	case f.manifest == "":
		return targets, nil
	case len(urls) > 1:
		return nil, fmt.Errorf("--manifest goes with one URL, that of the directory that its tree is served as, not with %d", len(urls))
	}
	m, err := readManifest(f.manifest)
	if err != nil {
		return nil, err
	}
	targets, err = probe.Assets(targets[0].URL, m)
	if err == nil && f.sample > 0 {
		targets = probe.Sample(targets, f.sample)
	}
	return targets, err
}

// readManifest reads the manifest that --manifest names. One of no assets would
// have the probe ask for nothing, and find no fault.
func readManifest(file string) (*manifest.Manifest, error) {
	name := precompress.PrintablePath(file)
	data, err := readRegular(file, maxBaseline)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--manifest: there is no file %q: name the manifest that the build wrote", name)
	}
	if err != nil {
		return nil, fmt.Errorf("--manifest: %s: %w: name the manifest that the build wrote", name, err)
	}
	m, err := manifest.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("--manifest: %s is no manifest: %w: name the one that the build wrote", name, err)
	}
	if len(m.Assets) == 0 {
		return nil, fmt.Errorf("--manifest: %s has no assets: there is nothing to ask for", name)
	}
	return m, nil
}
