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

// Asset is a file that can be requested, in its representations.
type Asset struct {
	Path        string // relative to the root of the tree, separated by slashes
	ContentType string // value of the Content-Type field
	// Size, in bytes, and Digest are of the content without a coding. Both are 0 if
	// the asset has no source and neither a manifest nor a decoder is there to tell.
	Size     int64
	Digest   manifest.Digest
	ModTime  time.Time // of the source; zero if unknown or implausible
	Variants []Variant // in use, in the order of [Options.Codings]
	// Match is the URL pattern of the requests that the asset may later be a
	// dictionary for, from the manifest; "" for none.
	Match  string
	Deltas []Delta // in use, sorted by dictionary and coding

	integrity *integrity
}

// Variant is a variant of an [Asset] that is sent to clients.
type Variant struct {
	Coding manifest.Coding
	Size   int64 // in bytes
	Digest manifest.Digest
	ETag   string // value of the ETag field, with its quotes
}

// Delta is a delta of an [Asset] that is sent to clients: its content, encoded with
// a dictionary that they may have (RFC 9842).
type Delta struct {
	Variant
	Dictionary manifest.Dictionary
	Release    string // the dictionary's, from the manifest; "" if unknown
}

// SRI returns the value of an integrity attribute for the asset: "sha384-" and the
// SHA-384 of its content in base64 (W3C Subresource Integrity). The first call reads
// the content. It returns an error if that fails or the content no longer has the
// Digest.
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

// Finding is a variant or a delta that is in the tree, or should be, but is not
// sent.
type Finding struct {
	Path       string // of the asset
	Coding     manifest.Coding
	Dictionary string // of a delta, as in its file name; "" for a variant
	Reason     Reason
	Err        error // details; may be nil
}

// String returns the finding as one line: "app.js: br: stale", or "app.js: dcb
// 0123456789abcdef: stale".
func (f Finding) String() string {
	s := f.Path + ": " + string(f.Coding)
	if f.Dictionary != "" {
		s += " " + f.Dictionary
	}
	s += ": " + string(f.Reason)
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	return s
}

// Reason is why a variant or a delta is not sent.
type Reason string

// The reasons of a [Finding].
const (
	Stale   Reason = "stale"   // it was not made from the source's content
	Damaged Reason = "damaged" // it does not decode, or is not the file that the build wrote
	Window  Reason = "window"  // it needs a larger window than all clients support (RFC 9659; for a delta, RFC 9842)
	Larger  Reason = "larger"  // it is not smaller than its source
	Foreign Reason = "foreign" // the tree has a manifest that does not list it
	Missing Reason = "missing" // the manifest lists it, but it is not in the tree
)
