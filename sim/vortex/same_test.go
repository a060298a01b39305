package vortex

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// bytesOf returns all numbers of a flow.
func bytesOf(t testing.TB, f *Flow) []byte {
	t.Helper()
	var b bytes.Buffer
	put := func(v any) {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	v, r := &f.Vortons, &f.Tracers
	for _, s := range []any{
		v.ID, v.X, v.V, v.W, v.Radius, v.Density, v.Age, v.Mix.Fuel, v.Mix.Flame, v.Mix.Smoke,
		r.ID, r.X, r.V, r.Temperature, r.Age, r.Mix.Fuel, r.Mix.Flame, r.Mix.Smoke,
	} {
		put(s)
	}
	for _, body := range f.Bodies {
		put([]vec.Vec3{body.X, body.V, body.Spin, body.Impulse, body.Twist})
		put([]float64{body.Temperature, float64(body.Hits)})
	}
	return b.Bytes()
}

// fire is a flow with everything that a step changes: a jet with fuel, tracers, and free
// bodies of both kinds.
func fire(t testing.TB) (*Flow, Gas) {
	t.Helper()
	f := jet(t, 10)
	v := &f.Vortons
	for i := range v.X {
		v.Density[i] = 0.9
		v.Mix.Fuel[i], v.Mix.Smoke[i] = 0.2, 0.8
	}
	for i := range 700 {
		f.AddTracer(vec.New(float64(i%10)/5-1, float64(i/10%10)/5-1, float64(i/100)/3-1), 300, Blend{Fuel: 1})
	}
	f.Tracers.Radius, f.Tracers.Mass = 0.02, 0.001
	ball := freeBall(t, vec.New(1.5, 0, 0), 0.4, 2)
	ball.Temperature, ball.HeatCapacity, ball.Conductance = 400, 2, 10
	box := freeBox(t, vec.New(-1, 1, 0), vec.New(0.5, 0.2, 0.3), 4)
	box.put(func(s *particle.Body) { s.Turn, s.Spin = vec.Turn(vec.New(0.3, 0.2, 0.1)), vec.New(1, 2, 3) })
	f.Bodies = []*Body{ball, box}
	if err := f.SetSolids([]boundary.Boundary{&boundary.Plane{Point: vec.New(0, -0.41, 0), Normal: vec.New(0, 1, 0)}}, 0.1); err != nil {
		t.Fatal(err)
	}
	gas := still()
	gas.Viscosity, gas.Conduction, gas.Gravity, gas.Variable, gas.Wind = 0.01, 0.01, vec.New(0, -10, 0), true, vec.New(0.1, 0, 0)
	return f, gas
}

// techniques are the techniques with all of their choices.
func techniques() map[string]func() *Gourlay {
	at := func(t Technique, at string) func() *Gourlay {
		return func() *Gourlay {
			return &Gourlay{
				Technique: t, At: at, Mollify: 2, Stretching: 0.5, Diffusion: "article", Stencil: "faces", Phases: "even-odd",
				Dissipation: true, Boundary: 1.2, Eject: "center", LongestStep: 1. / 30,
				Flame: &Flame{Activation: 300, Rate: 2, SmokeTemperature: 2000, SmokeRate: 5, Heat: 1000},
			}
		}
	}
	exact := func() *Gourlay {
		s := at(&Direct{}, "vortons")()
		s.Diffusion, s.Stencil, s.Life = "exact", "half", 0.05
		return s
	}
	half := func() *Gourlay {
		s := at(&Tree{Leaves: "super"}, "grid")()
		s.Stencil, s.Eject = "half", "face"
		return s
	}
	list := map[string]func() *Gourlay{
		"direct at grid": at(&Direct{}, "grid"), "direct at vortons": at(&Direct{}, "vortons"),
		"tree at grid": at(&Tree{Leaves: "super"}, "grid"), "tree at vortons": at(&Tree{Leaves: "original"}, "vortons"),
		"poisson":           at(&Poisson{Method: "multigrid", Edge: "zero", Border: 0.5, Tolerance: 1e-3}, "grid"),
		"poisson, integral": at(&Poisson{Method: "red-black", Edge: "integral", Tolerance: 1e-3}, "grid"),
		"pic":               at(&PIC{Keep: true}, "grid"), "pic, replaced": at(&PIC{Keep: false}, "grid"),
		"exact diffusion": exact, "half stencil": half,
	}
	for e, t := range Techniques.Defaults() {
		list[e.Name] = at(t, "grid")
	}
	return list
}

// TestSameBytes checks that three steps give the same bytes on any number of threads, for
// each technique with everything on (rows 123 to 125 of the articles).
func TestSameBytes(t *testing.T) {
	for name, make := range techniques() {
		var want []byte
		for n := range longtest.OnThreads() {
			f, gas := fire(t)
			s := make()
			if err := s.Check(&gas); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			hits := 0
			err := f.Advance(s, &gas, 0.1, func(info StepInfo) error { hits += info.Hits; return nil })
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if hits == 0 {
				t.Errorf("%s: no particle meets a body", name)
			}
			got := bytesOf(t, f)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: other bytes on %d threads", name, n)
			}
		}
	}
}

// TestStarts checks that each distribution has vortons with its default settings, and the
// same ones twice.
func TestStarts(t *testing.T) {
	for e, d := range vorticity.Distributions.Defaults() {
		var a, b Flow
		edge := d.Bounds().Size().X / 12
		a.Fill(d, edge, 1, Blend{})
		b.Fill(d, edge, 1, Blend{})
		if a.Vortons.Len() < 20 || !bytes.Equal(bytesOf(t, &a), bytesOf(t, &b)) {
			t.Errorf("%s: %d vortons, and %d", e.Name, a.Vortons.Len(), b.Vortons.Len())
		}
	}
}

