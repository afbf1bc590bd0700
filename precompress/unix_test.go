//go:build unix

package precompress_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestFIFOAndSocket checks that neither is opened, whether it has the name of a
// source, a variant or the manifest.
func TestFIFOAndSocket(t *testing.T) {
	dir := plant(t, tree{"app.js": text(2000, 1), "sub/": ""})
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe.js"), 0o666))
	must(t, syscall.Mkfifo(filepath.Join(dir, "app.js.gz"), 0o666))
	t.Chdir(dir) // a socket's path is short
	socket, err := net.Listen("unix", "sub/s.js")
	must(t, err)
	defer socket.Close()
	report, err := precompress.Build(t.Context(), dir, fast())
	must(t, err)
	for _, name := range []string{"pipe.js", "sub/s.js"} {
		if got := skips(report.Skipped)[name]; got != precompress.ReasonNotRegular {
			t.Errorf("%s: skipped %q", name, got)
		}
	}
	if len(report.Failures) != 1 || !errors.Is(report.Err(), precompress.ErrForeign) {
		t.Errorf("failures: %v", report.Failures)
	}
	wantFiles(t, dir, "app.js.br", "app.js.zst", "app.js.gz", "pipe.js", "sub/s.js")
	wantNoFiles(t, dir, append(siblings("pipe.js", "sub/s.js"), "app.js.gz.br")...)

	other := plant(t, tree{"app.js": text(2000, 1)})
	must(t, syscall.Mkfifo(filepath.Join(other, manifest.Name), 0o666))
	if _, err := precompress.Build(t.Context(), other, fast()); err == nil {
		t.Error("a FIFO was read as a manifest")
	}
}

// otherProcess returns the command for a process that does the work of c.
func otherProcess(t *testing.T, c child) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	job, err := json.Marshal(c)
	must(t, err)
	cmd := exec.Command(self)
	cmd.Dir = c.Dir
	// The race detector waits for a second before each exit unless told not to.
	cmd.Env = append(os.Environ(), childVariable+"="+string(job), "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

// forNobody returns the path of a copy of the test binary that other users can run.
// Tests that use it are not parallel: a program cannot be run while a process that
// another test starts has it open for writing.
func forNobody(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	data, err := os.ReadFile(self)
	must(t, err)
	open := filepath.Join(openTempDir(t), "self")
	must(t, os.WriteFile(open, data, 0o755))
	return open
}

// openTempDir returns a temporary directory that other users can access.
func openTempDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Chmod(filepath.Dir(dir), 0o755))
	must(t, os.Chmod(dir, 0o755))
	return dir
}

// buildUnprivileged builds as a user to whom file permissions apply.
func buildUnprivileged(t *testing.T, self string, c child) child {
	t.Helper()
	cmd := otherProcess(t, c)
	if os.Getuid() != 0 {
		closed := filepath.Join(t.TempDir(), "closed")
		must(t, os.WriteFile(closed, nil, 0))
		if _, err := os.ReadFile(closed); err == nil {
			t.Skip("file permissions do not apply to this user, and only root can become another user")
		}
	} else {
		cmd.Path = self
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the other process: %v\n%s", err, out)
	}
	c = child{}
	must(t, json.Unmarshal(out, &c))
	return c
}

// plantForNobody plants a tree that is owned by the user of [buildUnprivileged].
func plantForNobody(t *testing.T, files tree) string {
	t.Helper()
	dir := openTempDir(t)
	plantIn(t, dir, files)
	if os.Getuid() == 0 {
		for name := range snapshot(t, dir) {
			must(t, os.Lchown(filepath.Join(dir, name), 65534, 65534))
		}
	}
	t.Cleanup(func() { chmodAll(dir) })
	return dir
}

func chmodAll(dir string) {
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			os.Chmod(name, 0o755)
		}
		return nil
	})
}

