package precompress_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// site returns a directory like the output of another build tool. The caller removes
// it.
func site() string {
	dir, err := os.MkdirTemp("", "site")
	if err != nil {
		log.Fatal(err)
	}
	page := "<!doctype html><title>Hello</title>" + strings.Repeat("<p>Hello, world!</p>\n", 50)
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o644); err != nil {
		log.Fatal(err)
	}
	return dir
}

// Build a tree from a Go program.
func ExampleBuild() {
	dir := site()
	defer os.RemoveAll(dir)

	result, err := precompress.Build(context.Background(), dir, precompress.Options{})
	if err != nil {
		log.Fatal(err) // nothing was built
	}
	if err := result.Err(); err != nil {
		log.Print(err) // some files failed, the others were built
	}
	for _, total := range result.Totals() {
		fmt.Println(total.Coding, total.Files, total.After < total.Before)
	}
	// Output:
	// br 1 true
	// zstd 1 true
	// gzip 1 true
}

// Inspect a plan before running it.
func ExampleTree_Plan() {
	dir := site()
	defer os.RemoveAll(dir)

	ctx := context.Background()
	tree, err := precompress.Open(ctx, dir, precompress.Options{Codings: []manifest.Coding{manifest.Gzip}})
	if err != nil {
		log.Fatal(err)
	}
	defer tree.Close()
	plan, err := tree.Plan(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, task := range plan.Assets {
		for _, step := range task.Steps {
			fmt.Printf("%s: %s: %s (%s)\n", task.Path, step.Coding, step.Action, step.Reason.Text())
		}
	}
	result, err := tree.Run(ctx, plan)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Err())
	// Output:
	// index.html: gzip: encode (not built before)
	// <nil>
}

// Fail a test if the committed variants are not up to date.
func ExampleTree_Problems() {
	dir := site()
	defer os.RemoveAll(dir)

	ctx := context.Background()
	tree, err := precompress.OpenReadOnly(ctx, dir, precompress.Options{Codings: []manifest.Coding{manifest.Brotli}})
	if err != nil {
		log.Fatal(err)
	}
	defer tree.Close()
	plan, err := tree.Plan(ctx)
	if err != nil {
		log.Fatal(err)
	}
	problems, err := tree.Problems(ctx, plan)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range problems {
		fmt.Printf("%s: %s: %s: %s\n", p.Path, p.Coding, p.Kind, p.Text) // in a test: t.Errorf
	}
	// Output:
	// index.html: br: missing: not built before
}

// Remove everything that builds wrote.
func ExampleTree_Clean() {
	dir := site()
	defer os.RemoveAll(dir)

	ctx := context.Background()
	if _, err := precompress.Build(ctx, dir, precompress.Options{}); err != nil {
		log.Fatal(err)
	}
	tree, err := precompress.OpenReadOnly(ctx, dir, precompress.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer tree.Close()
	plan, err := tree.PlanClean(ctx)
	if err != nil {
		log.Fatal(err)
	}
	result, err := tree.Clean(ctx, plan)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range result.Removed {
		fmt.Println(f.Path)
	}
	// Output:
	// index.html.br
	// index.html.gz
	// index.html.zst
	// precompress-manifest.json
}
