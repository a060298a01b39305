package classic

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim"
	"breakwater/sim/neighbor"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/phase"
	"breakwater/sim/vec"
)

func init() {
	sim.Solvers.Add("gourlay-default", "the pair law of \"Fluid Simulation for Video Games\" as published: spongy, 30 steps per second",
		"Gourlay 2013", func() sim.Solver {
			return &Gourlay{
				Support: 3, RestNumber: 2.2, Stiffness: 5, Near: 2, Pull: true, SpeedLimit: math.Sqrt(2 * 5),
				RadialRange: 3, RadialViscosity: 30, Dissipation: 0.003, Restitution: 0.01, LongestStep: 1. / 30, CFL: 0.4,
			}
		})
	sim.Solvers.Add("gourlay-calibrated", "the same law without attraction, its rest number and stiffness derived from the spacing and the depth: keeps nine tenths of its volume and flows like water",
		"Gourlay 2013", func() sim.Solver {
			return &Gourlay{
				Support: 3, Near: 1, Mirror: true,
				RadialRange: 4, Dissipation: 0.003, Restitution: 0.01, LongestStep: 1. / 30, CFL: 0.3,
			}
		})
}

// Gourlay is the liquid of Gourlay, Fluid Simulation for Video Games 15, 2013,
// with the pair law and the constants of the code published with the series.
// With u = 1 − r/h, and no kernel of unit integral anywhere,
//
//	N_i = 1 + Σ u³   M_i = 1 + Σ u⁴
//	a_ij = (k (N_i + N_j − 2N₀) u² + k f (M_i + M_j) u³) r_ij/r
//
// Where N is less than N₀, which it is at every surface, that pulls, and holds the
// liquid together like jelly. Without the pull, M is taken less what a lattice has,
// and neither k (N − N₀) nor the near pressure falls below 0. The article's lengths
// are in radii of a particle, half a spacing.
type Gourlay struct {
	Support    float64 `toml:"support" unit:"1" range:"[2, 6]" doc:"Support radius h in particle radii. Below 3 the liquid never settles."`
	RestNumber float64 `toml:"rest_number" unit:"1" range:"[0, inf)" doc:"Sum N₀ at which the pressure is 0. For a support of 4, 3.5, 3, 2.5 and 2 use 4, 2.9, 2.2, 1.75 and 1.23. With 0, particles at their spacing have no pressure, and without pull no near pressure."`
	Stiffness  float64 `toml:"stiffness" unit:"m/s²" range:"[0, inf)" doc:"Factor k of the law. 0 derives it from the speed of sound."`
	Near       float64 `toml:"near" unit:"1" range:"[0, 10]" doc:"Strength f of the near pressure, which keeps particles from clumping."`
	Pull       bool    `toml:"pull" doc:"Whether pressure may be negative, which pulls particles together at the surface."`
	Mirror     bool    `toml:"mirror" doc:"Whether particles see a mirror image of the liquid in the walls, with its density and pressure. Otherwise they only bounce off walls, and the liquid is pressed against them."`
	SoundSpeed float64 `toml:"sound_speed" unit:"m/s" range:"[0, inf)" doc:"Speed of sound if stiffness is 0. The default 0 is five times the highest expected speed."`

	Diffusion       float64 `toml:"diffusion" unit:"1/s" range:"[0, inf)" doc:"Rate at which two particles in contact exchange velocity (particle strength exchange)."`
	RadialRange     float64 `toml:"radial_range" unit:"1" range:"[0, 6]" doc:"Range of shock viscosity, in particle radii."`
	RadialViscosity float64 `toml:"radial_viscosity" unit:"1/s" range:"[0, inf)" doc:"Rate at which shock viscosity equalises the velocities of approaching particles along the line between them. If this and stiffness are 0, the rate is c/(20h). For no shock viscosity set radial_range = 0."`
	Tangential      float64 `toml:"tangential" unit:"1/s" range:"[0, inf)" doc:"The same rate perpendicular to that line."`
	Dissipation     float64 `toml:"dissipation" unit:"1/s" range:"[0, inf)" doc:"Rate at which all velocities decay."`
	Heat            bool    `toml:"heat" doc:"Whether to store the kinetic energy lost to viscosity and dissipation as the attribute \"heat\" in J/kg."`

	Ambient     float64 `toml:"ambient" unit:"kg/m³" range:"[0, inf)" doc:"Density of the medium around the liquid, which causes buoyancy."`
	Restitution float64 `toml:"restitution" unit:"1" range:"[0, 1]" doc:"Share of its speed that a particle keeps when it bounces off a wall."`
	SpeedLimit  float64 `toml:"speed_limit" unit:"m/s" range:"[0, inf)" doc:"Highest speed of a particle; 0 for none. The published code uses √(2k)."`
	LongestStep float64 `toml:"longest_step" unit:"s" range:"(0, 1]" doc:"Longest time step."`
	CFL         float64 `toml:"cfl" unit:"1" range:"(0, 1]" doc:"Distance that sound may travel per step, in support radii, if stiffness is 0."`

	law   law
	image image
	pairs pairs
	n, m  []float64
	wall  []vec.Vec3 // of image.at
	a     []vec.Vec3
}

