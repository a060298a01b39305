package vortex

import "math"

// conduct exchanges heat between the body and a vorton in contact for dt, and returns
// what the body gets in J. The heat is conductance times the difference of temperature
// and the cross section of the vorton (Gourlay, part 10, has a factor without units). It
// approaches the common temperature exponentially, so no step overshoots.
func (b *Body) conduct(v *Vortons, i int, gas *Gas, dt float64) float64 {
	if b.Conductance == 0 {
		return 0
	}
	t, r := gas.TemperatureOf(v.Density[i]), v.Radius[i]
	heat := v.Density[i] * v.Volume(i) * gas.HeatCapacity // J/K
	rate := b.Conductance * math.Pi * r * r * dt          // J/K
	inverse := 1 / heat
	if b.HeatCapacity > 0 {
		inverse += 1 / b.HeatCapacity
	}
	q := (b.Temperature - t) / inverse * -math.Expm1(-rate*inverse)
	v.Density[i] = gas.DensityOf(t + q/heat)
	return -q
}

// take adds what the particles gave a body in a step.
func (b *Body) take(p push) {
	b.Impulse, b.Twist, b.Hits = p.lin, p.ang, p.hits
	if b.HeatCapacity > 0 {
		b.Temperature += p.heat / b.HeatCapacity
	}
}
