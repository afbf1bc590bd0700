package s3

import (
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	type variables map[string]string
	for name, test := range map[string]struct {
		env                              variables
		text                             string
		called, object, endpoint, region string
	}{
		"bucket":           {nil, "s3://bucket", "s3://bucket", "", "https://s3.amazonaws.com", ""},
		"slash":            {nil, "s3://bucket/", "s3://bucket", "", "https://s3.amazonaws.com", ""},
		"prefix":           {nil, "s3://bucket/a/b%20c/", "s3://bucket/a/b c", "a/b c/", "https://s3.amazonaws.com", ""},
		"endpoint":         {nil, "s3://bucket?endpoint=http://127.0.0.1:9000/", "s3://bucket", "", "http://127.0.0.1:9000", "us-east-1"},
		"region":           {nil, "s3://bucket?region=auto&endpoint=https%3A%2F%2Fr2.example", "s3://bucket", "", "https://r2.example", "auto"},
		"variables":        {variables{"AWS_ENDPOINT_URL": "https://one.example", "AWS_DEFAULT_REGION": "here"}, "s3://bucket", "s3://bucket", "", "https://one.example", "here"},
		"better variables": {variables{"AWS_ENDPOINT_URL": "https://one.example", "AWS_ENDPOINT_URL_S3": "https://two.example", "AWS_DEFAULT_REGION": "here", "AWS_REGION": "there"}, "s3://bucket", "s3://bucket", "", "https://two.example", "there"},
		"address first":    {variables{"AWS_ENDPOINT_URL_S3": "https://two.example", "AWS_REGION": "there"}, "s3://bucket?region=r&endpoint=https://e.example", "s3://bucket", "", "https://e.example", "r"},
	} {
		t.Run(name, func(t *testing.T) {
			setCredentials(t, "", "")
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			s, err := Open(test.text)
			if err != nil {
				t.Fatal(err)
			}
			digits := testKey(1).String()
			if s.String() != test.called || s.object(testKey(1)) != test.object+digits[:2]+"/"+digits ||
				s.address.endpoint.String() != test.endpoint || s.address.region != test.region {
				t.Errorf("%s, %s, %s, %q", s, s.object(testKey(1)), s.address.endpoint, s.address.region)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	setCredentials(t, "", "")
	for text, want := range map[string]string{
		"":                        "does not start with s3://",
		"bucket/prefix":           "does not start with s3://",
		"https://bucket.example":  "does not start with s3://",
		"s3://":                   "not the name of a bucket",
		"s3://a_B":                "not the name of a bucket",
		"s3://bucket:9000/p":      "not the name of a bucket",
		"s3:///prefix":            "not the name of a bucket",
		"s3://key:hidden@bucket":  "credentials do not belong",
		"s3://key:hid/den@bucket": "not a URL",
		"s3://bucket/p#q":         "%23",
		"s3://bucket/%zz":         "not a URL",
		"s3://bucket/a/../b":      `".."`,
		"s3://bucket/a//b":        "empty",
		"s3://bucket/..":          `".."`,
		"s3://bucket/a%00b":       "characters",
		"s3://bucket/a%5Cb":       "characters",
		"s3://bucket/%ff":         "characters",
		"s3://bucket/" + strings.Repeat("x", 901):      "900 bytes",
		"s3://bucket?endpiont=https://e":               `"endpiont" is unknown`,
		"s3://bucket?region=":                          "region has to be given once",
		"s3://bucket?region=a&region=b":                "region has to be given once",
		"s3://bucket?region=%zz":                       "cannot be read",
		"s3://bucket?endpoint=host:9000":               "not an endpoint",
		"s3://bucket?endpoint=ftp://host":              "not an endpoint",
		"s3://bucket?endpoint=https://":                "not an endpoint",
		"s3://bucket?endpoint=http://h/p":              "has a path",
		"s3://bucket?endpoint=http://h%3Fq":            "not an endpoint",
		"s3://bucket?endpoint=https://key:hidden@host": "endpoint holds credentials",
	} {
		s, err := Open(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", text, s, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "hid") || strings.Contains(err.Error(), "den@")) {
			t.Errorf("a secret: %v", err)
		}
	}
	t.Setenv("AWS_ENDPOINT_URL", "nowhere")
	if _, err := Open("s3://bucket"); err == nil || !strings.Contains(err.Error(), "AWS_ENDPOINT_URL is not an endpoint") {
		t.Errorf("a bad variable: %v", err)
	}
}
