package probe

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// The checks of the URL and its status.
var (
	// An answer is not 200, also if a condition is false or a dictionary is offered. The
	// reference is that of the status. After 429 or 503, or another 5xx for a request that
	// was answered before, nothing more is requested of the URL.
	status = Check{"status", Fault, "RFC 9110, section 15", "configure the server to answer 200 for this URL, whatever Accept-Encoding says"}
	// An answer is not in the form of HTTP/1.1, so that it cannot be read (RFC 9112), or
	// has a Transfer-Encoding that was not requested (section 7.4): nothing more is
	// requested of the URL. Or it can be read, and a field is on two lines (section 5.2) or
	// has a space before its colon (section 5.1), or HTTP/1.0 comes with Transfer-Encoding
	// (section 6.1).
	malformed = Check{"malformed", Fault, "RFC 9112", "make the server, or the proxy in front of it, send valid HTTP/1.1: otherwise clients drop the connection, or read one answer as two"}
	// An answer is 203. It is checked like a 200.
	transformed = Check{"transformed", Advice, "RFC 9110, section 15.3.4", "to see what the server itself sends, probe it without the proxy that changes the content"}
	// The URL redirects to another one of the host, which is checked in its place.
	redirect = Check{"redirect", Advice, "RFC 9110, section 15.4", "link to the URL at the end of the redirects: that saves visitors a round trip"}
	// There are more than 10 redirects.
	redirectLoop = Check{"redirect-loop", Fault, "RFC 9110, section 15.4", "end the redirects: browsers give up, too"}
)

// The checks of content negotiation.
var (
	// Content-Encoding is not a registered content coding.
	codingUnknown = Check{"coding-unknown", Fault, "RFC 9110, section 8.4.1", "send a registered content coding by its name, or no Content-Encoding"}
	// Content-Encoding is empty, or identity, which is only for Accept-Encoding (section
	// 8.4), the old name x-gzip (section 8.4.1.3), or deflate, which clients read as either
	// of two formats (section 8.4.1.2).
	codingName = Check{"coding-name", Advice, "RFC 9110, section 8.4.1", "send br, zstd or gzip by that name, and no Content-Encoding with the uncompressed file"}
	// An answer has a coding that Accept-Encoding does not list.
	codingUnasked = Check{"coding-unasked", Fault, "RFC 9110, section 12.5.3", "send a coding only to clients whose Accept-Encoding lists it, and the uncompressed file to all others"}
	// A client without Accept-Encoding gets a coding. That is allowed.
	codingDefault = Check{"coding-default", Advice, "RFC 9110, section 12.5.3", "send the uncompressed file to clients without Accept-Encoding: few of them can decode anything"}
	// A .svgz has Content-Encoding gzip for all clients: it is stored in no other form.
	codingOnly = Check{"coding-only", Advice, "RFC 9110, section 12.5.3", "serve the .svg with precompressed variants instead: clients that do not accept gzip cannot use a .svgz"}
	// An answer has a coding that Accept-Encoding refuses with q=0, by name or as *.
	qvalueIgnored = Check{"qvalue-ignored", Fault, "RFC 9110, section 12.4.2", "make the server read qvalues: q=0 means \"not acceptable\""}
	// Without a manifest: content that gzip makes at least a tenth smaller is uncompressed.
	uncompressed = Check{"uncompressed", Advice, "RFC 9110, section 8.4", "precompress the files in a build, and configure the server to send the variants"}
	// The build stored a variant, and a client that accepts only its coding gets identity.
	variantMissing = Check{"variant-missing", Fault, "RFC 9110, section 12.5.3", "upload the variant next to its source and enable the coding in the server, or build without the coding"}
	// Browsers get a representation that is larger than another that they accept.
	largerChosen = Check{"larger-chosen", Advice, "RFC 9110, section 12.1", "make the server prefer the smallest representation that the client accepts"}
	// Representations differ by coding, and an answer does not list Accept-Encoding in Vary.
	vary = Check{"vary", Fault, "RFC 9110, section 12.5.5", "send Vary: Accept-Encoding with every answer for this URL, also with the uncompressed one: otherwise caches mix them up"}
	// Vary is *, so that caches never reuse the answer (RFC 9111, section 4.1), or lists
	// User-Agent, Cookie or Referer.
	varyWide = Check{"vary-wide", Advice, "RFC 9110, section 12.5.5", "list in Vary only the fields that the answer depends on: caches store a copy for each value"}
)

