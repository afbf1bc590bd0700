package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// tree is what a release holds, by path.
type tree map[string]string

func (tr tree) sources() []Source {
	var list []Source
	for path, data := range tr {
		list = append(list, Source{
			Path: path, Size: int64(len(data)), Digest: manifest.Sum([]byte(data)),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil },
		})
	}
	return list
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openStore(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := OpenStore(dir)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func add(t testing.TB, s *Store, name string, tr tree, want bool) {
	t.Helper()
	changed, err := s.Add(t.Context(), name, tr.sources())
	must(t, err)
	if changed != want {
		t.Errorf("adding %q: changed %t", name, changed)
	}
}

// held reads every release of a store. It fails on any fault.
func held(t testing.TB, s *Store) []tree {
	t.Helper()
	var all []tree
	for _, r := range s.Releases() {
		all = append(all, treeOf(t, r))
	}
	return all
}

func treeOf(t testing.TB, r *Release) tree {
	t.Helper()
	got := make(tree)
	for _, f := range r.Files() {
		data, err := r.Read(t.Context(), f)
		must(t, err)
		got[f.Path] = string(data)
	}
	return got
}

func wantHeld(t testing.TB, s *Store, want ...tree) {
	t.Helper()
	if diff := cmp.Diff(want, held(t, s)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(s.Damaged()) > 0 {
		t.Errorf("damaged: %v", s.Damaged())
	}
}

func filesIn(t testing.TB, dir string) []string {
	t.Helper()
	var list []string
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, path)
		}
		return err
	}))
	return list
}

var (
	first  = tree{"a.js": "one", "b/c.css": "same", "empty": ""}
	second = tree{"a.js": "two", "b/c.css": "same"}
	third  = tree{"a.js": "three"}
)

// TestStore follows a store through releases: a rebuild changes nothing, a
// rollback moves one, and the same steps give the same directory.
func TestStore(t *testing.T) {
	t.Parallel()
	dir, twin := filepath.Join(t.TempDir(), "a", "store"), filepath.Join(t.TempDir(), "store")
	for _, dir := range []string{dir, twin} {
		s := openStore(t, dir)
		wantHeld(t, s)
		must(t, s.Keep(t.Context(), 3))
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the directory is there before anything was added")
		}
		add(t, s, "v1", first, true)
		add(t, s, "v1 again", first, false)
		add(t, s, "", second, true)
		wantHeld(t, s, second, first)
		if r := s.Releases(); r[1].Name != "v1" || r[0].Name != r[0].ID || len(r[0].ID) != 16 {
			t.Errorf("named %q and %q, %q", r[1].Name, r[0].Name, r[0].ID)
		}
		s = openStore(t, dir)
		add(t, s, "v1", first, true)
		wantHeld(t, s, first, second)
		add(t, s, "v3", third, true)
		wantHeld(t, openStore(t, dir), third, first, second)
		must(t, s.Keep(t.Context(), 2))
		wantHeld(t, s, third, first)
		wantHeld(t, openStore(t, dir), third, first)
	}
	// The marker, two records, and the contents one, same, "" and three.
	files := filesIn(t, dir)
	if len(files) != 7 {
		t.Errorf("the store has %q", files)
	}
	for i, other := range filesIn(t, twin) {
		a, errA := os.ReadFile(files[i])
		b, errB := os.ReadFile(other)
		if errA != nil || errB != nil || !bytes.Equal(a, b) || filepath.Base(files[i]) != filepath.Base(other) {
			t.Errorf("%s and %s differ", files[i], other)
		}
	}
	s := openStore(t, dir)
	must(t, s.Keep(t.Context(), 0))
	if files := filesIn(t, dir); len(files) != 1 {
		t.Errorf("the empty store has %q", files)
	}
	if err := s.Keep(t.Context(), -1); err == nil {
		t.Error("-1 was taken")
	}
}

