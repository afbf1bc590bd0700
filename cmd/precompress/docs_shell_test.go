package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/precompress/precompress/internal/testneeds"
)

// TestDocsCommands runs the commands of each page, from its first to its last, and
// compares what they print with the page. With -update it writes that into the
// page instead.
func TestDocsCommands(t *testing.T) {
	testneeds.Long(t, "runs many builds")
	testneeds.Program(t, "sh")
	shared := t.TempDir()
	for _, name := range docPages(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			page := readPage(t, name)
			s := newShell(t, shared)
			for _, b := range docBlocks(t, name, page) {
				s.block(page, b)
			}
			s.fresh() // ends servers
			s.compare(name, page)
		})
	}
}

// shown is a command of a page: what it is said to print, page[first:end], and what
// it did print.
type shown struct {
	command    string
	first, end int
	want       []string
	home       string // the user's directory at that time
	output     *transcript
}

// transcript collects what a command prints, which a server does for longer than the
// call that starts it.
type transcript struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (o *transcript) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(p)
}

func (o *transcript) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// docShell runs the commands of one page in a directory that has the site of testdata
// as dist, and its releases.
type docShell struct {
	t         *testing.T
	dir, home string
	cache     string            // the directory that commands use
	shared    string            // that of commands that readers do not see, for all pages
	addresses map[string]string // that stand for those of the page
	code      int               // of the last command
	servers   []running         // that run
	commands  []shown
}

// running is a server that was started, and what it prints.
type running struct {
	output *transcript
	stop   func()
}

func newShell(t *testing.T, shared string) *docShell {
	s := &docShell{t: t, shared: shared, addresses: make(map[string]string)}
	for _, address := range []string{"localhost:8080", "localhost:8088"} {
		listener, err := net.Listen("tcp", "localhost:0")
		if err != nil {
			t.Fatal(err)
		}
		listener.Close()
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		s.addresses[address] = "localhost:" + port
	}
	t.Cleanup(s.stop)
	s.fresh()
	return s
}

// fresh ends the servers and starts with new directories and an empty cache.
func (s *docShell) fresh() {
	s.stop()
	s.dir, s.home = s.t.TempDir(), s.t.TempDir()
	s.cache = filepath.Join(s.home, ".cache", "precompress")
	for from, to := range map[string]string{"site": "dist", "releases": "releases"} {
		s.check(os.CopyFS(filepath.Join(s.dir, to), os.DirFS(repository+"/testdata/"+from)))
	}
	built := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s.check(filepath.WalkDir(s.dir, func(name string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(name, built, built))
	}))
}

// stop ends the servers, once they have printed what the page says.
func (s *docShell) stop() {
	for _, one := range s.servers {
		printed := func() bool {
			at := slices.IndexFunc(s.commands, func(c shown) bool { return c.output == one.output })
			return at < 0 || s.isAsShown(s.commands[at])
		}
		for deadline := time.Now().Add(2 * time.Second); !printed() && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		}
		one.stop()
	}
	s.servers = nil
}

