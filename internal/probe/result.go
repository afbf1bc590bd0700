package probe

import (
	"cmp"
	"strings"
)

// Result is what was found out about one URL.
type Result struct {
	URL      string // as given, without user and password
	Final    string // where redirects ended; URL if there were none
	Asset    string // the path in the manifest, "" without one
	Answers  []*Answer
	Findings []Finding // sorted by word, coding and message
	Passed   []Check   // checks that were made and found nothing, sorted by word
	// Err is why not everything was requested: a request without an answer
	// ([RequestError]), or a redirect to another host ([RedirectError]). Earlier answers
	// were checked.
	Err error
}

// Faults returns how many findings are faults.
func (r *Result) Faults() int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == Fault {
			n++
		}
	}
	return n
}

// Severity distinguishes what breaks something from what could be better.
type Severity string

// The severities.
const (
	Fault  Severity = "fault"  // it breaks clients or caches, or withholds from clients what the build made
	Advice Severity = "advice" // it costs bytes or requests
)

// Check is one thing that is checked. Its word is stable; the texts may change.
type Check struct {
	Word      string
	Severity  Severity
	Reference string // where it is written: "RFC 9110, section 12.5.3"; "" if no document asks for it
	Advice    string // what to do
}

// citing returns the check with the reference for a particular finding.
func (c Check) citing(reference string) Check {
	c.Reference = reference
	return c
}

// advising returns the check with the advice for a particular finding.
func (c Check) advising(advice string) Check {
	c.Advice = advice
	return c
}

// Finding is what a check found in the answers for one URL.
type Finding struct {
	URL string
	Check
	Coding  string   // the coding that it is about; "" for none, or for all
	Message string   // what is wrong, in one line; values from the server are quoted unless printable
	Seen    []string // the requests whose answers show it, as of [Request.String]
}

func compareFindings(a, b Finding) int {
	return cmp.Or(strings.Compare(a.URL, b.URL), strings.Compare(a.Word, b.Word), strings.Compare(a.Coding, b.Coding), strings.Compare(a.Message, b.Message))
}
