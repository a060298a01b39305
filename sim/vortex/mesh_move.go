package vortex

import (
	"breakwater/sim/par"
	"breakwater/sim/remesh"
	"breakwater/sim/vec"
)

// rates sets the rates of change at the nodes:
//
//	Dω/Dt = (ω·∇)u + ν∇²ω + ∇ρ × ∇p / ρ²,  DT/Dt = κ∇²T.
//
// By the law of ideal gases, ∇ρ/ρ = −∇T/T. Without inertia, ∇p = ρg, as in gas
// at rest. For Boussinesq's approximation the ambient density is in a denominator too.
func (s *Mesh) rates(bodies []*Body, gas *Gas) {
	s.cleared(s.rate[:])
	defer func() { s.lattice.Wrap(s.rate[:]...) }()
	w := s.vorticity()
	s.lattice.Stretch(remesh.Vector(s.rate[:3]), w, s.u)
	spread := s.spreads(bodies)
	if gas.Viscosity > 0 && !spread {
		for a := range w {
			s.lattice.Diffuse(s.rate[a], w[a], gas.Viscosity)
		}
	}
	if gas.Conduction > 0 && !spread {
		s.lattice.Diffuse(s.rate[heatExcess], s.node[heatExcess], gas.Conduction)
	}
	if gas.Variable && s.Inertia {
		s.press(bodies, gas)
		s.torque(gas)
		return
	}
	if gas.Gravity == (vec.Vec3{}) {
		return
	}
	heat := s.node[heatExcess]
	s.lattice.Gradient(heat, func(p int, x, y, z float32) {
		t := gas.above(heat[p])
		by := -1 / t
		if !gas.Variable {
			by *= gas.Temperature / t
		}
		for a, d := range vec.New(float64(x), float64(y), float64(z)).Cross(gas.Gravity).Mul(by).Array() {
			s.rate[a][p] += float32(d)
		}
	})
}

// move moves vortons, which are at nodes, and tracers by the midpoint rule for h, and burns
// the vortons.
func (s *Mesh) move(f *Flow, gas *Gas, h float64) {
	t, n := &f.Tracers, len(s.x)
	for a := range s.along {
		s.along[a] = par.Resize(s.along[a], len(t.X))
	}
	s.rates(f.Bodies, gas)
	// The velocities of the flow, which are set at the end of the step, make room for the
	// places in the middle of the part.
	f.Vortons.V = par.Resize(f.Vortons.V, n)
	middle := f.Vortons.V
	for c := range s.half {
		s.half[c] = par.Resize(s.half[c], n)
	}
	for a := range s.v {
		s.v[a] = par.Resize(s.v[a], n)
	}
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := s.index[i]
			middle[i] = s.x[i].Add(vec.New(float64(s.u[0][p]), float64(s.u[1][p]), float64(s.u[2][p])).Add(gas.Wind).Mul(h / 2))
			for c := range s.half {
				s.half[c][i] = s.now[c][i] + float32(float32(h/2)*s.rate[c][p])
			}
		}
	})
	s.between = par.Resize(s.between, len(t.X))
	s.lattice.Fetch(s.along[:], t.X, s.u[:])
	shift(s.between, t.X, &s.along, gas.Wind, h/2)

	s.lattice.Home(middle)
	s.lattice.Home(s.between)
	s.grown(s.half[heatExcess:], 0.5)
	s.toNodes(middle, s.half[:])
	s.velocity()
	s.rates(f.Bodies, gas)
	s.lattice.Fetch(s.v[:], middle, s.u[:])
	change := s.half[:] // by now the nodes have what it held
	s.lattice.Fetch(change, middle, s.rate[:])
	shift(s.x, s.x, &s.v, gas.Wind, h)
	for c := range change {
		add(s.now[c], change[c], float32(h))
	}
	s.grown(s.now[heatExcess:], 1)
	s.lattice.Fetch(s.along[:], s.between, s.u[:])
	shift(t.X, t.X, &s.along, gas.Wind, h)
	s.lattice.Home(t.X)
	s.warm[0] = par.Resize(s.warm[0], len(t.X))
	s.lattice.Fetch(s.warm[:], t.X, [][]float32{s.node[heatExcess]})
	par.For(len(t.X), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t.V[i] = vec.New(float64(s.along[0][i]), float64(s.along[1][i]), float64(s.along[2][i])).Add(gas.Wind)
			t.Temperature[i] = gas.above(s.warm[0][i])
		}
	})
	if s.Flame != nil && s.Flame.Air > 0 {
		s.mixTracers(t)
	}
	if s.Flame != nil && !s.splits() {
		par.For(n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				s.burn(s.now[:], i, gas, h)
			}
		})
	}
}

// mixTracers gives tracers the mixture around them.
func (s *Mesh) mixTracers(t *Tracers) {
	for k, to := range [][]float64{t.Mix.Fuel, t.Mix.Flame, t.Mix.Smoke} {
		s.warm[0] = par.Resize(s.warm[0], len(t.X))
		s.lattice.Fetch(s.warm[:], t.X, [][]float32{s.node[fuelShare+k]})
		for i, share := range s.warm[0] {
			to[i] = min(1, max(0, float64(share)))
		}
	}
}

// add adds a multiple of numbers to others.
func add(to, from []float32, times float32) {
	par.For(len(to), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to[i] += float32(times * from[i])
		}
	})
}

// shift sets to to the places of from after a time at the velocities v and with the wind.
func shift(to, from []vec.Vec3, v *[3][]float32, wind vec.Vec3, time float64) {
	par.For(len(to), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to[i] = from[i].Add(vec.New(float64(v[0][i]), float64(v[1][i]), float64(v[2][i])).Add(wind).Mul(time))
		}
	})
}

// burn burns what vorton or node i carries for h and heats it. It returns the fuel and soot
// that burnt of gas with the mass that it had before, in kg, if the gas expands.
func (s *Mesh) burn(of [][]float32, i int, gas *Gas, h float64) (all float64) {
	heat, fuel, flame, smoke := of[heatExcess], of[fuelShare], of[flameShare], of[smokeShare]
	f, m := s.Flame, Blend{max(0, float64(fuel[i])), max(0, float64(flame[i])), max(0, float64(smoke[i]))}
	if f.Air == 0 || m.Fuel > 0 || m.Smoke > 0 { // else there is nothing to burn
		burnt := f.burn(&m, gas.above(heat[i]), h)
		heat[i] += float32(burnt * f.Heat / gas.HeatCapacity)
		if s.Expansion && s.lattice.Own(i) {
			all = float64(burnt * s.massAt(gas, gas.above(s.cold[i])))
		}
	}
	fuel[i], flame[i], smoke[i] = float32(m.Fuel), float32(m.Flame), float32(m.Smoke)
	return all
}
