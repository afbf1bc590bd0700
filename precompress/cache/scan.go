package cache

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/precompress/precompress/internal/osfile"
)

// stored is an entry's file, or a temporary one.
type stored struct {
	name string // its path in the cache directory
	key  Key    // of an entry
	size int64  // what it takes, see diskSize
	used time.Time
}

// content is what a walk through the cache directory found.
type content struct {
	entries, temps []stored // sorted by name
	shards         []string // the directories that entries are in
	// misplaced are the things that have the name of an entry and are directories, or
	// that of a directory of entries and are none.
	misplaced []string
	size      int64 // of entries and temporary files, in bytes
}

// blockSize is the unit in which most file systems give out space.
const blockSize = 4096

// diskSize returns what a file of n bytes takes on disk: small entries would
// take many times the limit if only their bytes were counted.
func diskSize(n int64) int64 { return (n + blockSize - 1) / blockSize * blockSize }

// scan walks through the directory. Directories and files that are not ours, or that
// cannot be read, are passed over.
func (f *Directory) scan(ctx context.Context) (content, error) {
	var c content
	top, err := f.list(".")
	if err != nil {
		return c, err
	}
	for _, shard := range top {
		if shard.IsDir() && isShard(shard.Name()) {
			if err := ctx.Err(); err != nil {
				return c, err
			}
			f.scanShard(&c, shard.Name())
		} else if isShard(shard.Name()) {
			c.misplaced = append(c.misplaced, shard.Name())
		} else if osfile.IsTempName(shard.Name()) {
			c.add(shard, shard.Name(), nil)
		}
	}
	return c, nil
}

func (f *Directory) scanShard(c *content, shard string) {
	files, err := f.list(shard)
	if err != nil {
		return // it is another's, or was removed meanwhile
	}
	c.shards = append(c.shards, shard)
	for _, file := range files {
		name := shard + "/" + file.Name()
		if key, ok := parseEntryName(shard, file.Name()); ok && file.IsDir() {
			c.misplaced = append(c.misplaced, name)
		} else if ok {
			c.add(file, name, &key)
		} else if osfile.IsTempName(file.Name()) {
			c.add(file, name, nil)
		}
	}
}

// add adds a file, an entry if it has a key.
func (c *content) add(file fs.DirEntry, name string, key *Key) {
	info, err := file.Info()
	if err != nil || info.IsDir() {
		return // removed meanwhile, or another's
	}
	s := stored{name: name, size: diskSize(info.Size()), used: info.ModTime()}
	if !info.Mode().IsRegular() {
		s.size = 0
	}
	c.size += s.size
	if key == nil {
		c.temps = append(c.temps, s)
		return
	}
	s.key = *key
	c.entries = append(c.entries, s)
}

// list returns what is in a directory, sorted by name.
func (f *Directory) list(name string) ([]fs.DirEntry, error) {
	// A FIFO may have taken the directory's place.
	dir, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	found, err := dir.ReadDir(-1)
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return found, err
}
