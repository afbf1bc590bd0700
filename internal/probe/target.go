package probe

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Target is a URL to probe.
type Target struct {
	URL   *url.URL        // absolute; see [ParseURL]
	Asset *manifest.Asset // the asset in the build's manifest that it should be; nil if unknown
}

// ParseURL parses a URL that can be probed: absolute, http or https, with a host. A user
// and a password in it are sent in Authorization. The error does not repeat what may be
// a password.
func ParseURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, parseError(s, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		if hasScheme(s) {
			return nil, fmt.Errorf("URL scheme %s cannot be probed: write http:// or https://", shown(u.Scheme))
		}
		return nil, errors.New("URL without a scheme: write it like https://www.example.com/")
	}
	if u.Hostname() == "" {
		return nil, errors.New("URL without a host: write it like https://www.example.com/")
	}
	if err := checkPort(u.Port()); err != nil {
		return nil, err
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", "" // is never sent
	return u, nil
}

// checkPort returns an error unless a port, if there is one, can be connected to.
func checkPort(port string) error {
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return fmt.Errorf("URL with port %s: write one from 1 to 65535, or none", shown(port))
	}
	return nil
}

// hasScheme distinguishes "file:///etc" from "localhost:8080/a" and "www.example.com".
func hasScheme(s string) bool {
	_, rest, found := strings.Cut(s, ":")
	return found && (rest == "" || rest[0] < '0' || rest[0] > '9')
}

// parseError describes an error of net/url without the URL, and without what it quotes
// where that may be a password.
func parseError(s string, err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	switch {
	case strings.Contains(s, "@"):
		return errors.New("URL cannot be parsed: write it like https://user:password@www.example.com/, with %40 for @ and %23 for # in user and password")
	case strings.Contains(err.Error(), "first path segment"): // 127.0.0.1:8080
		return errors.New("URL without a scheme: write it like https://www.example.com/")
	}
	return fmt.Errorf("URL cannot be parsed: %s", shown(err.Error()))
}

// withoutUser returns a URL for messages: it has no user and password.
func withoutUser(u *url.URL) string {
	b := *u
	b.User = nil
	return b.String()
}

// Assets returns a target for each asset of a manifest whose tree is served at base, the
// URL of a directory: a slash is added to its path if there is none. Paths are
// percent-encoded, byte by byte where they are not UTF-8. Pages have the names of their
// files, index.html among them: servers may redirect from there to the directory.
func Assets(base *url.URL, m *manifest.Manifest) ([]Target, error) {
	if base.RawQuery != "" || base.ForceQuery {
		return nil, errors.New("the URL of a directory has no query: remove everything from the question mark on")
	}
	directory := *base
	if !strings.HasSuffix(directory.Path, "/") {
		directory.Path += "/"
		if directory.RawPath != "" {
			directory.RawPath += "/"
		}
	}
	var targets []Target
	for i := range m.Assets {
		asset := &m.Assets[i]
		u := directory
		u.Path = directory.Path + asset.Path
		u.RawPath = directory.EscapedPath() + escapePath(asset.Path)
		targets = append(targets, Target{&u, asset})
	}
	return targets, nil
}

func escapePath(path string) string {
	elements := strings.Split(path, "/")
	for i, e := range elements {
		elements[i] = url.PathEscape(e)
	}
	return strings.Join(elements, "/")
}

// Sample picks n targets with assets, or all if there are fewer. The choice depends only
// on the assets. File types, by extension, take turns until n are picked, those with the
// most files first. Within a type, the files picked are evenly spaced from the largest to
// the smallest. The order of the targets stays.
func Sample(targets []Target, n int) []Target {
	if n >= len(targets) {
		return targets
	}
	groups := byType(targets)
	take := make([]int, len(groups))
	for left := n; left > 0; {
		for i := range groups {
			if left > 0 && take[i] < len(groups[i]) {
				take[i]++
				left--
			}
		}
	}
	var picked []int
	for i, g := range groups {
		picked = append(picked, spread(g, take[i])...)
	}
	slices.Sort(picked)
	sample := make([]Target, len(picked))
	for i, at := range picked {
		sample[i] = targets[at]
	}
	return sample
}

// byType returns the indices of the targets of each type, the largest file first.
func byType(targets []Target) [][]int {
	indices := make(map[string][]int)
	for i, t := range targets {
		ext := strings.ToLower(path.Ext(t.Asset.Path))
		indices[ext] = append(indices[ext], i)
	}
	var groups [][]int
	for _, g := range indices {
		slices.SortFunc(g, func(a, b int) int {
			return cmp.Or(cmp.Compare(targets[b].Asset.Size, targets[a].Asset.Size), cmp.Compare(a, b))
		})
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(slices.Min(a), slices.Min(b)))
	})
	return groups
}

// spread picks n evenly spaced elements of a group, the first and the last among them.
func spread(group []int, n int) []int {
	var picked []int
	for k := range n {
		at := 0
		if n > 1 {
			at = k * (len(group) - 1) / (n - 1)
		}
		picked = append(picked, group[at])
	}
	return picked
}
