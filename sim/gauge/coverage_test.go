package gauge

import (
	"math"
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/inflow"
	"breakwater/sim/longtest"
	"breakwater/sim/outflow"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// meanForce returns the mean of a force over the time until end, N, and the rate at which the momentum of
// the liquid grows in it.
func meanForce(t *testing.T, w *sim.World, g *ForceOn, end float64) (force, growth vec.Vec3) {
	t.Helper()
	momentum := func() (sum vec.Vec3) {
		for _, v := range w.V {
			sum = sum.Add(v.Mul(w.Mass()))
		}
		return sum
	}
	start, before := w.Time, momentum()
	err := w.Advance(registrytest.New(t, &sim.Solvers, "isph"), end, func(info sim.StepInfo) error {
		x := g.Read(nil, w, sim.Pressures(w, nil))
		force = force.Add(vec.New(x[0], x[1], x[2]).Mul(info.Dt))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	T := w.Time - start
	return force.Mul(1 / T), momentum().Sub(before).Mul(1 / T)
}

// TestForceOfSlosh lets a column of water collapse and slosh in a tank: the mean force on the tank is the
// weight less the growth of the momentum, at two spacings.
func TestForceOfSlosh(t *testing.T) {
	longtest.NotShort(t)
	for _, d := range []float64{0.025, 0.0125} {
		if d < 0.02 && !longtest.On() {
			continue
		}
		w := sim.New2D(d, 1000)
		w.Gravity, w.Viscosity = vec.New(0, -9.81, 0), 1e-6
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1, 2, 0), Inside: true}}
		w.Fill(&shape.Box{Max: vec.New(0.5, 0.4, 0)}, vec.Vec3{})
		if err := w.Init(); err != nil {
			t.Fatal(err)
		}
		weight := float64(w.Len()) * w.Mass() * 9.81
		g := &ForceOn{Wall: 1}
		for _, end := range []float64{0.6, 1.2, 1.8} {
			force, growth := meanForce(t, w, g, end)
			off := force.Sub(vec.New(0, -weight, 0).Sub(growth)).Mul(1 / weight)
			t.Logf("d = %g, to %g s: %.4f %.4f of the weight are missing", d, end, off.X, off.Y)
			if math.Abs(off.X) > 0.03 || math.Abs(off.Y) > 0.06 {
				t.Errorf("d = %g, to %g s: the force on the walls is off by %.3f %.3f of the weight", d, end, off.X, off.Y)
			}
		}
	}
}

// TestForceOfJet directs a plane jet at a plate, without gravity: the force is ρv² times its width.
func TestForceOfJet(t *testing.T) {
	longtest.NotShort(t)
	const d, wide, speed = 0.01, 0.1, 3.
	w := sim.New2D(d, 1000)
	w.Walls = []boundary.Boundary{&boundary.Box{Min: vec.New(0.4, -1, 0), Max: vec.New(0.5, 1, 0)}}
	w.Inflows = []inflow.Inflow{{Opening: &inflow.Rectangle{Width: 1, Height: wide}, Direction: vec.New(1, 0, 0), Speed: speed, Stop: math.Inf(1)}}
	for _, side := range []float64{-1, 1} {
		w.Outflows = append(w.Outflows, outflow.Outflow{Region: &outflow.Plane{Point: vec.New(0, 0.6*side, 0), Direction: vec.New(0, side, 0)}})
	}
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	g := &ForceOn{Wall: 1}
	meanForce(t, w, g, 0.4)
	force, _ := meanForce(t, w, g, 0.8)
	if want := 1000 * speed * speed * wide; math.Abs(force.X/want-1) > 0.04 || math.Abs(force.Y) > 0.04*want {
		t.Errorf("the force is %v N, want %g", force, want)
	}
}
