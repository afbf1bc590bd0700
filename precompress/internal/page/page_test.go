package page_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/precompress/precompress/precompress/internal/page"
)

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	err := page.Page{Title: "a <b>", Body: `<h1>{{name .}}</h1>`, Data: "x<script>"}.Write(&b)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>a &lt;b&gt;</title>", "<h1><bdi>x&lt;script&gt;</bdi></h1>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is not in %s", want, b.String())
		}
	}
}
