package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress/cache"
)

func TestMain(m *testing.M) {
	testscript.Main(awayFromUser{m}, map[string]func(){"precompress": main, "curl": curl})
}

// awayFromUser runs tests with a cache that is not the user's, and without the
// summary of the step that runs them.
type awayFromUser struct{ *testing.M }

func (m awayFromUser) Run() int {
	dir, err := os.MkdirTemp("", "precompress-test-cache-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv(cacheDirVariable, dir)
	os.Unsetenv(summaryVariable)
	return m.M.Run()
}

// TestScript runs testdata/script/*.txtar, one behaviour of the command line
// each.
func TestScript(t *testing.T) {
	site, err := filepath.Abs("../../testdata/site")
	if err != nil {
		t.Fatal(err)
	}
	releases, err := filepath.Abs("../../testdata/releases")
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]func(*testscript.TestScript, bool, []string){
		"exits":     cmdExits,
		"usage":     cmdUsage,
		"site":      func(ts *testscript.TestScript, _ bool, args []string) { cmdSite(ts, site, args) },
		"text":      cmdText,
		"grow":      cmdGrow,
		"snapshot":  cmdSnapshot,
		"unchanged": cmdUnchanged,
		"same":      cmdSame,
		"waitfor":   cmdWaitFor,
		"manifest":  cmdManifest,
		"blur":      cmdBlur,
		"named":     cmdNamed,
		"cached":    cmdCached,
		"settings":  cmdSettings,
	}
	maps.Copy(commands, systemCommands())
	maps.Copy(commands, releaseCommands(releases))
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                commands,
		Setup: func(env *testscript.Env) error {
			env.Values["state"] = &scriptState{}
			// Outside of the script's directory: scripts look at all files in that.
			env.Setenv(cacheDirVariable, filepath.Join(t.TempDir(), "cache"))
			return nil
		},
	})
}

// scriptState is what the commands of one script remember.
type scriptState struct {
	tree     map[string]string
	signaled *exec.Cmd
	since    time.Time
}

func stateOf(ts *testscript.TestScript) *scriptState { return ts.Value("state").(*scriptState) }

func want(ts *testscript.TestScript, args []string, n int, usage string) {
	if len(args) != n {
		ts.Fatalf("usage: %s", usage)
	}
}

// cmdExits runs a program that is to end with the given exit code.
func cmdExits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// cmdUsage runs precompress with arguments that it is to refuse: exit code 2,
// nothing on standard output, one line with a hint that matches the pattern on
// standard error, and no file changed.
func cmdUsage(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: usage PATTERN [ARG...]")
	}
	before := tree(ts, ts.Getenv("WORK"))
	cmdExits(ts, false, append([]string{"2", "precompress"}, args[1:]...))
	if stdout := ts.ReadFile("stdout"); stdout != "" {
		ts.Fatalf("standard output has %q", stdout)
	}
	stderr := ts.ReadFile("stderr")
	if !regexp.MustCompile(`\Aprecompress: ([^\n]+)\n\z`).MatchString(stderr) {
		ts.Fatalf("standard error is not one line: %q", stderr)
	}
	if !regexp.MustCompile(args[0]).MatchString(stderr) {
		ts.Fatalf("%q does not match %q", stderr, args[0])
	}
	if difference := compare(before, tree(ts, ts.Getenv("WORK"))); difference != "" {
		ts.Fatalf("files changed:%s", difference)
	}
}

// cmdSite makes a copy of testdata/site.
func cmdSite(ts *testscript.TestScript, site string, args []string) {
	want(ts, args, 1, "site DIR")
	ts.Check(os.CopyFS(ts.MkAbs(args[0]), os.DirFS(site)))
}

// cmdText makes a file of so many bytes of text that compresses well and slowly.
func cmdText(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 2, "text FILE BYTES")
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	random := rand.New(rand.NewPCG(1, uint64(n)))
	words := strings.Fields("const function return await element render the index of a style color href value null")
	var text strings.Builder
	for text.Len() < n {
		fmt.Fprintf(&text, "%s %s%d;", words[random.IntN(len(words))], words[random.IntN(len(words))], random.IntN(500))
	}
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o777))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text.String()[:n]), 0o666))
}

// cmdGrow makes a file of so many zero bytes without writing them.
func cmdGrow(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 2, "grow FILE BYTES")
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), nil, 0o666))
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}

// cmdSnapshot remembers every file and directory of the script, cmdUnchanged
// compares them with that: names, modes, times and contents.
func cmdSnapshot(ts *testscript.TestScript, _ bool, _ []string) {
	stateOf(ts).tree = tree(ts, ts.Getenv("WORK"))
}

func cmdUnchanged(ts *testscript.TestScript, _ bool, _ []string) {
	if difference := compare(stateOf(ts).tree, tree(ts, ts.Getenv("WORK"))); difference != "" {
		ts.Fatalf("files changed:%s", difference)
	}
}

