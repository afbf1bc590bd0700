package probe

import (
	"cmp"
	"slices"
	"strings"
)

// Severity tells faults, which break clients or caches, or keep from clients what
// the build made, from advice, which costs bytes or requests.
type Severity string

// The severities.
const (
	Fault  Severity = "fault"
	Advice Severity = "advice"
)

// Check is one thing that is looked at. Its word is stable; texts are for people.
type Check struct {
	Word      string
	Severity  Severity
	Reference string // "RFC 9110, section 12.5.5", or "" where no document asks for it
	Advice    string // what to change
}

// citing returns the check with a reference that is nearer to what was found.
func (c Check) citing(reference string) Check {
	c.Reference = reference
	return c
}

// advising returns the check with advice that is nearer to what was found.
func (c Check) advising(advice string) Check {
	c.Advice = advice
	return c
}

// Finding is what a check found about the answers for one URL.
type Finding struct {
	URL string
	Check
	Coding string   // that the finding is about; "" for none, or for all
	Text   string   // what is wrong, in one line; text from the server is quoted unless printable
	Asked  []string // what was asked where it was seen, as of [Question.String]
}

// What is looked at, by kind. [Checks] lists them all.
var (
	status       = Check{"status", Fault, "RFC 9110, section 15", "have the server answer 200 for this URL, whatever Accept-Encoding says"}
	redirect     = Check{"redirect", Advice, "RFC 9110, section 15.4", "link to where it leads, to spare visitors a round trip"}
	redirectLoop = Check{"redirect-loop", Fault, "RFC 9110, section 15.4", "end the redirects: browsers give up, too"}

	malformed   = Check{"malformed", Fault, "RFC 9112", "have the server, and what stands in front of it, keep to the form of HTTP/1.1: clients drop the connection, or take one answer for two"}
	transformed = Check{"transformed", Advice, "RFC 9110, section 15.3.4", "ask past the proxy that changes the content to see what the server sends"}

	codingUnknown   = Check{"coding-unknown", Fault, "RFC 9110, section 8.4.1", "send a coding that is registered, by its name, or no Content-Encoding"}
	codingOldName   = Check{"coding-name", Advice, "RFC 9110, section 8.4.1", "send br, zstd or gzip by that name, and no Content-Encoding with the plain file"}
	codingUnasked   = Check{"coding-unasked", Fault, "RFC 9110, section 12.5.3", "send a coding only to clients whose Accept-Encoding takes it, else the plain file"}
	codingDefault   = Check{"coding-default", Advice, "RFC 9110, section 12.5.3", "send the plain file to clients without Accept-Encoding: few of them decode anything"}
	codingOnly      = Check{"coding-only", Advice, "RFC 9110, section 12.5.3", "send the .svg with variants instead: clients that do not take gzip cannot use a .svgz"}
	qvalueIgnored   = Check{"qvalue-ignored", Fault, "RFC 9110, section 12.4.2", "read qvalues: q=0 means \"not acceptable\""}
	uncompressed    = Check{"uncompressed", Advice, "RFC 9110, section 8.4", "store variants with a build, and have the server send them"}
	variantMissing  = Check{"variant-missing", Fault, "RFC 9110, section 12.5.3", "upload the variant beside its source and switch its coding on in the server, or build without the coding"}
	largerChosen    = Check{"larger-chosen", Advice, "RFC 9110, section 12.1", "have the server prefer the smallest representation that the client takes"}
	vary            = Check{"vary", Fault, "RFC 9110, section 12.5.5", "send Vary: Accept-Encoding on every answer for this URL, the plain one too: caches mix them up"}
	varyWide        = Check{"vary-wide", Advice, "RFC 9110, section 12.5.5", "name in Vary only what decides about the answer, field by field: caches keep one copy for each value"}
	cacheMissing    = Check{"cache-control-missing", Advice, "RFC 9111, section 5.2", "say how long caches may use it: no-cache to validate each use, or a long max-age for names with a fingerprint"}
	cacheOdd        = Check{"cache-control-odd", Advice, "RFC 9111, section 5.2.2", "let caches keep names with a fingerprint for long (max-age=31536000, immutable), and never pages"}
	cacheMalformed  = Check{"cache-control-malformed", Fault, "RFC 9111, section 5.2", "write directives by their names, split by commas, each once, and times as whole seconds without quotes: caches ignore others, or take them for stale"}
	cacheUnknown    = Check{"cache-control-unknown", Advice, "RFC 9111, section 5.2.3", "write directives by their names: caches ignore what they do not know"}
	cacheDiffers    = Check{"cache-control-differs", Advice, "RFC 9111, section 5.2", "send the same Cache-Control with every coding and delta: they change together"}
	modifiedBad     = Check{"last-modified-malformed", Fault, "RFC 9110, section 8.8.2", "send Last-Modified as a date like Sun, 06 Nov 1994 08:49:37 GMT, or leave it out"}
	ageWrong        = Check{"age", Advice, "RFC 9111, section 4.2.4", "have caches on the way send their Age in seconds, and ask again when it is over max-age"}
	etagMissing     = Check{"etag-missing", Advice, "RFC 9110, section 8.8.3", "send an ETag, so that caches can validate instead of loading again"}
	etagMalformed   = Check{"etag-malformed", Fault, "RFC 9110, section 8.8.3", "send one ETag, in double quotes, of no more than 1 KiB"}
	etagWeak        = Check{"etag-weak", Advice, "RFC 9110, section 8.8.1", "send a strong ETag, made from the bytes: a weak one resumes no download"}
	etagShared      = Check{"etag-shared", Fault, "RFC 9110, section 8.8.3.3", "give every coding an ETag of its own"}
	etagUnstable    = Check{"etag-unstable", Advice, "RFC 9110, section 8.8.1", "make the ETag from the bytes, so that all machines that answer agree"}
	unmodified      = Check{"not-modified-missing", Advice, "RFC 9110, section 13.1.2", "answer 304 if If-None-Match lists the ETag of the answer"}
	unmodifiedWrong = Check{"not-modified-wrong", Fault, "RFC 9110, section 13.2.2", "answer 304 only for the validator of the very answer that would be sent"}
	unmodifiedBare  = Check{"not-modified-fields", Fault, "RFC 9110, section 15.4.5", "send ETag, Vary, Cache-Control and Expires with a 304 as with a 200, and nothing about the content: caches put it in place of what they have"}
	modifiedSince   = Check{"modified-since-ignored", Advice, "RFC 9110, section 13.1.3", "answer 304 if If-Modified-Since is the Last-Modified of the answer"}

	framing       = Check{"framing", Fault, "RFC 9112, section 6.3", "end every answer where its header says: content with HEAD or 304, or another length, passes for the next answer on the connection"}
	lengthMissing = Check{"length-missing", Advice, "RFC 9110, section 8.6", "send Content-Length: the size of a file is known"}
	incomplete    = Check{"incomplete", Fault, "RFC 9112, section 8", "send as many bytes as announced: have Content-Length be that of the coded form"}
	head          = Check{"head", Fault, "RFC 9110, section 9.3.2", "answer HEAD as GET, without the content"}
	headOmits     = Check{"head-omits", Advice, "RFC 9110, section 9.3.2", "send with HEAD the fields of GET, unless only making the content tells them"}
	headLength    = Check{"head-length", Fault, "RFC 9110, section 8.6", "send with HEAD the Content-Length of GET, or none"}

	undecodable    = Check{"undecodable", Fault, "RFC 9110, section 8.4", "replace the damaged variant, and have nothing change or cut it on the way"}
	undeclared     = Check{"coding-undeclared", Fault, "RFC 9110, section 8.4", "send Content-Encoding with coded content"}
	doubleCoding   = Check{"double-coding", Fault, "RFC 9110, section 8.4", "compress once: switch compression on the way off for what is precompressed"}
	differs        = Check{"content-differs", Fault, "RFC 9110, section 8.4", "replace variants that are not of the present file, and purge caches"}
	varies         = Check{"content-varies", Advice, "", "if it is not meant to, have all machines that answer serve the same release; what rests on the same content was not checked (codings, lengths, ETags, dates, ranges)"}
	stale          = Check{"stale", Fault, "", "deploy the build that the manifest is of, whole, and purge caches"}
	recompressed   = Check{"recompressed", Fault, "RFC 9110, section 7.7", "switch compression off in what stands in front, or send Cache-Control: no-transform"}
	window         = Check{"window", Fault, "RFC 9659, section 3", "encode anew with a smaller window: browsers refuse this one"}
	unchecked      = Check{"unchecked", Advice, "", "allow for larger content to have it checked"}
	typeDiffers    = Check{"type-differs", Fault, "RFC 9110, section 8.3", "send the same Content-Type with every coding"}
	typeWrong      = Check{"type", Fault, "RFC 9110, section 8.3", "send the media type of the file without its coding, by the file's name"}
	typeMissing    = Check{"type-missing", Advice, "RFC 9110, section 8.3", "send a Content-Type: browsers guess else"}
	partial        = Check{"range", Fault, "RFC 9110, section 14.4", "count ranges in the bytes of the coded form, or ignore Range"}
	contentRange   = Check{"content-range", Advice, "RFC 9110, section 14.4", "send Content-Range with 206, and with 416 as bytes */SIZE, and with nothing else"}
	ifRangeWrong   = Check{"if-range-wrong", Fault, "RFC 9110, section 13.1.5", "ignore Range if If-Range is not the present ETag: downloads are resumed with bytes of another file"}
	ifRangeIgnored = Check{"if-range-ignored", Advice, "RFC 9110, section 13.1.5", "send the part if If-Range is the present ETag, so that downloads resume"}
	partialBare    = Check{"range-fields", Fault, "RFC 9110, section 15.3.7", "send the fields of the 200 with a 206, too; with If-Range those about the content may be left out"}
	dictionaryUse  = Check{"dictionary-use", Fault, "RFC 9842, section 2.1", "send Use-As-Dictionary: match=\"…\" with a pattern for paths of this host"}
	dictionaryAge  = Check{"dictionary-lifetime", Advice, "RFC 9842, section 2.2.1", "give dictionaries a max-age: they are of use only while they are fresh"}
	useMissing     = Check{"dictionary-use-missing", Fault, "RFC 9842, section 2.1", "send Use-As-Dictionary as the build has it, and have nothing on the way drop it: later releases are loaded whole else"}
	useDiffers     = Check{"dictionary-use-differs", Fault, "RFC 9842, section 2.1", "send Use-As-Dictionary as the build has it: clients ask with the dictionary for what match says"}
	dictionaryNone = Check{"dictionary-unasked", Fault, "RFC 9842, section 2.2", "send dcb and dcz only to clients that name the dictionary in Available-Dictionary"}
	dictionaryOdd  = Check{"dictionary-mismatch", Fault, "RFC 9842, section 4", "send the delta to the very dictionary that Available-Dictionary names, or none"}
	dictionaryVary = Check{"dictionary-vary", Fault, "RFC 9842, section 6.2", "send Vary: Accept-Encoding, Available-Dictionary on every answer for this URL"}
	deltaMissing   = Check{"delta-missing", Fault, "RFC 9842, section 2.2", "upload the delta, and have nothing on the way drop Available-Dictionary or dcb and dcz"}
	deltaDiffers   = Check{"delta-differs", Fault, "RFC 9842, section 2.2", "deploy the deltas of the build that the manifest is of"}
)

