package num

import (
	"math"
	"testing"
)

func TestNice(t *testing.T) {
	for _, c := range [][2]float64{{0.4, 0.5}, {0.13, 0.1}, {7.5, 10}, {1, 1}, {2.9, 2}, {3.3, 5}} {
		if got := Nice(c[0]); math.Abs(got-c[1]) > 1e-12*c[1] {
			t.Errorf("Nice(%g) = %g, want %g", c[0], got, c[1])
		}
	}
}
