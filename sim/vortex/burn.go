package vortex

import (
	"math"

	"breakwater/sim/num"
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
//
// With air above 0 this mass of air burns with a unit mass of fuel. All gas that is neither
// fuel nor flame nor smoke is air. So fuel burns where it meets air, in a thin sheet where it is hot
// (Burke and Schumann 1928). Flame is what has burnt, and smoke is soot: it forms of hot fuel
// by Arrhenius's law with the temperature of Khan and Greeves 1974, and burns likewise.
type Flame struct {
	Activation       float64 `toml:"activation" unit:"K" range:"[0, inf)" doc:"Temperature T_a of Arrhenius's law."`
	Rate             float64 `toml:"rate" unit:"1/s" range:"[0, inf)" doc:"Rate of burning at a temperature far above it."`
	SmokeTemperature float64 `toml:"smoke_temperature" unit:"K" range:"(0, inf)" doc:"Temperature T_s above which flame stays flame."`
	SmokeRate        float64 `toml:"smoke_rate" unit:"1/s" range:"[0, inf)" doc:"Rate at which cold flame becomes smoke."`
	Heat             float64 `toml:"heat" unit:"J/kg" range:"[0, inf)" doc:"Heat that a mass fraction of 1 of fuel gives off."`
	Air              float64 `toml:"air" recipe:"set" unit:"1" range:"[0, 1000]" doc:"Mass of air that burns with a unit mass of fuel, such as 15 for wax, in the solver mesh. Flames are then sheets where fuel meets air, and smoke is soot. With 0 fuel needs no air."`
	Soot             float64 `toml:"soot" recipe:"set" unit:"1/s" range:"[0, inf)" doc:"Rate at which fuel becomes soot at 1800 K, with air above 0: some 10 for yellow flames."`
}

// burn advances a mixture at the temperature T for dt, and returns the fraction burnt.
func (f *Flame) burn(m *Blend, temperature, dt float64) (burnt float64) {
	if f.Air > 0 {
		return f.burnInAir(m, temperature, dt)
	}
	burnt = float64(m.Fuel * -math.Expm1(float64(-f.Rate*num.Exp(-f.Activation/temperature)*dt)))
	ratio := temperature / f.SmokeTemperature
	smoke := float64(m.Flame * -math.Expm1(float64(-f.SmokeRate*num.Exp(float64(-ratio*ratio))*dt)))
	m.Fuel -= burnt
	m.Flame += burnt - smoke
	m.Smoke += smoke
	return burnt
}

// sootActivation is the temperature in K of Arrhenius's law for soot (Khan and Greeves, A
// method for calculating the formation and combustion of soot in diesel engines, 1974), and
// sootRated is where its rate is as given.
const (
	sootActivation = 20130
	sootRated      = 1800
)

// burnInAir is burn where fuel needs air.
func (f *Flame) burnInAir(m *Blend, temperature, dt float64) (burnt float64) {
	share := -math.Expm1(float64(-f.Rate * num.Exp(-f.Activation/temperature) * dt))
	air := max(0, 1-m.Fuel-m.Flame-m.Smoke)
	for _, of := range []*float64{&m.Fuel, &m.Smoke} {
		x := min(float64(*of*share), air/f.Air)
		*of -= x
		air -= float64(x * f.Air)
		burnt += x
	}
	m.Flame += float64(burnt * (1 + f.Air))
	soot := float64(m.Fuel * -math.Expm1(float64(-f.Soot*num.Exp(sootActivation/sootRated-sootActivation/temperature)*dt)))
	m.Fuel -= soot
	m.Smoke += soot
	return burnt
}

// burnAt is burn for particle i.
func (f *Flame) burnAt(m *Mixture, i int, temperature, dt float64) float64 {
	one := Blend{m.Fuel[i], m.Flame[i], m.Smoke[i]}
	burnt := f.burn(&one, temperature, dt)
	m.Fuel[i], m.Flame[i], m.Smoke[i] = one.Fuel, one.Flame, one.Smoke
	return burnt
}

// vortons burns the vortons for dt and heats them.
func (f *Flame) vortons(v *Vortons, gas *Gas, dt float64) {
	par.For(v.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t := gas.TemperatureOf(v.Density[i])
			if burnt := f.burnAt(&v.Mix, i, t, dt); burnt > 0 {
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
			f.burnAt(&t.Mix, i, t.Temperature[i], dt)
		}
	})
}