func (s *docShell) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// block runs a block's commands, or makes a file of it.
func (s *docShell) block(page []string, b docBlock) {
	for _, m := range b.markers {
		switch m.kind {
		case "setup":
			s.setup(m.text)
		case "file":
			s.check(os.WriteFile(filepath.Join(s.dir, m.text), []byte(strings.Join(page[b.first:b.end], "\n")+"\n"), 0o666))
		}
	}
	if _, notRun := b.marked("not run"); notRun || b.language != "console" {
		return
	}
	for i := b.first; i < b.end; {
		command, found := strings.CutPrefix(page[i], "$ ")
		if !found {
			s.t.Fatalf("line %d: want a command behind \"$ \"", i+1)
		}
		for i++; strings.HasSuffix(command, `\`) && i < b.end; i++ {
			command = strings.TrimSuffix(command, `\`) + strings.TrimSpace(page[i])
		}
		first := i
		for i < b.end && !strings.HasPrefix(page[i], "$ ") {
			i++
		}
		s.commands = append(s.commands, shown{command, first, i, page[first:i], s.home, s.run(command)})
	}
}

// setup does what a comment says, which readers do not see.
func (s *docShell) setup(command string) {
	switch command {
	case "fresh":
		s.fresh()
	case "compress on the fly":
		s.compressOnTheFly()
	default:
		s.cache = s.shared
		text := s.run(command).String()
		s.cache = filepath.Join(s.home, ".cache", "precompress")
		if s.code != 0 {
			s.t.Fatalf("%s: exit code %d\n%s", command, s.code, text)
		}
	}
}

// run runs a command. A server goes on; its output is compared when it has ended.
func (s *docShell) run(command string) *transcript {
	output := &transcript{}
	command = strings.ReplaceAll(command, "$?", strconv.Itoa(s.code))
	serves := strings.HasPrefix(command, "precompress serve ")
	if serves {
		command = strings.Replace(command, "serve ", "serve --addr localhost:8080 ", 1)
	}
	for there, here := range s.addresses {
		command = strings.ReplaceAll(command, there, here)
	}
	c := exec.Command("sh", "-c", "exec "+command)
	if strings.ContainsAny(command, ";|&") {
		c = exec.Command("sh", "-c", command)
	}
	c.Dir = s.dir
	c.Env = append(os.Environ(), "HOME="+s.home, cacheDirVariable+"="+s.cache, "TZ=UTC")
	c.Stdout, c.Stderr = output, output
	if serves {
		s.serve(c, output)
		return output
	}
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		s.t.Fatalf("%s: %v", command, err)
	}
	s.code = c.ProcessState.ExitCode()
	return output
}

// serve starts a server and waits for the line that it prints then.
func (s *docShell) serve(c *exec.Cmd, output *transcript) {
	s.check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	s.servers = append(s.servers, running{output, func() {
		c.Process.Signal(syscall.SIGTERM)
		<-ended
	}})
	for deadline := time.Now().Add(patience); !strings.Contains(output.String(), "http"); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%v: waited in vain for the server: %s", c, output)
		}
	}
}

// compressOnTheFly starts a server of dist at localhost:8088 that leaves variants
// alone and compresses everything itself, as many do.
func (s *docShell) compressOnTheFly() {
	listener, err := net.Listen("tcp", s.addresses["localhost:8088"])
	s.check(err)
	dist := filepath.Join(s.dir, "dist")
	types := map[string]string{".js": "text/javascript", ".svg": "image/svg+xml"}
	onTheFly := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Clean(r.URL.Path)
		content, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", types[path.Ext(name)])
		w.Header().Set("Server", "example")
		coded := regexp.MustCompile(`\bgzip\b(;q=0\b)?`).FindStringSubmatch(r.Header.Get("Accept-Encoding"))
		if coded == nil || coded[1] != "" {
			w.Header().Set("Etag", fmt.Sprintf(`"%x"`, len(content)))
			http.ServeContent(w, r, "", time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), bytes.NewReader(content))
			return
		}
		w.Header().Set("Etag", fmt.Sprintf(`W/"%x"`, len(content)))
		if known := r.Header.Get("If-None-Match"); known == "*" || strings.Contains(known, fmt.Sprintf(`"%x"`, len(content))) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		if r.Method == http.MethodGet {
			z := gzip.NewWriter(w)
			z.Write(content)
			z.Close()
		}
	})}
	go onTheFly.Serve(listener)
	s.servers = append(s.servers, running{stop: func() { onTheFly.Close() }})
}

// compare compares what the commands printed with the page, or updates the page.
func (s *docShell) compare(name string, page []string) {
	for _, c := range slices.Backward(s.commands) {
		s.hasDocumentedMembers(c)
		if s.isAsShown(c) {
			continue
		}
		if *updateDocs {
			page = slices.Replace(page, c.first, c.end, abridged(c.want, s.asShown(c))...)
			continue
		}
		s.t.Errorf("%s:%d: $ %s: the output is another; if that is right, run go test ./cmd/precompress -run TestDocs -update (-page +output):\n%s",
			name, c.first, c.command, cmp.Diff(masked(c.want), masked(s.asShown(c))))
	}
	if *updateDocs {
		s.check(os.WriteFile(name, []byte(strings.Join(page, "\n")), 0o666))
	}
}

// hasDocumentedMembers holds that docs/json.md names each member of an output in JSON.
func (s *docShell) hasDocumentedMembers(c shown) {
	document := strings.Join(readPage(s.t, repository+"/docs/json.md"), "\n")
	for _, member := range regexp.MustCompile(`(?m)^ *"(\w+)": `).FindAllStringSubmatch(c.output.String(), -1) {
		if !strings.Contains(document, "`"+member[1]+"`") {
			s.t.Errorf("$ %s: docs/json.md does not say what %s is", c.command, member[1])
		}
	}
}

// asShown returns the lines of an output with the names that the page has.
func (s *docShell) asShown(c shown) []string {
	text := strings.ReplaceAll(c.output.String(), c.home, "/home/me")
	for there, here := range s.addresses {
		text = strings.ReplaceAll(text, here, there)
		text = strings.ReplaceAll(text, url.QueryEscape(here), url.QueryEscape(there))
	}
	text = strings.ReplaceAll(text, "\r", "")
	if text = strings.TrimRight(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func (s *docShell) isAsShown(c shown) bool { return matches(masked(c.want), masked(s.asShown(c))) }

// masked replaces what differs from run to run: times, speeds, what follows from
// them, and the width of columns.
func masked(lines []string) []string {
	masks := []struct {
		pattern *regexp.Regexp
		with    string
	}{
		{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ][\d:.]+Z?`), "<time>"},
		{regexp.MustCompile(`\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT`), "<time>"},
		{regexp.MustCompile(`[-+]?[\d.]+ ?(ns|µs|ms|s)\b`), "<duration>"},
		{regexp.MustCompile(`[\d.]+ [kMG]?bit/s`), "<speed>"},
		{regexp.MustCompile(`(\s)\d+ %`), "$1<spread>"},
		{regexp.MustCompile(`("(?:compress|decompress|break_even|gain)_\w+": ).*`), "$1<number>"},
		{regexp.MustCompile(`("(?:median|min|max|date)": ).*`), "$1<number>"},
		{regexp.MustCompile(`("pareto": )\w+`), "$1<fast>"},
		{regexp.MustCompile(`^((?:[^,]*,){10})[\d.,]+,-?\d+,(true|false),`), "$1<numbers>,"},
		{regexp.MustCompile(`^  \*  `), "     "},
		{regexp.MustCompile(` +`), " "},
	}
	var result []string
	for _, l := range lines {
		for _, m := range masks {
			l = m.pattern.ReplaceAllString(l, m.with)
		}
		result = append(result, strings.TrimRight(l, " "))
	}
	return result
}