// Compressible implements sim.Compressible.
func (*Gourlay) Compressible() {}

// passes is the number of times that a particle may be put back off a wall in a step.
const passes = 3

// prepare works out the law for w, unless it has it.
func (s *Gourlay) prepare(w *sim.World) {
	if s.law.spacing == w.Spacing && s.law.speed == w.Speed {
		return
	}
	s.law = law{spacing: w.Spacing, speed: w.Speed, h: s.Support * w.Spacing / 2, rest: s.RestNumber, k: s.Stiffness}
	switch n, m, _, _ := s.lattice(w.Dim(), 1); {
	case s.law.rest == 0 && s.Pull:
		s.law.rest = s.balanced(w.Dim())
	case s.law.rest == 0:
		s.law.rest, s.law.near = n, m
	}
	if s.law.k == 0 {
		if s.law.c = s.SoundSpeed; s.law.c == 0 {
			s.law.c = 5 * w.Speed
		}
		// P/ρ is 0 at rest, so its derivative by ln ρ is c².
		s.law.k = s.law.c * s.law.c / s.slope(w, 1)
	}
	if s.Mirror {
		s.image = newImage(w, s.law.h)
	}
	if s.law.radial = s.RadialViscosity; s.law.radial == 0 {
		s.law.radial = s.law.c / (20 * s.law.h)
	}
}

// lattice returns sums over a lattice scaled by the given factor: N, M, Σ r u² and Σ r
// u³, in spacings.
func (s *Gourlay) lattice(dim int, scale float64) (n, m, far, near float64) {
	n, m = 1, 1
	latticeSum(dim, scale, s.Support/2, func(r, u float64) {
		n, m, far, near = n+float64(u*u*u), m+float64(u*u*u*u), far+float64(r*u*u), near+float64(r*u*u*u)
	})
	return n, m, far, near
}

// balanced returns the rest number at which a lattice has no pressure: the two laws
// cancel.
func (s *Gourlay) balanced(dim int) float64 {
	n, m, far, near := s.lattice(dim, 1)
	return n + s.Near*m*near/far
}

// virial returns P/ρ of a lattice scaled by a factor, for k = 1,
//
//	P/ρ = 1/(2D) Σ_j r a_ij,  D the number of dimensions.
func (s *Gourlay) virial(dim int, spacing, scale float64) float64 {
	n, m, far, near := s.lattice(dim, scale)
	return spacing / float64(2*dim) * (float64(2*(n-s.law.rest)*far) + float64(2*s.Near*(m-s.law.near)*near))
}

// slope returns the derivative of P/ρ by ln ρ = −D ln of the lattice's scale, for
// k = 1.
func (s *Gourlay) slope(w *sim.World, scale float64) float64 {
	const e = 1e-4
	more, less := s.virial(w.Dim(), w.Spacing, scale*(1+e)), s.virial(w.Dim(), w.Spacing, scale*(1-e))
	return -(more - less) / (2 * e) / float64(w.Dim())
}

// Check implements sim.Checker.
func (s *Gourlay) Check(w *sim.World) error {
	if err := alone(w); err != nil {
		return err
	}
	if most, _, _, _ := s.lattice(w.Dim(), 1); most == 1 {
		return &sim.SettingError{Key: "support", Text: fmt.Sprintf(
			"%.4g radii find no neighbours at the spacing, which is 2 radii; expected 2.5 or more", s.Support)}
	}
	if err := checkRest("rest_number", s.RestNumber, w.Dim(), func(scale float64) float64 {
		n, _, _, _ := s.lattice(w.Dim(), scale)
		return n
	}); err != nil {
		return err
	}
	if s.Stiffness == 0 && s.SoundSpeed > 0 && s.SoundSpeed < 2*w.Speed {
		return slow(s.SoundSpeed, w.Speed)
	}
	if s.prepare(w); !(s.law.k > 0) {
		return unsound("rest_number", s.RestNumber)
	}
	// As published the liquid is pressed to a third, where it is stiffest.
	pressed := num.Pow(3, -1/float64(w.Dim()))
	c := math.Sqrt(s.Stiffness * s.slope(w, pressed))
	if far := c * s.LongestStep; s.Stiffness > 0 && far > s.law.h {
		return &sim.SettingError{Key: "stiffness", Text: fmt.Sprintf(
			"%.4g m/s² is too stiff for steps of %.3g s: sound would travel farther than the support radius of %.3g m, and particles would fly apart; expected %.3g m/s² or less, or a shorter longest_step",
			s.Stiffness, s.LongestStep, s.law.h, 0.99*s.Stiffness*(s.law.h/far)*(s.law.h/far))}
	}
	if rate := max(s.Diffusion, s.RadialViscosity, s.Tangential); rate*s.LongestStep > 1 {
		return &sim.SettingError{Key: "longest_step", Text: fmt.Sprintf(
			"%.4g s is too long for viscosity at a rate of %.4g 1/s, which would reverse velocities; expected %.3g s or less",
			s.LongestStep, rate, 0.99/rate)}
	}
	return nil
}

