package cache

// Mode is what a run does with a shared store.
type Mode int

// Modes.
const (
	ReadWrite Mode = iota // look entries up and store new ones
	ReadOnly              // look entries up only: for builds that are not trusted
	WriteOnly             // store entries only
)

func (m Mode) reads() bool  { return m != WriteOnly }
func (m Mode) writes() bool { return m != ReadOnly }
