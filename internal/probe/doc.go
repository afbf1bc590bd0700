// Package probe checks how a live server, and whatever is in front of it, serves files:
// as HTTP requires, and if the build's manifest is given, as the build made them.
//
//	target, err := probe.ParseURL("https://www.example.com/app.js")
//	...
//	results, err := probe.Run(ctx, []probe.Target{{URL: target}}, probe.Options{})
//
// With a manifest, [Assets] makes a target of each asset, and [Sample] picks some of
// them. The package prints nothing.
//
// # A run
//
// [Run] probes each [Target] in steps (probe.go). A step sends requests (ask.go,
// client.go), reads the answers (answer.go, content.go, provenance.go), and makes checks
// (check_*.go), which add findings (url_probe.go). The list of all checks, with what each
// finds, where that is written and what to do about it, is in check.go.
//
//   - negotiate: the whole content without Accept-Encoding, with each of identity, gzip,
//     br and zstd alone, with that of browsers, with three that refuse codings by q=0,
//     and with names that only contain those of codings
//   - heads: HEAD for each coding
//   - conditions: for each coding its ETag and that of another one; for what browsers
//     get also the weak form of the ETag, a list with it, and *; an ETag that the URL
//     never had
//   - dates: Last-Modified, an earlier date, and Last-Modified with an ETag that the URL
//     never had
//   - ranges: a range; if it is sent, also If-Range with the right and with a wrong ETag,
//     and a range past the end
//   - dictionaries: if the manifest or an answer mentions dictionaries, requests with
//     Available-Dictionary
//
// These are some 20 to 45 requests for each URL, one after the other. [Options] limits how
// many URLs are probed at the same time, and how many requests are sent in a second.
//
// # Connections
//
// Each request has a connection of its own, so that an error in the framing of one answer
// cannot spoil the next one. The server is asked to close it. A connection of HTTP/1 is
// read for up to 0.2 seconds after the end of the answer, to find excess bytes; this is
// not possible after chunked content, or with TLS through a proxy. Proxies are those of
// the environment (see [net/http.ProxyFromEnvironment]). Up to 10 redirects are followed,
// on the same host and port, or from http to https on the same host. Any other redirect
// is the error of the result (see [RedirectError]).
//
// # Judgement
//
// A 304 for the ETag of another coding is right if it has that ETag and the request
// accepts the coding: the server may choose any acceptable representation (RFC 9110,
// section 12.1), and clients may name all that they have (RFC 9111, section 4.3.1).
// Servers that compress on the fly do this with the uncompressed file.
//
// If a condition is false, or a range is requested, and the whole content is sent, it is
// compared like that of the first answers.
//
// Deltas cannot be decoded without their dictionaries: only their header is checked, and
// with a manifest their digest. Content with several codings, or with a coding that
// neither package manifest knows nor is deflate, is not decoded.
//
// # Hostile servers
//
// The timeout of a request covers the whole answer. A header of more than 64 KiB is an
// error. At most Options.MaxBody bytes of content are read, and at most as many decoded;
// the finding "unchecked" says so. Messages shorten values from the server, and quote them
// unless they are printable; the fields of [Answer] are as received, but cut to 1 KiB.
// Where an answer repeats a value of Options.Header, credentials or a cookie in one, or
// the password of the URL, [secret] replaces it, [secret-2] the next one, and so on. This
// excludes the value of Host, values of less than 4 characters or 8 digits, and words that
// answers have anyway.
package probe
