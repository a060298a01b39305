package sim

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestBobs pushes a floating spar down and lets go. It bobs with
//
//	T = 2π √((M + M_a)/(ρ g A (1 + A/(B − A)))),
//
// where the water that it pushes aside rises in the tank, of the area B. The
// added mass of its flat end is half that of a disc, 4/3 ρ a³ (Lamb,
// Hydrodynamics, 1932, art. 102), of the square's area.
func TestBobs(t *testing.T) {
	slow(t)
	const side, long, draft, wide, deep = 0.2, 0.55, 0.4, 0.5, 0.7
	w := New(0.025, 1000)
	w.Gravity = earth
	low := deep - draft - 0.05
	b := solid(t, &Box{Min: vec.New(0.15, low, 0.15), Max: vec.New(0.15+side, low+long, 0.15+side)}, 1000*draft/long)
	b.Join(Joint{Kind: "slider", Axis: vec.New(0, 1, 0)})
	w.Walls = []Boundary{&Box{Max: vec.New(wide, 1.2, wide), Inside: true}, b}
	w.Fill(&BoxShape{Max: vec.New(wide, deep, wide)}, vec.Vec3{})
	mustInit(t, w)
	// Where it comes to rest, it passes every half period.
	level := (float64(w.Len())*w.Mass() + b.Free.Mass) / 1000 / (wide * wide)
	rest := level - draft + long/2
	var passed []float64
	before := w.Set.Bodies[0].X.Y - rest
	mustAdvance(t, w, newOf(t, &Solvers, "iisph"), 1.8, func(i StepInfo) error {
		y := w.Set.Bodies[0].X.Y - rest
		if y*before < 0 && (len(passed) == 0 || i.Time > passed[len(passed)-1]+0.2) {
			passed = append(passed, i.Time-i.Dt*y/(y-before))
		}
		before = y
		return nil
	})
	a := side / math.Sqrt(math.Pi)
	added := 4. / 3 * 1000 * a * a * a
	area := side * side
	want := 2 * math.Pi * math.Sqrt((b.Free.Mass+added)/(1000*9.81*area*(1+area/(wide*wide-area))))
	t.Logf("passes at %.3f, in theory %.4f s apart", passed, want/2)
	if len(passed) < 3 {
		t.Fatal("it does not bob")
	}
	if got := passed[2] - passed[0]; math.Abs(got/want-1) > 0.05 {
		t.Errorf("it bobs in %.3f s, want %.3f", got, want)
	}
}
