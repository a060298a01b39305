package vortex

import (
	"math"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// lattice returns n³ vortons on a lattice with the given edge around the origin, with
// vorticity along z and density by functions of the place.
func lattice(n [3]int, edge float64, w, density func(x vec.Vec3) float64) *Flow {
	f := &Flow{}
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				x := vec.New(float64(2*i+1-n[0]), float64(2*j+1-n[1]), float64(2*k+1-n[2])).Mul(edge / 2)
				f.AddVorton(x, vec.New(0, 0, w(x)), BallRadius(edge*edge*edge), density(x), Blend{})
			}
		}
	}
	return f
}

func none(vec.Vec3) float64 { return 0 }
func one(vec.Vec3) float64  { return 1 }

// TestExchange checks that the articles' exchange keeps total strength and mass, that
// vortons of one value keep it, that peaks fall, and that the decay falls off with
// distance.
func TestExchange(t *testing.T) {
	gas := still()
	for _, cells := range []string{"faces", "half"} {
		for _, both := range []bool{false, true} {
			f := lattice([3]int{6, 6, 6}, 0.1, func(x vec.Vec3) float64 { return math.Sin(40 * x.X * (1 + x.Y)) }, func(x vec.Vec3) float64 { return 1 + x.Z })
			v := &f.Vortons
			for i := range v.Radius {
				v.Radius[i] *= 1 + 0.2*float64(i%3)
			}
			g := grid.FitGrid(f.Bounds(), v.Len())
			var b grid.Bins
			b.Sort(&g, v.X)
			e := exchange{&b, &g, stencil(cells), both}
			before, most := f.Invariants(&gas), 0.
			for _, w := range v.W {
				most = max(most, w.Len())
			}
			e.vorticity(v, 1, 0.03)
			e.heat(v, 1, 0.03)
			after := f.Invariants(&gas)
			nearVec(t, "strength", after.Strength, before.Strength, 1e-15)
			near(t, "mass", after.Excess, before.Excess, 1e-15)
			fallen := 0.
			for _, w := range v.W {
				fallen = max(fallen, w.Len())
			}
			if !(fallen < 0.95*most) {
				t.Errorf("the peak is %.4g, %.4g before", fallen, most)
			}
		}
	}
	f := &Flow{}
	f.AddVorton(vec.New(0, 0, 0), vec.New(1, 0, 0), 0.1, 1, Blend{})
	f.AddVorton(vec.New(0.4, 0, 0), vec.New(0, 0, 0), 0.1, 1, Blend{})
	// size is 0.2, so E = 2·0.01·exp(−¼)
	atA, atB := falloff(&f.Vortons, 0.02, 0, 1)
	near(t, "exchange", atA, 0.02*math.Exp(-0.25), 1e-15)
	near(t, "exchange", atB, atA, 0)
}

// TestLambOseen checks the exact diffusion on the vortex of Lamb and Oseen, whose
// vorticity is Γ/(4πνt) exp(−r²/4νt): the error of the middle plane must fall by a
// quarter with half of the spacing, and the circulation must stay.
func TestLambOseen(t *testing.T) {
	longtest.Only(t)
	const nu, start, end = 0.1, 0.4, 0.6
	vorticity := func(r2, t float64) float64 { return math.Exp(-r2/(4*nu*t)) / (4 * math.Pi * nu * t) }
	var e [2]float64
	for k, h := range []float64{0.25, 0.125} {
		side, steps := int(math.Round(3.25/h)), 4<<(2*k)
		f := lattice([3]int{side, side, 11}, h, func(x vec.Vec3) float64 { return vorticity(x.X*x.X+x.Y*x.Y, start) }, one)
		v := &f.Vortons
		q := make([][3]float64, v.Len())
		for i, w := range v.W {
			q[i] = w.Array()
		}
		total := func() (all float64) {
			for i := range q {
				all += q[i][2] * v.Volume(i)
			}
			return all
		}
		// The column has ends, beyond the reach of the middle plane in a step, so each step
		// starts with the middle plane in all planes.
		plane := side * side
		middle := q[5*plane : 6*plane]
		for range steps {
			before := total()
			diffuseBy(v, q, nu, (end-start)/float64(steps))
			near(t, "circulation", total(), before, 1e-12)
			for z := range 11 {
				copy(q[z*plane:], middle)
			}
		}
		var d, all float64
		for i := range plane {
			x := v.X[i]
			want := vorticity(x.X*x.X+x.Y*x.Y, end)
			d, all = d+(middle[i][2]-want)*(middle[i][2]-want), all+want*want
		}
		e[k] = math.Sqrt(d / all)
	}
	t.Logf("errors %.3g and %.3g", e[0], e[1])
	if !(e[0] < 0.1 && e[1] < 0.4*e[0]) {
		t.Errorf("errors %.3g", e)
	}
}

// TestHeat checks the exact conduction on a ball of light gas: its variance must grow by
// 2κt along each axis, and its excess of mass must stay.
func TestHeat(t *testing.T) {
	longtest.NotShort(t)
	const kappa, s2 = 0.05, 0.04
	f := lattice([3]int{20, 20, 20}, 0.1, none, func(x vec.Vec3) float64 { return 1 - 0.5*math.Exp(-x.Dot(x)/(2*s2)) })
	v, gas := &f.Vortons, still()
	gas.Conduction = kappa
	moments := func() (all, second float64) {
		for i, x := range v.X {
			m := v.Volume(i) * (v.Density[i] - 1)
			all, second = all+m, second+m*x.X*x.X
		}
		return all, second / all
	}
	all, second := moments()
	const dt = 0.1
	diffuseExact(v, &gas, dt)
	nowAll, now := moments()
	near(t, "excess of mass", nowAll, all, 1e-12)
	near(t, "variance", now, second+2*kappa*dt, 2e-3*2*kappa*dt)
}

