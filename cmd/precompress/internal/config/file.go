// Package config reads the configuration file of the command precompress.
package config

import (
	"iter"
	"reflect"
)

// Name is the configuration file that is looked for in the working directory.
const Name = "precompress.toml"

// File is a configuration file. Except for Dirs and Files, every setting has the
// name, meaning and default of a command-line flag, which wins over it.
type File struct {
	// Dirs are the directories to work on if the command line names none.
	Dirs Texts `toml:"dirs"`
	// The settings of builds stand above the first section.
	Build
	// Files are rules for some of the files. Later ones win.
	Files []Rule `toml:"files"`
	// Serve, Bench and Probe are the settings of these commands.
	Serve Serve `toml:"serve"`
	Bench Bench `toml:"bench"`
	Probe Probe `toml:"probe"`
}

// Build are the settings of building, and of check, clean, report and cache as far
// as they have the flags.
type Build struct {
	Include        Texts  `toml:"include"`         // globs of the files to take
	Exclude        Texts  `toml:"exclude"`         // globs of files to leave out; the last match wins
	Codings        List   `toml:"codings"`         // br, zstd, gzip
	Level          Levels `toml:"level"`           // per coding
	MinSize        Size   `toml:"min-size"`        // of sources
	MaxSize        Size   `toml:"max-size"`        // of sources
	MinSaving      Saving `toml:"min-saving"`      // of variants
	DropDominated  Switch `toml:"drop-dominated"`  // drop variants that another one is no larger than
	FollowSymlinks Switch `toml:"follow-symlinks"` // as long as they stay in the directory
	Jobs           Count  `toml:"jobs"`            // files at a time
	MaxMemory      Size   `toml:"max-memory"`      // of the whole process
	Out            Text   `toml:"out"`             // directory of the variants
	Manifest       Text   `toml:"manifest"`        // file
	OutOriginals   Switch `toml:"out-originals"`   // copy the sources to Out
	Previous       Texts  `toml:"previous"`        // earlier releases, the newest first
	Releases       Text   `toml:"releases"`        // directory of the store of releases
	Keep           Count  `toml:"keep"`            // earlier releases in the store
	Deltas         List   `toml:"deltas"`          // dcb, dcz, or none
	Fingerprint    Text   `toml:"fingerprint"`     // regular expression
	CacheDir       Text   `toml:"cache-dir"`       // directory
	NoCache        Switch `toml:"no-cache"`        // use no cache
	CacheSize      Size   `toml:"cache-size"`      // of the cache directory
	Cache          Text   `toml:"cache"`           // URL of the shared cache
	CacheMode      Word   `toml:"cache-mode"`      // read, write or readwrite
	Budget         Texts  `toml:"budget"`          // GLOB=SIZE[:CODING][:total]
	Summary        Text   `toml:"summary"`         // file, or none
	Baseline       Text   `toml:"baseline"`        // manifest to compare with
	Quiet          Switch `toml:"quiet"`           // print errors only
	Verbose        Switch `toml:"verbose"`         // print every file and the reason
	JSON           Switch `toml:"json"`            // print one JSON object
	Color          Word   `toml:"color"`           // always, never or auto
	FailIfEmpty    Switch `toml:"fail-if-empty"`   // fail if there is nothing to compress
}

// Rule is a [[files]] section. It changes the codings and levels of the files that
// match Glob, or leaves them out.
type Rule struct {
	Glob    Texts  `toml:"glob"`
	Codings List   `toml:"codings"`
	Level   Levels `toml:"level"`
	Exclude Switch `toml:"exclude"`

	At Position // of the section
}

// Serve are the settings of serve.
type Serve struct {
	Addr        Text   `toml:"addr"`        // HOST:PORT
	Index       Text   `toml:"index"`       // file that answers for its directory
	Fallback    Text   `toml:"fallback"`    // file that answers navigations to unknown names
	NotFound    Text   `toml:"not-found"`   // file that answers other unknown names
	Immutable   Switch `toml:"immutable"`   // let caches keep names with a fingerprint
	Fingerprint Text   `toml:"fingerprint"` // the build's if it is not set
	TLSCert     Text   `toml:"tls-cert"`    // PEM file
	TLSKey      Text   `toml:"tls-key"`     // PEM file
	Quiet       Switch `toml:"quiet"`
}

// Bench are the settings of bench. The choice of files is the build's where it is
// not set.
type Bench struct {
	Codings  List   `toml:"codings"`  // br, zstd, gzip, deflate
	Levels   Word   `toml:"levels"`   // such as "br=1-11,zstd=3"
	All      Switch `toml:"all"`      // measure every level
	Runs     Count  `toml:"runs"`     // of each measurement
	Link     Number `toml:"link"`     // Mbit/s
	Requests Count  `toml:"requests"` // that share the time of one compression
	Include  Texts  `toml:"include"`
	Exclude  Texts  `toml:"exclude"`
	MinSize  Size   `toml:"min-size"`
	MaxSize  Size   `toml:"max-size"`
	Quiet    Switch `toml:"quiet"`
	JSON     Switch `toml:"json"`
	Color    Word   `toml:"color"`
}

// Probe are the settings of probe.
type Probe struct {
	Manifest    Text   `toml:"manifest"`    // of the build
	Header      Texts  `toml:"header"`      // "NAME: VALUE" to send
	Insecure    Switch `toml:"insecure"`    // accept any certificate
	Timeout     Word   `toml:"timeout"`     // of a request
	Jobs        Count  `toml:"jobs"`        // requests at a time
	Rate        Number `toml:"rate"`        // requests a second
	MaxSize     Size   `toml:"max-size"`    // of content to check
	Fingerprint Text   `toml:"fingerprint"` // the build's
	Quiet       Switch `toml:"quiet"`
	Verbose     Switch `toml:"verbose"`
	JSON        Switch `toml:"json"`
	Color       Word   `toml:"color"`
}

// Sections are the commands that have a section of their own.
func Sections() []string { return []string{"serve", "bench", "probe"} }

// Of returns the settings of a command: a pointer to its section, with the build's
// settings where it shares them, or to those of builds.
func (f *File) Of(command string) any {
	switch command {
	case "serve":
		s := f.Serve
		s.Fingerprint.inherit(f.Fingerprint.Setting)
		return &s
	case "bench":
		b := f.Bench
		b.Include.inherit(f.Include.Setting)
		b.Exclude.inherit(f.Exclude.Setting)
		b.MinSize.inherit(f.MinSize.Setting)
		b.MaxSize.inherit(f.MaxSize.Setting)
		return &b
	case "probe":
		return &f.Probe
	}
	return &f.Build
}

// All returns the keys and values of a pointer to a section, in order.
func All(section any) iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for key, field := range fields(reflect.ValueOf(section).Elem()) {
			if v, ok := field.(Value); ok && !yield(key, v) {
				return
			}
		}
	}
}

// fields returns pointers to the fields of a struct that have a key, in order.
func fields(section reflect.Value) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, f := range reflect.VisibleFields(section.Type()) {
			if key := f.Tag.Get("toml"); key != "" && !yield(key, section.FieldByIndex(f.Index).Addr().Interface()) {
				return
			}
		}
	}
}
