//go:build !amd64 || noasm

package sweep

// Level names the instructions that the pair sums use on this processor.
func Level() string { return "plain Go" }
