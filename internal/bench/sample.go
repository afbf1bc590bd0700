package bench

import (
	"fmt"
	"strings"

	"github.com/precompress/precompress/precompress"
)

// SampleKinds returns the kinds of samples that [Samples] knows.
func SampleKinds() []string { return []string{"json", "json-base64", "small", "rfc"} }

// Samples generates the inputs of a kind, from a fixed seed: everyone measures the same
// bytes. The one exception is the compressed part of a PNG, which depends on the release
// of Go.
//
//	json         a list of records as an API returns it, of 1.9 kB, 200 kB and 5 MB
//	json-base64  a JSON document with a PNG in base64, and the PNG by itself
//	small        a JSON body of 115 bytes
//	rfc          a text that looks like an RFC, of 300 kB
//
// Inputs are named "sample " and their kind; those of json also have their size in the
// name. The error wraps [precompress.ErrInvalidOptions] if the kind is unknown.
func Samples(kind string) ([]*Input, error) {
	switch kind {
	case "json":
		return []*Input{
			newSample("json-1.9kB", jsonList(3, 1_900)),
			newSample("json-200kB", jsonList(1, 200_000)),
			newSample("json-5MB", jsonList(1, 5_000_000)),
		}, nil
	case "json-base64":
		picture := photo()
		return []*Input{newSample("json-base64", jsonPicture(picture)), newSample("png", picture)}, nil
	case "small":
		return []*Input{newSample("small", smallBody())}, nil
	case "rfc":
		return []*Input{newSample("rfc", rfcText(300_000))}, nil
	}
	return nil, fmt.Errorf("%w: unknown sample %q: choose from %s", precompress.ErrInvalidOptions, kind, strings.Join(SampleKinds(), ", "))
}

func newSample(name string, content []byte) *Input {
	return &Input{name: "sample " + name, kind: Sample, items: []item{{"", int64(len(content)), func() ([]byte, error) { return content, nil }}}}
}
