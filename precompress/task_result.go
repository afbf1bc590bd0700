package precompress

import "github.com/precompress/precompress/manifest"

// taskResult is what became of one task.
type taskResult struct {
	asset    AssetResult
	record   *manifest.Asset // nil if there is nothing to record
	failures []*Error
}

// idleResult is the result of a task that has nothing to do.
func idleResult(t *Task) taskResult {
	record := t.plannedRecord()
	res := taskResult{asset: newAssetResult(t), record: &record}
	for i, s := range t.all() {
		status := Reused
		if s.Action == Omit {
			status = Omitted
		}
		res.asset.add(t, i, VariantResult{Coding: s.Coding, Status: status, Reason: s.Reason, Size: s.Size})
	}
	return res
}

// pendingResult is the result of a task that a run does not reach. The record of the
// last build stays, for the source as it was then.
func pendingResult(t *Task) taskResult {
	res := taskResult{asset: newAssetResult(t)}
	record := t.newRecord()
	if t.before != nil {
		record.Size, record.Digest, record.Original = t.before.Size, t.before.Digest, t.before.Original
	}
	for i, s := range t.all() {
		status := Pending
		if s.refused {
			status = Omitted
		}
		res.asset.add(t, i, VariantResult{Coding: s.Coding, Status: status, Reason: s.Reason, Size: s.Size})
		if v, found := t.recordUndone(s); found {
			s.addTo(&record, v)
		}
	}
	if len(record.Variants) > 0 || len(record.Deltas) > 0 || record.Original {
		res.record = &record
	}
	return res
}

// failedResult is the result of a task whose source could not be read.
func failedResult(t *Task, failure *Error) taskResult {
	res := pendingResult(t)
	for i := range res.asset.Variants {
		res.asset.Variants[i].Status = Failed
	}
	for i := range res.asset.Deltas {
		res.asset.Deltas[i].Status = Failed
	}
	res.failures = []*Error{failure}
	return res
}
