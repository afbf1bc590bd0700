package precompress

import (
	"crypto/sha256"

	"github.com/precompress/precompress/manifest"
)

// duplicates are tasks whose sources have the same size and digest. They are done
// one after another, so that each content is encoded once.
type duplicates struct {
	tasks     []*Task
	size      int64 // of each source in bytes
	set       *encodingSet
	fromCache bool // do only what the cache has all encodings for

	reserved int64 // bytes of memory; -1 for none
	release  func()
}

func newDuplicates(first *Task) *duplicates {
	return &duplicates{tasks: []*Task{first}, size: first.Size, reserved: -1}
}

// groupDuplicates groups the tasks that change something, in the order of the plan.
func groupDuplicates(tasks []*Task) []*duplicates {
	type content struct {
		size   int64
		digest manifest.Digest
	}
	var all []*duplicates
	byContent := make(map[content]*duplicates)
	for _, task := range tasks {
		if !task.Work() {
			continue
		}
		key := content{task.Size, task.Digest}
		if known := byContent[key]; known != nil && task.encodes() {
			known.tasks = append(known.tasks, task)
			continue
		}
		d := newDuplicates(task)
		all = append(all, d)
		if task.encodes() {
			byContent[key] = d
		}
	}
	return all
}

// encodingsOf returns what is known of the encodings of src, which has the size and
// digest of the duplicates unless it was edited. Contents can have the same digest of
// 64 bits by bad luck, so the one of 256 bits decides. cached is set if there is a
// cache, which needs that digest.
func (d *duplicates) encodingsOf(src []byte, cached bool) *encodingSet {
	if !cached && len(d.tasks) == 1 {
		return newEncodingSet([sha256.Size]byte{}) // nobody else uses it
	}
	sum := sha256.Sum256(src)
	if d.set == nil || d.set.sum != sum {
		d.set = newEncodingSet(sum)
	}
	return d.set
}

// restoreNeed returns the bytes of memory that restoring any of the tasks takes.
func (d *duplicates) restoreNeed() (need int64) {
	for _, t := range d.tasks {
		need = max(need, t.restoreNeed())
	}
	return need
}

// free gives back the memory that is reserved.
func (d *duplicates) free() {
	if d.reserved >= 0 {
		d.release()
	}
	d.reserved = -1
}
