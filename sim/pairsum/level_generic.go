//go:build !amd64 || noasm

package pairsum

// Level names the instructions that the pair sums use on this processor.
func Level() string { return "plain Go" }