// TestSwitches checks that a jet without stretching, buoyancy, viscosity and conduction
// keeps the vorticity and density of its vortons to the bit, and that each switch changes
// them (row 122).
func TestSwitches(t *testing.T) {
	run := func(set func(s *Gourlay, gas *Gas)) *Flow {
		f, gas := jet(t, 8), still()
		for i, x := range f.Vortons.X {
			f.Vortons.Density[i] += 0.1 * x.X
		}
		s := solver(t, &Direct{})
		s.Stretching = 0
		set(s, &gas)
		if err := f.Advance(s, &gas, 1./30, nil); err != nil {
			t.Fatal(err)
		}
		return f
	}
	same := func(a, b *Flow) (w, d bool) {
		w, d = true, true
		for i := range a.Vortons.X {
			w = w && a.Vortons.W[i] == b.Vortons.W[i]
			d = d && a.Vortons.Density[i] == b.Vortons.Density[i]
		}
		return w, d
	}
	start := jet(t, 8)
	for i, x := range start.Vortons.X {
		start.Vortons.Density[i] += 0.1 * x.X
	}
	for _, c := range []struct {
		name string
		set  func(s *Gourlay, gas *Gas)
		w, d bool // stays
	}{
		{"off", func(*Gourlay, *Gas) {}, true, true},
		{"stretching", func(s *Gourlay, _ *Gas) { s.Stretching = 0.5 }, false, true},
		{"buoyancy", func(_ *Gourlay, gas *Gas) { gas.Gravity = vec.New(0, -10, 0) }, false, true},
		{"viscosity", func(_ *Gourlay, gas *Gas) { gas.Viscosity = 0.01 }, false, true},
		{"conduction", func(_ *Gourlay, gas *Gas) { gas.Conduction = 0.01 }, true, false},
	} {
		w, d := same(start, run(c.set))
		if w != c.w || d != c.d {
			t.Errorf("%s: vorticity stays %v, want %v; density stays %v, want %v", c.name, w, c.w, d, c.d)
		}
	}
}

// TestInvariants checks that a jet of direct sums at vortons without viscosity keeps its
// total strength and, with small steps, its impulse.
func TestInvariants(t *testing.T) {
	f, gas := jet(t, 10), still()
	s := solver(t, &Direct{})
	s.At, s.Mollify, s.Stretching, s.LongestStep = "vortons", 0, 1, 1./240
	for i := range f.Vortons.Radius { // overlapping cores
		f.Vortons.W[i] = f.Vortons.W[i].Mul(1. / 8)
		f.Vortons.Radius[i] *= 2
	}
	before := f.Invariants(&gas)
	if err := f.Advance(s, &gas, 0.1, nil); err != nil {
		t.Fatal(err)
	}
	after := f.Invariants(&gas)
	size := before.Impulse.Len()
	nearVec(t, "strength", after.Strength, before.Strength, 1e-3*size)
	nearVec(t, "impulse", after.Impulse, before.Impulse, 0.01*size)
}

// TestHelicity checks that linked rings in a wind have the helicity of Moffatt, twice the
// product of their circulations, and compares the enstrophy with its sum.
func TestHelicity(t *testing.T) {
	longtest.NotShort(t)
	f, gas := &Flow{}, still()
	gas.Wind = vec.New(3, -2, 1)
	f.Fill(&vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Core: 0.25, Circulation: 1}, 0.15, 1, Blend{})
	f.Fill(&vorticity.Ring{Center: vec.New(0, 1, 0), Axis: vec.New(0, 0, 1), Radius: 1, Core: 0.25, Circulation: 1.5}, 0.15, 1, Blend{})
	if s := f.Invariants(&gas); s.Helicity != 0 {
		t.Errorf("helicity %g before there are velocities", s.Helicity)
	}
	s := vpm(t)
	s.Align, s.Gap = 0, 0
	if err := f.Advance(s, &gas, 1e-4, nil); err != nil {
		t.Fatal(err)
	}
	got := f.Invariants(&gas)
	var enstrophy float64
	for i, w := range f.Vortons.W {
		enstrophy += w.Dot(w) * f.Vortons.Volume(i)
	}
	near(t, "helicity", math.Abs(got.Helicity), 3, 0.1)
	near(t, "enstrophy", got.Enstrophy, enstrophy, 1e-9*enstrophy)
}

// TestChecks checks the settings that are refused, and a flow that flies apart.
func TestChecks(t *testing.T) {
	gas := still()
	s := solver(t, registrytest.New(t, &Techniques, "poisson"))
	s.At = "vortons"
	if err := s.Check(&gas); err == nil {
		t.Error("Poisson's equation at vortons is accepted")
	}
	s = solver(t, registrytest.New(t, &Techniques, "tree"))
	gas.Viscosity = 10
	if err := s.Check(&gas); err == nil {
		t.Error("a viscosity that reverses differences is accepted")
	}
	f := &Flow{}
	f.AddVorton(vec.New(0, 0, 0), vec.New(0, 0, 1e30), 0.1, 1, Blend{})
	f.AddVorton(vec.New(0.2, 0, 0), vec.New(0, 0, 1e30), 0.1, 1, Blend{})
	gas = still()
	if err := f.Advance(s, &gas, 1, nil); err == nil {
		t.Error("a flow that flies apart is accepted")
	}
	if err := (&Flow{}).Advance(s, &gas, 1, nil); err != nil {
		t.Errorf("nothing at all: %v", err)
	}
}
