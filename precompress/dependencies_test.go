package precompress_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// TestDependencies holds that programs which import the library or its cache
// do not link a client for S3: only the command does.
func TestDependencies(t *testing.T) {
	const module = "github.com/precompress/precompress/"
	for _, name := range []string{"precompress", "precompress/cache", "serve", "serve/decode", "internal/probe", "manifest"} {
		out, err := exec.Command("go", "list", "-deps", module+name).Output()
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("needs go: not found on PATH")
		}
		if err != nil {
			t.Fatal(err)
		}
		for dep := range strings.FieldsSeq(string(out)) {
			if strings.HasPrefix(dep, "github.com/minio/") || dep == module+"precompress/cache/s3" {
				t.Errorf("package %s depends on %s", name, dep)
			}
		}
	}
}
