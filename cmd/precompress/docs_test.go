package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateDocs = flag.Bool("update", false, "rewrite the output of the commands in README.md and docs")

// repository is its root, seen from this package.
const repository = "../.."

// docPages returns the documents whose commands and snippets are held here.
func docPages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(repository + "/docs/*.md")
	if err != nil || len(found) == 0 {
		t.Fatalf("no pages in docs: %v", err)
	}
	return append(found, repository+"/README.md", repository+"/CONTRIBUTING.md")
}

func readPage(t *testing.T, name string) []string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(content), "\n")
}

// docBlock is a fenced block of a page, with the comments in front of it.
type docBlock struct {
	language   string
	markers    []docMarker
	first, end int // its lines, without the fences: page[first:end]
}

// docMarker is a comment that says what a block is: <!-- KIND: TEXT -->.
type docMarker struct{ kind, text string }

func (b docBlock) marked(kind string) (text string, found bool) {
	for _, m := range b.markers {
		if m.kind == kind {
			return m.text, true
		}
	}
	return "", false
}

var markerLine = regexp.MustCompile(`^<!-- ([a-z ]+): (.*) -->$`)

// docBlocks finds the fenced blocks of a page.
func docBlocks(t *testing.T, name string, page []string) []docBlock {
	t.Helper()
	var found []docBlock
	var markers []docMarker
	for i := 0; i < len(page); i++ {
		line := strings.TrimSpace(page[i])
		if m := markerLine.FindStringSubmatch(line); m != nil {
			markers = append(markers, docMarker{m[1], m[2]})
			continue
		}
		if language, fenced := strings.CutPrefix(line, "```"); fenced {
			length := slices.IndexFunc(page[i+1:], func(l string) bool { return strings.TrimSpace(l) == "```" })
			if length < 0 {
				t.Fatalf("%s:%d: the block has no end", name, i+1)
			}
			found = append(found, docBlock{language, markers, i + 1, i + 1 + length})
			i += length + 1
		}
		if line != "" {
			markers = nil
		}
	}
	return found
}

// TestDocsBlocks holds that every block is one of those that CONTRIBUTING.md
// names: commands, which TestDocsCommands runs unless they are marked, or text that
// stands in a file of the repository or becomes one of the commands' files.
func TestDocsBlocks(t *testing.T) {
	for _, name := range docPages(t) {
		page := readPage(t, name)
		for _, b := range docBlocks(t, name, page) {
			place := fmt.Sprintf("%s:%d", name, b.first)
			source, fromFile := b.marked("from")
			_, isFile := b.marked("file")
			reason, notRun := b.marked("not run")
			switch {
			case fromFile:
				content, err := os.ReadFile(filepath.Join(repository, source))
				if err != nil {
					t.Errorf("%s: %v", place, err)
				} else if !excerpt(strings.Split(string(content), "\n"), page[b.first:b.end]) {
					t.Errorf("%s: the block is not in %s as it stands here", place, source)
				}
			case b.language == "console":
				if notRun && reason == "" {
					t.Errorf("%s: say why it is not run", place)
				}
			case !isFile:
				t.Errorf("%s: a block of %q is neither console nor marked with from or file", place, b.language)
			}
		}
	}
}

// excerpt reports whether the lines of part stand one after the other in text,
// however far both are indented.
func excerpt(text, part []string) bool {
	part = unindented(part)
	for i := range len(text) - len(part) + 1 {
		if slices.Equal(unindented(text[i:i+len(part)]), part) {
			return true
		}
	}
	return false
}

// unindented removes the white space that all lines start with.
func unindented(lines []string) []string {
	prefix, known := "", false
	for _, l := range lines {
		indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if l == "" {
			continue
		}
		if !known || len(indent) < len(prefix) {
			prefix, known = indent, true
		}
	}
	result := make([]string, 0, len(lines))
	for _, l := range lines {
		result = append(result, strings.TrimPrefix(l, prefix))
	}
	return result
}

// helpFlag is a flag as the help of a command has it.
type helpFlag struct{ short, initial string }

// helpOf returns the flags that the help of a command names, by their long names.
func helpOf(t *testing.T, command string) map[string]helpFlag {
	t.Helper()
	words := append(strings.Fields(command), "--help")
	text, err := exec.Command(words[0], words[1:]...).Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	flags := make(map[string]helpFlag)
	for _, m := range regexp.MustCompile(`(?m)^ +(?:-(\w), +)?--([a-z-]+)((?:.*\n {10,})*.*)$`).FindAllStringSubmatch(string(text), -1) {
		f := helpFlag{short: m[1]}
		usage := strings.Join(strings.Fields(m[3]), " ")
		if _, initial, found := strings.Cut(usage, "(default "); found {
			f.initial = strings.TrimSuffix(initial, ")")
		}
		if m[2] != "help" {
			flags[m[2]] = f
		}
	}
	return flags
}

