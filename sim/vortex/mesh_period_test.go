package vortex

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/classic/solids"
	"breakwater/sim/longtest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// newPeriodicMesh returns a solver for a flow that repeats itself along some axes, from −half to half.
func newPeriodicMesh(cell, half float64, axes ...int) *Mesh {
	s := newMesh(cell)
	for _, a := range axes {
		s.Repeats[a] = true
	}
	s.Period = vec.Box{Min: vec.New(-half, -half, -half), Max: vec.New(half, half, half)}
	return s
}

// fillPeriod adds vortons at all nodes from −half to half along each axis.
func fillPeriod(f *Flow, gas *Gas, cell float64, half vec.Vec3, w func(x vec.Vec3) vec.Vec3) {
	var n [3]int
	for a, h := range half.Array() {
		n[a] = int(math.Round(2 * h / cell))
	}
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				x := vec.New(float64(i-n[0]/2), float64(j-n[1]/2), float64(k-n[2]/2)).Mul(cell)
				f.AddVorton(x, w(x), BallRadius(cell*cell*cell), gas.Density, Blend{})
			}
		}
	}
}

// TestMeshWave lets a Beltrami flow decay in a box that repeats along all axes, in a wind that carries it through
// the sides. Its vorticity is in proportion to its velocity (Dombre et al., Chaotic streamlines in the ABC
// flows, J. Fluid Mech. 167, 1986), so that it keeps its form and decays by exp(−νk²t).
func TestMeshWave(t *testing.T) {
	longtest.NotShort(t)
	const nu, time, k = 0.02, 0.5, 1.
	var errors []float64
	for _, n := range []float64{16, 32} {
		cell := 2 * math.Pi / n
		f, gas := &Flow{}, still()
		gas.Viscosity, gas.Wind = nu, vec.New(2, 1, -3)
		flow := func(x vec.Vec3) vec.Vec3 {
			return vec.New(math.Sin(k*x.Z)+0.5*math.Cos(k*x.Y), 0.8*math.Sin(k*x.X)+math.Cos(k*x.Z), 0.5*math.Sin(k*x.Y)+0.8*math.Cos(k*x.X))
		}
		fillPeriod(f, &gas, cell, vec.New(1, 1, 1).Mul(math.Pi), func(x vec.Vec3) vec.Vec3 { return flow(x).Mul(k) })
		s := newPeriodicMesh(cell, math.Pi, 0, 1, 2)
		s.LongestStep = 1 / n
		at := vec.New(0.3, -0.7, 1.1)
		if v := s.VelocityAt(f, &gas, at).Sub(gas.Wind); v.Sub(flow(at)).Len() > 0.03*16*16/(n*n) {
			t.Errorf("%g cells: the velocity is %v, want %v", n, v, flow(at))
		}
		if err := f.Advance(s, &gas, time, nil); err != nil {
			t.Fatal(err)
		}
		worst, decay := 0., math.Exp(-nu*k*k*time)
		for i, x := range f.Vortons.X {
			if got := max(math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z)); got > math.Pi*(1+1e-6) {
				t.Fatalf("a vorton is at %v", x)
			}
			worst = max(worst, f.Vortons.W[i].Sub(flow(x.Sub(gas.Wind.Mul(time))).Mul(k*decay)).Len())
		}
		errors = append(errors, worst)
	}
	t.Logf("the largest errors are %.3g of about 1", errors)
	if errors[1] > errors[0]/3 || errors[1] > 0.02 || errors[1] == 0 {
		t.Errorf("the largest errors are %.3g", errors)
	}
}

