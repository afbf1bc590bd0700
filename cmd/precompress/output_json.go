package main

import (
	"encoding/json"
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
func (o *jsonOutput) report(dir string, r *precompress.Result) {
	t := newJSONTree(dir, r.Skipped, r.Failures, r.Warnings, r.Stopped)
	t.Returning = each(r.Returning(), newJSONReturning)
	for _, a := range r.Assets {
		j := jsonAsset{Path: jsonPath(a.Path), Size: a.Size, Digest: a.Digest, Variants: []jsonVariant{}}
		for _, v := range a.Variants {
			j.Variants = append(j.Variants, jsonVariant{Coding: v.Coding, Status: v.Status, Reason: v.Reason, Size: v.Size, Cached: v.Cached})
		}
		j.Deltas = each(a.Deltas, func(d precompress.DeltaResult) jsonDelta {
			return jsonDelta{
				Coding: d.Coding, Release: jsonPath(d.Release), Others: each(d.Others, toJSONPath), Dictionary: d.Dictionary, DictionaryPath: jsonPath(d.DictionaryPath),
				Status: d.Status, Reason: d.Reason, Size: d.Size, Cached: d.Cached,
			}
		})
		t.Assets = append(t.Assets, j)
	}
	t.Totals = each(r.Totals(), func(s precompress.Total) jsonTotal {
		return jsonTotal{s.Coding, s.Files, s.Before, s.After, s.Omitted, s.Reused, s.Cached, s.Failed}
	})
	t.Removed = each(r.Removed, func(f precompress.Removed) jsonFile { return jsonFile{jsonPath(f.Path), f.Size, f.Reason} })
	o.trees = append(o.trees, t)
}

// plan adds what a build would do.
func (o *jsonOutput) plan(dir string, p *precompress.Plan) {
	t := newJSONTree(dir, p.Skipped, p.Failures, p.Warnings, nil)
	upToDate := p.UpToDate()
	t.UpToDate = &upToDate
	t.Orphans, t.Returning = each(p.Orphans, newJSONOrphan), each(p.Returning(), newJSONReturning)
	for _, a := range p.Assets {
		j := jsonAsset{Path: jsonPath(a.Path), Size: a.Size, Digest: a.Digest, CopyOriginal: a.CopyOriginal, Variants: []jsonVariant{}}
		for _, s := range a.Steps {
			j.Variants = append(j.Variants, jsonVariant{Coding: s.Coding, Action: s.Action, Reason: s.Reason, Size: s.Size})
		}
		j.Deltas = each(a.Deltas, func(d precompress.DeltaStep) jsonDelta {
			return jsonDelta{
				Coding: d.Coding, Release: jsonPath(d.Release), Others: each(d.Others, toJSONPath), Dictionary: d.Dictionary, DictionaryPath: jsonPath(d.DictionaryPath),
				Action: d.Action, Reason: d.Reason, Size: d.Size,
			}
		})
		t.Assets = append(t.Assets, j)
	}
	o.trees = append(o.trees, t)
}

// cleanPlan adds what clean would do.
func (o *jsonOutput) cleanPlan(dir string, p *precompress.CleanPlan) {
	t := newJSONTree(dir, p.Skipped, p.Failures, p.Warnings, nil)
	upToDate := len(p.Failures) == 0 && len(p.Orphans) == 0
	t.UpToDate, t.Orphans = &upToDate, each(p.Orphans, newJSONOrphan)
	o.trees = append(o.trees, t)
}

// filled adds what filling the cache with one shard of a tree did.
func (o *jsonOutput) filled(dir string, r *precompress.FillResult) {
	t := newJSONTree(dir, r.Skipped, r.Failures, r.Warnings, r.Stopped)
	encoded, cached := r.Count(precompress.Written), r.Count(precompress.Reused)
	t.Shard = &jsonShard{r.Index, r.Shard.Count, r.Total, len(r.Encodings), encoded, cached, len(r.Encodings) - encoded - cached}
	o.trees = append(o.trees, t)
}

// check adds what is wrong with a tree.
func (o *jsonOutput) check(dir string, p *precompress.Plan, problems []precompress.Problem) {
	o.plan(dir, p)
	o.last().Problems = each(problems, func(x precompress.Problem) jsonProblem {
		return jsonProblem{jsonPath(x.Path), x.Coding, x.Dictionary, x.Kind, x.Text}
	})
}

// last returns the last tree.
func (o *jsonOutput) last() *jsonTree { return &o.trees[len(o.trees)-1] }

// overBudget adds to the last tree what of it is over budget.
func (o *jsonOutput) overBudget(over []budget.Overrun) {
	o.last().Over = each(over, func(x budget.Overrun) jsonOverrun {
		return jsonOverrun{x.Budget.Text, jsonPath(x.Path), x.Coding, x.Assets, x.Bytes, x.Budget.Limit}
	})
}

// warning adds a warning to the last tree.
func (o *jsonOutput) warning(text string) { o.last().Warnings = append(o.last().Warnings, text) }

// failure adds a failure that is not about one tree.
func (o *jsonOutput) failure(op, text string) {
	o.failures = append(o.failures, jsonFailure{Op: op, Message: text})
}

// treeFailed adds the error that kept a tree from being worked on to what was
// reported about the tree if it came late.
func (o *jsonOutput) treeFailed(dir string, failure *precompress.Error) {
	if len(o.trees) == 0 || o.last().Dir != jsonPath(dir) {
		o.trees = append(o.trees, jsonTree{Dir: jsonPath(dir), Assets: []jsonAsset{}})
	}
	o.last().Failures = append(o.last().Failures, newJSONFailure(failure))
}

// text returns the whole object.
func (o *jsonOutput) text(command string, ok bool) string {
	trees := o.trees
	if trees == nil {
		trees = []jsonTree{}
	}
	return jsonText(jsonDocument{1, command, ok, trees, o.failures, o.warnings})
}

// jsonText formats a document of --json.
func jsonText(document any) string {
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		panic(err) // of our own types, with finite numbers: cannot happen
	}
	return string(text) + "\n"
}

// newJSONTree returns what there is of every tree.
func newJSONTree(dir string, skipped []precompress.Skipped, failures []*precompress.Error, warnings []precompress.Warning, stopped error) jsonTree {
	t := jsonTree{Dir: jsonPath(dir), Assets: []jsonAsset{}, Failures: each(failures, newJSONFailure), Warnings: warningTexts(warnings)}
	t.Skipped = each(skipped, func(s precompress.Skipped) jsonFile { return jsonFile{Path: jsonPath(s.Path), Reason: s.Reason} })
	if stopped != nil {
		t.Stopped = stopped.Error()
	}
	return t
}

func newJSONFailure(f *precompress.Error) jsonFailure {
	return jsonFailure{jsonPath(f.Path), f.Coding, jsonOp(f), f.Err.Error()}
}

func newJSONOrphan(f precompress.Orphan) jsonFile {
	return jsonFile{jsonPath(f.Path), f.Size, f.Reason}
}

func newJSONReturning(r precompress.Returning) jsonReturning {
	return jsonReturning{jsonPath(r.Release), r.Assets, r.Before, r.After}
}

func toJSONPath(path string) jsonPath { return jsonPath(path) }

// each converts the elements of a list; of an empty one it returns nil.
func each[T, U any](list []T, convert func(T) U) []U {
	var converted []U
	for _, element := range list {
		converted = append(converted, convert(element))
	}
	return converted
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
	return each(warnings, func(w precompress.Warning) string { return w.Text })
}
