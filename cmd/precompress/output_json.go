package main

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// jsonOutput collects what --json prints; the README documents its form.
type jsonOutput struct {
	trees    []jsonTree
	failures []jsonFailure // of no tree
	warnings []string      // of no tree
}

type jsonDocument struct {
	Version  int           `json:"version"`
	Command  string        `json:"command"`
	OK       bool          `json:"ok"`
	Trees    []jsonTree    `json:"trees"`
	Failures []jsonFailure `json:"failures,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
}

type jsonTree struct {
	Dir       jsonPath        `json:"dir"`
	UpToDate  *bool           `json:"up_to_date,omitempty"`
	Stopped   string          `json:"stopped,omitempty"`
	Shard     *jsonShard      `json:"shard,omitempty"`
	Assets    []jsonAsset     `json:"assets"`
	Totals    []jsonTotal     `json:"totals,omitempty"`
	Returning []jsonReturning `json:"returning,omitempty"`
	Problems  []jsonProblem   `json:"problems,omitempty"`
	Over      []jsonOverrun   `json:"over_budget,omitempty"`
	Orphans   []jsonFile      `json:"orphans,omitempty"`
	Removed   []jsonFile      `json:"removed,omitempty"`
	Skipped   []jsonFile      `json:"skipped,omitempty"`
	Failures  []jsonFailure   `json:"failures,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`
}

// jsonPath is a path that may not be UTF-8: then it is an object with the
// member base64 instead of a string.
type jsonPath string

func (p jsonPath) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return json.Marshal(string(p))
	}
	return json.Marshal(map[string][]byte{"base64": []byte(p)})
}

type jsonAsset struct {
	Path         jsonPath        `json:"path"`
	Size         int64           `json:"size"`
	Digest       manifest.Digest `json:"xxh64"`
	CopyOriginal bool            `json:"copy_original,omitempty"`
	Variants     []jsonVariant   `json:"variants"`
	Deltas       []jsonDelta     `json:"deltas,omitempty"`
}

type jsonVariant struct {
	Coding manifest.Coding    `json:"coding"`
	Action precompress.Action `json:"action,omitempty"`
	Status precompress.Status `json:"status,omitempty"`
	Reason precompress.Reason `json:"reason"`
	Size   int64              `json:"size,omitempty"`
	Cached bool               `json:"cached,omitempty"`
}

type jsonTotal struct {
	Coding      manifest.Coding `json:"coding"`
	Files       int             `json:"files"`
	BytesBefore int64           `json:"bytes_before"`
	BytesAfter  int64           `json:"bytes_after"`
	Omitted     int             `json:"omitted"`
	Reused      int             `json:"reused"`
	Cached      int             `json:"cached,omitempty"`
	Failed      int             `json:"failed"`
}

type jsonFile struct {
	Path   jsonPath           `json:"path"`
	Size   int64              `json:"size,omitempty"`
	Reason precompress.Reason `json:"reason"`
}

type jsonProblem struct {
	Path       jsonPath                `json:"path"`
	Coding     manifest.Coding         `json:"coding,omitempty"`
	Dictionary string                  `json:"dictionary,omitempty"`
	Kind       precompress.ProblemKind `json:"kind"`
	Message    string                  `json:"message"`
}

type jsonOverrun struct {
	Budget string          `json:"budget"`
	Path   jsonPath        `json:"path,omitempty"`
	Coding manifest.Coding `json:"coding,omitempty"`
	Files  int             `json:"files"`
	Bytes  int64           `json:"bytes"`
	Limit  int64           `json:"limit"`
}

type jsonFailure struct {
	Path    jsonPath        `json:"path"`
	Coding  manifest.Coding `json:"coding,omitempty"`
	Op      string          `json:"op"`
	Message string          `json:"message"`
}

// report adds what a build or clean did.
func (o *jsonOutput) report(dir string, r *precompress.Report) {
	t := jsonTree{Dir: jsonPath(dir), Assets: []jsonAsset{}, Returning: returningVisitors(r.Returning()), Warnings: warningTexts(r.Warnings)}
	for _, a := range r.Assets {
		j := jsonAsset{Path: jsonPath(a.Path), Size: a.Size, Digest: a.Digest, Variants: []jsonVariant{}, Deltas: deltasDone(a.Deltas)}
		for _, v := range a.Variants {
			j.Variants = append(j.Variants, jsonVariant{Coding: v.Coding, Status: v.Status, Reason: v.Reason, Size: v.Size, Cached: v.Cached})
		}
		t.Assets = append(t.Assets, j)
	}
	for _, s := range r.Totals() {
		t.Totals = append(t.Totals, jsonTotal{s.Coding, s.Files, s.Before, s.After, s.Omitted, s.Reused, s.Cached, s.Failed})
	}
	for _, f := range r.Removed {
		t.Removed = append(t.Removed, jsonFile{jsonPath(f.Path), f.Size, f.Reason})
	}
	if r.Stopped != nil {
		t.Stopped = r.Stopped.Error()
	}
	t.Skipped = skippedFiles(r.Skipped)
	t.Failures = failures(r.Failures)
	o.trees = append(o.trees, t)
}