// TestSame: by digests alone, so unknown ones are never the same.
func TestSame(t *testing.T) {
	s := openStore(t, t.TempDir())
	add(t, s, "", first, true)
	r := s.Releases()[0]
	unknown := first.sources()
	unknown[1].Digest = 0
	for name, c := range map[string]struct {
		sources []Source
		want    bool
	}{
		"same": {first.sources(), true}, "other": {second.sources(), false}, "none": {nil, false}, "unknown": {unknown, false},
		"with a name that cannot be stored": {append(first.sources(), Source{Path: "\xff"}), true},
	} {
		if got := r.Same(c.sources); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
	opened := 0
	counted := first.sources()
	for i := range counted {
		open := counted[i].Open
		counted[i].Open = func() (io.ReadCloser, error) { opened++; return open() }
	}
	if changed, err := s.Add(t.Context(), "", counted); changed || err != nil || opened > 0 {
		t.Errorf("got %t, %v and %d files opened", changed, err, opened)
	}
	changed, err := s.Add(t.Context(), "", unknown)
	if changed || err != nil {
		t.Errorf("without a digest: got %t, %v", changed, err)
	}
}

// TestAddFails: nothing becomes a release that is not what it was said to be.
func TestAddFails(t *testing.T) {
	t.Parallel()
	fault := errors.New("fault")
	edit := func(f func(*Source)) []Source {
		list := first.sources()
		f(&list[0])
		return list
	}
	for name, c := range map[string]struct {
		release string
		sources []Source
		word    string
	}{
		"size":   {"", edit(func(s *Source) { s.Size++ }), "bytes"},
		"digest": {"", edit(func(s *Source) { s.Digest ^= 1 }), "changed in the meantime"},
		"open":   {"", edit(func(s *Source) { s.Open = func() (io.ReadCloser, error) { return nil, fault } }), "fault"},
		"twice":  {"", append(first.sources(), first.sources()...), "twice"},
		"name":   {"a\nb", first.sources(), "printable"},
		"long":   {strings.Repeat("a", 300), first.sources(), "255"},
	} {
		s := openStore(t, t.TempDir())
		add(t, s, "", second, true)
		if changed, err := s.Add(t.Context(), c.release, c.sources); err == nil || changed || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%s: got %t, %v", name, changed, err)
		}
		wantHeld(t, s, second)
	}
	s := openStore(t, t.TempDir())
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Add(done, "", first.sources()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	wantHeld(t, s)
}

// TestLargeSource: it is listed and cannot be read, and is not stored.
func TestLargeSource(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	zeros := func(size int64) []Source {
		return []Source{{Path: "big.js", Size: size, Digest: 7, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(io.LimitReader(zeroReader{}, MaxFile+1)), nil
		}}}
	}
	if _, err := s.Add(t.Context(), "", zeros(MaxFile+2)); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
	for _, want := range []bool{true, false} {
		if changed, err := s.Add(t.Context(), "", zeros(MaxFile+1)); changed != want || err != nil {
			t.Errorf("got %t, %v", changed, err)
		}
	}
	must(t, s.Keep(t.Context(), 1))
	r := s.Releases()[0]
	if _, err := r.Read(t.Context(), r.Files()[0]); !errors.Is(err, errTooLarge) {
		t.Errorf("got %v", err)
	}
	if files := filesIn(t, s.dir); len(files) != 2 {
		t.Errorf("the store has %q", files)
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestDamagedContent: it is noticed when it is read, and repaired by the next
// build that has the same source.
func TestDamagedContent(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(path string) error{
		"flipped": func(path string) error { return os.WriteFile(path, []byte("One"), 0o666) },
		"longer":  func(path string) error { return os.WriteFile(path, []byte("one more"), 0o666) },
		"cut":     func(path string) error { return os.Truncate(path, 1) },
		"gone":    os.Remove,
		"linked": func(path string) error {
			return errors.Join(os.Remove(path), os.Symlink(filepath.Join(os.TempDir(), "elsewhere"), path))
		},
	} {
		dir := t.TempDir()
		s := openStore(t, dir)
		add(t, s, "", first, true)
		r := s.Releases()[0]
		a := r.Files()[0]
		must(t, damage(filepath.Join(dir, filepath.FromSlash(contentName(a.SHA256)))))
		if _, err := r.Read(t.Context(), a); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "a.js") {
			t.Errorf("%s: got %v", name, err)
		}
		if data, err := r.Read(t.Context(), r.Files()[1]); err != nil || string(data) != "same" {
			t.Errorf("%s: the other file: %q, %v", name, data, err)
		}
		add(t, s, "", first, false)
		wantHeld(t, s, first)
	}
}

// TestDamagedRecord: its release is left out with a warning, the others stay, and
// Keep tidies up.
func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(data []byte) []byte{
		"empty":   func([]byte) []byte { return nil },
		"cut":     func(data []byte) []byte { return data[:len(data)/2] },
		"another": func(data []byte) []byte { return bytes.Replace(data, []byte("a.js"), []byte("b.js"), 1) },
		"upwards": func(data []byte) []byte { return bytes.Replace(data, []byte("a.js"), []byte("../a"), 1) },
		"more":    func(data []byte) []byte { return append(data, "{}"...) },
		"older": func(data []byte) []byte {
			return bytes.Replace(data, []byte(`"version": 1`), []byte(`"version": 0`), 1)
		},
	} {
		dir := t.TempDir()
		s := openStore(t, dir)
		add(t, s, "", first, true)
		add(t, s, "", second, true)
		path := filepath.Join(dir, filepath.FromSlash(recordName(2, s.Releases()[0].ID)))
		data, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, damage(data), 0o666))
		s = openStore(t, dir)
		if list := s.Damaged(); len(list) != 1 || !errors.Is(list[0], ErrDamaged) || !strings.Contains(list[0].Error(), filepath.Base(path)) {
			t.Errorf("%s: warnings %v", name, list)
		}
		if diff := cmp.Diff([]tree{first}, held(t, s)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		add(t, s, "", second, true)
		must(t, s.Keep(t.Context(), 2))
		wantHeld(t, s, second, first)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the record is still there: %v", name, err)
		}
	}
}

