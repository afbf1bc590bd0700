package sfv_test

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/dunglas/httpsfv"

	"github.com/precompress/precompress/internal/sfv"
)

// byteFields are field lines, and the byte sequence in them; nil if there is none.
var byteFields = []struct {
	line string
	want []byte
}{
	{"::", []byte{}},
	{":YQ==:", []byte("a")},
	{":YQ:", []byte("a")},
	{":YR==:", []byte("a")}, // bits that stand for nothing
	{"  :YWI=:  ", []byte("ab")},
	{":" + strings.Repeat("YWJj", 40) + ":", bytes.Repeat([]byte("abc"), 40)},
	{":" + strings.Repeat("YWJj", 16) + "YQ:", []byte(strings.Repeat("abc", 16) + "a")},
	{`:YQ==:;a;b=?1;  c=-12;d=1.5;e=tok/en:*;f="s \\ \"";g=:YQ==:;h=@1;*i_.-*=%"%c3%bc"`, []byte("a")},
	{":YQ==:;a=123456789012345;b=123456789012.123;c=*a", []byte("a")},
	{"", nil},
	{":", nil},
	{"YQ==", nil},
	{`"YQ=="`, nil},
	{":YQ==", nil},
	{":YQ=:", nil},
	{":YQ===:", nil},
	{":Y:", nil},
	{":Y Q:", nil},
	{":Y\nQ:", nil},
	{":Y-Q_:", nil},
	{"\t:YQ==:", nil},
	{":YQ==: x", nil},
	{":YQ==:, :YQ==:", nil},
	{":YQ==: ;a", nil},
	{":YQ==:;", nil},
	{":YQ==:;A", nil},
	{":YQ==:;a=", nil},
	{":YQ==:;a=?2", nil},
	{":YQ==:;a=1.", nil},
	{":YQ==:;a=1.2345", nil},
	{":YQ==:;a=1234567890123.1", nil},
	{":YQ==:;a=1234567890123456", nil},
	{":YQ==:;a=@1.5", nil},
	{`:YQ==:;a="x`, nil},
	{`:YQ==:;a="\x"`, nil},
	{`:YQ==:;a="é"`, nil},
	{`:YQ==:;a=%"%C3%BC"`, nil},
	{`:YQ==:;a=%"%c3"`, nil},
	{":YQ==:;a=(1)", nil},
}

func TestParseBytes(t *testing.T) {
	for _, tt := range byteFields {
		for _, size := range []int{len(tt.want), len(tt.want) + 1, 1} {
			got := make([]byte, size)
			ok := sfv.ParseBytes(got, tt.line)
			if want := tt.want != nil && size == len(tt.want); ok != want || ok && !bytes.Equal(got, tt.want) {
				t.Errorf("%q in %d bytes: %q, %v", tt.line, size, got, ok)
			}
		}
	}
}

func TestParseBytesAllocations(t *testing.T) {
	var sum [32]byte
	line := ":" + base64.StdEncoding.EncodeToString(sum[:]) + `:;a=1.5;b="text"`
	if n := testing.AllocsPerRun(100, func() {
		if !sfv.ParseBytes(sum[:], line) {
			t.Error("not parsed")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// unpadded matches byte sequences, which in RFC 9651 need no padding. In a string
// what it matches is some text, and no token starts with a colon.
var unpadded = regexp.MustCompile(`(^ *|=):([A-Za-z0-9+/]*):`)

func pad(line string) string {
	return unpadded.ReplaceAllStringFunc(line, func(s string) string {
		m := unpadded.FindStringSubmatch(s)
		return m[1] + ":" + m[2] + strings.Repeat("=", -len(m[2])&3) + ":"
	})
}

// FuzzParseBytes compares with another parser, which wants padding.
func FuzzParseBytes(f *testing.F) {
	for _, tt := range byteFields {
		f.Add(tt.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		item, err := httpsfv.UnmarshalItem([]string{pad(line)})
		want, ok := item.Value.([]byte)
		ok = ok && err == nil
		got := make([]byte, len(want))
		if sfv.ParseBytes(got, line) != ok || !bytes.Equal(got, want) {
			t.Errorf("%q: %q; want %q, %v, %v", line, got, want, ok, err)
		}
		for size := range 64 {
			if !ok && sfv.ParseBytes(make([]byte, size), line) {
				t.Errorf("%q was taken: %v", line, err)
			}
		}
	})
}

func TestFormatString(t *testing.T) {
	for text, want := range map[string]string{"": `""`, "a b": `"a b"`, `a"b\c`: `"a\"b\\c"`} {
		got := sfv.FormatString(text)
		item, err := httpsfv.UnmarshalItem([]string{got})
		if got != want || err != nil || item.Value != text {
			t.Errorf("%q: %s, want %s; read as %q, %v", text, got, want, item.Value, err)
		}
	}
}

func TestIsTokenByte(t *testing.T) {
	const others = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for c := range 256 {
		if want := strings.IndexByte(others, byte(c)) >= 0; sfv.IsTokenByte(byte(c)) != want {
			t.Errorf("%q: %v", rune(c), !want)
		}
	}
}
