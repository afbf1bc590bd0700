package main

import (
	"time"

	"github.com/precompress/precompress/precompress/cache"
)

// jsonCache is what --json prints of a cache directory; the README documents it.
type jsonCache struct {
	Version        int          `json:"version"`
	Command        string       `json:"command"`
	OK             bool         `json:"ok"`
	Dir            jsonPath     `json:"dir"`
	Entries        int          `json:"entries"`
	Bytes          int64        `json:"bytes"`
	Leftover       int          `json:"leftover,omitempty"`
	OldestUse      *time.Time   `json:"oldest_use,omitempty"`
	NewestUse      *time.Time   `json:"newest_use,omitempty"`
	RemovedEntries *int         `json:"removed_entries,omitempty"`
	RemovedBytes   *int64       `json:"removed_bytes,omitempty"`
	Failed         int          `json:"failed,omitempty"`
	Damaged        []jsonDamage `json:"damaged,omitempty"`
}

type jsonDamage struct {
	File    string `json:"file"`
	Removed bool   `json:"removed"`
	Message string `json:"message"`
}

// cacheJSON prints the object of a cache command.
func (o *output) cacheJSON(command, dir string, j jsonCache) {
	if o.json == nil {
		return
	}
	j.Version, j.Command, j.Dir = 1, "cache "+command, jsonPath(dir)
	o.print(jsonText(j))
}

// cacheLine prints a line about a cache directory.
func (o *output) cacheLine(dir string, exists bool, text string) {
	if !exists {
		text = "no cache yet"
	}
	o.result("%s: %s\n", o.bold(printable(dir)), text)
}

func holding(entries int, bytes int64) string { return count(entries, "entry") + ", " + size(bytes) }

// cacheInfo prints what a cache holds.
func (o *output) cacheInfo(dir string, exists bool, info cache.Info) {
	j := jsonCache{OK: true, Entries: info.Entries, Bytes: info.Bytes, Leftover: info.Leftover}
	if info.Entries > 0 {
		oldest, newest := info.Oldest.UTC().Truncate(time.Second), info.Newest.UTC().Truncate(time.Second)
		j.OldestUse, j.NewestUse = &oldest, &newest
	}
	o.cacheJSON("info", dir, j)
	o.cacheLine(dir, exists, holding(info.Entries, info.Bytes))
	if info.Entries > 0 {
		const minute = "2006-01-02 15:04"
		o.result("  last used between %s and %s\n", info.Oldest.Format(minute), info.Newest.Format(minute))
	}
	if info.Leftover > 0 {
		o.result("  %s being written, or left by runs that were killed\n", count(info.Leftover, "file"))
	}
}

// cacheRemoved prints what pruning or clearing removed.
func (o *output) cacheRemoved(command, dir string, exists bool, p cache.Pruned) {
	o.cacheJSON(command, dir, jsonCache{
		OK: p.Failed == 0, Entries: p.Entries, Bytes: p.Bytes,
		RemovedEntries: &p.Removed, RemovedBytes: &p.RemovedBytes, Failed: p.Failed,
	})
	o.cacheLine(dir, exists, "removed "+holding(p.Removed, p.RemovedBytes)+"; left "+holding(p.Entries, p.Bytes))
	if p.Failed > 0 {
		o.message("%s: %s: %s cannot be removed: %v", o.red("failed"), printable(dir), count(p.Failed, "file"), p.Err)
	}
}

// cacheVerified prints which entries are damaged.
func (o *output) cacheVerified(dir string, exists bool, v cache.Verified) {
	j := jsonCache{OK: len(v.Damaged) == 0, Entries: v.Entries, Bytes: v.Bytes}
	for _, d := range v.Damaged {
		j.Damaged = append(j.Damaged, jsonDamage{d.Name, d.Removed, d.Err.Error()})
	}
	o.cacheJSON("verify", dir, j)
	o.cacheLine(dir, exists, "whole: "+holding(v.Entries, v.Bytes))
	for _, d := range v.Damaged {
		what := "stays"
		if d.Removed {
			what = "removed"
		}
		o.message("%s: %s: %s: %v (%s)", o.red("failed"), printable(dir), d.Name, d.Err, what)
	}
}

// cacheWarnings prints errors of the cache, which stop no build.
func (o *output) cacheWarnings(warnings []string) {
	for _, w := range warnings {
		o.message("warning: %s", w)
	}
}
