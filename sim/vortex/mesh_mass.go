package vortex

import (
	"math"
	"slices"

	"breakwater/sim/par"
)

// This file moves heat and mixture to the nodes by mass, so that remeshing keeps the sums
// Σ ρY V of all shares Y of the mixture, and the heat. At a constant pressure the heat of gas
// is c_p ρ(T − T₀) = c_p ρ₀T₀ (1 − T₀/T) in a unit volume. So the heat is proportional to the
// deficit of mass 1 − ρ/ρ₀, and one sum keeps both heat and mass.

// conserves reports whether masses are conserved. Gas that does not expand has none.
func (s *Mesh) conserves() bool { return s.Conserve && s.Expansion }

// leastMass is the least mass of gas over the mass of ambient gas of the same volume.
// It keeps densities above 0 for flames whose temperature has no limit.
const leastMass = 0.02

// masses returns what vortons carry, with the deficit of mass in place of the excess of
// temperature and with shares weighted by the mass. A volume of gas has the mass 1/T, by the
// law of ideal gases. Masses are over the mass of ambient gas in a cell.
func (s *Mesh) masses(of [][]float32) [][]float32 {
	to := append([][]float32(nil), of...)
	for c := heatExcess; c < len(of); c++ {
		s.massed[c] = par.Resize(s.massed[c], len(of[c]))
		to[c] = s.massed[c]
	}
	ambient := float32(s.ambient)
	par.For(len(s.volume), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v := s.volume[i]
			kelvin := max(ambient/100, ambient+of[heatExcess][i]/v)
			mass := ambient / kelvin
			to[heatExcess][i] = float32(v * (kelvin - ambient) / kelvin)
			for c := fuelShare; c < len(of); c++ {
				to[c][i] = float32(mass * of[c][i])
			}
		}
	})
	return to
}

// fromMasses turns deficits of mass at the nodes into excesses of temperature, and masses of
// the mixture into shares.
func (s *Mesh) fromMasses(channels int) {
	ambient, deficit := float32(s.ambient), s.node[heatExcess]
	s.forCarriers(0, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			mass := max(leastMass, 1-deficit[p])
			deficit[p] = float32(ambient * min(deficit[p], 1-leastMass) / mass)
			for c := fuelShare; c < channels; c++ {
				if s.node[c][p] != 0 {
					s.node[c][p] /= mass
				}
			}
		}
	})
}

// level makes masses per cell of the masses that vortons left at the nodes, within the bounds
// of limit and with the same sums. What is cut off near a sheet comes from the nodes beside it.
func (s *Mesh) level() {
	carried := make([]float64, channels)
	s.carriers = s.lattice.Grown(s.carriers, 1) // even smooths
	for c := heatExcess; c < channels; c++ {
		carried[c] = s.even(s.node[c])
	}
	ambient := float32(s.ambient)
	deficit, flame := s.node[heatExcess], s.node[flameShare]
	least := max(leastMass, ambient/(ambient+s.most+s.mixtureMost()))
	positive := func(int) (lo, hi float32) { return 0, 2 }
	s.confine(flame, carried[flameShare], positive)
	coldest, hottest := ambient+s.least, ambient+s.most
	fuel, smoke := s.node[fuelShare], s.node[smokeShare]
	s.confine(deficit, carried[heatExcess], func(p int) (lo, hi float32) {
		// T ≤ hottest + mixtureHeat/mass, where T is ambient/mass.
		mass := (ambient - s.mixtureHeat(fuel[p], flame[p], smoke[p])) / hottest
		return 1 - ambient/coldest, 1 - max(mass, least)
	})
	for c := fuelShare; c < channels; c++ {
		s.confine(s.node[c], carried[c], func(p int) (lo, hi float32) { return 0, max(0, 1-deficit[p]) })
	}
}

// hotterThanAll takes the place of an infinite bound of the temperature, K.
const hotterThanAll = 1e12

// levelHeat keeps the temperature of gas that does not expand within the bounds of limit, with
// the same sum, if a source keeps its temperature. The overshoots of M4′ beside such a source come
// again in each part, and gather as air colder than all. Elsewhere they stay small.
func (s *Mesh) levelHeat(sources []Source) {
	if !slices.ContainsFunc(sources, func(x Source) bool { return !x.Burner && x.Temperature != s.ambient }) {
		return
	}
	lo, hi := s.least, min(s.most, hotterThanAll)
	heat := s.node[heatExcess]
	s.confine(heat, s.sumOf(heat), func(int) (float32, float32) { return lo, hi })
}

