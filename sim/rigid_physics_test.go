package sim

import (
	"math"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// bobbing lets a box go that floats in the middle of a square tank, upright, and has
// been pushed down from where it rests. It returns the box, and when it passes where it
// rests, which it does every half period: three times at least.
func bobbing(t *testing.T, spacing, side, long, draft, push, wide, deep, until float64) (b *body.Body, passed []float64) {
	t.Helper()
	w := New(spacing, 1000)
	w.Gravity = earth
	low, edge := deep-draft-push, (wide-side)/2
	b = solid(t, &boundary.Box{Min: vec.New(edge, low, edge), Max: vec.New(edge+side, low+long, edge+side)}, 1000*draft/long)
	b.Join(body.Joint{Kind: "slider", Axis: vec.New(0, 1, 0)})
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(wide, 1.2, wide), Inside: true}, b}
	w.Fill(&shape.Box{Max: vec.New(wide, deep, wide)}, vec.Vec3{})
	mustInit(t, w)
	level := (float64(w.Len())*w.Mass() + b.Free.Mass) / 1000 / (wide * wide)
	rest := level - draft + long/2
	before := w.Set.Bodies[0].X.Y - rest
	mustAdvance(t, w, newOf(t, &Solvers, "iisph"), until, func(i StepInfo) error {
		y := w.Set.Bodies[0].X.Y - rest
		if y*before < 0 && (len(passed) == 0 || i.Time > passed[len(passed)-1]+0.1) {
			passed = append(passed, i.Time-i.Dt*y/(y-before))
		}
		before = y
		return nil
	})
	if len(passed) < 3 {
		t.Fatalf("it does not bob: it passes where it rests at %.3f s", passed)
	}
	return b, passed
}

// TestBobs pushes a floating spar down and lets go. It bobs with
//
//	T = 2π √((M + M_a)/(ρ g A (1 + A/(B − A)))),
//
// where the water that it pushes aside rises in the tank, of the area B. The added mass
// of its flat end is half the added mass of a disc, 4/3 ρ a³ (Lamb, Hydrodynamics, 1932,
// art. 102), of the square's area.
func TestBobs(t *testing.T) {
	longtest.Only(t)
	const side, wide = 0.2, 0.5
	b, passed := bobbing(t, 0.025, side, 0.55, 0.4, 0.05, wide, 0.7, 1.8)
	a := side / math.Sqrt(math.Pi)
	added := 4. / 3 * 1000 * a * a * a
	area := side * side
	want := 2 * math.Pi * math.Sqrt((b.Free.Mass+added)/(1000*9.81*area*(1+area/(wide*wide-area))))
	t.Logf("passes at %.3f, in theory %.4f s apart", passed, want/2)
	if got := passed[2] - passed[0]; math.Abs(got/want-1) > 0.05 {
		t.Errorf("it bobs in %.3f s, want %.3f", got, want)
	}
}