// TestNewerStore: an older program keeps off.
func TestNewerStore(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	add(t, s, "", first, true)
	must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(recordName(2, "0123456789abcdef"))), []byte(`{"version":2,"x":1}`), 0o666))
	before := filesIn(t, dir)
	_, err := OpenStore(dir)
	_, errAdd := s.Add(t.Context(), "", second.sources())
	for _, err := range []error{err, errAdd, s.Keep(t.Context(), 0)} {
		if !errors.Is(err, ErrVersion) {
			t.Errorf("got %v", err)
		}
	}
	if after := filesIn(t, dir); !slices.Equal(before, after) {
		t.Errorf("before %q, after %q", before, after)
	}
}

// TestNotStore: a directory with anything else in it is refused and not touched.
func TestNotStore(t *testing.T) {
	for name, content := range map[string]string{
		"a.txt":           "mine",
		osfile.MarkerName: "Signature: 8a477f597d28d172789f06886806bc55\n# This directory is a cache of precompress.\n",
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
		if _, err := OpenStore(dir); !errors.Is(err, ErrNotStore) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v", name, err)
		}
		late := openStore(t, filepath.Join(dir, "x"))
		late.dir = dir // it was empty when it was opened
		if _, err := late.Add(t.Context(), "", first.sources()); !errors.Is(err, ErrNotStore) {
			t.Errorf("%s: got %v", name, err)
		}
		if files := filesIn(t, dir); len(files) != 1 {
			t.Errorf("%s: the directory has %q", name, files)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o666))
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		if _, err := OpenStore(dir); !errors.Is(err, ErrNotDirectory) {
			t.Errorf("%s: got %v", dir, err)
		}
	}
}

// TestForeignFiles: what is not ours in a store is left alone.
func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	add(t, s, "", first, true)
	for _, name := range []string{"note.txt", "releases/note.json", "content/note", "content/zz/x", "content/2c/note"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must(t, os.WriteFile(path, []byte("mine"), 0o666))
	}
	must(t, s.Keep(t.Context(), 0))
	if files := filesIn(t, dir); len(files) != 6 {
		t.Errorf("the store has %q", files)
	}
}

var errKilled = errors.New("killed")

