package bench

import (
	"fmt"
	"strings"
)

// prose makes sentences like those of specifications, from patterns and words.
type prose struct{ dice }

// sentences returns a number of sentences.
func (p prose) sentences(count int) string {
	text := make([]string, count)
	for i := range text {
		text[i] = p.sentence()
	}
	return strings.Join(text, "  ")
}

// sentence returns a filled pattern, sometimes with a clause before or after it.
func (p prose) sentence() string {
	text := p.fill(p.pick("sentences"))
	switch p.n(4) {
	case 0:
		text = p.fill(p.pick("clauses")) + ", " + text
	case 1:
		text += " " + p.fill(p.pick("clauses"))
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

// fill replaces the words N (noun), V (verb), A (adjective), D (adverb), F (field),
// M (modal verb) and # (number) of a pattern.
func (p prose) fill(pattern string) string {
	words := strings.Fields(pattern)
	for i, word := range words {
		switch word {
		case "N":
			words[i] = p.noun()
		case "V":
			words[i] = p.skewed("verbs")
		case "A":
			words[i] = p.skewed("adjectives")
		case "D":
			words[i] = p.skewed("adverbs")
		case "F":
			words[i] = p.field()
		case "M":
			words[i] = p.pick("modal verbs")
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

// noun returns a noun, sometimes two, sometimes with an adjective.
func (p prose) noun() string {
	text := p.skewed("nouns")
	if p.chance(30) {
		text = p.skewed("nouns") + " " + text
	}
	if p.chance(30) {
		text = p.skewed("adjectives") + " " + text
	}
	return text
}

// title returns the title of a section.
func (p prose) title() string {
	text := capital(p.skewed("adjectives")) + " " + capital(p.pick("nouns"))
	if p.chance(40) {
		text += " and " + capital(p.pick("nouns"))
	}
	return text
}

// capital returns a text with its first letter in upper case.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// field returns the name of a header field.
func (p prose) field() string { return p.skewed("field parts") + "-" + p.skewed("field parts") }

// token returns the name of a grammar rule.
func (p prose) token() string { return p.skewed("nouns") + "-" + p.skewed("nouns") }