// TestPermissions checks that what cannot be read or written is reported, that
// everything else is built, that no empty sibling is left, and that our files are still
// recognized as ours.
func TestPermissions(t *testing.T) {
	self := forNobody(t)
	files := tree{"ok.js": text(2000, 1), "closed.js": text(2000, 2), "dir/inner.js": text(2000, 3)}
	tests := []struct {
		name   string
		before bool   // a build comes first
		mode   string // path=octal
		force  bool
		change tree
		want   []string // what failures begin with
		there  []string
		absent []string
	}{
		{name: "unreadable file", mode: "closed.js=000", want: []string{"closed.js: read: "},
			there: siblings("ok.js", "dir/inner.js"), absent: siblings("closed.js")},
		{name: "unreadable directory", mode: "dir=000", want: []string{"dir: read directory: "}, there: siblings("ok.js", "closed.js")},
		{name: "unwritable directory", mode: "dir=555",
			want:  []string{"dir/inner.js: br: write: ", "dir/inner.js: gzip: write: ", "dir/inner.js: zstd: write: "},
			there: siblings("ok.js", "closed.js"), absent: siblings("dir/inner.js")},
		{name: "unreadable file built before", before: true, mode: "closed.js=000", want: []string{"closed.js: read: "},
			there: siblings("ok.js", "dir/inner.js", "closed.js")},
		{name: "unreadable file built before, edited since", before: true, mode: "closed.js=000", change: tree{"closed.js": text(2000, 8)},
			want: []string{"closed.js: read: "}, there: siblings("ok.js", "dir/inner.js", "closed.js")},
		{name: "unreadable directory built before", before: true, mode: "dir=000", want: []string{"dir: read directory: "}, there: siblings("ok.js")},
		{name: "unreadable variant", before: true, mode: "closed.js.br=000", want: []string{"closed.js: br: read closed.js.br: "},
			there: siblings("ok.js", "dir/inner.js", "closed.js")},
		{name: "unreadable variant, forced", before: true, mode: "closed.js.br=000", force: true,
			there: siblings("ok.js", "dir/inner.js", "closed.js")},
		{name: "unreadable variant that no longer pays, forced", before: true, mode: "closed.js.br=000", force: true,
			change: tree{"closed.js": noise(50, 1)}, there: siblings("ok.js"), absent: siblings("closed.js")},
		{name: "unreadable orphan", before: true, mode: "closed.js.br=000", change: tree{"closed.js": "gone"}, want: []string{"closed.js.br: read: "},
			there: append(siblings("ok.js"), "closed.js.br"), absent: []string{"closed.js.gz", "closed.js.zst"}},
		{name: "orphans in an unwritable directory", before: true, mode: "dir=555", change: tree{"dir/inner.js": "gone"},
			want:  []string{"dir/inner.js.br: remove: ", "dir/inner.js.gz: remove: ", "dir/inner.js.zst: remove: "},
			there: siblings("ok.js", "dir/inner.js")},
		{name: "source changed in an unwritable directory", before: true, mode: "dir=555", change: tree{"dir/inner.js": text(2000, 8)},
			want:  []string{"dir/inner.js: br: write: ", "dir/inner.js: gzip: write: ", "dir/inner.js: zstd: write: "},
			there: siblings("ok.js", "dir/inner.js")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := plantForNobody(t, files)
			job := child{Dir: dir, Levels: fast().Levels}
			if tt.before {
				if c := buildUnprivileged(t, self, job); c.Err != "" || c.Failures != nil {
					t.Fatalf("first build: %+v", c)
				}
			}
			for name, content := range tt.change {
				if content == "gone" {
					remove(t, dir, name)
				} else {
					overwrite(t, dir, tree{name: content})
				}
			}
			name, mode, _ := strings.Cut(tt.mode, "=")
			perm := map[string]fs.FileMode{"000": 0, "555": 0o555}[mode]
			must(t, os.Chmod(filepath.Join(dir, name), perm))
			job.Force = tt.force
			for range 2 {
				c := buildUnprivileged(t, self, job)
				if c.Err != "" || len(c.Failures) != len(tt.want) || len(tt.want) > 0 && !c.Permission {
					t.Errorf("error %q, failures %q", c.Err, c.Failures)
				}
				for i := range min(len(c.Failures), len(tt.want)) {
					if !strings.HasPrefix(c.Failures[i], tt.want[i]) {
						t.Errorf("failure %q, want %q", c.Failures[i], tt.want[i])
					}
				}
				job.Force = false
			}
			for name, content := range contents(t, dir) {
				if content == "" {
					t.Errorf("%s is empty", name)
				}
			}
			wantFiles(t, dir, tt.there...)
			wantNoFiles(t, dir, tt.absent...)
			wantNoTemp(t, dir)
			// Once the cause is gone, a build gives the same tree as if it had never existed.
			info, err := os.Stat(filepath.Join(dir, name))
			if err == nil && info.IsDir() {
				must(t, os.Chmod(filepath.Join(dir, name), 0o755))
			} else if err == nil {
				must(t, os.Chmod(filepath.Join(dir, name), 0o644))
			}
			if c := buildUnprivileged(t, self, job); c.Err != "" || c.Failures != nil {
				t.Fatalf("last build: %+v", c)
			}
			wantTrue(t, dir, dir)
			wantAsFromScratch(t, dir, fast())
		})
	}
}

// TestModes checks that variants get the permissions of their source, not those of
// the temporary file.
func TestModes(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	modes := []fs.FileMode{0o600, 0o644, 0o444, 0o755, 0o666, 0o640}
	files := tree{}
	for _, m := range modes {
		files[m.String()] = text(2000, uint64(m))
	}
	dir := plant(t, files)
	for _, m := range modes {
		must(t, os.Chmod(filepath.Join(dir, m.String()), m))
	}
	for range 2 { // when written, and when replaced
		build(t, dir, fast())
		wantTrue(t, dir, dir)
		for _, m := range modes {
			for _, s := range siblings(m.String()) {
				if got := snapshot(t, dir)[s].Mode; got != m {
					t.Errorf("%s: mode %v", s, got)
				}
			}
			flip(t, dir, m.String()+".br", 20)
		}
	}
}

