package filter

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
)

// Blur convolves the w×h grid a with a Gaussian of standard deviation sigma,
// in cells. Beyond the border a has the value outside.
func Blur(a []float64, w, h int, sigma, outside float64) {
	r := int(math.Ceil(3 * sigma))
	k := make([]float64, 2*r+1)
	sum := 0.0
	for i := range k {
		x := float64(i-r) / sigma
		k[i] = num.Exp(-x * x / 2)
		sum += k[i]
	}
	for i := range k {
		k[i] /= sum
	}
	par.Each(h, func(y int) {
		row := a[y*w:][:w]
		src := make([]float64, w+2*r)
		for i := range r {
			src[i], src[r+w+i] = outside, outside
		}
		copy(src[r:], row)
		for x := range row {
			s := 0.0
			for j, f := range k {
				s += float64(f * src[x+j])
			}
			row[x] = s
		}
	})
	// Some columns at a time, as wide as a line of the cache.
	const wide = 8
	par.Each((w+wide-1)/wide, func(c int) {
		x0, x1 := c*wide, min(w, (c+1)*wide)
		src := make([][wide]float64, h+2*r)
		for i := range src {
			for x := range wide {
				src[i][x] = outside
			}
		}
		for y := range h {
			copy(src[r+y][:], a[y*w+x0:y*w+x1])
		}
		for y := range h {
			var s [wide]float64
			for j, f := range k {
				for x, v := range &src[y+j] {
					s[x] += float64(f * v)
				}
			}
			copy(a[y*w+x0:y*w+x1], s[:])
		}
	})
}
