package num

import (
	"math"
	"testing"
)

// TestCentral10: the difference is exact for powers up to 10.
func TestCentral10(t *testing.T) {
	const x = 0.5
	for power := range 11 {
		got, want := 0.0, float64(power)*math.Pow(x, float64(power-1))
		for d, w := range Central10 {
			d := float64(d + 1)
			got += w * (math.Pow(x+d, float64(power)) - math.Pow(x-d, float64(power)))
		}
		if math.Abs(got-want) > 1e-9*math.Pow(6, float64(power)) {
			t.Errorf("the derivative of x^%d is %g, want %g", power, got, want)
		}
	}
}