// tableUnder returns the cells of the table, or the lines of the paragraph, that
// follows a line of a page.
func tableUnder(page []string, after int) (rows [][]string, paragraph string) {
	for _, line := range page[after+1:] {
		switch {
		case strings.HasPrefix(line, "|"):
			line = strings.ReplaceAll(line, `\|`, "¦")
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), "¦", "|")
			}
			rows = append(rows, cells)
		case line == "" && (rows != nil || paragraph != ""):
			return rows[min(2, len(rows)):], paragraph
		default:
			paragraph += line + " "
		}
	}
	return rows[min(2, len(rows)):], paragraph
}

// unsaid is the default of a flag that only a sentence names.
const unsaid = "unsaid"

var longFlag = regexp.MustCompile("`(?:-(\\w)`, `)?--([a-z-]+)")

// TestDocsFlags compares the tables of flags with the help: which flags there are,
// and their defaults. A sentence instead of a table names flags that a command has
// on top of those of a build, and after "except" those that it does not have.
func TestDocsFlags(t *testing.T) {
	page := readPage(t, repository+"/docs/cli.md")
	tables := make(map[string]map[string]helpFlag)
	for i, line := range page {
		m := markerLine.FindStringSubmatch(line)
		if m == nil || m[1] != "flags" {
			continue
		}
		rows, paragraph := tableUnder(page, i)
		listed := make(map[string]helpFlag)
		for _, row := range rows {
			for _, f := range longFlag.FindAllStringSubmatch(row[0], -1) {
				listed[f[2]] = helpFlag{f[1], strings.ReplaceAll(row[len(row)-1], "`", "")}
			}
		}
		more, fewer, fromBuild := strings.Cut(paragraph, " except ")
		if fromBuild {
			maps.Copy(listed, tables["precompress"])
		}
		for _, f := range longFlag.FindAllStringSubmatch(more, -1) {
			listed[f[2]] = helpFlag{initial: unsaid}
		}
		for _, f := range longFlag.FindAllStringSubmatch(fewer, -1) {
			delete(listed, f[2])
		}
		tables[m[2]] = listed
	}
	for command, listed := range tables {
		if command != "common" {
			compareFlags(t, command, listed, tables["common"])
		}
	}
	for _, command := range []string{"precompress", "precompress check", "precompress report", "precompress clean", "precompress serve",
		"precompress bench", "precompress probe", "precompress cache info", "precompress cache prune", "precompress config"} {
		if tables[command] == nil {
			t.Errorf("docs/cli.md has no flags of %s", command)
		}
	}
}

// compareFlags compares a command's flags with its help. The common ones are listed
// once for all commands.
func compareFlags(t *testing.T, command string, listed, common map[string]helpFlag) {
	t.Helper()
	help := helpOf(t, command)
	for name, f := range common {
		if _, found := help[name]; found {
			listed[name] = f
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(help)), slices.Sorted(maps.Keys(listed))); diff != "" {
		t.Errorf("docs/cli.md: the flags of %s are not those of its help (-help +docs):\n%s", command, diff)
	}
	for name, f := range listed {
		if f != help[name] && f.initial != unsaid {
			t.Errorf("docs/cli.md: --%s of %s: the table has %q, the help has %q", name, command, f, help[name])
		}
	}
}

// TestDocsUses holds that every flag of precompress in a command, whether it is run
// or not, is one that the command has.
func TestDocsUses(t *testing.T) {
	helps := make(map[string]map[string]helpFlag)
	help := func(command string) map[string]helpFlag {
		if helps[command] == nil {
			helps[command] = helpOf(t, command)
		}
		return helps[command]
	}
	use := regexp.MustCompile("(?m)(?:^\\$ |`|tool )(precompress [^`\n]*)")
	subcommands := map[string]bool{"check": true, "report": true, "clean": true, "serve": true, "bench": true, "probe": true, "cache": true,
		"config": true, "version": true, "completion": true}
	for _, name := range append(docPages(t), repository+"/examples/README.md") {
		text := strings.Join(readPage(t, name), "\n")
		text = strings.ReplaceAll(text, "\\\n", "")
		for _, m := range use.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(m[1])
			command := words[0]
			for _, w := range words[1:min(3, len(words))] {
				if subcommands[w] || strings.HasSuffix(command, " cache") && !strings.HasPrefix(w, "-") {
					command += " " + w
				}
			}
			for _, w := range words[1:] {
				flag, _, _ := strings.Cut(strings.TrimPrefix(w, "--"), "=")
				if _, found := help(command)[flag]; strings.HasPrefix(w, "--") && w != "--" && flag != "help" && !found {
					t.Errorf("%s: %q: %s has no flag --%s", name, m[1], command, flag)
				}
			}
		}
	}
}

