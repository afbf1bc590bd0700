package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/precompress/precompress/internal/testneeds"
)

// installs checks that a text installs commands of this module, and that they exist.
func installs(t *testing.T, text string) {
	t.Helper()
	found := regexp.MustCompile(`go install "?(github\.com/precompress/precompress[\w/.-]*)@`).FindAllStringSubmatch(text, -1)
	if found == nil {
		t.Error("the text installs no command of this module")
	}
	for _, match := range found {
		if name := run(t, ".", "go", "list", "-f", "{{.Name}}", match[1]); name != "main\n" {
			t.Errorf("%s is package %s, not a command", match[1], name)
		}
	}
}

// compressesDist checks that shell commands compress the directory dist.
func compressesDist(t *testing.T, commands ...string) {
	t.Helper()
	testneeds.Programs(t, "sh")
	dir := t.TempDir()
	dist := filepath.Join(dir, "dist")
	if err := os.CopyFS(dist, os.DirFS("../testdata/site")); err != nil {
		t.Fatal(err)
	}
	for _, text := range commands {
		command := exec.Command("sh", "-e", "-c", text)
		command.Dir = dir
		output(t, command)
	}
	compressed(t, dist)
}
