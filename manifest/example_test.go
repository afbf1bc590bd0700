package manifest_test

import (
	"fmt"
	"log"

	"github.com/precompress/precompress/manifest"
)

// The file that a build left in a tree.
const file = `{
"version": 1,
"assets": [
{"path":"app.js","size":854,"xxh64":"96740e66f2fe1856","variants":[
{"coding":"br","size":293,"xxh64":"b6ce460cff0d5b3d","level":11,"encoder":"go-brrr v1.3.1"},
{"coding":"zstd","size":345,"level":19,"encoder":"zstd 1","omitted":"dominated"}]}
]
}
`

// Reading a manifest. Programs read it from the file [manifest.Name] in the tree.
func ExampleDecode() {
	m, err := manifest.Decode([]byte(file))
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range m.Assets {
		fmt.Println(a.Path, a.Size, a.Digest)
		for _, v := range a.Variants {
			if v.Stored() {
				fmt.Println(a.Path+v.Coding.Suffix(), v.Size, v.Digest)
			} else {
				fmt.Println("no", v.Coding, "variant:", v.Omitted)
			}
		}
	}
	// Output:
	// app.js 854 96740e66f2fe1856
	// app.js.br 293 b6ce460cff0d5b3d
	// no zstd variant: dominated
}

// Whether a file is the one that the build recorded.
func ExampleManifest_Lookup() {
	m, err := manifest.Decode([]byte(file))
	if err != nil {
		log.Fatal(err)
	}
	content := []byte("edited")
	if a, ok := m.Lookup("app.js"); ok {
		fmt.Println(a.Size == int64(len(content)) && a.Digest == manifest.Sum(content))
	}
	// Output:
	// false
}

func ExampleFingerprint() {
	var usual manifest.Fingerprint
	fmt.Println(usual.Stable("assets/index-DiwrgTda.js"))
	fmt.Println(usual.Stable("assets/font-awesome.css"))
	own, err := manifest.NewFingerprint(`\.v([0-9]+)\.`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(own.Split("app.v12.js"))
	// Output:
	// assets/index-*.js
	// assets/font-awesome.css
	// app.v 12 .js true
}
