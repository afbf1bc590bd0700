package s3

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// form is the form of an address.
const form = "s3://BUCKET/PREFIX?endpoint=URL&region=NAME"

// maxPrefix bounds a prefix, so that object names stay within the 1,024 bytes
// that S3 allows.
const maxPrefix = 900

// address is the place of the objects.
type address struct {
	bucket, prefix string
	region         string
	endpoint       *url.URL // only scheme and host
}

// parseAddress parses a URL of the form s3://BUCKET/PREFIX. Endpoint and region come
// from its query, or else from the environment. The errors never quote what may hold a
// secret.
func parseAddress(text string) (address, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return address{}, fmt.Errorf("the address is not a URL: write it like %s", form)
	case u.Scheme != "s3":
		return address{}, fmt.Errorf("the address does not start with s3://: write it like %s", form)
	case u.User != nil:
		return address{}, errors.New("credentials do not belong in the address: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	case u.Fragment != "" || strings.HasSuffix(text, "#"):
		return address{}, errors.New(`the address has a "#": write it as %23`)
	}
	a := address{bucket: u.Host, prefix: strings.Trim(u.Path, "/")}
	if err := s3utils.CheckValidBucketNameStrict(a.bucket); err != nil {
		return address{}, fmt.Errorf("%q is not the name of a bucket: write the address like %s", a.bucket, form)
	}
	if err := checkPrefix(a.prefix); err != nil {
		return address{}, err
	}
	endpoint, region, err := parseQuery(u)
	if err != nil {
		return address{}, err
	}
	if a.endpoint, err = chooseEndpoint(endpoint); err != nil {
		return address{}, err
	}
	a.region = cmp.Or(region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	if a.region == "" && !a.amazon() {
		a.region = "us-east-1" // the only region of most stores that are not Amazon's
	}
	return a, nil
}

// amazon reports whether the endpoint is Amazon's, where the client finds
// the region itself.
func (a address) amazon() bool { return s3utils.IsAmazonEndpoint(*a.endpoint) }

// checkPrefix refuses prefixes that some stores or proxies would change.
func checkPrefix(prefix string) error {
	odd := func(r rune) bool { return !unicode.IsPrint(r) || r == '\\' }
	switch {
	case prefix == "":
		return nil
	case len(prefix) > maxPrefix:
		return fmt.Errorf("the prefix has more than %d bytes", maxPrefix)
	case !utf8.ValidString(prefix) || strings.ContainsFunc(prefix, odd):
		return fmt.Errorf("the prefix %q has characters that not every store accepts", prefix)
	case path.Clean(prefix) != prefix || strings.HasPrefix(prefix, ".."):
		return fmt.Errorf(`the prefix %q has an element that is empty, "." or ".."`, prefix)
	}
	return nil
}

// parseQuery returns the parameters of an address, "" for those it does not have.
func parseQuery(u *url.URL) (endpoint, region string, err error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", "", fmt.Errorf("what follows the \"?\" cannot be read: write the address like %s", form)
	}
	for name, values := range query {
		switch {
		case name != "endpoint" && name != "region":
			return "", "", fmt.Errorf("%q is unknown: what may follow the \"?\" is endpoint=URL and region=NAME", name)
		case len(values) > 1 || values[0] == "":
			return "", "", fmt.Errorf("%s has to be given once, and not be empty", name)
		}
	}
	return query.Get("endpoint"), query.Get("region"), nil
}

// chooseEndpoint returns the endpoint that was given, or else the one that the
// environment names, or else Amazon's.
func chooseEndpoint(given string) (*url.URL, error) {
	for _, candidate := range []struct{ name, text string }{
		{"endpoint", given},
		{"AWS_ENDPOINT_URL_S3", os.Getenv("AWS_ENDPOINT_URL_S3")},
		{"AWS_ENDPOINT_URL", os.Getenv("AWS_ENDPOINT_URL")},
		{"", "https://s3.amazonaws.com"},
	} {
		if candidate.text == "" {
			continue
		}
		u, err := url.Parse(candidate.text)
		switch {
		case err != nil, u.Scheme != "https" && u.Scheme != "http", u.Hostname() == "", u.RawQuery != "", u.Fragment != "":
			return nil, fmt.Errorf("%s is not an endpoint: write it like https://HOST or https://HOST:PORT", candidate.name)
		case u.User != nil:
			return nil, fmt.Errorf("%s holds credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead", candidate.name)
		case u.Path != "" && u.Path != "/":
			return nil, fmt.Errorf("%s has a path after its host: leave it out, bucket and prefix belong in s3://BUCKET/PREFIX", candidate.name)
		}
		return &url.URL{Scheme: u.Scheme, Host: u.Host}, nil
	}
	return nil, errors.New("no endpoint") // not reached: the last is not empty
}
