package vortex

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"breakwater/sim/biot"
	"breakwater/sim/classic/solids"
	"breakwater/sim/longtest"
	"breakwater/sim/multipole"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// vpm returns the solver vortons.
func vpm(t testing.TB) *VPM {
	t.Helper()
	s := registrytest.New(t, &Solvers, "vortons")
	return s.(*VPM)
}

// smoothRing returns the speed of a thin continuous ring with a kernel, R = Γ = 1:
//
//	U = 1/(4π) ∫ d²/2 g(d, σ) dθ,  d = 2 sin(θ/2).
func smoothRing(k biot.Kernel, sigma float64) (u float64) {
	const parts = 20000
	for i := range parts {
		d := 2 * math.Sin(math.Pi*(float64(i)+0.5)/parts)
		rho := d / sigma
		g := (rho*rho + 2.5) / math.Pow(rho*rho+1, 2.5)
		if k == biot.Gauss {
			g = (math.Erf(rho/math.Sqrt2) - math.Sqrt(2/math.Pi)*rho*math.Exp(-rho*rho/2)) / (rho * rho * rho)
		}
		u += d * d / 2 * g / (sigma * sigma * sigma) / (4 * math.Pi) * 2 * math.Pi / parts
	}
	return u
}

// middle returns the mean place of vortons.
func middle(f *Flow) (x vec.Vec3) {
	for _, p := range f.Vortons.X {
		x = x.Add(p.Mul(1 / float64(f.Vortons.Len())))
	}
	return x
}

// TestVortonRing checks the way of a ring of vortons on a circle with both kernels. Its
// error must fall with the spacing to almost nothing where cores overlap.
func TestVortonRing(t *testing.T) {
	const sigma, way = 0.2, 0.25
	for _, k := range []biot.Kernel{biot.Algebraic, biot.Gauss} {
		var e [3]float64
		for i, n := range []int{24, 32, 64} {
			f, gas := &Flow{}, still()
			f.AddRing(&vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Circulation: 1}, n, sigma, 1)
			s := vpm(t)
			s.Kernel, s.Core, s.Gap = k.String(), 1, 0
			end := way / smoothRing(k, sigma)
			if err := f.Advance(s, &gas, end, nil); err != nil {
				t.Fatal(err)
			}
			e[i] = math.Abs(middle(f).X/way - 1)
		}
		t.Logf("%s: errors %.2g", k, e)
		if !(e[1] < e[0]/2 && e[2] < e[1] && e[2] < 1e-4) {
			t.Errorf("%s: errors %.3g", k, e)
		}
	}
}

// TestVortonBall checks the speed of Hill's vortex, which is thick and known exactly, at
// two spacings.
func TestVortonBall(t *testing.T) {
	var e [2]float64
	for i, cells := range []float64{5, 10} {
		f := &Flow{}
		ball := &vorticity.Ball{Axis: vec.New(1, 0, 0), Radius: 1, Circulation: 5}
		f.Fill(&vorticity.CellMean{Distribution: ball, Edge: 1 / cells}, 1/cells, 1, Blend{})
		s := vpm(t)
		s.Core = 1.5
		s.start(&f.Vortons)
		s.velocities(&f.Tracers)
		// The rate of the impulse's place Σ xρ α_φ / Σ ρ α_φ.
		var way, all float64
		for j, x := range f.Vortons.X {
			a := s.sources.Alpha[j]
			all += x.Cross(a).X
			rate := s.u[j].Cross(a).Add(x.Cross(s.grad[j].Along(a))).X
			way += s.u[j].X*x.Cross(a).X + x.X*rate
		}
		e[i] = 1 - way/all
	}
	t.Logf("errors %.3g", e)
	if !(math.Abs(e[1]) < 0.025 && math.Abs(e[1]) < 0.35*math.Abs(e[0])) {
		t.Errorf("errors %.3g", e)
	}
}