// even divides sums at nodes by the room of the vortons there, and returns the sum of all.
// Vortons that grow apart leave ripples in sums, but not in means. The difference of the two
// is added without the ripples, which (1, 2, 1)/4 along each axis takes away, so that the sum stays.
func (s *Mesh) even(list []float32) (carried float64) {
	s.cleared(s.stage[:2])
	rest, scratch := s.stage[0], s.stage[1]
	carried = s.sumOf(list)
	s.forCarriers(0, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			if was := list[p]; was != 0 {
				list[p] = was / max(leastRoom, s.room[p])
				rest[p] = was - list[p]
			}
		}
	})
	s.smooth(rest, scratch, 0.5, 0.25)
	add(list, rest, 1)
	return carried
}

// smooth replaces numbers at nodes by mid times each and side times those before and after
// it, along one axis after another. They and scratch are 0 outside of the carriers.
func (s *Mesh) smooth(list, scratch []float32, mid, side float32) {
	n := len(list)
	from, to := list, scratch
	for _, step := range []int{1, s.lattice.N[0], s.lattice.N[0] * s.lattice.N[1]} {
		s.forCarriers(1, func(lo, hi int) {
			for p := lo; p < hi; p++ { // the margin of the lattice is empty
				if p < step || p >= n-step {
					to[p] = 0
					continue
				}
				to[p] = float32(mid*from[p]) + float32(side*(from[p-step]+from[p+step]))
			}
		})
		from, to = to, from
	}
	copy(list, from)
	s.lattice.Wrap(list)
}

// mostShare bounds the change of a node over the slack around it. Beyond 1, all slack is used.
const mostShare = 1e6

// confine cuts off values outside of bounds, and takes from the 26 nodes around what that adds,
// or gives them what it takes away: in proportion to w = (hi − x)(x − lo)/(hi − lo), which
// is small where they have nothing to give or no room. What they cannot take is
// spread over all nodes. So the sum becomes carried.
func (s *Mesh) confine(list []float32, carried float64, bounds func(p int) (lo, hi float32)) {
	s.cleared(s.stage[:2])
	s.spare = par.Resize(s.spare, len(list))
	clear(s.spare)
	give, scratch, change := s.stage[0], s.stage[1], s.spare
	slack := func(p int) float32 {
		lo, hi := bounds(p)
		x := list[p]
		if hi <= lo || x == 0 {
			return 0
		}
		return float32(max(0, hi-x) * max(0, x-lo) / (hi - lo))
	}
	cut := s.sumCarriers(func(p int) (nodes float64) {
		if was := list[p]; was != 0 {
			lo, hi := bounds(p)
			list[p] = max(lo, min(hi, was))
			if change[p] = list[p] - was; change[p] != 0 {
				nodes = 1
			}
			give[p] = slack(p)
		}
		return nodes
	})
	if cut > 0 {
		s.smooth(give, scratch, 1, 1)
		s.forCarriers(0, func(from, to int) {
			for p := from; p < to; p++ {
				if change[p] != 0 {
					if give[p] > 0 { // where it is denormal, the quotient would be infinite
						change[p] = max(-mostShare, min(mostShare, change[p]/give[p]))
					} else {
						change[p] = 0
					}
				}
			}
		})
		s.smooth(change, scratch, 1, 1)
		s.forCarriers(0, func(from, to int) {
			for p := from; p < to; p++ {
				if change[p] != 0 {
					lo, hi := bounds(p)
					list[p] = max(lo, min(hi, list[p]-float32(slack(p)*change[p])))
				}
			}
		})
	}
	for range 3 { // the last changes are cut off as well
		more := carried - s.sumOf(list)
		if math.Abs(more) <= 1e-6*math.Abs(carried) {
			return
		}
		all := s.sumCarriers(func(p int) float64 {
			if !s.lattice.Own(p) {
				return 0
			}
			return float64(slack(p))
		})
		if all == 0 {
			return
		}
		share := float32(more / all)
		s.forCarriers(0, func(from, to int) {
			for p := from; p < to; p++ {
				if w := slack(p); w != 0 {
					lo, hi := bounds(p)
					list[p] = max(lo, min(hi, list[p]+float32(w*share)))
				}
			}
		})
	}
}

// sumOf adds up numbers at nodes.
func (s *Mesh) sumOf(list []float32) float64 {
	return s.sumCarriers(func(p int) float64 {
		if !s.lattice.Own(p) {
			return 0
		}
		return float64(list[p])
	})
}
