package examples_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocker checks what can be checked without Docker: that files are copied from
// existing stages, and that the precompress commands work.
func TestDocker(t *testing.T) {
	text := read(t, "docker", "Dockerfile")
	installs(t, text)
	var stages []string
	calls, copies := 0, 0
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		instruction, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch instruction {
		case "FROM":
			if _, name, named := strings.Cut(rest, " AS "); named {
				stages = append(stages, name)
			}
		case "COPY":
			if from := regexp.MustCompile(`--from=(\S+)`).FindStringSubmatch(rest); from != nil {
				copies++
				if !slices.Contains(stages, from[1]) {
					t.Errorf("%s: no earlier stage has this name", line)
				}
			}
		case "RUN":
			for command := range strings.SplitSeq(rest, "&&") {
				if strings.HasPrefix(strings.TrimSpace(command), "precompress ") {
					calls++
					compressesDist(t, strings.TrimSpace(command))
				}
			}
		}
	}
	if calls == 0 || copies == 0 {
		t.Errorf("found %d calls of precompress and %d copies from stages", calls, copies)
	}
}
