// Package probe asks a live server, and whatever stands in front of it, as
// browsers, caches and old clients do, and says what in the answers is not as HTTP
// has it, or not what a build made.
//
//	target, err := probe.ParseURL("https://www.example.com/app.js")
//	...
//	results, err := probe.Run(ctx, []probe.Target{{URL: target}}, probe.Options{})
//
// With a manifest, [Assets] makes a target of each asset, and [Sample] picks some.
// The package prints nothing: answers and findings are values.
//
// # What is asked
//
// Each URL is asked for without an Accept-Encoding, with each of identity, gzip,
// br and zstd alone, with all that browsers take, three times with something
// refused by q=0, and with names that only contain those of codings. What came in
// each coding is then asked for with HEAD, with its own ETag and with that of
// another coding; what browsers get also with the weak form of its ETag, a list with
// it, and *. There is an ETag that it never had, alone and with its Last-Modified;
// Last-Modified, and an earlier date; and a part of it. Where that comes, it is asked
// for with If-Range, foreign and its own, and so is what would be past the end. Where
// the manifest or an answer speaks of dictionaries, there are requests with
// Available-Dictionary. All in all that is some 20 to 45 requests, one after the
// other; [Options] says how many URLs are asked for at once, and how many requests
// there are in a second.
//
// Requests have connections of their own, so that a fault in the framing of one
// answer cannot pass for the next. Connections of HTTP/1 are read on for at most 0.2
// seconds, unless the server closes them, as it is asked to: so what comes behind the
// end of an answer is seen, but not behind chunks, nor with TLS through a proxy. The
// proxies that the environment names are used (see [net/http.ProxyFromEnvironment]).
// Redirects are followed on the same host and port only, at most 10; from http to
// https of the host as well, whatever the port. Where one leads elsewhere, nothing is
// asked: it is the error of the result (see [RedirectError]).
//
// # What is looked at
//
// A finding has a stable word, and is a fault unless it says advice here:
//
//   - status: an answer is not 200, also where a condition does not hold, or a
//     dictionary is named (RFC 9110, section 15, and there that of the status). At 429 or 503, or
//     another 5xx to what was answered before, the URL is not asked about any
//     further
//   - malformed: an answer does not have the form of HTTP/1.1 (RFC 9112), or a
//     Transfer-Encoding that was not asked for (section 7.4), so that it cannot be
//     read, and the URL is not asked about any further; or a field that can be
//     read is on two lines (section 5.2), or has a space before its colon
//     (section 5.1), or HTTP/1.0 comes with Transfer-Encoding (section 6.1)
//   - transformed: an answer is 203, and otherwise looked at like a 200 (RFC
//     9110, section 15.3.4, advice)
//   - redirect: the URL leads to another one on the same host, where
//     everything else is asked (RFC 9110, section 15.4, advice)
//   - redirect-loop: redirects do not end (RFC 9110, section 15.4)
//   - coding-unknown: Content-Encoding is no registered coding (RFC 9110,
//     section 8.4.1)
//   - coding-name: Content-Encoding is empty, or identity, which is a word for
//     Accept-Encoding (RFC 9110, section 8.4), the old name x-gzip (section
//     8.4.1.3), or deflate, which is taken for two formats (section 8.4.1.2;
//     RFC 9110, section 8.4.1, advice)
//   - coding-unasked: a coding is sent that Accept-Encoding does not list
//     (RFC 9110, section 12.5.3)
//   - coding-default: a coding is sent to a client without Accept-Encoding,
//     which is allowed (RFC 9110, section 12.5.3, advice)
//   - coding-only: a .svgz is sent with gzip to all clients, as it is stored
//     (RFC 9110, section 12.5.3, advice)
//   - qvalue-ignored: a coding is sent that Accept-Encoding refuses with
//     q=0, by name or as * (RFC 9110, section 12.4.2)
//   - uncompressed: without a manifest: what gzip would make smaller by a
//     tenth is sent without a coding (RFC 9110, section 8.4, advice)
//   - variant-missing: the build stored a variant, and who takes only its
//     coding gets identity (RFC 9110, section 12.5.3)
//   - larger-chosen: browsers get a representation that is larger than
//     another that they take (RFC 9110, section 12.1, advice)
//   - vary: codings differ, and an answer does not list Accept-Encoding in
//     Vary (RFC 9110, section 12.5.5)
//   - vary-wide: Vary is *, so that caches never use the answer again (RFC
//     9111, section 4.1), or lists User-Agent, Cookie or Referer (RFC 9110,
//     section 12.5.5, advice)
//   - cache-control-missing: there is neither Cache-Control nor Expires
//     (RFC 9111, section 5.2, advice)
//   - cache-control-odd: a name with a fingerprint may be kept for less
//     than a week; a page without one for a week or more, or is immutable; or
//     directives exclude each other (RFC 9111, section 5.2.2, advice)
//   - cache-control-malformed: Cache-Control has what is no directive, a time
//     that is no number, or two that differ (RFC 9111, section 5.2; invalid
//     times count as stale by section 4.2.1), or max-age or s-maxage in quotes
//     (sections 5.2.2.1 and 5.2.2.10)
//   - cache-control-unknown: Cache-Control has a name that only misses a known
//     one (RFC 9111, section 5.2.3, advice)
//   - cache-control-differs: Cache-Control is not the same with every coding
//     and delta, where lifetimes may differ by 10 minutes (RFC 9111, section
//     5.2, advice)
//   - age: Age is no number, or over the lifetime of the answer (RFC 9111,
//     section 4.2.4, advice)
//   - last-modified-malformed: Last-Modified is no date (RFC 9110, section
//     8.8.2)
//   - etag-missing: there is no ETag (RFC 9110, section 8.8.3, advice)
//   - etag-malformed: ETag is no entity tag, or there are several (RFC
//     9110, section 8.8.3)
//   - etag-weak: the ETag is weak (RFC 9110, section 8.8.1, advice)
//   - etag-shared: the same strong ETag stands for different bytes (RFC
//     9110, section 8.8.3.3)
//   - etag-unstable: the same bytes have different ETags (RFC 9110, section
//     8.8.1, advice)
//   - not-modified-missing: the ETag of an answer in If-None-Match does not
//     give a 304; or its weak form, a list with it, or *: all is loaded again
//     (RFC 9110, section 13.1.2, advice)
//   - not-modified-wrong: a 304 for the ETag of another coding, one that
//     never was, even if Last-Modified comes with it, or a date before
//     Last-Modified (RFC 9110, section 13.2.2)
//   - not-modified-fields: a 304 lacks the ETag, Vary, Cache-Control or
//     Expires of the 200, or has another, or another Content-Encoding or
//     Content-Length (section 8.6; RFC 9110, section 15.4.5)
//   - modified-since-ignored: Last-Modified in If-Modified-Since does not
//     give a 304 (RFC 9110, section 13.1.3, advice)
//   - framing: content comes with HEAD or a 304, more comes than Content-
//     Length says, or Transfer-Encoding is beside it (RFC 9112, section 6.3)
//   - length-missing: there is no Content-Length (RFC 9110, section 8.6,
//     advice)
//   - incomplete: the content ends before its end (RFC 9112, section 8)
//   - head: HEAD has another status, Content-Encoding, Content-Type, ETag
//     or Vary than GET (RFC 9110, section 9.3.2)
//   - head-omits: HEAD lacks one of these fields (RFC 9110, section 9.3.2,
//     advice)
//   - head-length: HEAD has another Content-Length than the content of GET
//     (RFC 9110, section 8.6)
//   - undecodable: the content does not decode (RFC 9110, section 8.4)
//   - coding-undeclared: the content is compressed, and neither
//     Content-Encoding says so nor the type: that of a format which is not
//     compressed by itself, or none with a name of such a file; or the
//     content is what that of another answer is compressed to (RFC 9110,
//     section 8.4)
//   - double-coding: the content was compressed twice (RFC 9110, section
//     8.4)
//   - content-differs: without a manifest: codings decode to different
//     contents, or one to more than may be decoded (RFC 9110, section 8.4)
//   - content-varies: without a manifest: the content is another one with
//     each request, and what rests on the same is not looked at (advice)
//   - stale: the content is not that of the manifest, perhaps a page in
//     place of a file that is missing
//   - recompressed: the content is right, but compressed by another than
//     the build (RFC 9110, section 7.7)
//   - window: zstd needs a window of more than 8 MiB (RFC 9659, section 3),
//     or br is large-window brotli (RFC 7932, section 9.1)
//   - unchecked: the content is larger than may be read (advice)
//   - type-differs: Content-Type differs between codings, dcb and dcz among
//     them, in more than spelling (RFC 9110, section 8.3)
//   - type: Content-Type is no media type, or there twice (RFC 9110, section
//     5.3); that of coded bytes, which the decoded content is not; text/html for
//     a source map; for a script, a style sheet, a page, JSON, wasm, svg, XML or
//     a web manifest that of something else; or text/plain or
//     application/octet-stream for some of these (RFC 9110, section 8.3)
//   - type-missing: there is no Content-Type (RFC 9110, section 8.3,
//     advice)
//   - range: a 206, also one for If-Range, does not have the bytes that it
//     says, counted in its coding; several parts come for one; a range that exists is refused; or one past the end is not, or
//     with another size (RFC 9110, section 14.4)
//   - range-fields: a 206 lacks the ETag, Vary, Cache-Control or Expires of the
//     200, or unless If-Range was asked with, its Content-Type or Last-Modified
//     (RFC 9110, section 15.3.7)
//   - content-range: a 416 lacks Content-Range, or a 200 has it (RFC 9110,
//     section 14.4, advice)
//   - if-range-wrong: a part is sent though If-Range is not the present ETag
//     (RFC 9110, section 13.1.5)
//   - if-range-ignored: no part is sent though it is (RFC 9110, section
//     13.1.5, advice)
//   - dictionary-use: Use-As-Dictionary is malformed (RFC 9842, section
//     2.1)
//   - dictionary-use-missing: the build wants the asset to be a dictionary,
//     and an answer that may be used without asking has no
//     Use-As-Dictionary (RFC 9842, section 2.1)
//   - dictionary-use-differs: Use-As-Dictionary has another match or id than
//     the build (RFC 9842, section 2.1)
//   - dictionary-lifetime: Use-As-Dictionary on an answer that is not fresh
//     for any time (RFC 9842, section 2.2.1, advice)
//   - dictionary-unasked: dcb or dcz without Available-Dictionary (RFC
//     9842, section 2.2)
//   - dictionary-mismatch: dcb or dcz does not start with its header, or
//     names another dictionary there than the client (RFC 9842, section 4,
//     and section 5 for dcz)
//   - dictionary-vary: deltas are sent, and an answer lacks Available-
//     Dictionary in Vary (RFC 9842, section 6.2)
//   - delta-missing: the build stored a delta, and who holds its dictionary
//     does not get it, or not who takes its coding alone (RFC 9842, section
//     2.2)
//   - delta-differs: the delta is not that of the build (RFC 9842, section
//     2.2)
//
// A 304 for the ETag of another coding is right if it has that very ETag, and the
// request takes the coding: the server chooses among what is acceptable (RFC 9110,
// section 12.1), and clients may ask with all that they have (RFC 9111, section
// 4.3.1). Servers that compress on the fly answer so for the plain file.
//
// Where a condition does not hold, or a part is asked for, and the whole comes, its
// content is compared like that of the first answers.
//
// Deltas cannot be decoded without their dictionaries: of them the header is looked
// at, and with a manifest the digest. Of several codings in one Content-Encoding,
// and of codings that package manifest does not know and that are not deflate, the
// content is not looked into.
//
// # Hostile servers
//
// A request ends with its timeout, in whatever part of the answer it is. Headers of
// more than 64 KiB are an error. Of content no more than Options.MaxBody is read,
// and no more decoded: the finding unchecked tells. What texts repeat of an answer
// is shortened, and quoted unless it is printable; fields of [Answer] are as they
// came, but cut behind 1 KiB. Where an answer repeats the value of a field of
// Options.Header, credentials or a cookie in it, or the password of the URL, there is
// [secret] in its place, or [secret-2] and so on for others; but not for Host, for what
// has less than 4 characters or 8 digits, and for words that answers have anyway.
package probe