// TestKilled kills builds at random moments, and checks that a second run gives the
// same tree as an undisturbed one, without temporary files.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills := 50
	if testing.Short() {
		kills = 8
	}
	start := t.TempDir()
	files := tree{"gone.js": text(3000, 99)}
	for i := range 16 {
		files["d"+string(rune('a'+i%5))+"/f"+string(rune('a'+i))+".js"] = text(4000+i*1000, uint64(i))
	}
	plantIn(t, start, files)
	job := child{Levels: map[manifest.Coding]int{manifest.Brotli: 5, manifest.Zstd: 3, manifest.Gzip: 6}, Jobs: 4}
	opts := precompress.Options{Levels: job.Levels, Jobs: job.Jobs}
	build(t, start, opts)
	remove(t, start, "gone.js")
	for name := range files { // half of the tree must be built again
		if name[0] == 'd' && name[1]%2 == 0 {
			plantIn(t, start, tree{name: text(5000, uint64(name[4]))})
		}
	}
	plantIn(t, start, tree{"new/n.js": text(20000, 7)})
	undisturbed := copyTree(t, start)
	began := time.Now()
	job.Dir = undisturbed
	if out, err := otherProcess(t, job).Output(); err != nil {
		t.Fatalf("undisturbed: %v\n%s", err, out)
	}
	took := time.Since(began)
	want := withoutDirectoryTimes(snapshot(t, undisturbed))
	wantTrue(t, undisturbed, undisturbed)

	done := contents(t, undisturbed)
	hits := 0
	for range kills {
		dir := copyTree(t, start)
		before := contents(t, dir)
		job.Dir = dir
		cmd := otherProcess(t, job)
		must(t, cmd.Start())
		time.Sleep(time.Duration(rand.Int64N(int64(took))))
		cmd.Process.Kill()
		cmd.Wait() // killed, or done just before
		after := contents(t, dir)
		if !maps.Equal(after, before) && !maps.Equal(after, done) {
			hits++
		}
		wantWholeVariants(t, dir, before, want)
		build(t, dir, opts)
		sameSnapshot(t, want, withoutDirectoryTimes(snapshot(t, dir)))
		wantNoTemp(t, dir)
		must(t, os.RemoveAll(dir))
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d kills interrupted a running build, which takes %v", hits, kills, took)
}

// wantWholeVariants checks that after a kill each variant is the old or the new one.
func wantWholeVariants(t *testing.T, dir string, before map[string]string, want map[string]entry) {
	t.Helper()
	for name, content := range contents(t, dir) {
		if name == manifest.Name { // the old, the new, or the claims in between
			if _, err := manifest.Decode([]byte(content)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !tempName.MatchString(name) && content != before[name] && content != want[name].Content {
			t.Errorf("%s is neither the old nor the new one", name)
		}
	}
}

// withoutDirectoryTimes removes what may differ between two correct trees: the times
// of directories and of the manifest.
func withoutDirectoryTimes(all map[string]entry) map[string]entry {
	for name, e := range all {
		if e.Mode.IsDir() || name == manifest.Name {
			e.Time = time.Time{}
			all[name] = e
		}
	}
	return all
}

// copyTree copies a tree with its modes and mtimes.
func copyTree(t *testing.T, from string) string {
	t.Helper()
	to, err := os.MkdirTemp(t.TempDir(), "copy")
	must(t, err)
	for name, e := range snapshot(t, from) {
		file := filepath.Join(to, name)
		if e.Mode.IsDir() {
			must(t, os.MkdirAll(file, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(e.Content), e.Mode))
		must(t, os.Chtimes(file, e.Time, e.Time))
	}
	return to
}

// TestLockedByAnotherProcess checks that a build waits for another process, reports
// that once, and then runs.
func TestLockedByAnotherProcess(t *testing.T) {
	dir := plant(t, base())
	cmd := otherProcess(t, child{Dir: dir, Hold: true})
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line := make([]byte, len("locked\n"))
	if _, err := stdout.Read(line); err != nil || !bytes.HasPrefix(line, []byte("locked")) {
		t.Fatalf("%q, %v", line, err)
	}
	opts := fast()
	waited := 0
	opts.Waiting = func() {
		waited++
		wantNoFiles(t, dir, siblings("app.js")...)
		stdin.Close()
	}
	build(t, dir, opts)
	must(t, cmd.Wait())
	if waited != 1 {
		t.Errorf("waited %d times", waited)
	}
	wantTrue(t, dir, dir)
}
