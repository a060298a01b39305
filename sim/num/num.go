// Package num has small functions of numbers: a smooth step, a hash, a sum in a fixed
// order, the weights of differences, and formatting for people.
package num

import (
	"fmt"
	"strconv"
	"strings"
)

// Smoothstep rises from 0 at a to 1 at b, level at both ends.
func Smoothstep(a, b, x float64) float64 {
	t := min(1, max(0, (float64(x)-float64(a))/(float64(b)-float64(a))))
	return float64(t * t * (3 - float64(2*t)))
}

// Golden is the increment of SplitMix64's counter.
const Golden = 0x9e3779b97f4a7c15

// SplitMix64 mixes the bits of a counter that grows by Golden (Steele, Lea and
// Flood, Fast splittable pseudorandom number generators, OOPSLA 2014).
func SplitMix64(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Fold adds eight lanes in the order in which the halves of a vector register are added.
func Fold(v *[8]float32) float32 {
	a, b, c, d := v[0]+v[4], v[1]+v[5], v[2]+v[6], v[3]+v[7]
	return (a + c) + (b + d)
}

// Decimals writes x to the given number of decimals, with a true minus sign.
func Decimals(x float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(x, 'f', decimals, 64), "-", "−", 1)
}

// Bytes writes a number of bytes to three digits: 1.23 MB.
func Bytes(n float64) string {
	unit := "bytes"
	for _, u := range []string{"kB", "MB", "GB", "TB"} {
		if n < 999.5 {
			break
		}
		n, unit = n/1000, u
	}
	return fmt.Sprintf("%.3g %s", n, unit)
}

// Rounded returns x rounded to the given number of significant digits.
func Rounded(x float64, digits int) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	return x
}

// GCD returns the greatest common divisor of two numbers of which one may be 0.
func GCD(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
