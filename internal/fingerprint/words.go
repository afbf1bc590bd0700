package fingerprint

import (
	"slices"
	"strings"
)

// isWords reports whether s could be a name of words, abbreviations and numbers:
// MyButton, Base64Js, useOAuth2.
func isWords(s string) bool {
	if strings.Contains(s, "IPv") {
		return true // spelled like no other word
	}
	words := splitWords(s)
	at := 0 // where the word starts in s
	abbreviations := 0
	for i, w := range words {
		at += strings.Index(s[at:], w)
		if len(w) > 1 && !isDigit(w[0]) && !strings.ContainsAny(strings.ToLower(w), vowels) {
			abbreviations++
		}
		switch {
		case isDigit(w[0]):
		case len(w) == 1:
			version := w == "v" && i+1 < len(words) && isDigit(words[i+1][0])
			factor := w == "x" && i > 0 && isDigit(s[at-1])
			if i > 0 && !isUpper(w[0]) && !version && !factor {
				return false
			}
		case isUpper(w[1]) && len(w) <= 4: // an abbreviation
		case !isWord(strings.ToLower(w)):
			return false
		}
		at += len(w)
	}
	if isDigit(words[len(words)-1][0]) {
		words = words[:len(words)-1] // myOAuth2
	}
	return len(words) < 3 || len(words) == 3 && abbreviations < 2
}

// hasLongWord reports whether s has four letters or more in a row. Random
// lower-case letters and digits hardly ever have.
func hasLongWord(s string) bool {
	return slices.ContainsFunc(splitWords(s), func(w string) bool { return len(w) >= 4 && !isDigit(w[0]) })
}

// splitWords splits a name at "-" and "_", around numbers, and where an upper-case
// letter starts a word: "getHTTP2Url" is get, HTTP, 2, Url.
func splitWords(s string) []string {
	var words []string
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, s[start:end])
		}
		start = end
	}
	for i := range len(s) {
		c := s[i]
		if c == '-' || c == '_' {
			cut(i)
			start = i + 1
			continue
		}
		if i == start {
			continue
		}
		last := s[i-1]
		switch {
		case isDigit(c) != isDigit(last), isUpper(c) && isLower(last):
			cut(i)
		case isLower(c) && isUpper(last) && i-1 > start:
			cut(i - 1)
		}
	}
	cut(len(s))
	return words
}

const vowels = "aeiouy"

// isWord reports whether lower-case letters could be an English word or an
// abbreviation, judging by the consonants and vowels in a row.
func isWord(w string) bool {
	first := strings.IndexAny(w, vowels)
	if first < 0 {
		return len(w) <= 4 // btn, ctrl, html, src
	}
	last := strings.LastIndexAny(w, vowels)
	start, end := w[:first], w[last+1:]
	switch {
	case len(start) > 1 && !slices.Contains(onsets, start):
		return false
	case len(end) > 2 && !slices.Contains(codas, end):
		return false
	}
	consonants, sounds := 0, 0
	for _, c := range w[first : last+1] {
		if strings.ContainsRune(vowels, c) {
			consonants, sounds = 0, sounds+1
		} else {
			consonants, sounds = consonants+1, 0
		}
		if consonants > 4 || sounds > 4 {
			return false
		}
	}
	return true
}

// The consonants that words start with, and the groups of three or more that they
// end with, including plurals and abbreviations that are common in names.
var (
	onsets = strings.Fields("bl br bw ch chr cl cr ct db dr dw fj fl fr gh gl gn gr gz js kl kn kr mc mk mn mp ph phr pl pn pr ps pt rh " +
		"sc sch scr sh shr sk sl sm sn sp sph spl spr sq squ st std str sv sw th thr tr ts tw vr wh wr xm xh")
	codas = strings.Fields("bjs bst bsts cks cls ctr cts ddr ddrs dth dxs fth ghs ght ghts lds lfs lks lls lms lps lts mbs mps mpt mpts nch ncs nds ngs ngth ngths nks nns nst nstr nsts nth nths nts " +
		"pts pth rch rds rgs rks rld rlds rls rms rns rps rst rsts rth rths rts rtz sch shs sks sms sps sts tch ths ttr ttrs tts wls wns wth xpr xprs xts xth")
)
