package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"github.com/precompress/precompress/precompress"
)

// sample returns the content of a sample by its name.
func sample(t *testing.T, name string) []byte {
	t.Helper()
	content, err := sampleInput(t, name).items[0].read()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func sampleInput(t *testing.T, name string) *Input {
	t.Helper()
	kind := name
	switch {
	case name == "png":
		kind = "json-base64"
	case strings.HasSuffix(name, "B"):
		kind = "json"
	}
	inputs, err := Samples(kind)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		if in.Name() == "sample "+name && in.Kind() == Sample {
			return in
		}
	}
	t.Fatalf("there is no sample %q", name)
	return nil
}

func TestSampleSizes(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{
		"json-1.9kB": {1_850, 1_900}, "json-200kB": {198_000, 200_000}, "json-5MB": {4_990_000, 5_000_000},
		"json-base64": {150_000, 250_000}, "png": {100_000, 200_000}, "small": {115, 115}, "rfc": {100_000, 400_000},
	} {
		content := sample(t, name)
		if len(content) < size[0] || len(content) > size[1] {
			t.Errorf("%s has %d bytes, not between %d and %d", name, len(content), size[0], size[1])
		}
		if !bytes.Equal(content, sample(t, name)) {
			t.Errorf("%s differs from time to time", name)
		}
	}
	if _, err := Samples("xml"); !errors.Is(err, precompress.ErrInvalidOptions) {
		t.Errorf("an unknown kind: %v", err)
	}
}

// TestSampleBytes: everyone measures the same bytes.
func TestSampleBytes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"json-1.9kB": "d3ca36f5d650ed3ceda5c776e2238206b1c42674bfa71ad127e6175d4e2de38e",
		"json-200kB": "500fc26b2c5eb3ae01c29edf3004db3ae0be8505abd07f0afd979d41ac45a69b",
		"json-5MB":   "250053efda000d11baa12400ec0dd96d9a65c2c4f87dbfe6728d738213106822",
		"small":      "01ac23b939b0dd2c817fe05b9c38c73f92d9aad90c07c28dc704ff03faa50598",
		"rfc":        "4651a636eede60230c072ea66128602af28719e2374e7e8d81223f82bf603c43",
	} {
		if sum := fmt.Sprintf("%x", sha256.Sum256(sample(t, name))); sum != want {
			t.Errorf("%s has other bytes: SHA-256 %s, want %s", name, sum, want)
		}
	}
}

func TestSampleJSON(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"json-1.9kB", "json-200kB", "json-base64", "small"} {
		if content := sample(t, name); !json.Valid(content) {
			t.Errorf("%s is no JSON: %.200s", name, content)
		}
	}
	var list struct{ Data []map[string]any }
	if err := json.Unmarshal(sample(t, "json-5MB"), &list); err != nil {
		t.Fatal(err)
	}
	seen := make(map[any]bool)
	for _, record := range list.Data {
		if seen[record["id"]] {
			t.Fatalf("two records of the number %v", record["id"])
		}
		seen[record["id"]] = true
	}
	if len(list.Data) < 5_000 {
		t.Errorf("only %d records", len(list.Data))
	}
}

func TestSamplePicture(t *testing.T) {
	t.Parallel()
	var document struct{ Data string }
	if err := json.Unmarshal(sample(t, "json-base64"), &document); err != nil {
		t.Fatal(err)
	}
	_, encoded, _ := strings.Cut(document.Data, "base64,")
	picture, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(picture, sample(t, "png")) {
		t.Error("the document's picture is another")
	}
	if _, err := png.Decode(bytes.NewReader(picture)); err != nil {
		t.Error(err)
	}
}

func TestSampleRFC(t *testing.T) {
	t.Parallel()
	text := string(sample(t, "rfc"))
	pages := strings.Split(text, "\f\n")
	if last := pages[len(pages)-1]; last != "" {
		t.Errorf("after the last page: %q", last)
	}
	pages = pages[:len(pages)-1]
	for i, page := range pages {
		lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
		if !strings.HasSuffix(lines[len(lines)-1], fmt.Sprintf("[Page %d]", i+1)) {
			t.Fatalf("page %d ends with %q", i+1, lines[len(lines)-1])
		}
		if i > 0 && (!strings.HasPrefix(lines[0], "RFC 0000 ") || lines[3] == "") {
			t.Errorf("page %d begins with %q", i+1, lines[:4])
		}
		for _, line := range lines {
			if len(line) > 72 || strings.TrimRight(line, " ") != line {
				t.Errorf("page %d: wrong line %q", i+1, line)
			}
		}
	}
	if len(pages) < 50 {
		t.Errorf("only %d pages", len(pages))
	}
	for _, pattern := range []string{`(?m)^12\.3\.  \w`, `(?m)^     [a-z-]+ += 1\*\( `, `(?m)^     GET /\w+/\w+\?`, `MUST NOT`, `(?m)^   1\.  .*\.\.\.+ +\d+$`, `(?m)^   \[RFC\d+\] +\w`} {
		if !regexp.MustCompile(pattern).MatchString(text) {
			t.Errorf("nothing matches %s", pattern)
		}
	}
	if strings.Count(text, "\n\n\n\n\n\n") > len(pages)/4 {
		t.Error("many pages are half empty")
	}
}