// TestMeshColumn lets a straight vortex without ends spread by viscosity, along each axis, at two spacings. Its speed
// is Γ/(2πr) (1 − exp(−r²/(4νt))) (Lamb, Hydrodynamics, 1932, art. 334a).
func TestMeshColumn(t *testing.T) {
	longtest.Only(t)
	const nu, start, end = 0.05, 0.8, 1.2
	speed := func(r, t float64) float64 { return (1 - math.Exp(-r*r/(4*nu*t))) / (2 * math.Pi * r) }
	for axis := range 3 {
		var errors []float64
		for _, cells := range []float64{4, 8} {
			cell := 1 / (2 * cells) // 4 and 8 in a radius of 0.5 m
			f, gas := &Flow{}, still()
			gas.Viscosity = nu
			half := [3]float64{2, 2, 2}
			half[axis] = 4 * cell
			u, v := (axis+1)%3, (axis+2)%3
			fillPeriod(f, &gas, cell, vec.New(half[0], half[1], half[2]), func(x vec.Vec3) vec.Vec3 {
				at := x.Array()
				r2 := at[u]*at[u] + at[v]*at[v]
				var w [3]float64
				w[axis] = math.Exp(-r2/(4*nu*start)) / (4 * math.Pi * nu * start)
				return vec.New(w[0], w[1], w[2])
			})
			s := newPeriodicMesh(cell, half[axis], axis)
			s.Keep, s.LongestStep = 1e-6, 0.04
			if err := f.Advance(s, &gas, end-start, nil); err != nil {
				t.Fatal(err)
			}
			worst := 0.
			for _, r := range []float64{0.2, 0.4, 0.8, 1.6} {
				var x, want [3]float64
				x[axis], x[u], x[v] = 0.37, r*0.6, r*0.8
				want[u], want[v] = -0.8*speed(r, end), 0.6*speed(r, end)
				got := s.VelocityAt(f, &gas, vec.New(x[0], x[1], x[2]))
				worst = max(worst, got.Sub(vec.New(want[0], want[1], want[2])).Len()/speed(0.5, end))
			}
			errors = append(errors, worst)
		}
		t.Logf("axis %d: the largest errors of the speed are %.3g", axis, errors)
		if errors[1] > errors[0]/3 || errors[1] > 6e-3 {
			t.Errorf("axis %d: the largest errors of the speed are %.3g", axis, errors)
		}
	}
}

// slab is a flow with sources, bodies, flames and expansion that repeats itself along z, moved along z by
// a number of cells.
func slab(t testing.TB, cells int) (*Flow, Gas, func() *Mesh) {
	t.Helper()
	const cell = 0.1
	by := vec.New(0, 0, cell*float64(cells))
	f, gas := &Flow{}, still()
	gas.HeatCapacity = 1000
	gas.Viscosity, gas.Conduction, gas.Gravity, gas.Variable, gas.Wind = 0.001, 0.002, vec.New(0, -10, 0), true, vec.New(0.3, 0, 0.2)
	f.Fill(&vorticity.Ring{Center: vec.New(0, 0.3, 0).Add(by), Axis: vec.New(0, 1, 0), Radius: 0.3, Core: 0.15, Circulation: 0.5}, cell, gas.Density, Blend{})
	f.Sources = []Source{{
		Region: &shape.Sphere{Center: vec.New(0, -0.5, 0).Add(by), Radius: 0.21}, Temperature: 500,
		Flow: 0.05, Mix: Blend{Fuel: 0.3, Smoke: 0.7}, Stop: math.Inf(1),
	}}
	ball := NewBody(solids.NewBall(vec.New(0.2, 0.5, 0.1).Add(by), 0.23), vec.NoTurn)
	ball.Conductance, ball.Temperature = 50, 400
	f.Bodies = []*Body{ball}
	for k := range 200 {
		sin, cos := math.Sincos(float64(k))
		f.AddTracer(vec.New(0.3*sin, -0.4+0.001*float64(k), 0.3*cos).Add(by), gas.Temperature, Blend{Smoke: 1})
	}
	return f, gas, func() *Mesh {
		s := newPeriodicMesh(cell, 0.8, 2)
		s.Flame = &Flame{Activation: 3000, Rate: 1e4, SmokeTemperature: 2000, SmokeRate: 5, Heat: 1e6, Air: 5}
		s.Expansion, s.Conserve = true, true
		s.Low, s.High = vec.New(-1.2, -1, 0), vec.New(1.2, 1.4, 0.1) // of which z has no effect
		return s
	}
}

