package bench

import (
	"fmt"
	"strings"
)

// prose makes sentences as they stand in specifications: of patterns, with words
// of which some are much more frequent than others.
type prose struct {
	dice
	nouns, verbs, adjectives, adverbs, names, clauses, patterns, fieldParts []string
}

func newProse(seed uint64) *prose {
	return &prose{
		newDice(seed),
		strings.Fields(proseNouns), strings.Fields(proseVerbs), strings.Fields(proseAdjectives), strings.Fields(proseAdverbs),
		strings.Fields(lastNames), strings.Split(proseClauses, "\n"), strings.Split(prosePatterns, "\n"), strings.Fields(proseFields),
	}
}

// sentences returns so many of them.
func (p *prose) sentences(count int) string {
	text := make([]string, count)
	for i := range text {
		text[i] = p.sentence()
	}
	return strings.Join(text, "  ")
}

// sentence returns a pattern with words in place of its marks, and with a clause in
// front of it or behind it at times.
func (p *prose) sentence() string {
	text := p.fill(p.pick(p.patterns))
	switch p.n(4) {
	case 0:
		text = p.fill(p.pick(p.clauses)) + ", " + text
	case 1:
		text += " " + p.fill(p.pick(p.clauses))
	}
	text = capital(text)
	if p.chance(8) {
		text += fmt.Sprintf(" (Section %d.%d)", p.between(1, 18), p.between(1, 5))
	}
	if p.chance(6) {
		text += fmt.Sprintf(" [RFC%d]", p.between(800, 9_900))
	}
	return text + "."
}

// fill puts words in place of N (noun), V (verb), A (adjective), D (adverb), F (field),
// M (modal verb) and # (number), where one stands by itself.
func (p *prose) fill(pattern string) string {
	words := strings.Fields(pattern)
	for i, word := range words {
		switch word {
		case "N":
			words[i] = p.noun()
		case "V":
			words[i] = p.skewed(p.verbs)
		case "A":
			words[i] = p.skewed(p.adjectives)
		case "D":
			words[i] = p.skewed(p.adverbs)
		case "F":
			words[i] = p.field()
		case "M":
			words[i] = p.pick([]string{"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "can", "might", "will"})
		case "#":
			words[i] = fmt.Sprint(p.between(2, 64))
		}
	}
	for i, word := range words[1:] {
		if words[i] == "a" && strings.ContainsAny(word[:1], "aeio") {
			words[i] = "an"
		}
	}
	return strings.Join(words, " ")
}

// noun returns one, at times two, at times with what kind.
func (p *prose) noun() string {
	text := p.skewed(p.nouns)
	if p.chance(30) {
		text = p.skewed(p.nouns) + " " + text
	}
	if p.chance(30) {
		text = p.skewed(p.adjectives) + " " + text
	}
	return text
}

// title returns the title of a section.
func (p *prose) title() string {
	text := capital(p.skewed(p.adjectives)) + " " + capital(p.pick(p.nouns))
	if p.chance(40) {
		text += " and " + capital(p.pick(p.nouns))
	}
	return text
}

// capital returns a text with its first letter as a capital.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// field returns the name of a field.
func (p *prose) field() string { return p.skewed(p.fieldParts) + "-" + p.skewed(p.fieldParts) }

// token returns the name of a rule of grammar.
func (p *prose) token() string { return p.skewed(p.nouns) + "-" + p.skewed(p.nouns) }

// The words, the frequent ones first, and what sentences are made of.
const (
	proseNouns = "message request response client server field value resource representation header connection recipient sender " +
		"proxy cache origin intermediary method status user agent content length target header list member parameter token range " +
		"body encoding coding transfer chunk trailer gateway tunnel authority scheme path query fragment identifier validator date " +
		"condition precondition credential challenge realm scope session stream frame window setting priority weight dependency " +
		"error reason code phrase line octet sequence character grammar rule syntax registry procedure registration designated " +
		"expert review specification implementation version protocol extension feature capability negotiation preference choice " +
		"selection algorithm dictionary digest integrity signature key certificate chain trust policy attack attacker mitigation " +
		"timeout retry interval limit bound threshold buffer queue pipeline order delivery loss latency bandwidth congestion peer " +
		"endpoint address port host name domain record lookup resolution alias redirect location reference link relation type " +
		"format media document archive collection entry item element attribute property schema model state transition event " +
		"notification subscription publisher subscriber broker topic payload metadata annotation label tag comment example"
	proseVerbs = "send receive process ignore generate forward discard parse store reject accept include contain indicate " +
		"apply remove replace update validate combine close open retry select compare evaluate interpret transform encode decode " +
		"buffer delay limit advertise announce request expect assume require permit prohibit define extend register reuse cancel " +
		"reset abort resume truncate append split merge sort count measure sign verify encrypt decrypt authenticate authorize " +
		"redirect resolve map translate deliver acknowledge confirm report record log inspect modify preserve restore refresh"
	proseAdjectives = "valid invalid unknown optional empty final single multiple partial complete stored fresh stale cached " +
		"secure private shared public explicit implicit persistent temporary permanent malformed unexpected subsequent previous " +
		"initial current new old strong weak safe idempotent conditional chunked compressed encoded decoded opaque relative " +
		"absolute canonical preferred acceptable additional primary secondary upstream downstream inbound outbound local remote " +
		"reliable unreliable ordered unordered bounded unbounded static dynamic nested recursive duplicate missing redundant"
	proseAdverbs = "immediately only usually typically often explicitly silently safely directly independently consistently " +
		"correctly successfully automatically periodically eventually sometimes rarely never always again later already " +
		"otherwise likewise additionally generally normally locally reliably securely"
	proseFields = "Content Accept Cache Transfer Range Request Response Entity Proxy Forward Origin Target Upgrade Retry " +
		"Language Location Encoding Control Status Match Modified Policy Hash Trace Signature Input Expect Age Vary Date Link"
	proseClauses = `if the N is A
when a N is received without a F field
unless the N has been D V by the N
because the N might have been A
in order to V the N
after the N has been completely received
whenever more than # N are A
as long as the N remains A
regardless of the A N in use
even though a N M V it D
before it attempts to V another N
for reasons of backwards compatibility with A N
since the F field does not apply to a N`
	prosePatterns = `a N M V the N of a N
the F field value consists of a N followed by a N
a A N that does not V the N M be treated as a N
a N that receives a A N M D V it
the purpose of the F field is to V a N between a N and the N
implementations are expected to V at least # N per N
a A N is one that the N can V without a N
this document defines the N in terms of the N that a N is able to V
each N M be D associated with exactly one N
the N M V the N even if the F field is A
a N M generate a F field in a N if it intends to V the N
such a N is D considered A and M be used to V a N
recipients that do not understand the N M V it D
no more than # N of a N are sent in a A N
there is no requirement that a N V the N
the N in a F field is compared with the N of the N
N and N are D A
two N are equivalent if their N and N are A
a N D consists of a A N and # N
it is an error for a N to V a F field that has a A N
a N is not allowed to V more than one N at a time
the remainder of this section describes how a N V the N
the absence of the F field indicates that the N is A
historically N would D V the N
for example a N that wishes to V a N can D V its N`
)
