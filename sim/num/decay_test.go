package num

import (
	"math"
	"testing"
)

func TestDecay(t *testing.T) {
	for x := 0.0; x < 690; x = 1.01*x + 1e-3 {
		if got, want := Decay(x), math.Exp(-x); math.Abs(got-want) > 1e-8*want {
			t.Errorf("Decay(%g) = %g, want %g", x, got, want)
		}
	}
	if Decay(0) != 1 || Decay(1e9) != 0 || Decay(math.Inf(1)) != 0 {
		t.Errorf("at 0 and far out: %g, %g, %g", Decay(0), Decay(1e9), Decay(math.Inf(1)))
	}
}
