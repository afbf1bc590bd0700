package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// jsonDelta is what --json says of one delta of an asset.
type jsonDelta struct {
	Coding         manifest.Coding     `json:"coding"`
	Release        jsonPath            `json:"release"`
	Others         []jsonPath          `json:"other_releases,omitempty"`
	Dictionary     manifest.Dictionary `json:"dictionary,omitzero"`
	DictionaryPath jsonPath            `json:"dictionary_path"`
	Action         precompress.Action  `json:"action,omitempty"`
	Status         precompress.Status  `json:"status,omitempty"`
	Reason         precompress.Reason  `json:"reason"`
	Size           int64               `json:"size,omitempty"`
	Cached         bool                `json:"cached,omitempty"`
}

// jsonReturning is what --json says of the visitors of one earlier release.
type jsonReturning struct {
	Release     jsonPath `json:"release"`
	Assets      int      `json:"assets"`
	BytesBefore int64    `json:"bytes_before"`
	BytesAfter  int64    `json:"bytes_after"`
}

func deltasDone(deltas []precompress.DeltaReport) []jsonDelta {
	var list []jsonDelta
	for _, d := range deltas {
		list = append(list, jsonDelta{
			Coding: d.Coding, Release: jsonPath(d.Release), Others: jsonPaths(d.Others), Dictionary: d.Dictionary, DictionaryPath: jsonPath(d.DictionaryPath),
			Status: d.Status, Reason: d.Reason, Size: d.Size, Cached: d.Cached,
		})
	}
	return list
}

func deltasPlanned(steps []precompress.DeltaStep) []jsonDelta {
	var list []jsonDelta
	for _, d := range steps {
		list = append(list, jsonDelta{
			Coding: d.Coding, Release: jsonPath(d.Release), Others: jsonPaths(d.Others), Dictionary: d.Dictionary, DictionaryPath: jsonPath(d.DictionaryPath),
			Action: d.Action, Reason: d.Reason, Size: d.Size,
		})
	}
	return list
}

func jsonPaths(paths []string) []jsonPath {
	var list []jsonPath
	for _, p := range paths {
		list = append(list, jsonPath(p))
	}
	return list
}

func returningVisitors(all []precompress.Returning) []jsonReturning {
	var list []jsonReturning
	for _, r := range all {
		list = append(list, jsonReturning{jsonPath(r.Release), r.Assets, r.Before, r.After})
	}
	return list
}

// returning prints a line per earlier release.
func (o *output) returning(all []precompress.Returning) {
	for _, r := range all {
		name := printable(r.Release)
		if r.Assets == 0 {
			o.result("a returning visitor (release %s) downloads nothing: no asset changed\n", name)
			continue
		}
		o.result("a returning visitor (release %s) downloads %s instead of %s (%s changed)\n", name, size(r.After), size(r.Before), count(r.Assets, "asset"))
	}
}

// deltaName tells deltas of one asset apart.
func deltaName(c manifest.Coding, dictionaryPath, release string) string {
	return fmt.Sprintf("%s from %s of release %s", c, printable(dictionaryPath), printable(release))
}

// deltaReasons prints a line for every delta of an asset.
func (o *output) deltaReasons(a *precompress.AssetReport) {
	for _, d := range a.Deltas {
		change, from := "", ""
		if d.Status != precompress.Omitted && d.Size > 0 {
			change = fmt.Sprintf(" %s -> %s", size(a.Size), size(d.Size))
		}
		if d.Cached {
			from = ", from the cache"
		}
		o.result("  %s: %s: %s%s (%s%s)\n", printable(a.Path), deltaName(d.Coding, d.DictionaryPath, d.Release), d.Status, change, reasonText(d.Reason), from)
	}
}

// deltaSteps prints a line for every delta that there is something to do about,
// with --verbose for all.
func (o *output) deltaSteps(task *precompress.Task) {
	for _, s := range task.Deltas {
		if o.verbose || !isIdle(s.Action) {
			o.result("  %s: %s: %s (%s)\n", printable(task.Path), deltaName(s.Coding, s.DictionaryPath, s.Release), s.Action, reasonText(s.Reason))
		}
	}
}

// isPending reports whether a run that was stopped did not get to all of an asset.
func isPending(a precompress.AssetReport) bool {
	return slices.ContainsFunc(a.Variants, func(v precompress.VariantReport) bool { return v.Status == precompress.Pending }) ||
		slices.ContainsFunc(a.Deltas, func(d precompress.DeltaReport) bool { return d.Status == precompress.Pending })
}

// visitors adds to a summary what visitors of earlier releases download.
func (s *summary) visitors(text *strings.Builder) {
	if len(s.returning) == 0 {
		return
	}
	text.WriteString("**Returning visitors**\n\n| release | changed assets | download | instead of | saved |\n|---|---:|---:|---:|---:|\n")
	for _, r := range s.returning {
		fmt.Fprintf(text, "| %s | %s | %s | %s | %s |\n", markdownCode(r.Release), humanize.Comma(int64(r.Assets)), size(r.After), size(r.Before), saved(r.Before, r.After))
	}
	text.WriteString("\n")
}
