package main

import (
	"bufio"
	stdcmp "cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/testneeds"
)

// stream makes a stream of lines like "run m/p TestA" and "output m/p TestA text".
// A package's own lines name the test "-".
func stream(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		part := strings.SplitN(line, " ", 4)
		b.WriteString(`{"Action":"` + part[0] + `","Package":"` + part[1] + `"`)
		if len(part) > 2 && part[2] != "-" {
			b.WriteString(`,"Test":"` + part[2] + `"`)
		}
		if len(part) > 3 {
			b.WriteString(`,"Output":"` + part[3] + `\n"`)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

const nothingMissing = "no program that tests need was missing\n"

func TestSummarize(t *testing.T) {
	passes := stream("start m/p", "run m/p TestA", `output m/p TestA === RUN   TestA`, "output m/p TestA of no interest", "pass m/p TestA",
		"output m/p - PASS", `output m/p - ok  \tm/p\t0.01s`, "pass m/p")
	fails := stream("start m/q", "run m/q TestB", `output m/q TestB === RUN   TestB`, "output m/q TestB     b_test.go:3: wrong", "output m/q TestB --- FAIL: TestB (0.00s)", "fail m/q TestB",
		"run m/q TestC", "output m/q TestC of no interest", "pass m/q TestC", "output m/q - FAIL", `output m/q - FAIL\tm/q\t0.01s`, "fail m/q")
	skipped := func(test, why string) string {
		return stream("run m/p "+test, "output m/p "+test+"     a_test.go:9: "+why, "output m/p "+test+" --- SKIP: "+test+" (0.00s)", "skip m/p "+test)
	}
	for name, test := range map[string]struct{ stream, want, err string }{
		"all pass":      {passes, "ok  \tm/p\t0.01s\n" + nothingMissing, ""},
		"no test files": {stream(`output m/p - ?   \tm/p\t[no test files]`, "skip m/p -"), "?   \tm/p\t[no test files]\n" + nothingMissing, ""},
		"one fails": {passes + fails,
			"ok  \tm/p\t0.01s\n    b_test.go:3: wrong\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\tm/q\t0.01s\n" + nothingMissing, "packages that failed: 1 of 2"},
		"a crash names no test": {stream("start m/q", "run m/q TestB", "output m/q TestB before", "pass m/q TestB", "run m/q TestC", "output m/q TestB panic: oh", `output m/q - FAIL\tm/q\t0.01s`, "fail m/q"),
			"before\npanic: oh\n--- FAIL: TestC (no result)\nFAIL\tm/q\t0.01s\n" + nothingMissing, "packages that failed: 1 of 1"},
		"an exit names no test": {stream("start m/q", "run m/q TestB", "output m/q TestB before", "pass m/q TestB", "output m/q - exit status 3", `output m/q - FAIL\tm/q\t0.01s`, "fail m/q"),
			"before\nexit status 3\nFAIL\tm/q\t0.01s\n" + nothingMissing, "packages that failed: 1 of 1"},
		"a build fails": {`{"ImportPath":"m/q","Action":"build-output","Output":"# m/q\n"}` + "\n" + `{"ImportPath":"m/q","Action":"build-output","Output":"q.go:1:1: no\n"}` + "\n" + `{"ImportPath":"m/q","Action":"build-fail"}` + "\n" +
			stream("start m/q", `output m/q - FAIL\tm/q [build failed]`, "fail m/q"),
			"# m/q\nq.go:1:1: no\nFAIL\tm/q [build failed]\n" + nothingMissing, "packages that failed: 1 of 1"},
		"ended early": {passes + stream("start m/q", "run m/q TestB", "output m/q TestB so far"),
			"ok  \tm/p\t0.01s\nso far\n--- FAIL: TestB (no result)\nFAIL\tm/q\t[no result]\n" + nothingMissing, "the stream ended before the result of m/q"},
		"cut within a line": {passes + `{"Action":"start","Pack`, "ok  \tm/p\t0.01s\n" + `{"Action":"start","Pack` + nothingMissing, ""},
		"other text":        {"a warning\n" + passes, "a warning\nok  \tm/p\t0.01s\n" + nothingMissing, ""},
		"nothing":           {"", nothingMissing, "no package was tested"},
		"skips": {skipped("TestA/x", "needs nginx: not found on PATH") + skipped("TestA/y", "needs nginx: not found on PATH") + skipped("TestB", "needs chromium: not found on PATH") +
			skipped("TestC", "left out by -short: takes long") + skipped("TestD", "permissions do not bind root") + skipped("TestE", "needs a module: not found at /usr/lib") + passes,
			"ok  \tm/p\t0.01s\nskipped: 1 test left out by -short, 1 for other reasons (go test -v names them)\n" +
				"not installed: nginx (2), a module (1), chromium (1); 4 tests skipped for that\n", ""},
		"skips of other kinds alone": {skipped("TestD", "not here") + passes,
			"ok  \tm/p\t0.01s\nskipped: 0 tests left out by -short, 1 for other reasons (go test -v names them)\n" + nothingMissing, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			out := bufio.NewWriter(&got)
			err := summarize(strings.NewReader(test.stream), out)
			out.Flush()
			if diff := cmp.Diff(test.want, got.String()); diff != "" {
				t.Error(diff)
			}
			if message := fmt.Sprint(err); message != stdcmp.Or(test.err, "<nil>") {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}
}

// module has a package of each kind of result.
var module = map[string]string{
	"go.mod":            "module example.com/m\n\ngo 1.26\n",
	"none/a.go":         "package none\n",
	"pass/a_test.go":    "package pass\n\nimport \"testing\"\n\nfunc TestPass(t *testing.T) { t.Log(\"of no interest\") }\n",
	"fail/a_test.go":    "package fail\n\nimport \"testing\"\n\nfunc TestFail(t *testing.T) { t.Run(\"sub\", func(t *testing.T) { t.Error(\"wrong\") }) }\n",
	"exit/a_test.go":    "package exit\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestExit(t *testing.T) { os.Exit(7) }\n",
	"panic/a_test.go":   "package panic\n\nimport \"testing\"\n\nfunc TestPanic(t *testing.T) { panic(\"oh no\") }\n",
	"build/a_test.go":   "package build\n\nvar x int = \"\"\n",
	"vet/a_test.go":     "package vet\n\nimport \"testing\"\n\nfunc TestVet(t *testing.T) { t.Logf(\"%d\", \"\") }\n",
	"program/a_test.go": "package program\n\nimport \"testing\"\n\nfunc TestProgram(t *testing.T) { t.Skip(\"needs nothing-like-it: not found on PATH\") }\n",
}

// resultLines are the lines by which go test says what came of a package.
var resultLines = regexp.MustCompile(`(?m)^(ok  |\?   |FAIL)\t.*$`)

// TestAsGoTest runs go test both ways: the results are the same, and so is what
// failures say.
func TestAsGoTest(t *testing.T) {
	testneeds.Program(t, "go")
	testneeds.Long(t, "builds a dozen programs")
	dir := t.TempDir()
	for name, content := range module {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	t.Chdir(dir)
	plain, _ := exec.Command("go", "test", "./...").CombinedOutput()
	var text strings.Builder
	out := bufio.NewWriter(&text)
	err := run(out, []string{"go", "test", "-json", "./..."})
	out.Flush()
	if err == nil || err.Error() != "go: exit status 1" {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(lines(string(plain)), lines(text.String())); diff != "" {
		t.Errorf("%s\n%s", diff, &text)
	}
	for _, want := range []string{"    a_test.go:5: wrong\n", "panic: oh no", "\n--- FAIL: TestExit (no result)\n", "a_test.go:3:13: cannot use \"\"", "Logf format %d has arg \"\" of wrong type string"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, &text)
		}
	}
	if unwanted := "of no interest"; strings.Contains(text.String(), unwanted) {
		t.Errorf("%q is in:\n%s", unwanted, &text)
	}
	if end := "\nnot installed: nothing-like-it (1); 1 test skipped for that\n"; !strings.HasSuffix(text.String(), end) {
		t.Errorf("the end is not %q:\n%s", end, &text)
	}

	out.Reset(&text)
	if err := run(out, []string{"go", "test", "-json", "./pass", "./program"}); err != nil {
		t.Error(err)
	}
	if err := run(out, []string{"go", "vet", "./pass"}); err == nil || err.Error() != "no package was tested" {
		t.Errorf("a command that tests nothing: %v", err)
	}
	if err := run(out, []string{"nothing-like-it"}); err == nil {
		t.Error("no error of a command that is not there")
	}
}

var elapsed = regexp.MustCompile(`\t([0-9.]+s|\(cached\))$`)

// lines returns the result lines, sorted and without times.
func lines(text string) []string {
	found := resultLines.FindAllString(text, -1)
	for i, line := range found {
		found[i] = elapsed.ReplaceAllString(line, "")
	}
	slices.Sort(found)
	return found
}