// TestKilled ends adding and keeping before each of their steps in turn: what is
// left is a store with the releases of before or after, all of which can be read,
// and the next run makes it what it should be, with nothing left over.
func TestKilled(t *testing.T) {
	t.Parallel()
	type run func(s *Store) error
	keep := func(s *Store) error { return s.Keep(t.Context(), 2) }
	adding := func(tr tree) run {
		return func(s *Store) error { _, err := s.Add(t.Context(), "", tr.sources()); return err }
	}
	for name, c := range map[string]struct {
		before []tree // oldest first
		change run
		after  []tree // newest first
	}{
		"the first":  {nil, adding(first), []tree{first}},
		"another":    {[]tree{first}, adding(second), []tree{second, first}},
		"a rollback": {[]tree{first, second}, adding(first), []tree{first, second}},
		"keep":       {[]tree{first, second, third}, keep, []tree{third, second}},
	} {
		kills := 0
		for {
			dir := filepath.Join(t.TempDir(), "store")
			s := openStore(t, dir)
			for _, tr := range c.before {
				add(t, s, "", tr, true)
			}
			was := held(t, s)
			steps := 0
			s.before = func(op, name string) error {
				if steps++; steps > kills {
					return errKilled
				}
				return nil
			}
			err := c.change(s)
			if err == nil {
				wantHeld(t, s, c.after...)
				break
			}
			if !errors.Is(err, errKilled) {
				t.Fatalf("%s: %v", name, err)
			}
			s = openStore(t, dir)
			got := held(t, s)
			if !cmp.Equal(got, was) && !cmp.Equal(got, c.after) && !isBetween(got, was, c.after) || len(s.Damaged()) > 0 {
				t.Errorf("%s, killed at step %d: got %v; %v", name, kills, got, s.Damaged())
			}
			must(t, c.change(s))
			must(t, keep(s))
			wantHeld(t, s, c.after...)
			checkTidy(t, s)
			kills++
		}
		if kills < 3 {
			t.Errorf("%s: only %d steps", name, kills)
		}
	}
}

// isBetween reports whether some of the older releases were dropped already.
func isBetween(got, was, after []tree) bool {
	return len(got) >= len(after) && len(got) <= len(was) && cmp.Equal(got[:len(after)], after)
}

// checkTidy checks that a store holds nothing but what its releases need.
func checkTidy(t *testing.T, s *Store) {
	t.Helper()
	want := map[string]bool{osfile.MarkerName: true}
	for _, r := range s.releases {
		want[recordName(r.number, r.ID)] = true
		for _, f := range r.files {
			want[contentName(f.SHA256)] = true
		}
	}
	for _, path := range filesIn(t, s.dir) {
		name, err := filepath.Rel(s.dir, path)
		must(t, err)
		if !want[filepath.ToSlash(name)] {
			t.Errorf("%s is left over", name)
		}
	}
}

// TestManyAtOnce: stores of one directory, as of several processes, add and drop
// releases; the newest can always be read by who added it.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "store")
	const runs, rounds = 4, 8
	var group sync.WaitGroup
	for run := range runs {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(run), 1))
			for round := range rounds {
				s, err := OpenStore(dir)
				if err != nil {
					t.Error(err)
					return
				}
				tr := tree{"a.js": fmt.Sprint(run, round), "b.js": fmt.Sprint(random.IntN(3))}
				_, err = s.Add(t.Context(), "", tr.sources())
				if err = errors.Join(err, s.Keep(t.Context(), runs*rounds), s.Close()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	s := openStore(t, dir)
	if n := len(held(t, s)); n != runs*rounds {
		t.Errorf("%d releases in place of %d", n, runs*rounds)
	}
	checkTidy(t, s)
}

// TestReadOnly: opening a store and reading it writes nothing, also where the
// directory is empty.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	wantHeld(t, s)
	must(t, s.Keep(t.Context(), 1))
	if files := filesIn(t, dir); len(files) != 0 {
		t.Errorf("the directory has %q", files)
	}
	add(t, s, "", first, true)
	before := filesIn(t, dir)
	wantHeld(t, openStore(t, dir), first)
	if after := filesIn(t, dir); !slices.Equal(before, after) {
		t.Errorf("before %q, after %q", before, after)
	}
}
