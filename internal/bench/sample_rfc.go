package bench

import (
	"bytes"
	"fmt"
	"strings"
)

// Size of a page of an RFC in plain text, without its header and footer.
const (
	pageLines   = 50
	pageColumns = 72
)

// rfcText returns a text that looks like an RFC, of about size bytes: pages with numbered
// sections of prose, lists, grammar and messages. It makes no sense.
func rfcText(size int) []byte {
	w := &rfcWriter{prose: prose{newDice(3)}}
	w.front()
	for section := 1; w.out.Len() < size; section++ {
		w.section(section)
	}
	w.references()
	w.endPage()
	return w.out.Bytes()
}

// rfcWriter lays lines out on pages.
type rfcWriter struct {
	prose
	out  bytes.Buffer
	line int // of the page
	page int
}

// put adds lines.
func (w *rfcWriter) put(lines ...string) {
	for _, line := range lines {
		if w.line >= pageLines {
			w.endPage()
		}
		if w.line == 0 && strings.TrimSpace(line) == "" {
			continue // no page starts with an empty line
		}
		if w.line == 0 && w.page > 0 {
			fmt.Fprintf(&w.out, "%-24s%-32s%16s\n\n\n", "RFC 0000", "  Hypothetical Transfer", "November 2026")
		}
		w.out.WriteString(strings.TrimRight(line, " ") + "\n")
		w.line++
	}
}

// endPage fills the page with empty lines and adds its footer.
func (w *rfcWriter) endPage() {
	w.page++
	w.out.WriteString(strings.Repeat("\n", pageLines-w.line))
	fmt.Fprintf(&w.out, "\n\n\n%-24s%-32s%16s\n\f\n", "Adler, et al.", "    Standards Track", fmt.Sprintf("[Page %d]", w.page))
	w.line = 0
}

// paragraph adds text in indented lines. A mark, such as that of a list, is in the
// indentation of the first line.
func (w *rfcWriter) paragraph(indent int, mark, text string) {
	margin := strings.Repeat(" ", indent)
	line := strings.Repeat(" ", indent-len(mark)) + mark
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > pageColumns {
			w.put(line)
			line = margin
		}
		if len(line) > indent {
			line += " "
		}
		line += word
	}
	w.put(line, "")
}

func (w *rfcWriter) front() {
	for _, l := range [][2]string{
		{"Imaginary Engineering Task Force", "A. Adler, Ed."}, {"Request for Comments: 0000", "B. Costa"}, {"Category: Standards Track", "November 2026"},
	} {
		w.put(fmt.Sprintf("%-40s%32s", l[0], l[1]))
	}
	w.put("", "", "                  A Hypothetical Transfer Protocol", "", "Abstract", "")
	w.paragraph(3, "", w.sentences(5))
	w.put("Table of Contents", "")
	for section := 1; section <= 18; section++ {
		title := fmt.Sprintf("   %d.  %s ", section, w.title())
		w.put(title + strings.Repeat(".", pageColumns-len(title)-4) + fmt.Sprintf("%4d", section*5-w.n(3)))
	}
	w.put("")
}

// section adds a numbered section.
func (w *rfcWriter) section(number int) {
	w.put(fmt.Sprintf("%d.  %s", number, w.title()), "")
	w.paragraph(3, "", w.sentences(w.between(2, 5)))
	for part := 1; part <= w.between(3, 5); part++ {
		w.put(fmt.Sprintf("%d.%d.  %s", number, part, w.title()), "")
		for range w.between(2, 5) {
			w.paragraph(3, "", w.sentences(w.between(2, 5)))
		}
		switch w.n(4) {
		case 0:
			w.grammar()
		case 1:
			w.message()
		case 2:
			for range w.between(3, 6) {
				w.paragraph(6, "*  ", w.sentences(w.between(1, 2)))
			}
		}
	}
}

// grammar adds ABNF rules.
func (w *rfcWriter) grammar() {
	for range w.between(3, 7) {
		var elements string
		switch w.n(3) {
		case 0:
			elements = fmt.Sprintf("1*( %s / \"%s\" )", w.token(), w.pick("nouns"))
		case 1:
			elements = fmt.Sprintf("%s *( OWS \",\" OWS %s )", w.token(), w.token())
		default:
			elements = fmt.Sprintf("\"%s\" [ \"=\" %s ] ; %s", w.pick("verbs"), w.token(), w.pick("nouns"))
		}
		rule := fmt.Sprintf("     %-16s = ", w.token())
		if len(rule)+len(elements) > pageColumns {
			w.put(rule)
			rule = "       "
		}
		w.put(rule + elements)
	}
	w.put("")
}

// message adds an example of an HTTP request.
func (w *rfcWriter) message() {
	w.put(fmt.Sprintf("     GET /%s/%s?%s=%d HTTP/1.1", w.pick("nouns"), w.hex(6), w.pick("nouns"), w.n(1000)), "     Host: www.example.com")
	for range w.between(2, 5) {
		w.put(fmt.Sprintf("     %s: %s; %s=%d", w.field(), w.token(), w.pick("adjectives"), w.n(86_400)))
	}
	w.put("")
}

func (w *rfcWriter) references() {
	w.put("References", "")
	for range 40 {
		number := w.between(800, 9_900)
		w.paragraph(14, fmt.Sprintf("%-11s", fmt.Sprintf("[RFC%d]", number)), fmt.Sprintf("%s, %c. and %c. %s, %q, RFC %d, DOI 10.0000/RFC%d, %d.",
			w.pick("last names"), 'A'+w.n(26), 'A'+w.n(26), w.pick("last names"), w.title(), number, number, w.between(1985, 2026)))
	}
}
