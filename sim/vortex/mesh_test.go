package vortex

import (
	"bytes"
	"iter"
	"math"
	"runtime"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/classic/solids"
	"breakwater/sim/longtest"
	"breakwater/sim/par"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

func newMesh(cell float64) *Mesh {
	return &Mesh{Cell: cell, Turn: 0.5, Keep: 1e-4, Most: 1e8, LongestStep: 0.1, Inertia: true, PressureError: 0.01}
}

// TestMeshRing compares a thick ring's speed with the speed of circular filaments (Lamb,
// Hydrodynamics, 1932, art. 161), which the case thick-ring of breakwater validate computes,
// at two spacings. What has no viscosity and no walls keeps its invariants.
func TestMeshRing(t *testing.T) {
	longtest.NotShort(t)
	const want = 0.21699 // m/s
	var errors []float64
	for _, cell := range []float64{0.125, 0.0625} {
		f, gas := &Flow{}, still()
		f.Fill(&vorticity.Ring{Axis: vec.New(0, 1, 0), Radius: 1, Core: 0.25, Circulation: 1}, cell, gas.Density, Blend{})
		place := func() float64 { // of the impulse
			var all, y float64
			for i, at := range f.Vortons.X {
				w := at.Cross(f.Vortons.Strength(i)).Y
				all, y = all+w, y+w*at.Y
			}
			return y / all
		}
		before, from := f.Invariants(&gas), place()
		const time = 0.2
		if err := f.Advance(newMesh(cell), &gas, time, nil); err != nil {
			t.Fatal(err)
		}
		after, speed := f.Invariants(&gas), (place()-from)/time
		errors = append(errors, math.Abs(speed/want-1))
		t.Logf("cells of %g m: %.5f m/s, want %.5f", cell, speed, want)
		if d := after.Impulse.Sub(before.Impulse).Len() / before.Impulse.Len(); d > 2e-3 || after.Strength.Len() > 1e-4 {
			t.Errorf("cells of %g m: the impulse changes by %.2g of itself, and the strength becomes %v", cell, d, after.Strength)
		}
	}
	if errors[1] > 0.001 || errors[1] > errors[0]/2 {
		t.Errorf("the errors of the speed are %.3g; expected the second below 0.001 and half of the first", errors)
	}
}

// TestMeshBuoyancy checks the acceleration of a light ball from rest: its buoyancy moves its
// own mass and half of the mass of the gas around it, by Boussinesq's approximation
// a = ⅔ g Δρ/ρ (Batchelor, An Introduction to Fluid Dynamics, 1967, section 6.8).
func TestMeshBuoyancy(t *testing.T) {
	longtest.NotShort(t)
	var errors []float64
	for _, cell := range []float64{1. / 8, 1. / 16} {
		f, gas := &Flow{}, still()
		gas.Gravity = vec.New(0, -10, 0)
		const excess = 3. // K
		ball := vec.Box{Min: vec.New(-1, -1, -1), Max: vec.New(1, 1, 1)}
		places(ball.Grow(2*cell), cell, func(x vec.Vec3) {
			share := min(1, max(0, (1-x.Len())/(3*cell)+0.5)) // a surface of three cells
			f.AddVorton(x, vec.Vec3{}, BallRadius(cell*cell*cell), gas.DensityOf(gas.Temperature+excess*share), Blend{})
		})
		const time = 0.2
		s := newMesh(cell)
		if err := f.Advance(s, &gas, time, nil); err != nil {
			t.Fatal(err)
		}
		want := 2. / 3 * 10 * (1 - gas.DensityOf(gas.Temperature+excess)/gas.Density) * time
		var u [3][]float32
		for a := range u {
			u[a] = par.Resize(u[a], 1)
		}
		s.lattice.Fetch(u[:], []vec.Vec3{{}}, s.u[:])
		got := float64(u[1][0]) * time / (time - s.LongestStep/2) // the velocity is of the middle of the last part
		errors = append(errors, math.Abs(got/want-1))
		t.Logf("cells of %g m: %.5f m/s in the middle, want %.5f", cell, got, want)
	}
	if max(errors[0], errors[1]) > 0.005 {
		t.Errorf("the errors are %.3g; expected less than 0.005", errors)
	}
}

// plume is a flow with everything that the solver mesh knows.
func plume(t testing.TB) (*Flow, Gas, func() *Mesh) {
	t.Helper()
	f, gas := &Flow{}, still()
	gas.HeatCapacity = 1000
	gas.Viscosity, gas.Conduction, gas.Gravity, gas.Variable, gas.Wind = 0.001, 0.001, vec.New(0, -10, 0), true, vec.New(0.3, 0, 0)
	f.Fill(&vorticity.Ring{Axis: vec.New(0, 1, 0), Radius: 0.4, Core: 0.15, Circulation: 0.5}, 0.1, gas.Density, Blend{})
	f.Sources = []Source{{
		Region: &shape.Sphere{Center: vec.New(0, -0.5, 0), Radius: 0.25}, Vortons: 100, Tracers: 2000, Radius: 0.05,
		Temperature: 500, Mix: Blend{Fuel: 0.3, Smoke: 0.7}, Stop: math.Inf(1),
	}}
	ball := freeBall(t, vec.New(0.2, 0.5, 0), 0.2, 1)
	f.Bodies = []*Body{ball}
	if err := f.SetSolids([]boundary.Boundary{&boundary.Plane{Point: vec.New(0, -3, 0), Normal: vec.New(0, 1, 0)}}, 0.1); err != nil {
		t.Fatal(err)
	}
	return f, gas, func() *Mesh {
		s := newMesh(0.1)
		s.Flame = &Flame{Activation: 300, Rate: 2, SmokeTemperature: 2000, SmokeRate: 5, Heat: 1e5}
		s.Low, s.High = vec.New(-1.2, -1, -1), vec.New(1.2, 1.4, 1)
		return s
	}
}

// TestMeshSameBytes checks that a run has the same bytes on any number of threads, and after
// its state was written and restored.
func TestMeshSameBytes(t *testing.T) {
	f := sameBytes(t, 0.1, longtest.OnThreads(), func() (*Flow, Gas, func() *Mesh) { return plume(t) })
	if len(f.Tracers.X) < 300 || f.Vortons.Len() < 1000 {
		t.Errorf("only %d tracers and %d vortons", len(f.Tracers.X), f.Vortons.Len())
	}
}

// sameBytes advances a flow by three frames, each frame long in s, on each number of threads.
// On more than one thread, it resumes the flow after two frames. It compares the bytes and
// returns the last flow.
func sameBytes(t *testing.T, frame float64, threads iter.Seq[int], start func() (*Flow, Gas, func() *Mesh)) (f *Flow) {
	t.Helper()
	var want []byte
	for n := range threads {
		var gas Gas
		var solver func() *Mesh
		f, gas, solver = start()
		run := solver()
		for k := range 3 {
			if err := f.Advance(run, &gas, float64(k+1)*frame, nil); err != nil {
				t.Fatal(err)
			}
			state := f.State(&gas)
			if n > 1 && k == 1 {
				g, _, _ := start()
				if err := g.Restore(state); err != nil {
					t.Fatal(err)
				}
				g.Time = f.Time
				f, run = g, solver()
			}
		}
		got := bytesOf(t, f)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("other bytes on %d threads", n)
		}
	}
	return f
}

