package vortex

import (
	"math"
	"slices"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/remesh"
)

// The largest dilatation of gas in a part of a step: of all gas, for which vortons leave no
// gaps, and by the heat of a source.
const (
	mostDilatation = 0.5
	mostHeating    = 0.25
)

// mostTries is how often a part is shortened.
const mostTries = 8

// splits reports whether conduction, diffusion and burning take place at the nodes before
// all moves, and not with the vortons.
func (s *Mesh) splits() bool { return s.Expansion || s.Flame != nil && s.Flame.Air > 0 }

// spreads reports whether conduction and diffusion take place at the nodes before all moves.
// Beside bodies they do: between nodes they lose up to 4 % of the impulse that a body gives.
func (s *Mesh) spreads(bodies []*Body) bool { return s.splits() || len(bodies) > 0 }

// bounds sets the range of temperatures, which neither conduction nor motion extends. Where
// fuel burns with air, it is the range of what the temperature would be without the heat of
// what has burnt. Heat and mixture move and spread alike, so burning does not extend it
// (Shvab 1948 and Zeldovich 1949; Poinsot and Veynante, Theoretical and Numerical
// Combustion, 2005, section 3.2). What fuel is warmer than the hottest air of a source is shared
// with the air that it mixes with, in proportion to the mixture fraction. The same holds for fuel of burners
// that burns without air.
func (s *Mesh) bounds(f *Flow, gas *Gas) {
	s.least, s.most, s.burntHeat, s.fuelHeat = 0, 0, 0, 0
	airs := s.Flame != nil && s.Flame.Air > 0
	if airs {
		s.burntHeat = float32(s.Flame.Heat / (gas.HeatCapacity * (1 + s.Flame.Air)))
		excess := func(x *Source) float32 {
			return float32(x.Temperature-gas.Temperature) - float32(s.burntHeat*float32(x.Mix.Flame))
		}
		air := float32(0) // the largest excess without fuel
		for i := range f.Sources {
			if x := &f.Sources[i]; x.Mix.Fuel == 0 {
				air = max(air, excess(x))
			}
		}
		for i := range f.Sources {
			if x := &f.Sources[i]; x.Mix.Fuel > 0 {
				s.fuelHeat = max(s.fuelHeat, (excess(x)-air)/s.mixtureFraction(float32(x.Mix.Fuel), float32(x.Mix.Flame), float32(x.Mix.Smoke)))
			}
		}
	}
	if s.Flame != nil && !airs && slices.ContainsFunc(f.Sources, func(x Source) bool { return x.Burner }) {
		s.burntHeat = float32(s.Flame.Heat / gas.HeatCapacity)
	}
	see := func(kelvin float64, m Blend) {
		excess := float32(kelvin - gas.Temperature)
		s.least, s.most = min(s.least, excess), max(s.most, excess-s.mixtureHeat(float32(m.Fuel), float32(m.Flame), float32(m.Smoke)))
	}
	for i, d := range f.Vortons.Density {
		see(gas.TemperatureOf(d), Blend{f.Vortons.Mix.Fuel[i], f.Vortons.Mix.Flame[i], f.Vortons.Mix.Smoke[i]})
	}
	for i := range f.Sources {
		see(f.Sources[i].Temperature, f.Sources[i].Mix)
	}
	for _, b := range f.Bodies {
		if b.Conductance > 0 {
			see(b.Temperature, Blend{})
		}
	}
	if s.Flame != nil && !airs && s.burntHeat == 0 {
		s.most = float32(math.Inf(1))
	}
}

// mixtureFraction returns the share of gas that was fuel before it burnt with air.
func (s *Mesh) mixtureFraction(fuel, flame, smoke float32) float32 {
	return max(0, fuel) + max(0, smoke) + float32(max(0, flame)/float32(1+s.Flame.Air))
}

// mixtureHeat returns the excess of temperature, in K, that gas has of the heat of its fuel and
// of what has burnt. It is proportional to the shares.
func (s *Mesh) mixtureHeat(fuel, flame, smoke float32) float32 {
	if s.burntHeat == 0 {
		return 0
	}
	burnt := max(0, flame)
	if s.Flame.Air == 0 {
		burnt += max(0, smoke) // which was flame
	}
	return float32(s.burntHeat*burnt) + float32(s.fuelHeat*s.mixtureFraction(fuel, flame, smoke))
}