// The checks of caching and validators.
var (
	// There is neither Cache-Control nor Expires.
	cacheMissing = Check{"cache-control-missing", Advice, "RFC 9111, section 5.2", "say how long caches may use it: no-cache to validate each use, or a long max-age for names with a fingerprint"}
	// A name with a fingerprint is fresh for less than a week; a page without one is fresh
	// for a week or more, or is immutable; or directives contradict each other.
	cacheOdd = Check{"cache-control-odd", Advice, "RFC 9111, section 5.2.2", "let caches keep names with a fingerprint for long (max-age=31536000, immutable), but never pages"}
	// Cache-Control has a member that is not a directive, a time that is not a number, or
	// two different times (invalid ones count as stale by section 4.2.1); or max-age or
	// s-maxage in quotes (sections 5.2.2.1 and 5.2.2.10).
	cacheMalformed = Check{"cache-control-malformed", Fault, "RFC 9111, section 5.2", "separate directives by commas, send each once, and write times as whole seconds without quotes: caches ignore anything else, or treat the answer as stale"}
	// Cache-Control has a directive whose name is a misspelling of a known one.
	cacheUnknown = Check{"cache-control-unknown", Advice, "RFC 9111, section 5.2.3", "correct the name of the directive: caches ignore unknown ones"}
	// Cache-Control differs between codings or deltas. Lifetimes may differ by 10 minutes.
	cacheDiffers = Check{"cache-control-differs", Advice, "RFC 9111, section 5.2", "send the same Cache-Control with every coding and delta: they change together"}
	// Last-Modified is not a date.
	modifiedMalformed = Check{"last-modified-malformed", Fault, "RFC 9110, section 8.8.2", "send Last-Modified as a date like Sun, 06 Nov 1994 08:49:37 GMT, or leave it out"}
	// Age is not a number, or is more than the lifetime of the answer.
	ageWrong = Check{"age", Advice, "RFC 9111, section 4.2.4", "make the caches on the way send Age in seconds, and validate answers that are older than max-age"}
	// There is no ETag.
	etagMissing = Check{"etag-missing", Advice, "RFC 9110, section 8.8.3", "send an ETag, so that caches can validate instead of downloading again"}
	// ETag is not an entity tag, or there are several.
	etagMalformed = Check{"etag-malformed", Fault, "RFC 9110, section 8.8.3", "send one ETag, in double quotes, of at most 1 KiB"}
	// The ETag is weak.
	etagWeak = Check{"etag-weak", Advice, "RFC 9110, section 8.8.1", "send a strong ETag, made from the bytes: a weak one cannot resume downloads"}
	// The same strong ETag stands for different bytes.
	etagShared = Check{"etag-shared", Fault, "RFC 9110, section 8.8.3.3", "give every coding an ETag of its own"}
	// The same bytes have different ETags.
	etagUnstable = Check{"etag-unstable", Advice, "RFC 9110, section 8.8.1", "make the ETag from the bytes, so that all machines that answer agree"}
	// The ETag in If-None-Match does not give 304, or its weak form, a list with it, or *
	// does not: everything is downloaded again.
	unmodifiedMissing = Check{"not-modified-missing", Advice, "RFC 9110, section 13.1.2", "answer 304 if If-None-Match lists the ETag of the answer"}
	// A 304 comes for the ETag of another coding, for one that the URL never had, even with
	// Last-Modified, or for a date before Last-Modified.
	unmodifiedWrong = Check{"not-modified-wrong", Fault, "RFC 9110, section 13.2.2", "answer 304 only for the validator of the answer that would be sent otherwise"}
	// A 304 lacks the ETag, Vary, Cache-Control or Expires of the 200, or has another one,
	// or another Content-Encoding, or another Content-Length (section 8.6).
	unmodifiedFields = Check{"not-modified-fields", Fault, "RFC 9110, section 15.4.5", "send the same ETag, Vary, Cache-Control and Expires with a 304 as with a 200, and no fields of the content: caches update what they have with them"}
	// Last-Modified in If-Modified-Since does not give 304.
	modifiedSince = Check{"modified-since-ignored", Advice, "RFC 9110, section 13.1.3", "answer 304 if If-Modified-Since is the Last-Modified of the answer"}
)

// The checks of framing and HEAD.
var (
	// HEAD or a 304 has content, more content comes than Content-Length says, or there is
	// Transfer-Encoding, too.
	framingWrong = Check{"framing", Fault, "RFC 9112, section 6.3", "end every answer where its header says: clients read the excess as the next answer on the connection"}
	// There is no Content-Length.
	lengthMissing = Check{"length-missing", Advice, "RFC 9110, section 8.6", "send Content-Length: the size of a file is known"}
	// The content ends early.
	incomplete = Check{"incomplete", Fault, "RFC 9112, section 8", "send as many bytes as announced: Content-Length is the size of the compressed form"}
	// HEAD has another status, Content-Encoding, Content-Type, ETag or Vary than GET.
	headDiffers = Check{"head", Fault, "RFC 9110, section 9.3.2", "answer HEAD like GET, without the content"}
	// HEAD lacks one of these fields.
	headOmits = Check{"head-omits", Advice, "RFC 9110, section 9.3.2", "send the fields of GET with HEAD, except those that are known only once the content is made"}
	// HEAD has another Content-Length than the content of GET.
	headLength = Check{"head-length", Fault, "RFC 9110, section 8.6", "send the Content-Length of GET with HEAD, or none"}
)