// TestMeshFarTracer compares the speed of a tracer far from all vorticity with a sum over all
// vortons.
func TestMeshFarTracer(t *testing.T) {
	f, gas := &Flow{}, still()
	f.Fill(&vorticity.Ring{Axis: vec.New(0, 1, 0), Radius: 0.5, Core: 0.2, Circulation: 1}, 0.1, gas.Density, Blend{})
	f.AddTracer(vec.New(0, 4, 0.5), gas.Temperature, Blend{Smoke: 1})
	s := newMesh(0.1)
	want := s.VelocityAt(f, &gas, f.Tracers.X[0])
	if err := f.Advance(s, &gas, 0.01, nil); err != nil {
		t.Fatal(err)
	}
	if got := f.Tracers.V[0]; got.Sub(want).Len() > 0.01*want.Len() {
		t.Errorf("it moves at %v m/s, want %v", got, want)
	}
}

// TestMeshBodies checks that gas does not flow through a ball in a wind, the less the finer
// the cells, and that the ball is pushed with the wind.
func TestMeshBodies(t *testing.T) {
	longtest.Only(t)
	var at []vec.Vec3
	for k := range 200 { // points of the surface, by the golden angle
		y := 1 - (float64(k)+0.5)/100
		r, turn := math.Sqrt(1-y*y), float64(k)*math.Pi*(3-math.Sqrt(5))
		at = append(at, vec.New(r*math.Cos(turn), y, r*math.Sin(turn)).Mul(0.5))
	}
	through := func(cells float64) (worst float64) {
		f, gas := &Flow{}, still()
		gas.Wind, gas.Viscosity = vec.New(1, 0, 0), 0.01
		f.Bodies = []*Body{NewBody(solids.NewBall(vec.Vec3{}, 0.5), vec.NoTurn)}
		s := newMesh(1 / cells)
		if err := f.Advance(s, &gas, 1, nil); err != nil {
			t.Fatal(err)
		}
		if p := f.Bodies[0].Impulse; !(p.X > 0) || math.Abs(p.Y)+math.Abs(p.Z) > 1e-3*p.X {
			t.Errorf("the ball has an impulse of %v from a wind along x", p)
		}
		var u [3][]float32
		for a := range u {
			u[a] = make([]float32, len(at))
		}
		s.lattice.Fetch(u[:], at, s.u[:])
		for i, x := range at {
			v := vec.New(float64(u[0][i]), float64(u[1][i]), float64(u[2][i])).Add(gas.Wind)
			worst = max(worst, math.Abs(v.Dot(x.Unit())))
		}
		t.Logf("%g cells per diameter: the largest normal velocity at the surface is %.3g of the wind", cells, worst)
		return worst
	}
	if coarse, fine := through(12), through(24); fine > 0.6*coarse || fine > 0.12 {
		t.Errorf("the largest normal velocity at the surface is %.3g of the wind at 12 cells per diameter and %.3g at 24", coarse, fine)
	}
}

