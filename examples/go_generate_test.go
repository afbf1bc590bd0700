package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestGoGenerate(t *testing.T) {
	dir := example(t, "go-generate")
	module, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	// The versions of all dependencies are those in this module's go.sum. Its build
	// has downloaded them, and go mod graph downloads the other go.mod files that go
	// get reads. After that nothing is downloaded.
	run(t, module, "go", "mod", "graph")
	write(t, filepath.Join(dir, "go.sum"), read(t, module, "go.sum"))
	golang := func(args ...string) {
		t.Helper()
		command := exec.Command("go", args...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
		output(t, command)
	}
	golang("mod", "edit", "-replace=github.com/precompress/precompress="+module)
	golang("get", "-tool", "github.com/precompress/precompress/cmd/precompress")
	golang("generate")
	compressed(t, filepath.Join(dir, "dist"))
	golang("vet")
	golang("test")
	golang("build", "-o", "site")

	address := freeAddress(t)
	start(t, address, exec.Command(filepath.Join(dir, "site"), "-addr", address))
	for _, coding := range []string{"br", "zstd", "gzip", ""} {
		ask(t, address, filepath.Join(dir, "dist"), question{"/style.css", coding, coding, "text/css", validate})
	}
}
