package cache

import (
	"encoding/hex"
	"strings"
)

// A cache directory holds
//
//	CACHEDIR.TAG                      what the directory is, see marker.go
//	growth                            an estimate of its size, see growth.go
//	0a/0a…64 hexadecimal digits       entries, named by their keys
//	0a/.precompress-….tmp             entries that are being written
//
// and nothing else of ours: files of other names are never looked into and
// never removed.
const growthName = "growth"

// shardOf names the directory of a key's entry.
func shardOf(k Key) string { return hex.EncodeToString(k[:1]) }

// entryName is the path of a key's entry in the cache directory.
func entryName(k Key) string { return shardOf(k) + "/" + k.String() }

// isShard reports whether a name in the cache directory is one of an entries'
// directory.
func isShard(name string) bool { return len(name) == 2 && isLowerHex(name) }

// parseEntryName returns the key whose entry has this name in this shard.
func parseEntryName(shard, name string) (key Key, ok bool) {
	if len(name) != 2*len(key) || !isLowerHex(name) || !strings.HasPrefix(name, shard) {
		return key, false
	}
	_, err := hex.Decode(key[:], []byte(name))
	return key, err == nil
}

// isLowerHex reports whether s has nothing but lower-case hexadecimal digits.
func isLowerHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