// The checks of the content and its type.
var (
	// The content does not decode.
	undecodable = Check{"undecodable", Fault, "RFC 9110, section 8.4", "replace the damaged variant, and let nothing on the way change or cut it"}
	// The content is compressed, without a Content-Encoding that says so and without the
	// type of a compressed format; or it is what another answer's content compresses to.
	undeclared = Check{"coding-undeclared", Fault, "RFC 9110, section 8.4", "send Content-Encoding with compressed content"}
	// The content was compressed twice.
	doubleCoding = Check{"double-coding", Fault, "RFC 9110, section 8.4", "compress once: disable compression on the fly for precompressed files"}
	// Without a manifest: codings decode to different contents, or one to more bytes than
	// may be decoded.
	contentDiffers = Check{"content-differs", Fault, "RFC 9110, section 8.4", "replace the variants of an earlier version of the file, and purge caches"}
	// Without a manifest: each request gets other content. Checks that compare are skipped.
	contentVaries = Check{"content-varies", Advice, "", "if that is not intended, deploy the same release to all machines that answer; codings, lengths, ETags, dates and ranges were not compared"}
	// The content is not that of the manifest. It may be a page in place of a missing file.
	stale = Check{"stale", Fault, "", "deploy the whole build that the manifest is from, and purge caches"}
	// The content is right, but was not compressed by the build.
	recompressed = Check{"recompressed", Fault, "RFC 9110, section 7.7", "disable compression in the proxy or CDN in front of the server, or send Cache-Control: no-transform"}
	// zstd needs a window of more than 8 MiB (RFC 9659, section 3), or br is large-window
	// brotli (RFC 7932, section 9.1).
	window = Check{"window", Fault, "RFC 9659, section 3", "compress again with a smaller window: browsers refuse this one"}
	// The content is larger than Options.MaxBody.
	unchecked = Check{"unchecked", Advice, "", "raise the limit to have larger content checked"}
	// Content-Type differs between codings, dcb and dcz among them, in more than spelling.
	typeDiffers = Check{"type-differs", Fault, "RFC 9110, section 8.3", "send the same Content-Type with every coding"}
	// Content-Type is not a media type, or is sent twice (section 5.3); it is a type of
	// compressed content, which the decoded content is not; it is text/html for a source
	// map; it is that of something else than the script, style sheet, page, JSON, wasm, svg,
	// XML or web manifest that the name says; or it is text/plain or
	// application/octet-stream for some of these.
	typeWrong = Check{"type", Fault, "RFC 9110, section 8.3", "send the media type of the uncompressed file, by the file's name"}
	// There is no Content-Type.
	typeMissing = Check{"type-missing", Advice, "RFC 9110, section 8.3", "send a Content-Type: without it, browsers guess"}
)

// The checks of ranges.
var (
	// A 206, also one for If-Range, does not have the bytes of its coding that it says;
	// several parts come for one range; a range that exists is refused; or one past the
	// end is not, or is refused with another size.
	rangeWrong = Check{"range", Fault, "RFC 9110, section 14.4", "count ranges in the bytes of the compressed form, or ignore Range"}
	// A 206 lacks the ETag, Vary, Cache-Control or Expires of the 200, or, without
	// If-Range, its Content-Type or Last-Modified.
	rangeFields = Check{"range-fields", Fault, "RFC 9110, section 15.3.7", "send the fields of the 200 with a 206, too; only for If-Range may those about the content be left out"}
	// A 416 lacks Content-Range, or a 200 has it.
	contentRange = Check{"content-range", Advice, "RFC 9110, section 14.4", "send Content-Range with 206, with 416 as bytes */SIZE, and with no other status"}
	// A 206 comes though If-Range is not the current ETag.
	ifRangeWrong = Check{"if-range-wrong", Fault, "RFC 9110, section 13.1.5", "ignore Range if If-Range is not the current ETag: otherwise downloads are resumed with bytes of another file"}
	// No 206 comes though If-Range is the current ETag.
	ifRangeIgnored = Check{"if-range-ignored", Advice, "RFC 9110, section 13.1.5", "send the range if If-Range is the current ETag, so that downloads resume"}
)

