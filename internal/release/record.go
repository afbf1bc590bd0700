package release

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// A store holds
//
//	CACHEDIR.TAG                            what the directory is, see disk.go
//	releases/0000000007-16 digits.json      records, by number and contents
//	content/0a/0a…64 hexadecimal digits     files' bytes, named by their SHA-256
//
// and nothing else of ours: files of other names are never opened and never removed. The
// higher a record's number, the newer its release. Nothing has a time.
const (
	releasesDir = "releases"
	contentDir  = "content"
	// maxRecord is the largest size of a record in bytes.
	maxRecord = 128 << 20
)

// recordVersion is the version of the format of records.
const recordVersion = 1

// record describes one release in a store.
type record struct {
	Version int          `json:"version"`
	Name    string       `json:"name,omitempty"`
	Files   []recordFile `json:"files"` // sorted by path
}

type recordFile struct {
	Path   string              `json:"path"`
	Size   int64               `json:"size"`
	SHA256 manifest.Dictionary `json:"sha256"`
	Digest manifest.Digest     `json:"digest"`
}

// id identifies the contents, whatever the name of the release.
func (r *record) id() string {
	h := sha256.New()
	for _, f := range r.Files {
		fmt.Fprintf(h, "%q %d %s %s\n", f.Path, f.Size, f.SHA256, f.Digest)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// encode returns the content of the record's file: the same for the same release.
func (r *record) encode() ([]byte, error) {
	data, err := json.MarshalIndent(r, "", " ")
	return append(data, '\n'), err
}

// decodeRecord parses a record. The error wraps [ErrVersion] if it has a later version,
// else [ErrDamaged].
func decodeRecord(data []byte) (*record, error) {
	var format struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &format); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if format.Version > recordVersion {
		return nil, fmt.Errorf("version %d: %w", format.Version, ErrVersion)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var r record
	err := d.Decode(&r)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something follows the record")
		}
	}
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return &r, nil
}

func (r *record) check() error {
	if r.Version != recordVersion {
		return fmt.Errorf("version %d", r.Version)
	}
	if err := checkName(r.Name); err != nil {
		return err
	}
	for i, f := range r.Files {
		switch {
		case !fs.ValidPath(f.Path) || f.Path == ".":
			return fmt.Errorf("path %q", f.Path)
		case i > 0 && r.Files[i-1].Path >= f.Path:
			return fmt.Errorf("path %q is out of order", f.Path)
		case f.Size < 0:
			return fmt.Errorf("path %q: a negative size", f.Path)
		}
	}
	return nil
}

// checkName checks the name of a release.
func checkName(name string) error {
	if name != displayName(name) {
		return fmt.Errorf("the name %q is not printable UTF-8 of at most %d bytes", name, maxReleaseName)
	}
	return nil
}

// storedRecord is a record with the parts of its file's name.
type storedRecord struct {
	number uint64
	id     string
	*record
}

const numberDigits = 10

// maxNumber is the last number of a record.
const maxNumber = 9_999_999_999

// recordName returns the path of a record's file.
func recordName(number uint64, id string) string {
	return fmt.Sprintf("%s/%0*d-%s.json", releasesDir, numberDigits, number, id)
}

// parseRecordName returns the parts of the name of a record's file.
func parseRecordName(name string) (number uint64, id string, ok bool) {
	stem, found := strings.CutSuffix(name, ".json")
	if !found || len(stem) != numberDigits+1+16 || stem[numberDigits] != '-' || !osfile.IsLowerHex(stem[numberDigits+1:]) {
		return 0, "", false
	}
	for _, c := range []byte(stem[:numberDigits]) {
		if c < '0' || c > '9' {
			return 0, "", false
		}
		number = 10*number + uint64(c-'0')
	}
	return number, stem[numberDigits+1:], true
}

func isRecordName(name string) bool {
	_, _, ok := parseRecordName(name)
	return ok
}

// contentName returns the path of the file with the bytes of this SHA-256.
func contentName(sum [32]byte) string {
	digits := hex.EncodeToString(sum[:])
	return contentDir + "/" + digits[:2] + "/" + digits
}

func isContentName(name string) bool { return len(name) == 2*sha256.Size && osfile.IsLowerHex(name) }

// newestFirst is the order of records.
func newestFirst(a, b storedRecord) int {
	return cmp.Or(cmp.Compare(b.number, a.number), strings.Compare(a.id, b.id))
}
