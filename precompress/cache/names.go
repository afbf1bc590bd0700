package cache

import (
	"encoding/hex"
	"strings"
)

// A cache folder holds
//
//	CACHEDIR.TAG                      what the folder is, see marker.go
//	growth                            an estimate of its size, see growth.go
//	0a/0a…64 hexadecimal digits       entries, named by their keys
//	0a/.precompress-….tmp             entries that are being written
//
// and nothing else of ours: files of other names are never looked into and
// never removed.
const growthName = "growth"

// shardOf names the folder of a key's entry.
func shardOf(k Key) string { return hex.EncodeToString(k[:1]) }

// entryName is the path of a key's entry in the cache folder.
func entryName(k Key) string { return shardOf(k) + "/" + k.String() }

// isShard tells whether a name in the cache folder is one of an entries'
// folder.
func isShard(name string) bool { return len(name) == 2 && isLowerHex(name) }

// parseEntryName returns the key whose entry has this name in this shard.
func parseEntryName(shard, name string) (key Key, ok bool) {
	if len(name) != 2*len(key) || !isLowerHex(name) || !strings.HasPrefix(name, shard) {
		return key, false
	}
	_, err := hex.Decode(key[:], []byte(name))
	return key, err == nil
}

// isLowerHex tells whether s has nothing but lower-case hexadecimal digits.
func isLowerHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
