package num

import (
	"math"
	"strconv"
)

// Nearest returns the number of two digits nearest to x for which holds
// is true and stays true beyond, above x for a direction of 1 and below for −1.
func Nearest(x, direction float64, holds func(float64) bool) (float64, bool) {
	in, out := x, x
	for tries := 0; !(x > 0) || !holds(in); tries++ {
		const most = 400 // 50 doublings
		if !(x > 0) || tries == most {
			return 0, false
		}
		out, in = in, in*math.Exp2(direction/8)
	}
	for range 20 {
		if mid := math.Sqrt(in * out); holds(mid) {
			in = mid
		} else {
			out = mid
		}
	}
	ten := Pow(10, math.Floor(math.Log10(in))-1)
	for k := range 3 {
		two, err := strconv.ParseFloat(strconv.FormatFloat((math.Round(in/ten)+float64(float64(k)*direction))*ten, 'g', 2, 64), 64)
		if err == nil && (two-in)*direction >= 0 && holds(two) {
			return two, true
		}
	}
	return 0, false
}
