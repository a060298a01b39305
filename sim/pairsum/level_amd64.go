//go:build amd64 && !noasm

package pairsum

// Level names the instructions that the pair sums use on this processor.
func Level() string {
	switch {
	case avx512:
		return "AVX-512"
	case avx2:
		return "AVX2"
	}
	return "plain Go"
}