// plan adds what a build would do.
func (o *jsonOutput) plan(dir string, p *precompress.Plan) {
	upToDate := p.UpToDate()
	t := jsonTree{Dir: jsonPath(dir), UpToDate: &upToDate, Assets: []jsonAsset{}, Returning: returningVisitors(p.Returning()), Warnings: warningTexts(p.Warnings)}
	for _, a := range p.Assets {
		j := jsonAsset{Path: jsonPath(a.Path), Size: a.Size, Digest: a.Digest, CopyOriginal: a.CopyOriginal, Variants: []jsonVariant{}, Deltas: deltasPlanned(a.Deltas)}
		for _, s := range a.Steps {
			j.Variants = append(j.Variants, jsonVariant{Coding: s.Coding, Action: s.Action, Reason: s.Reason, Size: s.Size})
		}
		t.Assets = append(t.Assets, j)
	}
	t.Orphans = orphanFiles(p.Orphans)
	t.Skipped = skippedFiles(p.Skipped)
	t.Failures = failures(p.Failures)
	o.trees = append(o.trees, t)
}

func orphanFiles(orphans []precompress.Orphan) []jsonFile {
	var files []jsonFile
	for _, f := range orphans {
		files = append(files, jsonFile{jsonPath(f.Path), f.Size, f.Reason})
	}
	return files
}

// cleanPlan adds what clean would do.
func (o *jsonOutput) cleanPlan(dir string, p *precompress.CleanPlan) {
	upToDate := len(p.Failures) == 0 && len(p.Orphans) == 0
	o.trees = append(o.trees, jsonTree{
		Dir: jsonPath(dir), UpToDate: &upToDate, Assets: []jsonAsset{}, Orphans: orphanFiles(p.Orphans),
		Skipped: skippedFiles(p.Skipped), Failures: failures(p.Failures), Warnings: warningTexts(p.Warnings),
	})
}

// check adds what is wrong with a tree.
func (o *jsonOutput) check(dir string, p *precompress.Plan, problems []precompress.Problem) {
	o.plan(dir, p)
	t := &o.trees[len(o.trees)-1]
	for _, x := range problems {
		t.Problems = append(t.Problems, jsonProblem{jsonPath(x.Path), x.Coding, x.Dictionary, x.Kind, x.Text})
	}
}

// overBudget adds to the last tree what of it is over budget.
func (o *jsonOutput) overBudget(over []budget.Overrun) {
	t := &o.trees[len(o.trees)-1]
	for _, x := range over {
		t.Over = append(t.Over, jsonOverrun{x.Budget.Text, jsonPath(x.Path), x.Coding, x.Assets, x.Bytes, x.Budget.Limit})
	}
}

// warning adds one to the last tree. The library's list is left as it is.
func (o *jsonOutput) warning(text string) {
	t := &o.trees[len(o.trees)-1]
	t.Warnings = append(slices.Clip(t.Warnings), text)
}

// failure adds a failure that is not about one tree.
func (o *jsonOutput) failure(op, text string) {
	o.failures = append(o.failures, jsonFailure{Op: op, Message: text})
}

// treeFailed adds the error because of which a tree could not be worked on, to what was
// reported about the tree if it came late.
func (o *jsonOutput) treeFailed(dir string, failure *precompress.Error) {
	last := len(o.trees) - 1
	if last < 0 || o.trees[last].Dir != jsonPath(dir) {
		o.trees = append(o.trees, jsonTree{Dir: jsonPath(dir), Assets: []jsonAsset{}})
		last++
	}
	o.trees[last].Failures = append(o.trees[last].Failures, failures([]*precompress.Error{failure})...)
}

func skippedFiles(skipped []precompress.Skipped) []jsonFile {
	var files []jsonFile
	for _, s := range skipped {
		files = append(files, jsonFile{Path: jsonPath(s.Path), Reason: s.Reason})
	}
	return files
}

func failures(errs []*precompress.Error) []jsonFailure {
	var out []jsonFailure
	for _, f := range errs {
		out = append(out, jsonFailure{jsonPath(f.Path), f.Coding, jsonOp(f), f.Err.Error()})
	}
	return out
}

// text returns the whole object.
func (o *jsonOutput) text(command string, ok bool) string {
	trees := o.trees
	if trees == nil {
		trees = []jsonTree{}
	}
	b, err := json.MarshalIndent(jsonDocument{1, command, ok, trees, o.failures, o.warnings}, "", "  ")
	if err != nil {
		panic(err) // of our own types: cannot happen
	}
	return string(b) + "\n"
}

// jsonOp returns the documented name of the operation that failed.
func jsonOp(e *precompress.Error) string {
	switch {
	case e.Op == precompress.OpReadDirectory:
		return "read folder" // the name since version 1
	case e.File != "":
		return e.Op + " " + e.File
	}
	return e.Op
}

func warningTexts(warnings []precompress.Warning) []string {
	var texts []string
	for _, w := range warnings {
		texts = append(texts, w.Text)
	}
	return texts
}

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

// filled adds what filling the cache with one shard of a tree did.
func (o *jsonOutput) filled(dir string, r *precompress.FillReport) {
	encoded, cached := r.Count(precompress.Written), r.Count(precompress.Reused)
	t := jsonTree{
		Dir:      jsonPath(dir),
		Shard:    &jsonShard{r.Index, r.Shard.Count, r.Total, len(r.Encodings), encoded, cached, len(r.Encodings) - encoded - cached},
		Assets:   []jsonAsset{},
		Skipped:  skippedFiles(r.Skipped),
		Failures: failures(r.Failures),
		Warnings: warningTexts(r.Warnings),
	}
	if r.Stopped != nil {
		t.Stopped = r.Stopped.Error()
	}
	o.trees = append(o.trees, t)
}
