package main

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/precompress"
)

// filled prints what filling the cache with one shard of a tree did.
func (o *output) filled(dir string, s *precompress.FillResult, empty bool) {
	if o.json != nil {
		o.json.filled(dir, s)
	}
	o.shard(dir, s)
	if o.verbose {
		o.skipped(s.Skipped)
	}
	o.warnings(dir, warningTexts(s.Warnings))
	o.failures(dir, s.Failures)
	if empty {
		o.empty(dir)
	}
	if s.Stopped != nil {
		o.stopped(dir, count(s.Count(precompress.Pending), "encoding"))
	}
}

func (o *output) shard(dir string, s *precompress.FillResult) {
	name := o.bold(printable(dir))
	if s.Total == 0 {
		o.result("%s: nothing to compress\n", name)
		return
	}
	o.result("%s: shard %d of %d: %s of %s, %s of the work: %s encoded, %s in the cache already\n", name, s.Index, s.Shard.Count,
		humanize.Comma(int64(len(s.Encodings))), count(s.Total, "encoding"), share(s.Cost, s.TotalCost),
		humanize.Comma(int64(s.Count(precompress.Written))), humanize.Comma(int64(s.Count(precompress.Reused))))
	if o.verbose {
		for _, e := range s.Encodings {
			o.result("  %s: %s %d: %s\n", printable(e.Path), e.Coding, e.Level, shardStatus(e.Status))
		}
	}
}

// shardLost says that encodings are not where other machines look for them. The warnings
// of the cache say why.
func (o *output) shardLost(n int, shared bool) {
	where := "the cache directory"
	if shared {
		where = "the shared cache"
	}
	o.message("%s: %s could not be stored in %s, so no other machine will find what this shard made; see the warnings above, and run it again", o.red("failed"), count(n, "encoding"), where)
}

// share returns a part of a whole in percent.
func share(part, whole int64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(1, whole)))
}

func shardStatus(s precompress.Status) string {
	switch s {
	case precompress.Written:
		return "encoded"
	case precompress.Reused:
		return "in the cache already"
	}
	return string(s)
}