// TestStretch checks the transposed gradient in a linear flow, where it is exact.
func TestStretch(t *testing.T) {
	f := &Flow{}
	f.AddVorton(vec.New(0.1, 0.2, 0.3), vec.New(1, 2, 3), 1, 1, Blend{})
	f.AddVorton(vec.New(0.5, 0.5, 0.1), vec.New(1, 2, 3), 1, 1, Blend{})
	g := grid.FitGrid(f.Bounds(), 8)
	u := make([]vec.Vec3, g.Points())
	for p := range u {
		x := g.Point(p)
		u[p] = vec.New(0.1*x.Y, -0.2*x.X, 0.3*x.X)
	}
	stretch(&f.Vortons, u, &g, 0.5, 0.1)
	// (∇u)ᵀω = (−0.2·2 + 0.3·3, 0.1·1, 0)
	nearVec(t, "vorticity", f.Vortons.W[1], vec.New(1+0.05*0.5, 2+0.05*0.1, 3), 1e-12)
}

// TestBuoyancy checks the baroclinic vorticity in a gas whose density grows along x: it
// is ∂ρ/∂x g/ρ₀ about z by Boussinesq, or divided by the density at the vorton.
func TestBuoyancy(t *testing.T) {
	for _, variable := range []bool{false, true} {
		f := lattice([3]int{16, 16, 16}, 0.125, none, func(x vec.Vec3) float64 { return 1 + 0.1*x.X })
		v, gas := &f.Vortons, still()
		gas.Gravity, gas.Variable = vec.New(0, -10, 0), variable
		// The points of the grid lie on the lattice's cells, so the deposit is even inside.
		g := grid.Grid{Min: vec.New(-1, -1, -1), Edge: vec.New(0.25, 0.25, 0.25), N: [3]int{8, 8, 8}}
		var b grid.Bins
		b.Sort(&g, v.X)
		d := make([]float64, g.Points())
		excess(d, v, &gas, &g, &b)
		buoyancy(v, d, &gas, &g, 0.5)
		for i, x := range v.X {
			if max(math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z)) > 0.5 {
				continue
			}
			want := 0.1 * -10 * 0.5
			if variable {
				want /= v.Density[i]
			}
			nearVec(t, "vorticity", v.W[i], vec.New(0, 0, want), 1e-9)
		}
	}
}

// TestBurn checks Arrhenius's law at a fixed temperature, the sum of the fractions, the
// heat given off, and that cold fuel does not burn.
func TestBurn(t *testing.T) {
	f := &Flow{}
	f.AddVorton(vec.Vec3{}, vec.Vec3{}, 1, 0.5, Blend{Fuel: 0.6, Flame: 0.1, Smoke: 0.3})
	gas := still()
	flame := &Flame{Activation: 1200, Rate: 2, SmokeTemperature: 600, SmokeRate: 3}
	const dt, steps = 0.1, 10
	for range steps {
		flame.vortons(&f.Vortons, &gas, dt) // at 600 K
	}
	m := &f.Vortons.Mix
	near(t, "fuel", m.Fuel[0], 0.6*math.Exp(-2*math.Exp(-2)*dt*steps), 1e-12)
	near(t, "sum", m.Fuel[0]+m.Flame[0]+m.Smoke[0], 1, 1e-12)
	flame.Heat = 100
	fuel := m.Fuel[0]
	flame.vortons(&f.Vortons, &gas, dt)
	near(t, "temperature", gas.TemperatureOf(f.Vortons.Density[0]), 600+100*(fuel-m.Fuel[0]), 1e-9)
	cold := &Flow{}
	cold.AddVorton(vec.Vec3{}, vec.Vec3{}, 1, 1, Blend{Fuel: 1})
	(&Flame{Activation: 1e5, Rate: 1e6, SmokeTemperature: 1, SmokeRate: 1}).vortons(&cold.Vortons, &gas, 1)
	near(t, "cold fuel", cold.Vortons.Mix.Fuel[0], 1, 1e-12)
	cold.AddTracer(vec.Vec3{}, 600, Blend{Fuel: 1})
	flame.tracers(&cold.Tracers, dt)
	near(t, "tracer's fuel", cold.Tracers.Mix.Fuel[0], math.Exp(-2*math.Exp(-2)*dt), 1e-12)
}

// TestJerk checks the mean and the root mean square of cubic paths, whose jerk is
// constant, where particles come and go.
func TestJerk(t *testing.T) {
	var m JerkMeter
	const dt = 0.1
	for step := range 5 {
		time := dt * float64(step)
		id := []uint32{1, 2, 5}
		v := []vec.Vec3{{X: 3 * time * time}, {Y: 4 * time * time}, {Z: time}}
		if step == 4 {
			id, v = append(id[:1:1], 5, 7), append(v[:1:1], v[2], vec.New(9, 9, 9))
		}
		mean, rms, ok := m.Add(id, v, dt)
		switch {
		case step < 2 && ok:
			t.Errorf("step %d has a jerk", step)
		case step == 2 || step == 3:
			near(t, "mean", mean, (6.+8+0)/3, 1e-9)
			near(t, "root mean square", rms, math.Sqrt((36.+64)/3), 1e-9)
		case step == 4:
			near(t, "mean", mean, 3, 1e-9)
		}
	}
}