// TestVortonTotals checks that two rings that collide off-centre keep total strength,
// impulse and angular impulse without viscosity. The transposed form of the stretching keeps
// the first two by itself.
func TestVortonTotals(t *testing.T) {
	for _, c := range []struct {
		stretching string
		conserve   bool
		angular    float64
	}{{"transpose", false, 0.05}, {"transpose", true, 1e-9}, {"classical", true, 1e-9}, {"reformulated", true, 1e-9}} {
		f, gas := rings(0.35), still()
		gas.Wind = vec.New(0.2, 0.1, 0)
		s := vpm(t)
		s.Stretching, s.Conserve, s.Gap, s.Align = c.stretching, c.conserve, 0, 0
		before, size := f.moments(), 0.
		for i := range f.Vortons.X {
			size += f.Vortons.Strength(i).Len()
		}
		if err := f.Advance(s, &gas, 1, nil); err != nil {
			t.Fatal(err)
		}
		after := f.momentsAbout(before.about.Add(gas.Wind))
		for k, goal := range [9]float64{1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, c.angular, c.angular, c.angular} {
			near(t, c.stretching, after.sum[k], before.sum[k], goal*size)
		}
	}
}

// rings are two thick rings that collide off-centre.
func rings(edge float64) *Flow {
	f := &Flow{}
	f.Fill(&vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Core: 0.25, Circulation: 1}, edge, 1, Blend{})
	f.Fill(&vorticity.Ring{Center: vec.New(0.6, 0.5, 0), Axis: vec.New(-1, 0, 0), Radius: 1, Core: 0.25, Circulation: 1}, edge, 1, Blend{})
	return f
}

// TestStable checks that the reformulated stretching keeps two rings that collide in
// bounds for long after the classical form blows up, and that aligned strengths do so in
// the classical form too.
func TestStable(t *testing.T) {
	longtest.Only(t)
	grown := func(stretching string, align float64) float64 {
		f, gas := rings(0.35), still()
		s := vpm(t)
		s.Stretching, s.Gap, s.Turn, s.Align = stretching, 0, 1, align
		most := func() (m float64) {
			for i := range f.Vortons.X {
				m = max(m, f.Vortons.Strength(i).Len())
			}
			return m
		}
		before := most()
		for k := range 16 {
			if err := f.Advance(s, &gas, float64(k+1)/2, nil); err != nil || !(most() < 100*before) {
				return math.Inf(1)
			}
		}
		return most() / before
	}
	classical, reformed, aligned := grown("classical", 0), grown("reformulated", 0), grown("classical", 0.3)
	t.Logf("strengths grow %.3g, %.3g and %.3g times", classical, reformed, aligned)
	if !(classical > 5 && reformed < 2 && aligned < 3) {
		t.Errorf("the strongest vorton grows %.3g times, reformulated %.3g times, and aligned %.3g times", classical, reformed, aligned)
	}
}

// TestReformulated checks the rates against a pure strain and a rotation, and that
// |α| σ² stays.
func TestReformulated(t *testing.T) {
	strain := biot.Gradient{X: vec.New(2, 0, 0), Y: vec.New(0, -1, 0), Z: vec.New(0, 0, -1)}
	da, grow := reformulated(&strain, vec.New(3, 0, 0))
	nearVec(t, "along the strain", da, vec.New(2*3*0.4, 0, 0), 1e-12)
	near(t, "growth of the core", grow, -2./5, 1e-12)
	near(t, "rate of |α| σ²", da.X/3+2*grow, 0, 1e-12)
	turn := biot.Gradient{X: vec.New(0, -1, 0), Y: vec.New(1, 0, 0)}
	da, grow = reformulated(&turn, vec.New(3, 0, 0))
	nearVec(t, "in a rotation", da, vec.New(0, 3, 0), 1e-12)
	near(t, "growth in a rotation", grow, 0, 0)
	if da, grow := reformulated(&strain, vec.Vec3{}); da != (vec.Vec3{}) || grow != 0 {
		t.Errorf("no strength: %v and %g", da, grow)
	}
}

// TestSplit checks that a ring with gaps is split evenly, that halves keep all moments to
// rounding, and that there are never more vortons than allowed.
func TestSplit(t *testing.T) {
	const n, sigma = 20, 0.15 // 2.1 core radii apart
	make := func() *Flow {
		f := &Flow{}
		f.AddRing(&vorticity.Ring{Center: vec.New(3, 1, 2), Axis: vec.New(1, 2, 3), Radius: 1, Circulation: 1}, n, sigma, 1)
		return f
	}
	f := make()
	before := f.moments()
	f.split(1, 1.5, 1000)
	if f.Vortons.Len() != 2*n {
		t.Fatalf("%d vortons, want %d", f.Vortons.Len(), 2*n)
	}
	after := f.momentsAbout(before.about)
	for k := range before.sum {
		near(t, "moment", after.sum[k], before.sum[k], 1e-12)
	}
	f.split(1, 1.5, 1000)
	if f.Vortons.Len() != 2*n {
		t.Errorf("%d vortons after another split", f.Vortons.Len())
	}
	f = make()
	f.split(1, 1.5, n+3)
	if f.Vortons.Len() != n+3 {
		t.Errorf("%d vortons, want %d at most", f.Vortons.Len(), n+3)
	}
	lone := &Flow{}
	lone.AddVorton(vec.Vec3{}, vec.New(1, 0, 0), 0.1, 1, Blend{})
	lone.split(1, 1.5, 10)
	if lone.Vortons.Len() != 1 {
		t.Error("a lone vorton is split")
	}
}

