package examples_test

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestGitLab(t *testing.T) {
	var pipeline struct {
		Stages   []string
		Site     gitlabJob
		Compress gitlabJob
	}
	decoder := yaml.NewDecoder(strings.NewReader(read(t, "gitlab", ".gitlab-ci.yml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&pipeline); err != nil {
		t.Fatal(err)
	}
	job := pipeline.Compress
	for _, stage := range []string{pipeline.Site.Stage, job.Stage} {
		if !slices.Contains(pipeline.Stages, stage) {
			t.Errorf("no stage is called %q", stage)
		}
	}
	directory, inside := strings.CutPrefix(job.Variables["PRECOMPRESS_CACHE_DIR"], "$CI_PROJECT_DIR/")
	if !inside || !slices.Contains(job.Cache.Paths, directory) {
		t.Errorf("the cache directory %q is not one of the cached paths %q", directory, job.Cache.Paths)
	}
	installs(t, strings.Join(job.BeforeScript, "\n"))
	compressesDist(t, job.Script...)
}

type gitlabJob struct {
	Stage        string
	Image        string
	Needs        []string
	Variables    map[string]string
	BeforeScript []string `yaml:"before_script"`
	Script       []string
	Cache        struct {
		Key   string
		Paths []string
		When  string
	}
	Artifacts struct{ Paths []string }
}
