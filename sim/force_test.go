package sim

import (
	"math"
	"testing"

	"breakwater/sim/force"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestForces holds for all forces: they take energy away, and those between
// particles keep the momentum.
func TestForces(t *testing.T) {
	act := map[string]func(w *World){
		"viscosity": func(w *World) { w.Viscosity = 0.01 },
	}
	for _, name := range force.Forces.Names() {
		f := registrytest.New(t, &force.Forces, name)
		act[name] = func(w *World) { w.Forces = []force.Force{f} }
		if dt := f.MaxDt(); !(dt > 0) {
			t.Errorf("%s allows a step of %g s", name, dt)
		}
	}
	for name, f := range act {
		t.Run(name, func(t *testing.T) {
			w := ball(t)
			f(w)
			outer := name == "damping" // which nothing answers
			a := forcesOn(t, w)
			var sum vec.Vec3
			var size, power float64
			for i := range a {
				sum, size = sum.Add(a[i]), size+a[i].Len()
				power += a[i].Dot(w.V[i])
			}
			if size == 0 || !outer && sum.Len() > 1e-6*size {
				t.Errorf("net force %g of %g", sum.Len(), size)
			}
			if power >= 0 {
				t.Errorf("power %g W/kg, want it to take energy away", power)
			}
			if outer {
				return
			}
			for i := range w.V {
				w.V[i] = vec.New(1, -2, 3)
			}
			for _, a := range forcesOn(t, w) {
				if a.Len() > 1e-9 {
					t.Fatalf("acceleration %v in uniform flow", a)
				}
			}
		})
	}
}

// TestDamping lets a ball of liquid fly freely. It slows down by e^(−rate t) until the
// damping ends. A step is 0.03 s.
func TestDamping(t *testing.T) {
	const rate, until = 2, 0.25
	w := ball(t)
	w.Gravity = vec.Vec3{}
	for i := range w.V {
		w.V[i] = vec.New(1, -2, 3)
	}
	w.Forces = []force.Force{&force.Damping{Rate: rate, Until: until}}
	mustInit(t, w)
	for _, at := range []float64{0.1, 0.5} {
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), at, nil)
		var mean vec.Vec3
		for _, v := range w.V {
			mean = mean.Add(v.Mul(1 / float64(w.Len())))
		}
		want := vec.New(1, -2, 3).Mul(math.Exp(-rate * min(at, until)))
		if e := mean.Sub(want).Len(); e > 0.05*want.Len() {
			t.Errorf("velocity %v at %g s, want %v", mean, at, want)
		}
	}
}

// forcesOn returns the accelerations by viscosity and forces.
func forcesOn(t *testing.T, w *World) []vec.Vec3 {
	t.Helper()
	p := mustArrange(t, w)
	p.setVelocities(w)
	a := make([]Vec4, w.Len())
	addForces(w, p, a, 0, true)
	out := make([]vec.Vec3, w.Len())
	for i := range a {
		out[i] = vec3(a[i])
	}
	return out
}

// TestViscosityOfShear compares the viscous acceleration of a sinusoidal
// shear flow with ν∇²v = −νk²v.
func TestViscosityOfShear(t *testing.T) {
	w := New(0.05, 1000)
	w.Viscosity = 0.01
	w.Fill(&shape.Box{Max: vec.New(1, 1, 1)}, vec.Vec3{})
	k := 2 * math.Pi
	for i, x := range w.X {
		w.V[i] = vec.New(math.Sin(k*x.Y), 0, 0)
	}
	mustInit(t, w)
	a := forcesOn(t, w)
	inner := vec.Box{Max: vec.New(1, 1, 1)}.Grow(-0.15)
	for i, x := range w.X {
		if want := -w.Viscosity * k * k * w.V[i].X; inner.Contains(x) && math.Abs(a[i].X-want) > 0.12*w.Viscosity*k*k {
			t.Fatalf("at %v the acceleration is %g, want %g", x, a[i].X, want)
		}
	}
	if got, want := w.viscousDt(), 0.125*0.05*0.05/0.01; math.Abs(got-want) > 1e-12 {
		t.Errorf("longest step %g, want %g", got, want)
	}
}
