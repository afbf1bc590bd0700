package examples_test

import (
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/precompress/precompress/internal/testneeds"
	"github.com/precompress/precompress/manifest"
)

// action is the part of the composite action that the tests use.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct{ Steps []actionStep }
}

type actionStep struct {
	ID, Name, Run string
	Env           map[string]string
}

func TestGitHubAction(t *testing.T) {
	testneeds.Programs(t, "bash", "git")
	text := read(t, "../.github/actions/precompress/action.yml")
	installs(t, text)
	var a action
	if err := yaml.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	workspace := t.TempDir()
	for name, dir := range map[string]string{"dist": "dist", "a name with spaces": "-my site"} {
		t.Run(name, func(t *testing.T) {
			site := filepath.Join(workspace, dir)
			if err := os.CopyFS(site, os.DirFS("../testdata/site")); err != nil {
				t.Fatal(err)
			}
			a.run(t, workspace, "Compress", map[string]string{"path": dir})
			compressed(t, site)
		})
	}

	// Arguments are neither split at spaces nor expanded as globs.
	write(t, filepath.Join(workspace, "index.html"), "")
	args := map[string]string{"path": "dist", "args": "--exclude\n*.html\n--exclude\na b.txt\n"}
	a.run(t, workspace, "Compress", args)
	m, err := manifest.Decode([]byte(read(t, workspace, "dist", manifest.Name)))
	if err != nil {
		t.Fatal(err)
	}
	for _, asset := range m.Assets {
		if strings.HasSuffix(asset.Path, ".html") {
			t.Errorf("%s was not excluded", asset.Path)
		}
	}

	name := func(args string) string {
		return a.run(t, workspace, "Name the cache", map[string]string{"args": args})
	}
	plain, again, fast := name(""), name(""), name("--level\nbr=9")
	if !regexp.MustCompile(`(?m)^id=[0-9a-f]{40,}$`).MatchString(plain) {
		t.Errorf("the cache is called %q", plain)
	}
	if plain != again || plain == fast {
		t.Error("the cache's name does not depend on the flags alone")
	}
	write(t, filepath.Join(workspace, "precompress.toml"), "level.br = 9\n")
	if name("") == plain {
		t.Error("the cache's name does not depend on the configuration file")
	}
	if !strings.Contains(plain, "PRECOMPRESS_CACHE_DIR="+workspace) {
		t.Error("the cache directory is not set")
	}
}

// run runs a step as GitHub does. The workspace is also the runner's directory for
// temporary files. It returns the outputs and environment variables that the step sets.
func (a action) run(t *testing.T, workspace, step string, inputs map[string]string) string {
	t.Helper()
	values := map[string]string{"runner.temp": workspace}
	for name, input := range a.Inputs {
		values["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		values["inputs."+name] = value
	}
	for _, s := range a.Runs.Steps {
		if s.Name != step {
			continue
		}
		set := filepath.Join(t.TempDir(), "set")
		command := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		command.Dir = workspace
		command.Env = append(os.Environ(), "GITHUB_OUTPUT="+set, "GITHUB_ENV="+set)
		for name, expression := range s.Env {
			key := strings.TrimSpace(strings.Trim(expression, "${}"))
			key, rest, _ := strings.Cut(key, " }}")
			value, known := values[key]
			if !known {
				t.Fatalf("%s: the test has no value for %s", step, expression)
			}
			command.Env = append(command.Env, name+"="+value+rest)
		}
		output(t, command)
		if _, err := os.Stat(set); err != nil {
			return ""
		}
		return read(t, set)
	}
	t.Fatalf("the action has no step %q", step)
	return ""
}

// TestGitHubWorkflows checks the inputs that workflows pass to the action, and that
// precompress accepts the flags in them. actionlint checks everything else.
func TestGitHubWorkflows(t *testing.T) {
	testneeds.Programs(t, "bash")
	var a action
	if err := yaml.Unmarshal([]byte(read(t, "../.github/actions/precompress/action.yml")), &a); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"github-actions/workflow.yml", "../.github/workflows/ci.yml"} {
		var workflow struct {
			Jobs map[string]struct {
				Steps []struct {
					Uses string
					With map[string]string
				}
			}
		}
		if err := yaml.Unmarshal([]byte(read(t, file)), &workflow); err != nil {
			t.Fatal(err)
		}
		uses := 0
		for _, job := range workflow.Jobs {
			for _, step := range job.Steps {
				if !strings.Contains(step.Uses, ".github/actions/precompress") {
					continue
				}
				uses++
				for name := range step.With {
					if _, known := a.Inputs[name]; !known {
						t.Errorf("%s: the action has no input %q", file, name)
					}
				}
				a.runArgs(t, file, step.With["args"])
			}
		}
		if uses != 1 {
			t.Errorf("%s uses the action %d times, want once", file, uses)
		}
	}
}

// runArgs compresses a tree like Vite's with a workflow's flags, and then its next
// release.
func (a action) runArgs(t *testing.T, file, args string) {
	t.Run(filepath.Base(file), func(t *testing.T) {
		workspace := t.TempDir()
		site := filepath.Join(workspace, "dist")
		if err := os.CopyFS(site, os.DirFS("../testdata/site")); err != nil {
			t.Fatal(err)
		}
		first := read(t, site, script)
		write(t, filepath.Join(site, "assets", "index-29PPa-E8.js"), first)
		a.run(t, workspace, "Compress", map[string]string{"path": "dist", "args": args})
		if !strings.Contains(args, "--releases") {
			compressed(t, site)
			return
		}
		store := filepath.Join(workspace, "releases")
		compressed(t, site, "--releases", store)
		if err := os.Remove(filepath.Join(site, "assets", "index-29PPa-E8.js")); err != nil {
			t.Fatal(err)
		}
		next := filepath.Join("assets", "index-7kQm2-Zx.js")
		write(t, filepath.Join(site, next), first+"\n// Changed.\n")
		a.run(t, workspace, "Compress", map[string]string{"path": "dist", "args": args})
		compressed(t, site, "--releases", store)
		read(t, site, manifest.DeltaName(next, sha256.Sum256([]byte(first)), manifest.DCB))
	})
}
