package vortex

import (
	"breakwater/sim/num"
	"breakwater/sim/par"
)

// Ledger is what a step did to the fuel and to the heat of gas that expands. The sum of each
// present grows by what sources supplied, less what burnt or with what was released, and less
// what left. The rest is the error of the solver.
type Ledger struct{ Fuel, Heat Account }

// Account is one column of sums: of fuel and soot in kg, or of heat above the ambient
// temperature in J.
type Account struct {
	Supplied float64 // by sources
	Burnt    float64 // fuel that burnt, or the heat that it gave off
	Left     float64 // through the sides of the box, to bodies, and with nodes that became empty
	Present  float64 // at the end
}

// add adds the account of a later time.
func (a Account) add(b Account) Account {
	return Account{a.Supplied + b.Supplied, a.Burnt + b.Burnt, a.Left + b.Left, b.Present}
}

// Add adds the ledger of a later step.
func (l Ledger) Add(m Ledger) Ledger { return Ledger{l.Fuel.add(m.Fuel), l.Heat.add(m.Heat)} }

// holding is fuel with soot in kg, and heat in J.
type holding struct{ fuel, heat float64 }

func (h holding) sub(g holding) holding { return holding{h.fuel - g.fuel, h.heat - g.heat} }

// supply adds what sources gave.
func (l *Ledger) supply(h holding) {
	l.Fuel.Supplied += h.fuel
	l.Heat.Supplied += h.heat
}

// leave adds what left.
func (l *Ledger) leave(h holding) {
	l.Fuel.Left += h.fuel
	l.Heat.Left += h.heat
}

// holds returns what nodes or vortons hold. sum adds up a number over all of them. at returns the mass of one in kg,
// its excess of temperature, and its shares of fuel and soot.
func holds(sum func(of func(i int) float64) float64, gas *Gas, at func(i int) (mass float64, heat, fuel, soot float32)) holding {
	return holding{
		fuel: sum(func(i int) float64 {
			m, _, fuel, soot := at(i)
			return float64(m * float64(fuel+soot))
		}),
		heat: gas.HeatCapacity * sum(func(i int) float64 {
			m, heat, _, _ := at(i)
			return float64(m * float64(heat))
		}),
	}
}

// soot returns the share at i that burns beside the fuel.
func (s *Mesh) soot(of [][]float32, i int) float32 {
	if s.Flame == nil || s.Flame.Air == 0 {
		return 0
	}
	return of[smokeShare][i]
}

// massAt returns the mass of gas at a temperature that fills a cell, in kg.
func (s *Mesh) massAt(gas *Gas, kelvin float64) float64 {
	return gas.DensityOf(kelvin) * s.Cell * s.Cell * s.Cell
}

// holdsBefore returns what nodes hold whose gas has the mass that it had before sources and
// burning changed its temperature.
func (s *Mesh) holdsBefore(gas *Gas) holding {
	if !s.Expansion {
		return holding{}
	}
	return holds(s.sumCarriers, gas, func(p int) (float64, float32, float32, float32) {
		heat, fuel, soot := s.node[heatExcess][p], s.node[fuelShare][p], s.soot(s.node[:], p)
		if heat == 0 && fuel == 0 && soot == 0 || !s.lattice.Own(p) {
			return 0, 0, 0, 0
		}
		return s.massAt(gas, gas.above(s.cold[p])), heat, fuel, soot
	})
}

// holdsGrown returns what nodes hold after their gas has grown by the dilatation.
func (s *Mesh) holdsGrown(gas *Gas) holding {
	if !s.Expansion {
		return holding{}
	}
	return holds(s.sumCarriers, gas, func(p int) (float64, float32, float32, float32) {
		heat, fuel, soot := s.node[heatExcess][p], s.node[fuelShare][p], s.soot(s.node[:], p)
		if heat == 0 && fuel == 0 && soot == 0 || !s.lattice.Own(p) {
			return 0, 0, 0, 0
		}
		return float64(num.Exp(float64(s.dilatation[p])) * s.massAt(gas, gas.above(heat))), heat, fuel, soot
	})
}

// holdsMoved returns what vortons hold, which carry shares times volumes.
func (s *Mesh) holdsMoved(gas *Gas) holding {
	if !s.Expansion {
		return holding{}
	}
	sum := func(of func(i int) float64) float64 {
		return par.Sum(len(s.x), func(lo, hi int) (sum float64) {
			for i := lo; i < hi; i++ {
				sum += of(i)
			}
			return sum
		})
	}
	return holds(sum, gas, func(i int) (float64, float32, float32, float32) {
		v := s.volume[i]
		heat := s.now[heatExcess][i] / v
		return float64(float64(v) * s.massAt(gas, gas.above(heat))), heat, s.now[fuelShare][i] / v, s.soot(s.now[:], i) / v
	})
}
