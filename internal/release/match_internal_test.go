package release

import (
	"slices"
	"testing"
)

// TestSketch: contents have in common what they share, wherever it is.
func TestSketch(t *testing.T) {
	var a, b []byte
	for i := range 4000 {
		a = append(a, byte(i*i>>3), byte(i*7), byte(i>>4))
		b = append(b, byte(i*i>>5), byte(i*11), byte(i>>3))
	}
	sa := newSketch(a)
	same := sa.common(newSketch(slices.Concat([]byte("moved"), a)))
	half := sa.common(newSketch(a[:len(a)/2]))
	if all := len(sa); all < 100 || same < all*9/10 || half < all*4/10 || half > all*6/10 || sa.common(newSketch(b)) > all/10 {
		t.Errorf("%d parts: %d when moved, %d in a half, %d in another", all, same, half, sa.common(newSketch(b)))
	}
}