// mixtureMost returns the largest mixtureHeat of shares that add up to 1: of gas that is all
// burnt, or of fuel.
func (s *Mesh) mixtureMost() float32 {
	if s.burntHeat == 0 {
		return 0
	}
	return max(s.mixtureHeat(1, 0, 0), s.mixtureHeat(0, 1, 0))
}

// limit cuts off the overshoots of the kernel M4′, which has negative weights. If masses are to
// be conserved, level does so: this makes thin sheets of fuel grow.
func (s *Mesh) limit() {
	cut := func(list []float32, bounds func(p int) (lo, hi float32)) {
		s.forCarriers(0, func(from, to int) {
			for p := from; p < to; p++ {
				lo, hi := bounds(p)
				list[p] = min(hi, max(lo, list[p]))
			}
		})
	}
	for _, list := range s.node[fuelShare:] {
		cut(list, func(int) (lo, hi float32) { return 0, 1 })
	}
	fuel, flame, smoke := s.node[fuelShare], s.node[flameShare], s.node[smokeShare]
	cut(s.node[heatExcess], func(p int) (lo, hi float32) {
		return s.least, s.most + min(s.mixtureMost(), s.mixtureHeat(fuel[p], flame[p], smoke[p]))
	})
}

// weigh sets the density at the nodes over the density at 1 K, before sources heated gas that
// has not expanded yet, and the steadySpread of a stage for which no share exceeds those around it.
// Light gas beside dense gas exchanges faster.
func (s *Mesh) weigh(gas *Gas) {
	n := s.lattice.Len()
	s.density = par.Resize(s.density, n)
	par.For(n, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			s.density[p] = float32(1 / gas.above(s.cold[p]))
		}
	})
	plane, rho := s.lattice.N[0]*s.lattice.N[1], s.density
	s.steady = 1 / par.Max(n, 0, func(lo, hi int) (most float64) {
		for p := max(plane, lo); p < min(hi, n-plane); p++ {
			around := rho[p-1] + rho[p+1] + rho[p-s.lattice.N[0]] + rho[p+s.lattice.N[0]] + rho[p-plane] + rho[p+plane]
			most = max(most, float64(3+around/(2*rho[p])))
		}
		return most
	})
}

// react lets the gas diffuse, conduct heat, burn and expand at the nodes for h, or for less
// if it would grow too much, and returns the time.
func (s *Mesh) react(f *Flow, gas *Gas, h float64, sums []push, l *Ledger) float64 {
	if s.Expansion {
		for c := range s.node {
			s.before[c] = append(s.before[c][:0], s.node[c]...)
		}
	}
	given, carriers := slices.Clone(sums), s.carriers
	var burnt float64
	var lost holding
	for try := 1; ; try++ {
		s.diffuse(gas, h)
		if s.Flame != nil {
			burnt = s.sumCarriers(func(p int) float64 { return s.burn(s.node[:], p, gas, h) })
		}
		lost = s.holdsBefore(gas)
		s.atBodies(f.Bodies, gas, h, sums)
		lost = lost.sub(s.holdsBefore(gas))
		if !s.Expansion {
			return h
		}
		most := s.growth(f, gas, h)
		if most <= mostDilatation || try == mostTries {
			break
		}
		h *= 0.9 * mostDilatation / most
		copy(sums, given)
		s.carriers = carriers
		for c := range s.node {
			copy(s.node[c], s.before[c])
		}
	}
	l.leave(lost)
	l.Fuel.Burnt += burnt
	if s.Flame != nil {
		l.Heat.Burnt += float64(burnt * s.Flame.Heat)
	}
	before := s.holdsBefore(gas)
	s.feed(f, gas)
	l.supply(s.holdsGrown(gas).sub(before))
	s.expand(f, h)
	return h
}

// growth sets the dilatation at each node in a part h, and returns the largest.
func (s *Mesh) growth(f *Flow, gas *Gas, h float64) float64 {
	s.dilatation = par.Resize(s.dilatation, s.lattice.Len())
	heat, cold, dilatation := s.node[heatExcess], s.cold, s.dilatation
	clear(dilatation)
	s.forCarriers(0, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			if heat[p] != cold[p] {
				dilatation[p] = float32(math.Log(gas.above(heat[p]) / gas.above(cold[p])))
			}
		}
	})
	s.emit(f, h)
	return par.Max(len(dilatation), 0, func(lo, hi int) (most float64) {
		for _, by := range dilatation[lo:hi] {
			most = max(most, math.Abs(float64(by)))
		}
		return most
	})
}

