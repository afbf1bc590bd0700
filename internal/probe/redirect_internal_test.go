package probe

import "testing"

func TestSameHost(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, to string
		want     bool
	}{
		{"http://a.example/x", "http://A.example/y", true},
		{"http://a.example/", "http://a.example:80/", true},
		{"http://a.example/", "https://a.example/", true},
		{"http://a.example:80/", "https://a.example:443/", true},
		{"http://a.example/", "https://a.example:8443/", true},
		{"http://a.example:8080/", "https://a.example/", true},
		{"http://a.example:8080/", "https://a.example:8443/", true},
		{"http://a.example:8080/", "https://b.example:8443/", false},
		{"https://a.example/", "https://a.example:8443/", false},
		{"https://a.example/", "http://a.example/", false},
		{"http://a.example/", "http://a.example:8080/", false},
		{"http://a.example/", "http://www.a.example/", false},
		{"http://a.example/", "http://b.example/", false},
	} {
		from, err := ParseURL(test.from)
		if err != nil {
			t.Fatal(err)
		}
		to, err := ParseURL(test.to)
		if err != nil {
			t.Fatal(err)
		}
		if got := isSameHost(from, to); got != test.want {
			t.Errorf("%s to %s: got %t", test.from, test.to, got)
		}
	}
}
