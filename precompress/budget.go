package precompress

import (
	"errors"
	"fmt"
	"strings"

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

	glob glob
}

// ParseBudget reads GLOB=SIZE[:CODING][:total], such as
// "assets/*.js=170kB:br" or "**/*.css=100kB:total". GLOB is what follows the
// rules of [Options.Include] and is matched against an asset's path and its stable
// name ([manifest.Fingerprint.Stable]), so that `app-\*.js` is app-3f8a91c2.js but
// not app-settings.js. SIZE is one of [ParseSize], CODING a content coding or
// identity. The error wraps [ErrInvalidOptions].
func ParseBudget(text string) (Budget, error) {
	b, err := parseBudget(text)
	if err != nil {
		return Budget{}, invalid("the budget %q: %w", text, err)
	}
	return b, nil
}

func parseBudget(text string) (Budget, error) {
	b := Budget{Text: text}
	at := strings.LastIndex(text, "=")
	if at < 0 {
		return b, errors.New("there is no limit: write it like assets/*.js=170kB:br")
	}
	var err error
	if b.glob, err = newGlob(text[:at]); err != nil {
		return b, errors.New(strings.TrimPrefix(err.Error(), ErrInvalidOptions.Error()+": "))
	}
	size, rest, more := strings.Cut(text[at+1:], ":")
	if b.Limit, err = ParseSize(size); err != nil {
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

// Audit is what holding assets against a budget came to.
type Audit struct {
	// Over is what is over budget, sorted by path.
	Over []Overrun
	// Matched is the number of assets that the budget is about, Unknown that of
	// those whose size is not known before a build. A total is over budget if
	// the known ones are.
	Matched, Unknown int
}

// Audit holds assets, of [Report.Stored] or [Plan.Stored], against the budget.
// An asset without a variant in the budget's coding counts with the bytes of its
// source, which is what a client would get.
func (b Budget) Audit(assets []manifest.Asset, names manifest.Fingerprint) Audit {
	var audit Audit
	total := Overrun{Budget: b, Coding: b.Coding}
	for i := range assets {
		a := &assets[i]
		if !b.glob.match(a.Path) && !b.glob.match(names.Stable(a.Path)) {
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
