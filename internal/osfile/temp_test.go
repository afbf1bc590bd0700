package osfile_test

import (
	"testing"

	"github.com/precompress/precompress/internal/osfile"
)

func TestTempNames(t *testing.T) {
	name := osfile.TempName()
	if !osfile.IsTempName(name) || osfile.TempName() == name {
		t.Errorf("%q", name)
	}
	for _, other := range []string{"", ".precompress-.tmp", ".precompress-0123456789abcde.tmp", ".precompress-0123456789abcdeF.tmp", "x" + name, name + "x"} {
		if osfile.IsTempName(other) {
			t.Errorf("%q is taken for one of ours", other)
		}
	}
}