// TestMeshAcross checks that a flow with all that the solver knows is the same wherever the range that repeats
// begins: as it passes through the sides of the range, and as it does not.
func TestMeshAcross(t *testing.T) {
	longtest.NotShort(t)
	const by = 8
	var flows [2]*Flow
	for k, cells := range []int{0, by} {
		f, gas, s := slab(t, cells)
		for _, b := range f.Bodies { // and what crosses the sides stands at both of them
			if cells > 0 {
				other := *b.Solid
				other.X.Z -= 1.6
				twin := NewBody(&other, vec.NoTurn)
				twin.Conductance, twin.Temperature = b.Conductance, b.Temperature
				f.Bodies = append(f.Bodies, twin)
			}
		}
		if cells > 0 {
			twin := f.Sources[0]
			ball := *twin.Region.(*shape.Sphere)
			ball.Center.Z -= 1.6
			twin.Region = &ball
			f.Sources = append(f.Sources, twin)
			for i := range f.Sources {
				f.Sources[i].Flow = 0 // each has its own share of nodes
			}
		} else {
			f.Sources[0].Flow = 0
		}
		if err := f.Advance(s(), &gas, 0.15, nil); err != nil {
			t.Fatal(err)
		}
		flows[k] = f
	}
	if a, b := flows[0].Vortons.Len(), flows[1].Vortons.Len(); math.Abs(float64(a-b)) > 0.002*float64(a) || a < 1000 {
		t.Fatalf("%d and %d vortons", a, b)
	}
	var sums [2][8]float64
	for k, f := range flows {
		for i := range f.Vortons.X {
			v := f.Vortons.Volume(i)
			for c, q := range []float64{v, v * f.Vortons.W[i].Dot(f.Vortons.W[i]), v * f.Vortons.Density[i], v * f.Vortons.Mix.Fuel[i], v * f.Vortons.Mix.Flame[i], v * f.Vortons.Mix.Smoke[i], v * f.Vortons.X[i].Y * f.Vortons.W[i].Len(), v * f.Vortons.V[i].Dot(f.Vortons.V[i])} {
				sums[k][c] += q
			}
		}
	}
	for c := range sums[0] {
		if !(math.Abs(sums[1][c]-sums[0][c]) < 2e-3*math.Abs(sums[0][c])) {
			t.Errorf("sums of quantity %d: %g and %g", c, sums[0][c], sums[1][c])
		}
	}
	t.Logf("sums %.6g and %.6g", sums[0], sums[1])
	for i, x := range flows[0].Tracers.X {
		d := flows[1].Tracers.X[i].Sub(x)
		d.Z -= by * 0.1
		d.Z -= 1.6 * math.Round(d.Z/1.6)
		if d.Len() > 1e-4 {
			t.Fatalf("tracer %d is at %v, and at %v", i, x, flows[1].Tracers.X[i])
		}
	}
	if a, b := flows[0].Bodies[0].Impulse, flows[1].Bodies[0].Impulse.Add(flows[1].Bodies[1].Impulse); a.Sub(b).Len() > 1e-3*a.Len() || a.Len() == 0 {
		t.Errorf("the ball gets an impulse of %v, and of %v", a, b)
	}
}

// TestMeshPeriodSameBytes checks that a run that repeats itself has the same bytes on any number of threads, and
// after its state was written and restored.
func TestMeshPeriodSameBytes(t *testing.T) {
	longtest.NotShort(t)
	sameBytes(t, 0.05, longtest.OnThreads(1, 2, 3), func() (*Flow, Gas, func() *Mesh) { return slab(t, 3) })
}

// TestPeriodNodes checks which ranges can repeat.
func TestPeriodNodes(t *testing.T) {
	for _, c := range []struct {
		length float64
		can    int
	}{{1.6, 16}, {0.8, 8}, {0.1, 8}, {5.6, 48}, {6.1, 64}, {64, 640}} {
		if _, can := PeriodNodes(c.length, 0.1); can != c.can {
			t.Errorf("%g m have %d cells, want %d", c.length, can, c.can)
		}
	}
	s := newPeriodicMesh(0.1, 0.8, 0, 1, 2)
	if err := s.Check(nil); err != nil {
		t.Error(err)
	}
	s.Expansion = true
	keys := []string{}
	for _, half := range []float64{0.8, 0.81} {
		s.Period.Max.X = half
		if bad, ok := s.Check(nil).(*SettingError); ok {
			keys = append(keys, bad.Key)
		}
	}
	if !slices.Equal(keys, []string{"expansion", "cell"}) {
		t.Errorf("faults of %v", keys)
	}
}
