package page_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/page"
)

// TestFigure: both drawings are well-formed XML that names itself, whatever the
// texts in it are.
func TestFigure(t *testing.T) {
	t.Parallel()
	hostile := "</svg><script>\"'&\x00\xff\u202e"
	html := string(page.Figure{ID: "x", Title: hostile, Description: hostile, Draw: func(c *page.Canvas) {
		c.Height = 100
		c.Group("g")
		c.Rect("mark br", 0, 0, c.Width, 10.126, hostile)
		c.Circle(hostile, -0.001, 2, 3, "")
		c.Line("axis", 0, 0, 1, 1)
		c.Polyline("curve br", []page.Point{{X: 1, Y: 2}, {X: 3, Y: 4.5}}, hostile)
		c.Tooltip(hostile)
		c.Clip(1, 2, 3, 4)
		c.Text("middle", 1, 2, hostile)
		c.EndClip()
		c.EndGroup()
	}}.HTML())
	images, ids := 0, map[string]bool{}
	d := xml.NewDecoder(strings.NewReader("<p>" + html + "</p>"))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attributes := map[string]string{}
		for _, a := range start.Attr {
			attributes[a.Name.Local] = a.Value
		}
		switch start.Name.Local {
		case "svg":
			if attributes["width"] == "3" {
				continue // a part of an image
			}
			images++
			if attributes["role"] != "img" || !strings.Contains(attributes["aria-labelledby"], "-title x-") {
				t.Errorf("attributes of the image: %v", attributes)
			}
		case "script":
			t.Error("text became an element")
		}
		if id := attributes["id"]; id != "" && ids[id] {
			t.Errorf("two elements have the id %s", id)
		}
		ids[attributes["id"]] = true
	}
	if images != 2 {
		t.Errorf("%d images, want one for wide and one for narrow screens", images)
	}
	for _, want := range []string{`height="10.13"`, `cx="0"`, `points="1,2 3,4.5"`, `viewBox="0 0 960 100"`, `viewBox="0 0 360 100"`} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is not in %s", want, html)
		}
	}
}
