package cache

import "fmt"

// Mode is what a run does with a shared store.
type Mode int

// Modes.
const (
	ReadWrite Mode = iota // look entries up and store new ones
	ReadOnly              // look entries up only: for builds that are not trusted
	WriteOnly             // store entries only
)

// ParseMode reads a mode as [Mode.String] writes it.
func ParseMode(s string) (Mode, error) {
	for _, m := range []Mode{ReadWrite, ReadOnly, WriteOnly} {
		if s == m.String() {
			return m, nil
		}
	}
	return 0, fmt.Errorf("%q is unknown: choose read, write or readwrite", s)
}

// String returns "readwrite", "read" or "write".
func (m Mode) String() string {
	switch m {
	case ReadOnly:
		return "read"
	case WriteOnly:
		return "write"
	}
	return "readwrite"
}

func (m Mode) reads() bool  { return m != WriteOnly }
func (m Mode) writes() bool { return m != ReadOnly }