const elided = "..."

// matches compares lines. A line of three dots stands for any number of lines.
func matches(want, got []string) bool {
	for i, l := range want {
		if strings.TrimSpace(l) != elided {
			if i >= len(got) || l != got[i] {
				return false
			}
			continue
		}
		for skip := i; skip <= len(got); skip++ {
			if matches(want[i+1:], got[skip:]) {
				return true
			}
		}
		return false
	}
	return len(got) == len(want)
}

// abridged leaves out of an output what a page left out: as many lines as it has
// are kept before the first dots and after the last.
func abridged(want, got []string) []string {
	isElided := func(l string) bool { return strings.TrimSpace(l) == elided }
	head := slices.IndexFunc(want, isElided)
	if head < 0 || len(got) < len(want) {
		return got
	}
	tail := 0
	for tail < len(want) && !isElided(want[len(want)-1-tail]) {
		tail++
	}
	return slices.Concat(got[:head], []string{want[head]}, got[len(got)-tail:])
}

// curl stands in for the program of that name, as far as the pages use it: -s, -i,
// -I, -H and -o /dev/null.
func curl() {
	method, head, body := http.MethodGet, false, true
	var fields []string
	var target *url.URL
	for args := os.Args[1:]; len(args) > 0; args = args[1:] {
		switch arg := args[0]; {
		case arg == "-H":
			args = args[1:]
			fields = append(fields, args[0])
		case arg == "-o":
			args, body = args[1:], false // to /dev/null
		case strings.HasPrefix(arg, "-"):
			head = head || strings.ContainsAny(arg, "iI")
			if strings.Contains(arg, "I") {
				method, body = http.MethodHead, false
			}
		default:
			target, _ = url.Parse(arg)
		}
	}
	if err := ask(method, target, fields, head, body); err != nil {
		fmt.Fprintln(os.Stderr, "curl:", err)
		os.Exit(1)
	}
}

func ask(method string, target *url.URL, fields []string, head, body bool) error {
	connection, err := net.Dial("tcp", target.Host)
	if err != nil {
		return err
	}
	defer connection.Close()
	fmt.Fprintf(connection, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, target.RequestURI(), target.Host)
	for _, f := range fields {
		fmt.Fprintf(connection, "%s\r\n", f)
	}
	fmt.Fprint(connection, "\r\n")
	reader, length := bufio.NewReader(connection), int64(0)
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return err
		}
		if head {
			fmt.Print(line)
		}
		if line == "\r\n" {
			break
		}
		if value, found := strings.CutPrefix(line, "Content-Length: "); found {
			length, _ = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		}
	}
	if body {
		_, err = io.CopyN(os.Stdout, reader, length)
	}
	return err
}
