package filter

import (
	"math"

	"breakwater/raster/color"
)

// Stats holds sums over the rays of a pixel: of their tones and of the squares.
type Stats struct{ sum, squares Tones }

// Add adds a ray with the given tones.
func (s *Stats) Add(t Tones) {
	for k, x := range t {
		s.sum[k], s.squares[k] = s.sum[k]+x, s.squares[k]+float32(x*x)
	}
}

// Mean returns the mean over n rays.
func (s *Stats) Mean(n int) Tones {
	f := float32(n)
	return Tones{s.sum[0] / f, s.sum[1] / f, s.sum[2] / f}
}

// StandardError returns the standard errors of the means of n rays.
func (s *Stats) StandardError(n int) (e Tones) {
	for k, sum := range s.sum {
		mean := float64(sum) / float64(n)
		variance := (float64(s.squares[k])/float64(n) - float64(mean*mean)) * float64(n) / float64(n-1)
		e[k] = float32(math.Sqrt(max(0, variance) / float64(n)))
	}
	return e
}

// Displayed returns about how bright c will be, in [0, 1].
func Displayed(c color.RGB) float64 { return displayed(c.Luminance()) }

func displayed(l float64) float64 { return math.Sqrt(l / (l + 1)) }

// Tones are about how bright a colour will be, in [0, 1], and how bright its red and its
// blue. An edge between two hues of the same brightness has a step in the latter two. They
// count less, since eyes see less detail in hue (Mullen 1985).
type Tones [3]float32

// hueWeight is how much red and blue count, against brightness.
const hueWeight = 0.75

// TonesOf returns the tones of c.
func TonesOf(c color.RGB) Tones {
	return Tones{float32(Displayed(c)), float32(hueWeight * displayed(c.R)), float32(hueWeight * displayed(c.B))}
}

// Step returns the largest difference between two tones.
func (t Tones) Step(o Tones) float32 {
	return max(abs(t[0]-o[0]), abs(t[1]-o[1]), abs(t[2]-o[2]))
}

// Max returns the largest of t.
func (t Tones) Max() float32 { return max(t[0], t[1], t[2]) }

func abs(x float32) float32 { return max(x, -x) }