// Checks returns everything that is looked at, sorted by word.
func Checks() []Check {
	all := []Check{
		status, malformed, transformed, redirect, redirectLoop,
		codingUnknown, codingOldName, codingUnasked, codingDefault, codingOnly, qvalueIgnored, uncompressed, variantMissing, largerChosen,
		vary, varyWide, cacheMissing, cacheOdd, cacheMalformed, cacheUnknown, cacheDiffers, modifiedBad, ageWrong, etagMissing, etagMalformed, etagWeak, etagShared, etagUnstable,
		unmodified, unmodifiedWrong, unmodifiedBare, modifiedSince,
		framing, lengthMissing, incomplete, head, headOmits, headLength,
		undecodable, undeclared, doubleCoding, differs, varies, stale, recompressed, window, unchecked,
		typeDiffers, typeWrong, typeMissing, partial, partialBare, contentRange, ifRangeWrong, ifRangeIgnored,
		dictionaryUse, useMissing, useDiffers, dictionaryAge, dictionaryNone, dictionaryOdd, dictionaryVary, deltaMissing, deltaDiffers,
	}
	slices.SortFunc(all, func(a, b Check) int { return strings.Compare(a.Word, b.Word) })
	return all
}

func compareFindings(a, b Finding) int {
	return cmp.Or(strings.Compare(a.URL, b.URL), strings.Compare(a.Word, b.Word), strings.Compare(a.Coding, b.Coding), strings.Compare(a.Text, b.Text))
}
