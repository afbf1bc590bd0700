package probe

import (
	"context"
	"net/http"
	"strings"
)

// heads requests the header of each representation.
func (p *urlProbe) heads(ctx context.Context) error {
	for _, rep := range p.reps {
		a, err := p.ask(ctx, rep.Request.with(func(r *Request) { r.Method = http.MethodHead }))
		if err != nil {
			return err
		}
		p.checked(headDiffers, headOmits, headLength)
		if a.Status != rep.Status {
			p.addOnce(headDiffers, a.Coding, a, "HEAD is answered with %d, GET with %d", a.Status, rep.Status)
			continue
		}
		p.compareHead(rep, a)
		if !p.changing && a.Length >= 0 && rep.isComplete() && a.Coding == rep.Coding && a.Length != rep.Content.Size {
			p.add(headLength, rep.Coding, a, "Content-Length of HEAD is %d, but the content of GET has %d bytes", a.Length, rep.Content.Size)
		}
	}
	return nil
}

// compareHead compares the fields of an answer to HEAD with those of GET. Some may be
// missing, but none may differ (RFC 9110, section 9.3.2).
func (p *urlProbe) compareHead(rep, a *Answer) {
	var different, omitted []string
	for _, name := range []string{"Content-Encoding", "Content-Type", "ETag", "Vary"} {
		x, y := rep.value(name), a.value(name)
		switch {
		case x == y, name == "ETag" && p.changing, name == "Vary" && a.varies("Accept-Encoding"), name == "Content-Type" && isSameType(rep, a):
		case y == "":
			omitted = append(omitted, name)
		default:
			different = append(different, name+" is "+shown(y)+", not "+orAbsent(x))
		}
	}
	if len(different) > 0 {
		p.add(headDiffers, rep.Coding, a, "HEAD differs from GET: %s", strings.Join(different, ", "))
	}
	if len(omitted) > 0 {
		p.add(headOmits, rep.Coding, a, "HEAD lacks fields of GET: %s", strings.Join(omitted, ", "))
	}
}
