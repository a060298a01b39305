package whitewater

import (
	"math"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// lone returns a frame with one particle in free flight.
func lone(t float64, x, v vec.Vec3) Frame {
	g := vec.New(0, -9.81, 0)
	return Frame{t, &particle.Set{
		X: []vec.Vec3{x.Add(v.Mul(t)).Add(g.Mul(t * t / 2)).Round()}, V: []vec.Vec3{v.Add(g.Mul(t)).Round()},
		Rho: []float64{318}, ID: []uint32{7},
	}}
}

// TestFamily breaks an isolated particle into drops, which keep its volume and its
// momentum.
func TestFamily(t *testing.T) {
	longtest.NotShort(t)
	for _, d := range []float64{0.002, 0.005, 0.018, 0.036, 0.2} {
		for _, v := range []vec.Vec3{{}, {X: 3, Y: 5, Z: -1}} {
			w, err := New(DefaultSettings(), water(d))
			if err != nil {
				t.Fatal(err)
			}
			w.Start(0)
			next := lone(0.006, vec.Vec3{}, v)
			if err := w.Step(lone(0, vec.Vec3{}, v), next); err != nil {
				t.Fatal(err)
			}
			if a := w.Airborne(nil); len(a) != 1 || a[0] != 7 {
				t.Fatalf("d = %g: the particle is not airborne: %v", d, a)
			}
			if len(w.births) == 0 {
				t.Fatalf("d = %g: no drops", d)
			}
			var sum float64
			var momentum vec.Vec3
			for _, p := range w.births {
				sum += p.Volume()
				momentum = momentum.Add(p.V.Mul(p.Volume()))
			}
			if e := math.Abs(sum/(d*d*d) - 1); e > 1e-6 {
				t.Errorf("d = %g: the volume is off by %g", d, e)
			}
			if e := momentum.Mul(1 / (d * d * d)).Sub(next.V[0]).Len(); e > 1e-6*max(1, v.Len()) {
				t.Errorf("d = %g: the momentum of a unit of volume is off by %g m/s", d, e)
			}
			if l := w.Budget(); math.Abs(l.Sprayed/sum-1) > 1e-12 {
				t.Errorf("d = %g: the budget has %g m³ of %g", d, l.Sprayed, sum)
			}
		}
	}
}

// group returns a frame of particles that fly at the given velocity, with one density.
func group(t float64, x []vec.Vec3, v vec.Vec3, rho float64) Frame {
	s := &particle.Set{}
	for i, x := range x {
		s.Add(x.Add(v.Mul(t)), v, rho, uint32(i))
	}
	s.Round()
	return Frame{t, s}
}

// TestIsolated lets groups of particles become spray: pairs that are closer than at rest, groups of
// up to eight, and what runs along a wall, whose densities are high. A ninth particle keeps them liquid.
func TestIsolated(t *testing.T) {
	const d = 0.02
	row := func(n int, gap float64, at vec.Vec3) (x []vec.Vec3) {
		for i := range n {
			x = append(x, at.Add(vec.New(float64(i)*gap*d, 0, 0)))
		}
		return x
	}
	for _, c := range []struct {
		name string
		x    []vec.Vec3
		rho  float64
		want int
	}{
		{"a pair at half of the spacing", row(2, 0.5, vec.New(0.5, 0.5, 0.5)), 560, 2},
		{"eight in a row", row(8, 1, vec.New(0.3, 0.5, 0.5)), 500, 8},
		{"nine in a row", row(9, 1, vec.New(0.3, 0.5, 0.5)), 500, 0},
		{"one at a wall", row(1, 1, vec.New(d/2, 0.5, 0.5)), 700, 1},
		{"three at a wall", row(3, 1, vec.New(0.5, 0.5, d/2)), 860, 3},
	} {
		w := start(t, DefaultSettings(), tank(d, vec.New(1, 1, 1)))
		v := vec.New(0, -2, 0)
		if err := w.Step(group(0, c.x, v, c.rho), group(0.005, c.x, v, c.rho)); err != nil {
			t.Fatal(err)
		}
		if got := len(w.Airborne(nil)); got != c.want {
			t.Errorf("%s: %d particles are spray, want %d", c.name, got, c.want)
		}
		var sum float64
		var momentum vec.Vec3
		for _, p := range w.births {
			sum += p.Volume()
			momentum = momentum.Add(p.V.Mul(p.Volume()))
		}
		want := float64(c.want) * d * d * d
		if math.Abs(sum-want) > 1e-6*d*d*d || momentum.Sub(v.Mul(want)).Len() > 1e-5*d*d*d {
			t.Errorf("%s: drops of %g m³ with a momentum of %v, want %g m³", c.name, sum, momentum, want)
		}
		balance(t, w)
	}
}