// TestMerge checks that merging keeps total strength, impulse and angular impulse to
// rounding, the volume and the mass, and hardly changes the velocity far away.
func TestMerge(t *testing.T) {
	f := rings(0.3)
	v, gas := &f.Vortons, still()
	for i := range v.X { // pairs with strengths that are not alike
		if i%3 == 0 {
			f.AddVorton(v.X[i].Add(vec.New(0.01, 0.02, -0.01)), vec.New(v.W[i].Y, 0.3*v.W[i].Z, v.W[i].X), 0.9*v.Radius[i], 1.2, Blend{Smoke: 1})
		}
	}
	u := func() (u [1]vec.Vec3) {
		biot.Velocity(u[:], []vec.Vec3{{X: 8, Y: 3, Z: 1}}, sourcesOf(f), biot.Core)
		return u
	}
	count, before, excess, far := v.Len(), f.moments(), f.Invariants(&gas).Excess, u()
	f.merge(2, 1./3)
	if left := v.Len(); !(float64(left) < 0.78*float64(count)) {
		t.Errorf("%d of %d vortons are left", left, count)
	}
	after := f.momentsAbout(before.about)
	for k := range before.sum {
		near(t, "moment", after.sum[k], before.sum[k], 1e-11)
	}
	near(t, "excess of mass", f.Invariants(&gas).Excess, excess, 1e-12)
	nearVec(t, "velocity far away", u()[0], far[0], 1e-2*far[0].Len())

	// In a flat ring around its centre, the moments are not independent.
	flat := &Flow{}
	flat.AddRing(&vorticity.Ring{Axis: vec.New(0, 0, 1), Radius: 1, Circulation: 1}, 64, 0.4, 1)
	start := flat.moments()
	flat.merge(1, 0.5)
	end := flat.momentsAbout(start.about)
	if flat.Vortons.Len() >= 64 {
		t.Error("nothing merges in a flat ring")
	}
	for k := range start.sum {
		near(t, "moment of a flat ring", end.sum[k], start.sum[k], 1e-9)
	}
}

// TestGrowCores checks a viscous ring with a thin Gauss core a² = 4νt, whose speed falls
// as the core spreads, against the speed of the continuous ring over the same time.
func TestGrowCores(t *testing.T) {
	const nu, n = 0.002, 200
	for _, k := range []biot.Kernel{biot.Gauss, biot.Algebraic} {
		rate := map[biot.Kernel]float64{biot.Gauss: 2, biot.Algebraic: 4}[k]
		sigma := 0.1
		f, gas := &Flow{}, still()
		gas.Viscosity = nu
		f.AddRing(&vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Circulation: 1}, n, sigma, 1)
		s := vpm(t)
		s.Kernel, s.Core, s.Gap, s.Stretching = k.String(), 1, 0, "transpose"
		const end, parts = 0.4, 40
		way := 0.
		for i := range parts {
			at := end * (float64(i) + 0.5) / parts
			way += smoothRing(k, math.Sqrt(sigma*sigma+rate*nu*at)) * end / parts
		}
		before := f.Invariants(&gas)
		if err := f.Advance(s, &gas, end, nil); err != nil {
			t.Fatal(err)
		}
		near(t, "way", middle(f).X/way, 1, 5e-3)
		near(t, "core", f.Vortons.Radius[0], math.Sqrt(sigma*sigma+rate*nu*end), 1e-9)
		nearVec(t, "strength", f.Invariants(&gas).Strength, before.Strength, 1e-6)
	}
}

