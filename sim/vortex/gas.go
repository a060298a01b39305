package vortex

import "breakwater/sim/vec"

// Gas is what flows, and the effects that are switched on. An effect whose number is 0
// is off (Gourlay, part 12: each was switched off in turn to find what jerks).
type Gas struct {
	Density      float64  `toml:"density" unit:"kg/m³" range:"(0, inf)" doc:"Density ρ₀ at the ambient temperature."`
	Temperature  float64  `toml:"temperature" unit:"K" range:"(0, inf)" doc:"Ambient temperature T₀."`
	HeatCapacity float64  `toml:"heat_capacity" unit:"J/kg/K" range:"(0, inf)" doc:"Heat capacity at constant pressure."`
	Viscosity    float64  `toml:"viscosity" unit:"m²/s" range:"[0, inf)" doc:"Kinematic viscosity; 0 for none. The solver gourlay reads it as a rate of exchange in 1/s unless diffusion is exact."`
	Conduction   float64  `toml:"conduction" unit:"m²/s" range:"[0, inf)" doc:"Thermal diffusivity; 0 for none. The solver gourlay reads it as a rate of exchange in 1/s unless diffusion is exact."`
	Gravity      vec.Vec3 `toml:"gravity" unit:"m/s²" doc:"Acceleration of gravity, which causes buoyancy; zero for none."`
	Variable     bool     `toml:"variable_density" doc:"Whether the gas has the density of the place: buoyancy divides by it, and the solver mesh finds the pressure. Otherwise buoyancy divides by the ambient density (Boussinesq)."`
	Wind         vec.Vec3 `toml:"wind" unit:"m/s" doc:"Velocity of the gas far away."`
}

// Air returns air at 293 K without gravity or wind.
func Air() Gas {
	return Gas{Density: 1.204, Temperature: 293, HeatCapacity: 1006, Viscosity: 1.516e-5, Conduction: 2.14e-5}
}

// TemperatureOf returns the temperature in K at a density in kg/m³, by the law of ideal
// gases at constant pressure, T = T₀ρ₀/ρ (Gourlay, part 10).
func (g *Gas) TemperatureOf(density float64) float64 { return g.Temperature * g.Density / density }

// DensityOf returns the density in kg/m³ at a temperature in K.
func (g *Gas) DensityOf(temperature float64) float64 { return g.Density * g.Temperature / temperature }

// above returns the temperature with an excess, K. A hundredth of the ambient temperature is
// the least: sums of overshoots may fall below zero.
func (g *Gas) above(excess float32) float64 {
	return max(g.Temperature/100, g.Temperature+float64(excess))
}