// The checks of dictionaries and deltas.
var (
	// Use-As-Dictionary is malformed.
	useMalformed = Check{"dictionary-use", Fault, "RFC 9842, section 2.1", "send Use-As-Dictionary: match=\"…\" with a pattern for paths of this host"}
	// The build made the asset a dictionary, and an answer that is fresh has no
	// Use-As-Dictionary.
	useMissing = Check{"dictionary-use-missing", Fault, "RFC 9842, section 2.1", "send the build's Use-As-Dictionary, and let nothing on the way drop it: otherwise clients download later releases in full"}
	// Use-As-Dictionary has another match or id than the build.
	useDiffers = Check{"dictionary-use-differs", Fault, "RFC 9842, section 2.1", "send the build's Use-As-Dictionary: clients offer the dictionary for the URLs that match says"}
	// Use-As-Dictionary is on an answer that is never fresh.
	dictionaryStale = Check{"dictionary-lifetime", Advice, "RFC 9842, section 2.2.1", "give dictionaries a max-age: clients use them only while they are fresh"}
	// An answer is dcb or dcz, and the request has no Available-Dictionary.
	deltaUnasked = Check{"dictionary-unasked", Fault, "RFC 9842, section 2.2", "send dcb and dcz only to clients that name the dictionary in Available-Dictionary"}
	// dcb does not start with its header (section 4), or dcz with its own (section 5), or
	// the header names another dictionary than the client.
	deltaMismatch = Check{"dictionary-mismatch", Fault, "RFC 9842, section 4", "send the delta for exactly the dictionary in Available-Dictionary, or none"}
	// Deltas are sent, and an answer lacks Available-Dictionary or Accept-Encoding in Vary.
	dictionaryVary = Check{"dictionary-vary", Fault, "RFC 9842, section 6.2", "send Vary: Accept-Encoding, Available-Dictionary with every answer for this URL"}
	// The build stored a delta, and a client with its dictionary does not get it, or not if
	// it accepts only its coding.
	deltaMissing = Check{"delta-missing", Fault, "RFC 9842, section 2.2", "upload the delta, and let nothing on the way drop Available-Dictionary, or dcb and dcz"}
	// The delta is not the build's.
	deltaDiffers = Check{"delta-differs", Fault, "RFC 9842, section 2.2", "deploy the deltas of the build that the manifest is from"}
)

// Checks returns all checks, sorted by word.
func Checks() []Check {
	all := []Check{
		status, malformed, transformed, redirect, redirectLoop,
		codingUnknown, codingName, codingUnasked, codingDefault, codingOnly, qvalueIgnored, uncompressed, variantMissing, largerChosen, vary, varyWide,
		cacheMissing, cacheOdd, cacheMalformed, cacheUnknown, cacheDiffers, modifiedMalformed, ageWrong, etagMissing, etagMalformed, etagWeak, etagShared, etagUnstable,
		unmodifiedMissing, unmodifiedWrong, unmodifiedFields, modifiedSince,
		framingWrong, lengthMissing, incomplete, headDiffers, headOmits, headLength,
		undecodable, undeclared, doubleCoding, contentDiffers, contentVaries, stale, recompressed, window, unchecked, typeDiffers, typeWrong, typeMissing,
		rangeWrong, rangeFields, contentRange, ifRangeWrong, ifRangeIgnored,
		useMalformed, useMissing, useDiffers, dictionaryStale, deltaUnasked, deltaMismatch, dictionaryVary, deltaMissing, deltaDiffers,
	}
	slices.SortFunc(all, func(a, b Check) int { return strings.Compare(a.Word, b.Word) })
	return all
}

// statusCheck returns the status check with the reference and the advice for a status.
func statusCheck(code int) Check {
	c := status.citing(statusReference(code))
	switch code {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired:
		c.Advice = "give the credentials that the server asks for: user and password in the URL, or a field with --header"
	case http.StatusNotFound, http.StatusGone:
		c.Advice = "upload the file, or probe the URL that it is served at"
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		c.Advice = "probe again later, with a lower --rate if the probe is too much for the server: the URL was not probed any further"
	}
	return c
}

// statusReference returns where a status is defined. The sections of RFC 9110 are in
// the order of the codes.
func statusReference(code int) string {
	elsewhere := map[int]string{
		226: "RFC 3229, section 10.4.1", 425: "RFC 8470, section 5.2", 428: "RFC 6585, section 3", 429: "RFC 6585, section 4",
		431: "RFC 6585, section 5", 451: "RFC 7725, section 3", 511: "RFC 6585, section 6",
		421: "RFC 9110, section 15.5.20", 422: "RFC 9110, section 15.5.21", 426: "RFC 9110, section 15.5.22",
	}
	last := map[int]int{2: 206, 3: 308, 4: 418, 5: 505}
	class := code / 100
	switch {
	case elsewhere[code] != "":
		return elsewhere[code]
	case code >= 200 && code <= last[class]:
		return fmt.Sprintf("RFC 9110, section 15.%d.%d", class+1, code%100+1)
	case last[class] > 0:
		return fmt.Sprintf("RFC 9110, section 15.%d", class+1)
	}
	return "RFC 9110, section 15"
}
