package numbers

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// CutWord returns the first word of b and the rest after it.
func CutWord(b []byte) (word, rest []byte) {
	i := 0
	for i < len(b) && b[i] <= ' ' {
		i++
	}
	b, i = b[i:], 0
	for i < len(b) && b[i] > ' ' {
		i++
	}
	return b[:i], b[i:]
}

// Parse returns the number that b writes. Most have so few digits that both their
// digits and the power of ten below them are exact in a float64. One division then
// rounds them correctly (Clinger 1990, How to Read Floating Point Numbers Accurately).
// strconv reads the others.
func Parse(b []byte) (float64, error) {
	digits, negative := bytes.CutPrefix(b, []byte{'-'})
	var mantissa uint64
	point, n := -1, 0
	for i, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			mantissa = 10*mantissa + uint64(c-'0')
			if n++; mantissa >= 1<<53 {
				return slowNumber(b)
			}
		case c == '.' && point < 0:
			point = i
		default:
			return slowNumber(b)
		}
	}
	below := 0 // digits after the point
	if point >= 0 {
		below = len(digits) - point - 1
	}
	if n == 0 || below >= len(PowersOfTen) {
		return slowNumber(b)
	}
	v := float64(mantissa) / PowersOfTen[below]
	if negative {
		v = -v
	}
	return v, nil
}

// PowersOfTen are the powers that are exact in a float64.
var PowersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

func slowNumber(b []byte) (float64, error) {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%.30q is not a finite number", b)
	}
	return v, nil
}