// MaxDt implements sim.Solver.
func (s *Gourlay) MaxDt(w *sim.World) float64 {
	s.prepare(w)
	if s.law.c == 0 {
		return s.LongestStep
	}
	return min(s.LongestStep, s.CFL*s.law.h/s.law.c)
}

// Step implements sim.Solver.
func (s *Gourlay) Step(w *sim.World, dt float64) (info sim.StepInfo, err error) {
	s.prepare(w)
	watch := phase.Start(&info.Seconds)
	reach := s.law.h
	if s.law.radial > 0 || s.Tangential > 0 {
		reach = max(reach, s.RadialRange*w.Spacing/2)
	}
	s.pairs.find(w, reach)
	watch.Lap(phase.Sorting)
	s.densities(w)
	watch.Lap(phase.Pairing)
	s.pressures(w, dt)
	watch.Lap(phase.Density)
	s.diffuse(w, dt)
	watch.Lap(phase.Forcing)
	par.For(w.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			w.X[i] = w.X[i].Add(w.V[i].Mul(dt))
		}
	})
	b := bouncer{radius: w.Spacing / 2, bounce: s.Restitution, passes: passes}
	err = b.finishStep(w, dt, &info)
	for _, p := range s.n {
		info.DensityError += max(0, p) / (s.law.k * s.law.rest * float64(len(s.n)))
	}
	watch.Lap(phase.Moving)
	return info, err
}

// densities sets s.n and s.m to the pressures k (N − N₀) and k f M of the law.
func (s *Gourlay) densities(w *sim.World) {
	s.n, s.m = slices.Grow(s.n[:0], w.Len())[:w.Len()], slices.Grow(s.m[:0], w.Len())[:w.Len()]
	for i := range s.n {
		s.n[i], s.m[i] = 1, 1
	}
	invH := 1 / s.law.h
	s.pairs.each(func(list []neighbor.Pair) {
		for k := range list {
			p := &list[k]
			u := max(0, 1-float64(p.R*invH))
			u3 := float64(u * u * u)
			s.n[p.I] += u3
			s.n[p.J] += u3
			s.m[p.I] += float64(u3 * u)
			s.m[p.J] += float64(u3 * u)
		}
	})
	if s.Mirror {
		s.wall = slices.Grow(s.wall[:0], w.Len())[:w.Len()]
	}
	k := s.law.k
	par.For(w.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if s.Mirror {
				var n, m float64
				n, m, s.wall[i] = s.image.at(w, w.X[i])
				s.n[i], s.m[i] = s.n[i]+n, s.m[i]+m
			}
			s.n[i], s.m[i] = float64(k*(s.n[i]-s.law.rest)), float64(k*s.Near*(s.m[i]-s.law.near))
			if !s.Pull {
				s.n[i], s.m[i] = max(0, s.n[i]), max(0, s.m[i])
			}
		}
	})
}

// pressures adds what pressure, gravity and buoyancy do in dt to the velocities.
func (s *Gourlay) pressures(w *sim.World, dt float64) {
	s.a = slices.Grow(s.a[:0], w.Len())[:w.Len()]
	clear(s.a)
	invH := 1 / s.law.h
	s.pairs.each(func(list []neighbor.Pair) {
		for k := range list {
			p := &list[k]
			u := max(0, 1-float64(p.R*invH))
			a := p.S.Mul((s.n[p.I] + s.n[p.J] + float64((s.m[p.I]+s.m[p.J])*u)) * u * u)
			s.a[p.I] = s.a[p.I].Add(a)
			s.a[p.J] = s.a[p.J].Sub(a)
		}
	})
	g := w.Gravity.Mul((w.Rho0 - s.Ambient) / w.Rho0)
	par.For(w.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if s.Mirror {
				s.a[i] = s.a[i].Add(s.wall[i].Mul(float64(s.image.far*s.n[i]) + float64(s.image.near*s.m[i])))
			}
			w.V[i] = w.V[i].Add(s.a[i].Add(g).Mul(dt))
		}
	})
}
