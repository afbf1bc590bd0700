package probe

import "testing"

func TestStatusReference(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]string{
		200: "RFC 9110, section 15.3.1", 203: "RFC 9110, section 15.3.4", 206: "RFC 9110, section 15.3.7", 226: "RFC 3229, section 10.4.1",
		299: "RFC 9110, section 15.3", 300: "RFC 9110, section 15.4.1", 304: "RFC 9110, section 15.4.5", 308: "RFC 9110, section 15.4.9",
		400: "RFC 9110, section 15.5.1", 401: "RFC 9110, section 15.5.2", 404: "RFC 9110, section 15.5.5", 406: "RFC 9110, section 15.5.7",
		410: "RFC 9110, section 15.5.11", 417: "RFC 9110, section 15.5.18", 421: "RFC 9110, section 15.5.20", 426: "RFC 9110, section 15.5.22",
		428: "RFC 6585, section 3", 429: "RFC 6585, section 4", 451: "RFC 7725, section 3", 500: "RFC 9110, section 15.6.1",
		503: "RFC 9110, section 15.6.4", 505: "RFC 9110, section 15.6.6", 599: "RFC 9110, section 15.6", 600: "RFC 9110, section 15", 999: "RFC 9110, section 15",
	} {
		if got := statusReference(code); got != want {
			t.Errorf("%d: %s, want %s", code, got, want)
		}
	}
}