// BenchmarkMesh makes steps of one part with a million hot vortons on 128³ nodes.
func BenchmarkMesh(b *testing.B) {
	const cell, side = 1., 102
	f, gas := &Flow{}, still()
	gas.Gravity = vec.New(0, -9.81, 0)
	places(vec.Box{Max: vec.New(side-1, side-1, side-1)}, cell, func(x vec.Vec3) {
		at := x.Mul(2 * math.Pi / side)
		taper := math.Pow(math.Sin(at.X/2)*math.Sin(at.Y/2)*math.Sin(at.Z/2), 2)
		w := vec.New(-math.Sin(at.Y), math.Sin(at.Z), math.Sin(at.X)).Mul(taper)
		f.AddVorton(x, w, BallRadius(cell*cell*cell), gas.DensityOf(gas.Temperature+10*taper), Blend{})
	})
	s := newMesh(cell)
	s.Low, s.High = vec.New(-1, -1, -1), vec.New(side, side, side)
	parts := 0
	for b.Loop() {
		if _, err := s.Step(f, &gas, 1e-3); err != nil {
			b.Fatal(err)
		}
		parts++
	}
	each := b.Elapsed().Seconds() / float64(parts)
	b.ReportMetric(float64(s.lattice.Len())/1e6/each, "Mnode/s")
	b.ReportMetric(float64(f.Vortons.Len())/1e6/each, "Mvorton/s")
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.HeapAlloc)/1e6, "MB")
	runtime.KeepAlive(s)
	runtime.KeepAlive(f)
	b.Logf("%v nodes, %d vortons", s.lattice.N, f.Vortons.Len())
}

// TestMeshThinRing checks that a ring with a core 4 cells wide keeps its sum of squares of the vorticity:
// with differences of the fourth order, the projection takes 16 % of it.
func TestMeshThinRing(t *testing.T) {
	longtest.NotShort(t)
	f, gas := &Flow{}, still()
	f.Fill(&vorticity.Ring{Axis: vec.New(0, 1, 0), Radius: 1, Core: 0.3, Circulation: 1}, 0.15, gas.Density, Blend{})
	sum := func() (all float64) {
		for i, w := range f.Vortons.W {
			all += float64(w.Dot(w) * f.Vortons.Volume(i))
		}
		return all
	}
	before := sum()
	if err := f.Advance(newMesh(0.15), &gas, 1.5, nil); err != nil {
		t.Fatal(err)
	}
	lost := 1 - sum()/before
	t.Logf("it loses %.4f of it", lost)
	if !(lost < 0.05 && lost > 0) {
		t.Errorf("it loses %.4f of it, want less than 0.05, and some", lost)
	}
}
