package codec

import (
	"os"
	"strings"
	"testing"
)

// TestVersions: a test binary, which does not know the modules it has, gives encoders
// the versions of go.mod, as the command does. So a test can check what it built.
func TestVersions(t *testing.T) {
	data, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for module, version := range map[string]string{
		"github.com/molecule-man/go-brrr": brrrVersion, "github.com/klauspost/compress": klauspostVersion,
	} {
		if !strings.Contains(string(data), "\t"+module+" "+version+"\n") {
			t.Errorf("go.mod does not require %s %s: correct the constant", module, version)
		}
	}
	for c, name := range ReadVersions() {
		if strings.Contains(name, "unknown") || strings.Contains(name, "devel") {
			t.Errorf("%s: %q", c, name)
		}
	}
}
