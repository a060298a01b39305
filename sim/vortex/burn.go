package vortex

import (
	"math"

	"breakwater/sim/par"
)

// Flame is the combustion of Gourlay, part 11. Fuel becomes flame and flame becomes smoke,
// as mass fractions of each particle:
//
//	dY_fuel/dt  = −rate exp(−T_a/T) Y_fuel
//	dY_smoke/dt = smoke_rate exp(−(T/T_s)²) Y_flame
//
// Burning a fraction dY heats a vorton by dT = heat dY / c_p. Each step takes the exact
// solution for the temperature at its start.
type Flame struct {
	Activation       float64 `toml:"activation" unit:"K" range:"[0, inf)" doc:"Temperature T_a of Arrhenius's law."`
	Rate             float64 `toml:"rate" unit:"1/s" range:"[0, inf)" doc:"Rate of burning at a temperature far above it."`
	SmokeTemperature float64 `toml:"smoke_temperature" unit:"K" range:"(0, inf)" doc:"Temperature T_s above which flame stays flame."`
	SmokeRate        float64 `toml:"smoke_rate" unit:"1/s" range:"[0, inf)" doc:"Rate at which cold flame becomes smoke."`
	Heat             float64 `toml:"heat" unit:"J/kg" range:"[0, inf)" doc:"Heat that a mass fraction of 1 of fuel gives off."`
}

// burn advances a mixture at the temperature T for dt, and returns the fraction burnt.
func (f *Flame) burn(m *Mixture, i int, temperature, dt float64) (burnt float64) {
	burnt = m.Fuel[i] * -math.Expm1(-f.Rate*math.Exp(-f.Activation/temperature)*dt)
	ratio := temperature / f.SmokeTemperature
	smoke := m.Flame[i] * -math.Expm1(-f.SmokeRate*math.Exp(-ratio*ratio)*dt)
	m.Fuel[i] -= burnt
	m.Flame[i] += burnt - smoke
	m.Smoke[i] += smoke
	return burnt
}

// vortons burns the vortons for dt and heats them.
func (f *Flame) vortons(v *Vortons, gas *Gas, dt float64) {
	par.For(v.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t := gas.TemperatureOf(v.Density[i])
			if burnt := f.burn(&v.Mix, i, t, dt); burnt > 0 {
				v.Density[i] = gas.DensityOf(t + burnt*f.Heat/gas.HeatCapacity)
			}
		}
	})
}

// tracers burns the tracers for dt at the temperature around them. Their heat is not
// counted, because the vortons carry it.
func (f *Flame) tracers(t *Tracers, dt float64) {
	par.For(len(t.X), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f.burn(&t.Mix, i, t.Temperature[i], dt)
		}
	})
}
