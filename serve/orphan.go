package serve

import (
	"errors"

	"github.com/precompress/precompress/manifest"
)

// decodeOne finds the content of an asset without a source, and the variants
// that have it. The manifest knows the content. Without one it is what the
// newest variant decodes to that does decode; those that decode to something
// else are stale. Variants without a linked decoder are believed.
func (in *inspection) decodeOne() error {
	if listed := in.a.listed; listed != nil {
		in.content = &measured{size: listed.Size, digest: listed.Digest}
	}
	decoded := make([]*measured, len(in.variants))
	var newest *measured
	for i, v := range in.variants {
		decode := in.ix.opts.Decoders[v.coding]
		if decode == nil || in.content != nil && in.identity != nil {
			continue
		}
		m, err := measure(in.ix.tree, v.file, decode, -1)
		var notDecoded *decodeError
		if err != nil && !errors.As(err, &notDecoded) {
			return err
		}
		if err != nil {
			in.drop(i, &fault{Damaged, err})
			continue
		}
		decoded[i] = &m
		if newest == nil || m.info.ModTime().After(newest.info.ModTime()) {
			newest = &m
		}
		if in.content != nil && m.equal(in.content.size, in.content.digest) {
			in.content.head = m.head
			in.identity = in.decodedFrom(v, m)
		}
	}
	if in.content == nil {
		in.content = newest
	}
	for i, m := range decoded {
		switch {
		case m == nil:
		case !m.equal(in.content.size, in.content.digest):
			in.drop(i, &fault{reason: Stale})
		case in.identity == nil:
			in.identity = in.decodedFrom(in.variants[i], *m)
		}
	}
	in.variants = kept(in.variants)
	return nil
}

// decodedFrom is the content without a coding, as one variant's decoder gives
// it. Its validator is the content's: how the bytes came about does not show.
func (in *inspection) decodedFrom(v variant, m measured) *representation {
	return &representation{
		file: v.file, info: m.info, size: m.size, digest: m.digest,
		decode: in.ix.opts.Decoders[v.coding],
	}
}

// drop takes a variant out of use; kept removes it.
func (in *inspection) drop(i int, f *fault) {
	in.refuse(in.variants[i].coding, f)
	in.variants[i].coding = ""
}

func kept(variants []variant) []variant {
	var rest []variant
	for _, v := range variants {
		if v.coding != manifest.Coding("") {
			rest = append(rest, v)
		}
	}
	return rest
}
