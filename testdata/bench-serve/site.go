package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
)

// site is the tree that every server serves.
type site struct {
	dir     string
	variant []byte // the brotli variant of asset
}

const asset = "app.js"

// makeSite makes a tree in base with an asset whose brotli variant has about 30 kB.
func makeSite(ctx context.Context, command, base string) (site, error) {
	s := site{dir: filepath.Join(base, "site")}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		return s, err
	}
	random := make([]byte, 29_900)
	rand.NewChaCha8([32]byte{}).Read(random) // the same every time
	text := fmt.Sprintf("export default %q;\n", base64.StdEncoding.EncodeToString(random))
	if err := os.WriteFile(filepath.Join(s.dir, asset), []byte(text), 0o644); err != nil {
		return s, err
	}
	build := exec.CommandContext(ctx, command, "--quiet", "--codings", "br", s.dir)
	if out, err := build.CombinedOutput(); err != nil {
		return s, fmt.Errorf("%s: %w: %s", build, err, out)
	}
	var err error
	s.variant, err = os.ReadFile(filepath.Join(s.dir, asset+".br"))
	return s, err
}
