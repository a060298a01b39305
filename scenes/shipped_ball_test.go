package scenes

import (
	"testing"

	"breakwater/sim/longtest"
)

// TestSpinningBall checks that the ball of spinning-ball drifts to the left of its course, to
// where its surface goes backward, and that its wake goes to the right (Magnus 1853).
func TestSpinningBall(t *testing.T) {
	longtest.Only(t)
	s, err := Load("spinning-ball")
	if err != nil {
		t.Fatal(err)
	}
	s.Gas.Cell *= 2
	b := mustBuild(t, s)
	ball := b.Flow.Bodies[0]
	for n := 1; n < s.Time.Frames()/2; n++ {
		if err := b.Flow.Advance(b.GasSolver, &s.Gas.Gas, s.Time.At(n), nil); err != nil {
			t.Fatal(err)
		}
	}
	var drift, count float64
	for i, x := range b.Flow.Tracers.X {
		if behind := ball.X.X - x.X; 0 < behind && behind < 4*0.15 {
			drift += b.Flow.Tracers.V[i].Z
			count++
		}
	}
	drift /= count
	t.Logf("after %.2g s the ball is %.3g m to the left, and %g tracers behind it go to the right at %.3g m/s", b.Flow.Time, -ball.X.Z, count, drift)
	if ball.X.Z > -0.1 || drift < 0.05 {
		t.Error("want 0.1 m to the left, and a wake of 0.05 m/s to the right")
	}
}
