package main

import (
	"reflect"
	"testing"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/cache"
)

// TestFlags checks what each flag sets, and that it sets nothing else.
func TestFlags(t *testing.T) {
	options := func(change func(*precompress.Options)) buildFlags {
		f := buildFlags{}
		change(&f.options)
		return f
	}
	tests := map[string]struct {
		args []string
		want buildFlags
	}{
		"include":         {[]string{"-i", "a,b", "--include=c"}, options(func(o *precompress.Options) { o.Include = []string{"a,b", "c"} })},
		"exclude":         {[]string{"-x", "a", "--exclude=!b"}, options(func(o *precompress.Options) { o.Exclude = []string{"a", "!b"} })},
		"codings":         {[]string{"--codings=gz,br,gzip"}, options(func(o *precompress.Options) { o.Codings = []manifest.Coding{manifest.Gzip, manifest.Brotli} })},
		"level":           {[]string{"--level=br=1,gzip=2", "--level=br=3"}, options(func(o *precompress.Options) { o.Levels = map[manifest.Coding]int{manifest.Brotli: 3, manifest.Gzip: 2} })},
		"min-size":        {[]string{"--min-size=1kB"}, options(func(o *precompress.Options) { o.MinSize = 1000 })},
		"max-size":        {[]string{"--max-size=2MiB"}, options(func(o *precompress.Options) { o.MaxSize = 2 << 20 })},
		"min-saving":      {[]string{"--min-saving=2.5%"}, options(func(o *precompress.Options) { o.MinSaving = precompress.SavePercent(2.5) })},
		"drop-dominated":  {[]string{"--drop-dominated"}, options(func(o *precompress.Options) { o.DropDominated = true })},
		"out":             {[]string{"--out=x"}, options(func(o *precompress.Options) { o.Out = "x" })},
		"out-originals":   {[]string{"--out-originals"}, options(func(o *precompress.Options) { o.OutOriginals = true })},
		"manifest":        {[]string{"--manifest=x"}, options(func(o *precompress.Options) { o.Manifest = "x" })},
		"previous":        {[]string{"--previous=a,b", "--previous=c.tar"}, options(func(o *precompress.Options) { o.Previous = []string{"a,b", "c.tar"} })},
		"releases":        {[]string{"--releases=x"}, options(func(o *precompress.Options) { o.Releases = "x" })},
		"keep":            {[]string{"--keep=5"}, options(func(o *precompress.Options) { o.Keep = 5 })},
		"deltas":          {[]string{"--deltas=dcz"}, options(func(o *precompress.Options) { o.Deltas = []manifest.Coding{manifest.DCZ} })},
		"fingerprint":     {[]string{"--fingerprint=-v([0-9]+)"}, options(func(o *precompress.Options) { o.Fingerprint = fingerprint(t, "-v([0-9]+)") })},
		"cache-dir":       {[]string{"--cache-dir=x"}, buildFlags{cache: cacheFlags{dir: "x"}}},
		"no-cache":        {[]string{"--no-cache"}, buildFlags{cache: cacheFlags{off: true}}},
		"cache-size":      {[]string{"--cache-size=10MiB"}, buildFlags{cache: cacheFlags{size: 10 << 20}}},
		"cache":           {[]string{"--cache=s3://bucket/a"}, buildFlags{cache: cacheFlags{url: "s3://bucket/a"}}},
		"cache-mode":      {[]string{"--cache-mode=read"}, buildFlags{cache: cacheFlags{mode: cache.ReadOnly}}},
		"jobs":            {[]string{"-j3"}, options(func(o *precompress.Options) { o.Jobs = 3 })},
		"max-memory":      {[]string{"--max-memory=300MiB"}, options(func(o *precompress.Options) { o.MaxMemory = 300 << 20 })},
		"follow-symlinks": {[]string{"--follow-symlinks"}, options(func(o *precompress.Options) { o.FollowSymlinks = true })},
		"force":           {[]string{"-f"}, options(func(o *precompress.Options) { o.Force = true })},
		"shard":           {[]string{"--shard=2/4"}, buildFlags{shard: precompress.Shard{Index: 2, Count: 4}}},
		"dry-run":         {[]string{"-n"}, buildFlags{dryRun: true}},
		"fail-if-empty":   {[]string{"--fail-if-empty"}, buildFlags{failIfEmpty: true}},
		"quiet":           {[]string{"-q"}, buildFlags{outputFlags: outputFlags{quiet: true}}},
		"verbose":         {[]string{"-v"}, buildFlags{outputFlags: outputFlags{verbose: true}}},
		"json":            {[]string{"--json"}, buildFlags{outputFlags: outputFlags{json: true}}},
		"budget":          {[]string{"--budget=*.js=1kB:br", "--budget=a,b=2"}, buildFlags{sizes: sizeFlags{budgets: []budget.Budget{parseBudget(t, "*.js=1kB:br"), parseBudget(t, "a,b=2")}}}},
		"summary":         {[]string{"--summary=x"}, buildFlags{sizes: sizeFlags{summary: "x"}}},
		"baseline":        {[]string{"--baseline=x"}, buildFlags{sizes: sizeFlags{baseline: "x"}}},
		"color":           {[]string{"--color=never"}, buildFlags{outputFlags: outputFlags{color: "never"}}},
	}
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	register(all, &buildFlags{})
	all.VisitAll(func(f *pflag.Flag) {
		if _, found := tests[f.Name]; !found {
			t.Errorf("--%s is not tested", f.Name)
		}
	})
	for name, test := range tests {
		var got buildFlags
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		register(flags, &got)
		if err := flags.Parse(test.args); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q:\n got %+v\nwant %+v", test.args, got, test.want)
		}
	}
}

func register(flags *pflag.FlagSet, f *buildFlags) {
	f.registerAll(flags)
}

func fingerprint(t *testing.T, expr string) manifest.Fingerprint {
	f, err := manifest.NewFingerprint(expr)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func parseBudget(t *testing.T, text string) budget.Budget {
	b, err := budget.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