// expand adds the velocity of the expansion, outside of bodies. At a constant pressure the volume is proportional
// to the temperature (Majda and Sethian, The derivation and numerical solution of the equations
// for zero Mach number combustion, Combust. Sci. Technol. 42, 1985):
//
//	∇·u = DT/Dt / T,  u = ∇φ,  ∇²φ = ∇·u.
func (s *Mesh) expand(f *Flow, h float64) {
	n, dilatation := s.lattice.Len(), s.dilatation
	s.cleared(s.out[:])
	s.cleared(s.stage[:1])
	potential := s.stage[0]
	scale := float32(s.Cell * s.Cell / h)
	par.For(n, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			potential[p] = float32(scale * dilatation[p])
		}
	})
	for _, b := range f.Bodies {
		s.lattice.Inside(s.reachOf(b), func(_, p, q int) {
			for ; p < q; p++ {
				potential[p] *= float32(1 - inside(s.gap(b, s.lattice.At(p))))
			}
		})
	}
	s.space().Solve(potential, potential)
	s.lattice.Wrap(potential)
	s.lattice.Gradient(potential, func(p int, x, y, z float32) {
		s.out[0][p], s.out[1][p], s.out[2][p] = -x, -y, -z
	})
	s.lattice.Wrap(s.out[:]...)
	s.grows = true
	s.addExpansion()
}

// emit adds to the dilatation the gas that sources give off in a part h.
func (s *Mesh) emit(f *Flow, h float64) {
	s.given = par.Resize(s.given, len(f.Sources))
	for i := range f.Sources {
		x := &f.Sources[i]
		if s.given[i] = 0; x.Flow == 0 || !s.open[i] {
			continue
		}
		part := make([]int, s.lattice.N[2])
		s.givers(f, x.Region, func(c, _ int) { part[c]++ })
		nodes := 0
		for _, k := range part {
			nodes += k
		}
		if nodes == 0 {
			continue
		}
		grow := float32(x.Flow * h / (float64(nodes) * s.Cell * s.Cell * s.Cell))
		s.given[i] = grow
		s.givers(f, x.Region, func(_, p int) { // what was there has grown already
			s.dilatation[p] = float32(math.Log(num.Exp(float64(s.dilatation[p])) + float64(grow)))
		})
	}
	s.lattice.Wrap(s.dilatation)
}

// givers calls do for each node p of a region that is not in a body, in the slice c of the
// lattice.
func (s *Mesh) givers(f *Flow, r Region, do func(c, p int)) {
	s.lattice.Inside(r.Bounds(), func(c, p, q int) {
		for ; p < q; p++ {
			x := s.lattice.At(p)
			if r.Contains(x) && !slices.ContainsFunc(f.Bodies, func(b *Body) bool { return inside(s.gap(b, x)) > 0.5 }) {
				do(c, p)
			}
		}
	})
}

// feed mixes the gas that burners give off in a part with the gas at their nodes. A volume of
// gas has the mass 1/T, by the law of ideal gases, and mixing at a constant pressure keeps
// the sum of the volumes. So the temperature of the mixture is
//
//	T = (1 + g)/(1/T₁ + g/T₂),
//
// where a volume 1 at T₁ gets the volume g at T₂, and the mass fractions are weighted with 1/T₁
// and g/T₂.
func (s *Mesh) feed(f *Flow, gas *Gas) {
	for i := range f.Sources {
		x, grow := &f.Sources[i], float64(s.given[i])
		if !x.Burner || grow == 0 {
			continue
		}
		s.givers(f, x.Region, func(_, p int) {
			now := gas.above(s.node[heatExcess][p])
			grow := grow * gas.above(s.cold[p]) / now // over the volume after the heat of this part
			was, given := 1/now, grow/x.Temperature
			share := float32(given / (was + given))
			for c, to := range [3]float64{x.Mix.Fuel, x.Mix.Flame, x.Mix.Smoke} {
				of := &s.node[fuelShare+c][p]
				*of += float32(share * (float32(to) - *of))
			}
			s.node[heatExcess][p] = float32((1+grow)/(was+given) - gas.Temperature)
		})
	}
	s.lattice.Wrap(s.node[heatExcess:]...)
}