// TestVortonsSameBytes checks that two steps of many vortons with everything on give the
// same bytes on any number of threads, and that the error of the velocities is measured
// and below the one asked for.
func TestVortonsSameBytes(t *testing.T) {
	var want []byte
	for n := range longtest.OnThreads() {
		f, gas := fire(t)
		fill := &vorticity.JetRing{Axis: vec.New(1, 0, 0), Center: vec.New(0, 0, 4), Radius: 1, Thickness: 1, Circulation: 20}
		f.Fill(fill, 4./28, 1, Blend{})
		if f.Vortons.Len() < multipole.Fewest {
			t.Fatalf("%d vortons", f.Vortons.Len())
		}
		s := vpm(t)
		s.Most, s.Error, s.Core, s.Turn = f.Vortons.Len()+20, 1e-2, 1.2, 1
		s.Gap, s.Merge, s.Boundary = 0.8, 1, 1.5
		s.Flame = &Flame{Activation: 300, Rate: 2, SmokeTemperature: 2000, SmokeRate: 5, Heat: 1000}
		hits, count := 0, f.Vortons.Len()
		for range 2 {
			info, err := s.Step(f, &gas, 0.002)
			if err != nil {
				t.Fatal(err)
			}
			if hits += info.Hits; !(info.Error > 0 && info.Error < s.Error) {
				t.Errorf("measured error %.3g", info.Error)
			}
			s.Most = count // fewer than there are after the split
		}
		if hits == 0 || f.Vortons.Len() == count {
			t.Errorf("%d hits, and %d vortons of %d", hits, f.Vortons.Len(), count)
		}
		got := bytesOf(t, f)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("other bytes on %d threads", n)
		}
	}
}

// TestVortonSwitches checks that tracers move with the gas and the wind, that bodies are
// met, and that vortons of a flow without stretching and viscosity keep their vorticity.
func TestVortonSwitches(t *testing.T) {
	f, gas := &Flow{}, still()
	gas.Wind = vec.New(0, 0, 0.5)
	f.AddRing(&vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Circulation: 1}, 64, 0.2, 1)
	f.AddTracer(vec.Vec3{}, 300, Blend{})
	s := vpm(t)
	s.Core, s.Stretching = 1, "none"
	w := append([]vec.Vec3(nil), f.Vortons.W...)
	if err := f.Advance(s, &gas, 0.1, nil); err != nil {
		t.Fatal(err)
	}
	for i := range w {
		nearVec(t, "vorticity", f.Vortons.W[i], w[i], 1e-7*w[i].Len())
	}
	// On the axis at its centre a thin ring has the velocity Γ/(2R), and here that of its core.
	u := 0.5 * (1 + 2.5*0.04) / math.Pow(1.04, 2.5)
	nearVec(t, "tracer", f.Tracers.X[0], vec.New(u*0.1, 0, 0.05), 1e-3)
	nearVec(t, "velocity", f.Tracers.V[0], f.Tracers.X[0].Mul(30), 1.6)
	near(t, "wind", middle(f).Z, 0.05, 1e-6)

	b := NewBody(solids.NewBall(vec.New(0.1, 1, 0), 0.15), vec.NoTurn)
	f.Bodies = []*Body{b}
	info, err := s.Step(f, &gas, 0.01)
	if err != nil || info.Hits == 0 {
		t.Errorf("%d hits with a body, %v", info.Hits, err)
	}
	if err := (&Flow{}).Advance(s, &gas, 1, nil); err != nil {
		t.Errorf("nothing at all: %v", err)
	}
	broken := &Flow{}
	broken.AddVorton(vec.Vec3{}, vec.New(0, 0, math.NaN()), 0.1, 1, Blend{})
	broken.AddVorton(vec.New(0.1, 0, 0), vec.New(0, 0, 1), 0.1, 1, Blend{})
	if err := broken.Advance(s, &gas, 1, nil); err == nil {
		t.Error("a flow without numbers is accepted")
	}
}

// TestHopelessVortons wants a flow far too fast for any step to be named as unstable, with
// one pass over the vortons and not hundreds.
func TestHopelessVortons(t *testing.T) {
	f, gas := &Flow{}, still()
	f.AddRing(&vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Circulation: 1e30}, 64, 0.2, 1)
	s := vpm(t)
	s.Gap = 0
	var unstable *Unstable
	if _, err := s.Step(f, &gas, 0.1); !errors.As(err, &unstable) {
		t.Fatalf("the step gave %v; want an instability", err)
	}
}
