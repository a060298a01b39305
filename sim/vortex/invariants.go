package vortex

import "breakwater/sim/vec"

// Invariants are sums over the vortons that a gas without viscosity and walls keeps.
type Invariants struct {
	Strength       vec.Vec3 // Σ α, m³/s
	Impulse        vec.Vec3 // ½ Σ x × α, of a density of 1, m⁴/s
	AngularImpulse vec.Vec3 // ⅓ Σ x × (x × α), m⁵/s
	Excess         float64  // mass above the mass of as much ambient gas, kg

	Enstrophy float64 // Σ ω·α, m³/s²; it grows where vortices stretch
	Helicity  float64 // Σ u·α, m⁴/s², by the velocities of the last step; 0 before the first
}

// Invariants returns the sums for the vortons in their order.
func (f *Flow) Invariants(gas *Gas) (s Invariants) {
	v := &f.Vortons
	for i, x := range v.X {
		a := v.Strength(i)
		p := x.Cross(a)
		s.Strength = s.Strength.Add(a)
		s.Impulse = s.Impulse.Add(p.Mul(0.5))
		s.AngularImpulse = s.AngularImpulse.Add(x.Cross(p).Mul(1. / 3))
		s.Excess += float64(v.Volume(i) * (v.Density[i] - gas.Density))
		s.Enstrophy += v.W[i].Dot(a)
		if u := v.V[i]; u != (vec.Vec3{}) {
			s.Helicity += u.Sub(gas.Wind).Dot(a)
		}
	}
	return s
}