// addExpansion adds the velocity of the expansion to the velocity of the vorticity.
func (s *Mesh) addExpansion() {
	if s.grows {
		for a := range s.u {
			add(s.u[a], s.out[a], 1)
		}
	}
}

// grown makes vortons that are to move from nodes larger: with the same vorticity times
// volume, and the same temperature and mixture.
func (s *Mesh) grown(to [][]float32, share float64) {
	if !s.grows {
		return
	}
	s.volume = par.Resize(s.volume, len(s.index))
	par.For(len(s.index), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.volume[i] = 1
			if by := s.dilatation[s.index[i]]; by != 0 {
				s.volume[i] = float32(num.Exp(share * float64(by)))
				for _, list := range to {
					list[i] *= s.volume[i]
				}
			}
		}
	})
}

// diffuse spreads vorticity and heat at the nodes for h, and the mixture where fuel meets air.
// It takes explicit stages that are stable for as long as their number squared (Meyer,
// Balsara and Aslam, A stabilized Runge-Kutta-Legendre method for explicit
// super-time-stepping of parabolic and mixed equations, J. Comput. Phys. 257, 2014, RKL1).
//
// If masses are to be conserved, heat and mixture spread by (k/ρ) ∇·(ρ∇f) (Poinsot and Veynante
// 2005, section 1.2): k∇²f makes more fuel of what leaves hot gas for cold gas.
func (s *Mesh) diffuse(gas *Gas, h float64) {
	if s.conserves() {
		s.weigh(gas)
	}
	reached := s.carriers
	for c := range s.node {
		k := gas.Conduction
		switch {
		case c <= vorticityZ:
			k = gas.Viscosity
		case c == smokeShare || c != heatExcess && (s.Flame == nil || s.Flame.Air == 0):
			k = 0
		}
		if k > 0 {
			block := s.legendre(c, k, h, s.conserves() && c > vorticityZ)
			if c > vorticityZ {
				reached = reached.Union(block)
			}
		}
	}
	s.carriers = reached
}

// legendre spreads channel c with the diffusivity k in m²/s for h, weighted with the density
// for a quantity per mass. It returns the nodes that it may have reached.
func (s *Mesh) legendre(c int, k, h float64, mass bool) remesh.Block {
	steady := steadySpread * s.Cell * s.Cell / k // s, the longest explicit stage
	if mass {
		steady = s.steady * s.Cell * s.Cell / k
	}
	stages := math.Ceil((math.Sqrt(1+8*h/steady) - 1) / 2)
	block := s.lattice.All()
	if c > vorticityZ {
		reach := remesh.DiffuseReach
		if mass {
			reach = 1
		}
		block = s.lattice.Grown(s.carriers, reach*int(stages))
	}
	w := 2 * h / (float64(stages*stages) + stages)
	s.cleared(s.stage[:2])
	before, rate, now := s.stage[0], s.stage[1], s.node[c]
	copy(before, now)
	for j := 1.; j <= stages; j++ {
		clear(rate)
		if mass {
			s.lattice.DiffuseMass(block, rate, now, s.density, k)
		} else {
			s.lattice.DiffuseIn(block, rate, now, k)
		}
		mu, nu, step := float32((float64(2*j)-1)/j), float32((1-j)/j), float32((float64(2*j)-1)/j*w)
		par.For(len(now), func(lo, hi int) {
			s.lattice.Rows(block, lo, hi, func(p, q int) {
				for ; p < q; p++ {
					next := float32(mu*now[p]) + float32(nu*before[p]) + float32(step*rate[p])
					before[p] = now[p]
					now[p] = next
				}
			})
		})
		s.lattice.Wrap(now)
	}
	return block
}

// heated returns the excess of temperature that a source makes of another one in a part.
func (s *Mesh) heated(gas *Gas, from, to float32) float32 {
	if !s.Expansion {
		return to
	}
	t := gas.above(from)
	limited := min(t*num.Exp(mostHeating), max(t*num.Exp(-mostHeating), gas.above(to)))
	return float32(limited - gas.Temperature)
}
