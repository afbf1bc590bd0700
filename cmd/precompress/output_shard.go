package main

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/precompress"
)

// shard prints what one of several machines did for a tree.
func (o *output) shard(dir string, s *precompress.ShardReport) {
	name := o.bold(precompress.PrintablePath(dir))
	if s.Total == 0 {
		o.result("%s: nothing to compress\n", name)
		return
	}
	o.result("%s: shard %d of %d: %s of %s, %s of the work: %s encoded, %s in the cache already\n", name, s.Index, s.Count,
		humanize.Comma(int64(len(s.Encodings))), count(s.Total, "encoding"), share(s.Cost, s.TotalCost),
		humanize.Comma(int64(s.Of(precompress.Written))), humanize.Comma(int64(s.Of(precompress.Reused))))
	if o.verbose {
		for _, e := range s.Encodings {
			o.result("  %s: %s %d: %s\n", precompress.PrintablePath(e.Path), e.Coding, e.Level, shardStatus(e.Status))
		}
	}
}

// shardLost tells that encodings are not where other machines look for them. Why
// is what the cache warned of.
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

// jsonShard is what --json says of a shard.
type jsonShard struct {
	Index     int `json:"index"`
	Count     int `json:"count"`
	Total     int `json:"total"`
	Encodings int `json:"encodings"`
	Encoded   int `json:"encoded"`
	Cached    int `json:"cached"`
	Failed    int `json:"failed"`
}

func shardOf(r *precompress.Report) *jsonShard {
	s := r.Shard
	if s == nil {
		return nil
	}
	encoded, cached := s.Of(precompress.Written), s.Of(precompress.Reused)
	return &jsonShard{s.Index, s.Count, s.Total, len(s.Encodings), encoded, cached, len(s.Encodings) - encoded - cached}
}
