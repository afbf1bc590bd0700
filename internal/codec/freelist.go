package codec

import (
	"slices"
	"sync"
)

// freeList keeps values of some level for reuse: making an encoder means clearing
// up to 40 MiB of tables. It never holds more values than were in use at the same
// time, of all levels together or, with everyLevel, of each level.
type freeList[T any] struct {
	mu         sync.Mutex
	free       []leveled[T] // in the order in which they were put back
	everyLevel bool
}

type leveled[T any] struct {
	level int
	value T
}

// get returns a free value of the level, or one that make makes. Unless the list
// keeps every level, a new value takes the place of the one of another level that
// has been free for longest.
func (l *freeList[T]) get(level int, make func() (T, error)) (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, v := range slices.Backward(l.free) {
		if v.level == level {
			l.free = slices.Delete(l.free, i, i+1)
			return v.value, nil
		}
	}
	if len(l.free) > 0 && !l.everyLevel {
		l.free = slices.Delete(l.free, 0, 1)
	}
	return make()
}

func (l *freeList[T]) put(level int, v T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, leveled[T]{level, v})
}

// clear drops the free values.
func (l *freeList[T]) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = nil
}
