// Package budget holds the sizes of what a build stores against upper bounds, and
// compares them with those of an earlier build.
package budget

import (
	"errors"
	"fmt"
	"strings"

	"github.com/precompress/precompress/internal/bytesize"
	"github.com/precompress/precompress/internal/glob"
	"github.com/precompress/precompress/manifest"
)

// Identity stands for the source itself where budgets and sums name codings
// (RFC 9110, section 12.5.3). No variant is stored in it.
const Identity manifest.Coding = "identity"

// Budget is an upper bound for the bytes of files.
type Budget struct {
	// Text is the budget as it was written.
	Text string
	// Limit is in bytes.
	Limit int64
	// Coding is the one to count in; "" counts each asset's smallest
	// representation.
	Coding manifest.Coding
	// Total bounds all files that match together, instead of each.
	Total bool

	glob glob.Glob
}

// Parse reads GLOB=SIZE[:CODING][:total], such as
// "assets/*.js=170kB:br" or "**/*.css=100kB:total". GLOB is one of package glob. It
// is matched against an asset's path and its stable name
// ([manifest.Fingerprint.Stable]), so that `app-\*.js` is app-3f8a91c2.js but not
// app-settings.js. SIZE is one of package bytesize, CODING a content coding or
// identity.
func Parse(text string) (Budget, error) {
	b, err := parse(text)
	if err != nil {
		return Budget{}, fmt.Errorf("the budget %q: %w", text, err)
	}
	return b, nil
}

func parse(text string) (Budget, error) {
	b := Budget{Text: text}
	at := strings.LastIndex(text, "=")
	if at < 0 {
		return b, errors.New("there is no limit: write it like assets/*.js=170kB:br")
	}
	var err error
	if b.glob, err = glob.Compile(text[:at]); err != nil {
		return b, err
	}
	size, rest, more := strings.Cut(text[at+1:], ":")
	if b.Limit, err = bytesize.Parse(size); err != nil {
		return b, err
	}
	for more {
		var word string
		word, rest, more = strings.Cut(rest, ":")
		if err := b.set(word); err != nil {
			return b, err
		}
	}
	return b, nil
}

// set takes over a word that follows the limit.
func (b *Budget) set(word string) error {
	if word == "total" {
		if b.Total {
			return errors.New("it says total twice")
		}
		b.Total = true
		return nil
	}
	coding := Identity
	if word != string(Identity) {
		var err error
		if coding, err = manifest.ParseCoding(word); err != nil {
			return fmt.Errorf("%q is neither total nor a coding: choose from br, zstd, gzip, identity", word)
		}
	}
	if b.Coding != "" {
		return fmt.Errorf("it names two codings, %s and %s: give one budget for each", b.Coding, coding)
	}
	b.Coding = coding
	return nil
}

// Overrun is a file, or a total, that is over its budget.
type Overrun struct {
	Budget Budget
	// Path is the asset's, "" for a total.
	Path string
	// Coding is that of the bytes that were counted: [Identity] for an asset
	// without a variant that would have counted; for a total the budget's.
	Coding manifest.Coding
	// Bytes are those of the file, or of all files together.
	Bytes int64
	// Assets is the number of files counted, 1 unless it is a total.
	Assets int
}

// Excess returns by how many bytes the limit is exceeded.
func (o Overrun) Excess() int64 { return o.Bytes - o.Budget.Limit }

// Audit is the result of checking assets against a budget.
type Audit struct {
	// Over is what is over budget, sorted by path.
	Over []Overrun
	// Matched is the number of assets that the budget applies to, Unknown the number
	// of those whose size is not known before a build. A total is over budget if
	// the known ones are.
	Matched, Unknown int
}

// Audit checks assets against the budget: those of precompress.Result.Stored or
// precompress.Plan.Stored. An asset without a variant in the budget's coding counts
// with the bytes of its source, which is what a client would get.
func (b Budget) Audit(assets []manifest.Asset, names manifest.Fingerprint) Audit {
	var audit Audit
	total := Overrun{Budget: b, Coding: b.Coding}
	for i := range assets {
		a := &assets[i]
		if !b.glob.Match(a.Path) && !b.glob.Match(names.Stable(a.Path)) {
			continue
		}
		audit.Matched++
		size, coding, known := b.count(a)
		switch {
		case !known:
			audit.Unknown++
		case b.Total:
			total.Bytes += size
			total.Assets++
		case size > b.Limit:
			audit.Over = append(audit.Over, Overrun{b, a.Path, coding, size, 1})
		}
	}
	if total.Bytes > b.Limit {
		audit.Over = append(audit.Over, total)
	}
	return audit
}

func (b Budget) count(a *manifest.Asset) (size int64, coding manifest.Coding, known bool) {
	if b.Coding == "" {
		return smallest(a)
	}
	return sizeIn(a, b.Coding)
}

// smallest returns the size in bytes of the smallest representation of an asset:
// of a variant, or the source itself, whose coding is [Identity]. known is false
// if the size of a variant is not known.
func smallest(a *manifest.Asset) (size int64, coding manifest.Coding, known bool) {
	size, coding, known = a.Size, Identity, true
	for _, v := range a.Variants {
		known = known && !v.Stale
		if v.Stored() && v.Size < size {
			size, coding = v.Size, v.Coding
		}
	}
	return size, coding, known
}

// sizeIn returns the bytes that a client gets that wants the given coding: those of
// the source if there is no such variant.
func sizeIn(a *manifest.Asset, c manifest.Coding) (size int64, coding manifest.Coding, known bool) {
	v, found := a.Variant(c)
	switch {
	case found && v.Stale:
		return 0, c, false
	case found && v.Stored():
		return v.Size, c, true
	}
	return a.Size, Identity, true
}
