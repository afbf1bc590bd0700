// Package bench measures content codings and their levels on files: bytes, times,
// and what they mean on a link of some speed.
package bench