// TestDocsKeys compares the tables of keys with those that the command prints of
// its settings, and has it read a file of all their examples.
func TestDocsKeys(t *testing.T) {
	documented, file := documentedKeys(t)
	dir := t.TempDir()
	for name, content := range map[string]string{"all.toml": file, "last-manifest.json": `{"version":1,"assets":[]}`, "last.tar.gz": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("precompress", "config", "--config", "all.toml")
	command.Dir = dir
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, output, file)
	}
	known := map[string][]string{}
	section := "top"
	for line := range strings.Lines(string(output)) {
		if m := regexp.MustCompile(`^\[(\w+)\]`).FindStringSubmatch(line); m != nil {
			section = m[1]
		} else if m := regexp.MustCompile(`^(?:# )?([a-z-]+)(?: = |: )`).FindStringSubmatch(line); m != nil {
			known[section] = append(known[section], m[1])
		}
	}
	for _, keys := range []map[string][]string{known, documented} {
		for _, list := range keys {
			slices.Sort(list)
		}
	}
	if diff := cmp.Diff(known, documented); diff != "" {
		t.Errorf("the keys of docs/config.md are not those of the command (-command +docs):\n%s", diff)
	}
}

// documentedKeys returns the keys of docs/config.md by section, and a file of their
// examples.
func documentedKeys(t *testing.T) (keys map[string][]string, file string) {
	t.Helper()
	page := readPage(t, repository+"/docs/config.md")
	keys = make(map[string][]string)
	for i, line := range page {
		m := markerLine.FindStringSubmatch(line)
		if m == nil || m[1] != "keys" {
			continue
		}
		if m[2] != "top" {
			file += "[" + m[2] + "]\n"
		}
		rows, _ := tableUnder(page, i)
		for _, row := range rows {
			key := strings.Trim(row[0], "`")
			keys[m[2]] = append(keys[m[2]], key)
			file += key + " = " + strings.Trim(row[1], "`") + "\n"
		}
	}
	return keys, file
}

// TestDocsMake holds that every target of make in the documents is one.
func TestDocsMake(t *testing.T) {
	makefile := "\n" + strings.Join(readPage(t, repository+"/Makefile"), "\n")
	for _, name := range docPages(t) {
		text := strings.Join(readPage(t, name), "\n")
		for _, m := range regexp.MustCompile("(?m)(?:^\\$ |`)make ([a-z-]+)").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s: make has no target %s", name, m[1])
			}
		}
	}
}

// TestDocsLinks holds that links inside of the repository lead somewhere.
func TestDocsLinks(t *testing.T) {
	anchors := func(name string) (found []string) {
		fenced := false
		for _, line := range readPage(t, name) {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			if title := strings.TrimLeft(line, "#"); title != line && !fenced {
				title = regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
				found = append(found, strings.ReplaceAll(title, " ", "-"))
			}
		}
		return found
	}
	for _, name := range append(docPages(t), repository+"/CHANGELOG.md", repository+"/examples/README.md", repository+"/testdata/README.md") {
		text := strings.Join(readPage(t, name), "\n")
		for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(text, -1) {
			path, anchor, hasAnchor := strings.Cut(m[1], "#")
			target := name
			if path != "" {
				target = filepath.Join(filepath.Dir(name), path)
			}
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s: %v", name, m[1], err)
			} else if hasAnchor && !slices.Contains(anchors(target), anchor) {
				t.Errorf("%s: %s: there is no such heading", name, m[1])
			}
		}
	}
}

// TestDocsActions holds that documents and examples use one version of each GitHub
// action.
func TestDocsActions(t *testing.T) {
	files := docPages(t)
	for _, pattern := range []string{"/.github/*/*.yml", "/.github/*/*/*.yml", "/examples/*/*.yml"} {
		found, err := filepath.Glob(repository + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	versions := make(map[string]string)
	for _, name := range files {
		for _, m := range regexp.MustCompile(`uses: (\S+)@(\S+)`).FindAllStringSubmatch(strings.Join(readPage(t, name), "\n"), -1) {
			if known, found := versions[m[1]]; found && known != m[2] {
				t.Errorf("%s: %s@%s is %s elsewhere", name, m[1], m[2], known)
			}
			versions[m[1]] = m[2]
		}
	}
}