// tree describes every file and directory below root. Directories' times are left
// out: the tests make files in them.
func tree(ts *testscript.TestScript, root string) map[string]string {
	found := make(map[string]string)
	ts.Check(filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			found[name] = "directory"
			return err
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			found[name] = e.Type().String()
			return err
		}
		content, err := os.ReadFile(name)
		found[name] = fmt.Sprint(info.Mode(), info.ModTime(), manifest.Sum(content))
		return err
	}))
	return found
}

func compare(before, after map[string]string) (difference string) {
	for name, was := range before {
		if is, found := after[name]; !found {
			difference += "\ngone: " + name
		} else if is != was {
			difference += "\nchanged: " + name
		}
	}
	for name := range after {
		if _, found := before[name]; !found {
			difference += "\nnew: " + name
		}
	}
	return difference
}

// cmdSame compares two directories: names and contents.
func cmdSame(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 2, "same DIR DIR")
	contents := func(dir string) map[string]string {
		found := make(map[string]string)
		ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(name string, e fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(ts.MkAbs(dir), name)
			if err != nil || e.IsDir() {
				return err
			}
			content, err := os.ReadFile(name)
			found[rel] = string(content)
			return err
		}))
		return found
	}
	if difference := compare(contents(args[0]), contents(args[1])); difference != "" {
		ts.Fatalf("the directories differ:%s", difference)
	}
}

// cmdWaitFor waits until a file exists and its content matches a pattern.
func cmdWaitFor(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 2, "waitfor FILE PATTERN")
	pattern := regexp.MustCompile(args[1])
	eventually(ts, args[0]+" that matches "+args[1], func() bool {
		content, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && pattern.Match(content)
	})
}

// patience is how long to wait for what happens within moments.
const patience = 30 * time.Second

func eventually(ts *testscript.TestScript, what string, condition func() bool) {
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("waited in vain for %s", what)
		}
	}
}

// cmdManifest checks that a manifest is valid and that its variants are the
// files on disk.
func cmdManifest(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 1, "manifest DIR")
	dir := ts.MkAbs(args[0])
	data, err := os.ReadFile(filepath.Join(dir, manifest.Name))
	ts.Check(err)
	m, err := manifest.Decode(data)
	ts.Check(err)
	for _, a := range m.Assets {
		for _, v := range a.Variants {
			content, err := os.ReadFile(filepath.Join(dir, a.Path+v.Coding.Suffix()))
			switch {
			case v.Omitted != "":
			case err != nil:
				ts.Fatalf("%v", err)
			case manifest.Sum(content) != v.Digest:
				ts.Fatalf("%s: %s is not what the manifest says", a.Path, v.Coding)
			}
		}
	}
}

// cmdBlur copies a file with every size in it that depends on an encoder
// written as 0: those of variants and their sums.
func cmdBlur(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 2, "blur FILE FILE")
	text := ts.ReadFile(args[0])
	text = regexp.MustCompile(`("bytes_after": )[0-9]+`).ReplaceAllString(text, "${1}0")
	text = regexp.MustCompile(`("reason": "[a-z-]+",\s+"size": )[0-9]+`).ReplaceAllString(text, "${1}0")
	text = regexp.MustCompile(`(\.(?:br|zst|gz)",\s+"size": )[0-9]+`).ReplaceAllString(text, "${1}0")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}

// cmdNamed makes a file of a name that a script cannot hold, quoted as in Go,
// with the content of another.
func cmdNamed(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 3, "named FILE DIR QUOTED-NAME")
	name, err := strconv.Unquote(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[1]), name), []byte(ts.ReadFile(args[0])), 0o666))
}

// cmdCached makes a cache of so many entries, of the keys 00…, 01… and so on,
// which take a block of 4 KiB each. The first was not used for longest.
func cmdCached(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 2, "cached DIR ENTRIES")
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	dir := ts.MkAbs(args[0])
	c, err := cache.Open(dir, cache.Options{})
	ts.Check(err)
	for i := range n {
		c.Put(context.Background(), cache.Key{byte(i)}, cache.Entry{Size: 4, Data: []byte("data")})
	}
	if warnings := c.Close(context.Background()); len(warnings) > 0 {
		ts.Fatalf("warnings: %q", warnings)
	}
	for i := range n {
		key := cache.Key{byte(i)}.String()
		used := time.Now().Add(time.Duration(i-n) * 24 * time.Hour)
		ts.Check(os.Chtimes(filepath.Join(dir, key[:2], key), used, used))
	}
}

// cmdSettings compares two configuration files, without comments.
func cmdSettings(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, args, 2, "settings FILE FILE")
	read := func(name string) (content map[string]any) {
		ts.Check(toml.Unmarshal([]byte(ts.ReadFile(name)), &content))
		return content
	}
	if difference := cmp.Diff(read(args[0]), read(args[1])); (difference == "") == neg {
		ts.Fatalf("the settings differ:\n%s", difference)
	}
}
