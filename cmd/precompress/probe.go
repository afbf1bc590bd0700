package main

import (
	"context"
	"crypto/tls"
	"strings"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/internal/probe"
)

func newProbeCommand(out *output) *cobra.Command {
	flags := &probeFlags{}
	cmd := &cobra.Command{
		Use:   "probe [flags] URL...",
		Short: "Check whether a live server serves what the build made",
		Long: `probe sends each URL some 20 to 45 requests: with several Accept-Encoding
values, HEAD, conditions, ranges, and as a browser that holds a dictionary. It
compares the answers with each other, with the RFCs, and, with --manifest, with
what the build made.

Standard output gets a table of the answers (with --manifest only under
--verbose), a line for each finding, sorted by URL and check, and a summary.
Faults break clients or caches, or keep from clients what the build made; advice
saves bytes or requests. Which layer answered is taken from fields such as
Server, Via, Age and Cache-Status.

With --manifest, URL is that of the directory that the build's tree is served
as; a slash is added if it has none. Every asset is requested by its path.
--sample N requests N of them, always the same: of each type of file in turn,
from the largest down in even steps.

Redirects are followed on the same host and port only, and from http to https on
the same host; at most 10. A URL that redirects elsewhere is not checked, and
the exit code is 1: probe its target instead. HTTP/2 is used where TLS offers
it; HTTP_PROXY, HTTPS_PROXY and NO_PROXY are respected. A user and password in a
URL are sent, but not printed; nor are values of --header. Where an answer
repeats one, [secret] is printed in its place. Content of more than --max-size,
coded or decoded, is not checked, and a finding says so.`,
		Example: `  precompress probe https://www.example.com/ https://www.example.com/app.js
  precompress probe --manifest precompress-manifest.json https://example.com/
  precompress probe --insecure --header 'Host: example.com' https://10.0.0.7/`,
		Args: requireURLs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, urls []string) error {
			if err := out.configure(&flags.outputFlags); err != nil {
				return err
			}
			return probeURLs(cmd.Context(), out, flags, urls)
		},
	}
	flags.register(cmd.Flags())
	useConfig(cmd, &flags.origins, nil)
	exitCodes(cmd, exitsProbe)
	return cmd
}

// requireURLs requires at least one URL on the command line.
func requireURLs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageErrorf("", "no URL is named: write what to ask for, as in: %s https://www.example.com/", cmd.CommandPath())
	}
	return nil
}

// probeURLs sends the requests and prints the findings.
func probeURLs(ctx context.Context, out *output, flags *probeFlags, urls []string) error {
	targets, err := flags.targets(urls)
	if err != nil {
		return asUsage(err)
	}
	opts := flags.options
	opts.UserAgent = "precompress-probe/" + strings.Trim(programVersion(), "()")
	if flags.insecure {
		opts.TLS = &tls.Config{InsecureSkipVerify: true}
	}
	opts.Observe = func(r *probe.Result) { out.probedURL(r, flags.manifest == "") }
	results, err := probe.Run(ctx, targets, opts)
	if err != nil && ctx.Err() == nil {
		return asUsage(err)
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
		return nil, usageErrorf("", "--sample picks from the assets of a manifest: name it with --manifest")
	case f.manifest == "":
		return targets, nil
	case len(urls) > 1:
		return nil, usageErrorf("manifest", "--manifest goes with one URL, that of the directory that its tree is served as, not with %d", len(urls))
	}
	m, err := readManifest("manifest", f.manifest, "name the manifest that the build wrote")
	if err != nil {
		return nil, err
	}
	if len(m.Assets) == 0 { // the probe would request nothing, and find no fault
		return nil, usageErrorf("manifest", "--manifest: %s has no assets: there is nothing to ask for", printable(f.manifest))
	}
	targets, err = probe.Assets(targets[0].URL, m)
	if err == nil && f.sample > 0 {
		targets = probe.Sample(targets, f.sample)
	}
	return targets, err
}
