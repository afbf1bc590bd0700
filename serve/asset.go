package serve

import (
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/manifest"
)

// Asset is a name in the tree that can be asked for.
type Asset struct {
	Path        string // relative to the tree's root, with "/" between its elements
	ContentType string // the Content-Type field
	// Size, in bytes, and Digest are those of the content without a coding.
	// Both are 0 for an asset without a source of which neither a manifest nor
	// a decoder tells them.
	Size     int64
	Digest   manifest.Digest
	ModTime  time.Time // of the source; zero if unknown or useless
	Variants []Variant // that are in use, in the order of [Options.Codings]
	// Match is the URL pattern of the requests that the asset may later be a
	// dictionary for, as in the manifest; "" for none.
	Match  string
	Deltas []Delta // that are in use, sorted by dictionary and coding

	integrity *integrity
}

// Variant is a variant of an [Asset] that is in use.
type Variant struct {
	Coding manifest.Coding
	Size   int64 // in bytes
	Digest manifest.Digest
	ETag   string // as in the field, with its quotes
}

// Delta is a delta of an [Asset] that is in use: its content encoded with a
// dictionary that a client may hold (RFC 9842).
type Delta struct {
	Variant
	Dictionary manifest.Dictionary
	Release    string // that the dictionary is of, if the manifest tells
}

// SRI returns the value of an integrity attribute for the asset: "sha384-" and
// the SHA-384 of its content in base64 (W3C Subresource Integrity). The first
// call reads the content. It fails if that cannot be read, or is no longer
// what the rest of the Asset tells of.
func (a Asset) SRI() (string, error) {
	if a.integrity == nil {
		return "", errors.New("serve: not an asset of a tree")
	}
	value, err := a.integrity.compute(a.Digest)
	if err != nil {
		return "", fmt.Errorf("serve: %s: %w", a.Path, err)
	}
	return value, nil
}

// integrity computes the SRI value of an asset once.
type integrity struct {
	open func() (io.ReadCloser, error)

	mu    sync.Mutex
	value string
}

func (i *integrity) compute(want manifest.Digest) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.value != "" {
		return i.value, nil
	}
	r, err := i.open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	sum, digest := sha512.New384(), xxhash.New()
	if _, err := io.Copy(io.MultiWriter(sum, digest), r); err != nil {
		return "", err
	}
	if manifest.Digest(digest.Sum64()) != want {
		return "", errChanged
	}
	i.value = "sha384-" + base64.StdEncoding.EncodeToString(sum.Sum(nil))
	return i.value, nil
}

// Problem is a variant or a delta that is in the tree, or should be, and is not
// served.
type Problem struct {
	Path       string // of the asset
	Coding     manifest.Coding
	Dictionary string // of a delta, as in its file name; "" for a variant
	Reason     Reason
	Err        error // what went wrong in detail; may be nil
}

// String returns the problem as one line: "app.js: br: stale", or "app.js: dcb
// 0123456789abcdef: stale".
func (p Problem) String() string {
	s := p.Path + ": " + string(p.Coding)
	if p.Dictionary != "" {
		s += " " + p.Dictionary
	}
	s += ": " + string(p.Reason)
	if p.Err != nil {
		s += ": " + p.Err.Error()
	}
	return s
}

// Reason is why a variant is not served.
type Reason string

// The reasons.
const (
	Stale   Reason = "stale"   // it was made from other content than the source has
	Damaged Reason = "damaged" // it does not decode, or is not the file that the build wrote
	Window  Reason = "window"  // it needs a larger window than every decoder supports (RFC 9659; of a delta, RFC 9842)
	Larger  Reason = "larger"  // it is not smaller than its source
	Foreign Reason = "foreign" // the tree has a manifest that does not list it
	Missing Reason = "missing" // the manifest lists it, the tree does not have it
)
