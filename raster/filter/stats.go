package filter

import (
	"math"

	"breakwater/raster/color"
)

// Stats holds sums over the rays of a pixel: of the displayed brightness and of its
// square.
type Stats struct{ sum, squares float32 }

// Add adds a ray of the given brightness; see Displayed.
func (s *Stats) Add(x float64) { s.sum, s.squares = s.sum+float32(x), s.squares+float32(x*x) }

// Mean returns the mean over n rays.
func (s *Stats) Mean(n int) float64 { return float64(s.sum) / float64(n) }

// StandardError returns the standard error of the mean of n rays.
func (s *Stats) StandardError(n int) float64 {
	mean := s.Mean(n)
	variance := (float64(s.squares)/float64(n) - float64(mean*mean)) * float64(n) / float64(n-1)
	return math.Sqrt(max(0, variance) / float64(n))
}

// Displayed returns about how bright c will be, in [0, 1].
func Displayed(c color.RGB) float64 {
	l := c.Luminance()
	return math.Sqrt(l / (l + 1))
}
