package classic

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/phase"
	"breakwater/sim/vec"
)

func init() {
	sim.Solvers.Add("amd-asis", "AMD's SPH in OpenCL with the constants and the mistakes of its code: much too dense, and held together by a limit on acceleration",
		"Heirich 2010", func() sim.Solver {
			return &AMD{
				Support: 3.34 * unit, Mass: 0.001, Stiffness: 0.75, Viscosity: 10, LongestStep: 0.0042, CFL: 1,
				Limit: 100, Damping: 0.75, Most: 32, Pressure: "code", Pull: true, Short: true, Random: true, Alternate: true,
			}
		})
	sim.Solvers.Add("amd-consistent", "the same pipeline with consistent mass, stiffness and sums: keeps most of its volume", "Heirich 2010", func() sim.Solver {
		return &AMD{
			LongestStep: 0.0042, CFL: 0.3, Damping: 0.75, Most: 32, Pressure: "slides", Self: true, Random: true, Alternate: true, Reach: true,
		}
	})
}

// AMD is the liquid of Heirich, Smoothed Particle Hydrodynamics, AMD 2010: eqs.
// 1 to 4 of its slides, by the pipeline of its code.
//
//	dv_i/dt = g − ∇p_i/ρ_i + (μ/ρ_i) ∇²v_i                                     (1)
//	ρ_i = Σ m 315/(64πh⁹) (h² − r²)³                                           (2)
//	∇p_i/ρ_i = Σ m (p_i/ρ_i² + p_j/ρ_j²) (−45/(πh⁶)) (h − r)² r_ij/r           (3)
//	(μ/ρ_i) ∇²v_i = (μ/ρ_i) Σ m (v_j − v_i)/ρ_j 45/(πh⁶) (h − r)               (4)
//	p = k (ρ − ρ₀)
type AMD struct {
	Support     float64 `toml:"support" unit:"m" range:"[0, inf)" doc:"Support radius h. 0 is 1.93 spacings, which gives about 30 neighbours. The original uses 3.34 units of 4 mm."`
	Mass        float64 `toml:"mass" unit:"kg" range:"[0, inf)" doc:"Mass of a particle in the sums; 0 is the mass of a cube of liquid as wide as the spacing."`
	Stiffness   float64 `toml:"stiffness" unit:"m²/s²" range:"[0, inf)" doc:"The factor k of p = k (ρ−ρ₀), the square of the speed of sound. 0 makes the speed of sound five times the highest expected speed."`
	Viscosity   float64 `toml:"viscosity" unit:"Pa*s" range:"[0, inf)" doc:"Viscosity μ. 0 is the larger of the liquid's own and ρ₀hc/50, which damps pressure waves."`
	LongestStep float64 `toml:"longest_step" unit:"s" range:"(0, 1]" doc:"Longest time step."`
	CFL         float64 `toml:"cfl" unit:"1" range:"(0, 1]" doc:"Distance that sound may travel per step, in support radii."`

	Limit   float64 `toml:"limit" unit:"m/s²" range:"[0, inf)" doc:"Largest acceleration apart from gravity; 0 for none."`
	Damping float64 `toml:"damping" unit:"1" range:"[0, 1]" doc:"Share of the rest of a step that a particle moves after it has hit a wall. The wall reflects it at full speed."`

	Most      int    `toml:"neighbors" unit:"1" range:"[1, 512]" doc:"Largest number of neighbours of a particle. The first ones found count."`
	Pressure  string `toml:"pressure" oneof:"slides code" doc:"Formula of the pressure gradient: equation (3) of the slides, or m (p_i+p_j)/(2ρ_iρ_j) as in the code."`
	Self      bool   `toml:"self" doc:"Whether a particle contributes to its own density. AMD's code omits this term, which is two thirds of the density."`
	Pull      bool   `toml:"pull" doc:"Whether pressure may be negative, which pulls particles together at the surface."`
	Reach     bool   `toml:"reach" doc:"Whether walls act at the liquid's surface, half a spacing from a particle's centre, instead of at the centre."`
	Short     bool   `toml:"short" doc:"Whether to skip one particle of each voxel, as AMD's code does."`
	Random    bool   `toml:"random" doc:"Whether to scan a voxel from a pseudo-random particle."`
	Alternate bool   `toml:"alternate" doc:"Whether to scan a voxel backwards for every other particle."`

	voxels  voxels
	press   []float64
	a       []vec.Vec3
	scratch particle.Scratch
}

// Compressible implements sim.Compressible.
func (*AMD) Compressible() {}

// constants are the constants that follow from the settings in a world.
type constants struct {
	h, m   float64 // m, kg
	k      float64 // m²/s²
	mu     float64 // Pa s
	w0, w1 float64 // 315/(64πh⁹), 45/(πh⁶)
}

func (s *AMD) constants(w *sim.World) constants {
	c := constants{h: s.Support, m: s.Mass, k: s.Stiffness, mu: s.Viscosity}
	if c.h == 0 {
		c.h = 1.93 * w.Spacing
	}
	c.w0, c.w1 = 315/(64*math.Pi*num.Pow(c.h, 9)), 45/(math.Pi*num.Pow(c.h, 6))
	if c.m == 0 {
		c.m = w.Mass()
	}
	if c.k == 0 {
		c.k = 25 * w.Speed * w.Speed
	}
	if c.mu == 0 {
		c.mu = max(w.Viscosity*w.Rho0, w.Rho0*c.h*math.Sqrt(c.k)/50)
	}
	return c
}

// Check implements sim.Checker.
func (s *AMD) Check(w *sim.World) error {
	if err := alone(w); err != nil {
		return err
	}
	if w.Dim() == 2 {
		return &sim.SettingError{Key: "kind", Text: "this solver supports only three dimensions; expected another, such as isph or clavet"}
	}
	c := s.constants(w)
	if c.h < 1.02*w.Spacing {
		return &sim.SettingError{Key: "support", Text: fmt.Sprintf(
			"a support radius of %.3g m finds no neighbours at the spacing of %.3g m; expected %.3g m or more, or 0", c.h, w.Spacing, 1.2*w.Spacing)}
	}
	return nil
}

// MaxDt implements sim.Solver.
func (s *AMD) MaxDt(w *sim.World) float64 {
	c := s.constants(w)
	dt := min(s.LongestStep, s.CFL*c.h/math.Sqrt(c.k))
	if s.Limit == 0 && c.mu > 0 { // the sum of (4) over an even liquid is 15ν/h² times v
		dt = min(dt, 0.05*c.h*c.h*w.Rho0/c.mu)
	}
	return dt
}

// Step implements sim.Solver.
func (s *AMD) Step(w *sim.World, dt float64) (info sim.StepInfo, err error) {
	watch := phase.Start(&info.Seconds)
	c := s.constants(w)
	s.group(w, c)
	watch.Lap(phase.Sorting)
	s.voxels.findNeighbors(walk{random: s.Random, alternate: s.Alternate, short: s.Short})
	watch.Lap(phase.Pairing)
	s.computeDensityPressure(w, c)
	for _, rho := range w.Rho {
		info.DensityError += max(0, rho/w.Rho0-1) / float64(w.Len())
	}
	watch.Lap(phase.Density)
	s.computeAcceleration(w, c)
	watch.Lap(phase.Forcing)
	err = s.integrate(w, dt, &info)
	watch.Lap(phase.Moving)
	return info, err
}

// group puts the particles in the order of their voxels.
func (s *AMD) group(w *sim.World, c constants) {
	v := &s.voxels
	v.h, v.most = c.h/unit, s.Most
	v.clearBuffers(w.Len())
	v.hashParticles(w.X)
	v.sort()
	v.sortPostPass(&w.Set, &s.scratch)
	v.index()
	v.indexPostPass()
}

// computeDensityPressure sets ρ by (2), and p.
func (s *AMD) computeDensityPressure(w *sim.World, c constants) {
	s.press = slices.Grow(s.press[:0], w.Len())[:w.Len()]
	h2 := c.h * c.h
	par.For(w.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := 0.
			if s.Self {
				sum = h2 * h2 * h2
			}
			_, dist := s.voxels.of(i)
			for _, r := range dist {
				d := h2 - float64(r*r)
				sum += float64(d * d * d)
			}
			w.Rho[i] = c.m * c.w0 * sum
			s.press[i] = c.k * (w.Rho[i] - w.Rho0)
			if !s.Pull {
				s.press[i] = max(0, s.press[i])
			}
		}
	})
}

// computeAcceleration sets a but for gravity, by (3) or the code's form of it, and
// (4). A particle without neighbours has no density in the code, and no forces.
func (s *AMD) computeAcceleration(w *sim.World, c constants) {
	s.a = slices.Grow(s.a[:0], w.Len())[:w.Len()]
	par.For(w.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var a vec.Vec3
			near, dist := s.voxels.of(i)
			rhoI, pI := w.Rho[i], s.press[i]
			for k, j := range near {
				rhoJ, pJ, r := w.Rho[j], s.press[j], dist[k]
				if rhoI == 0 || rhoJ == 0 {
					continue // of a list that is short of one, or cut
				}
				push := pI/(rhoI*rhoI) + pJ/(rhoJ*rhoJ)
				if s.Pressure == "code" {
					push = (pI + pJ) / (2 * rhoI * rhoJ)
				}
				if r > 0 { // two at one place have no direction
					a = a.Add(w.X[i].Sub(w.X[j]).Mul(push * (c.h - r) * (c.h - r) / r))
				}
				a = a.Add(w.V[j].Sub(w.V[i]).Mul(c.mu * (c.h - r) / (rhoI * rhoJ)))
			}
			a = a.Mul(c.m * c.w1)
			if l := a.Len(); s.Limit > 0 && l > s.Limit {
				a = a.Mul(s.Limit / l)
			}
			s.a[i] = a
		}
	})
}

// integrate moves the particles and the walls.
func (s *AMD) integrate(w *sim.World, dt float64, info *sim.StepInfo) error {
	for _, wall := range w.Walls {
		wall.Move(w.Time + dt)
	}
	radius := 0.
	if s.Reach {
		radius = w.Spacing / 2
	}
	hits := make([]int, (w.Len()+255)/256)
	par.For(w.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			w.V[i] = w.V[i].Add(s.a[i].Add(w.Gravity).Mul(dt))
			w.X[i] = w.X[i].Add(w.V[i].Mul(dt))
			if s.reflect(w, i, radius, dt) {
				hits[lo/256]++
			}
		}
	})
	for _, n := range hits {
		info.Projected += n
	}
	// A particle that has passed three walls at a corner is put back.
	b := bouncer{radius: radius, passes: passes}
	return b.finishStep(w, dt, info)
}

// reflect returns particle i from walls that it has crossed in dt. It goes back to the
// point of impact, and moves on with the reflected velocity for the rest of the step,
// shortened by the damping.
func (s *AMD) reflect(w *sim.World, i int, radius, dt float64) (hit bool) {
	for range passes {
		again := false
		for _, wall := range w.Walls {
			d, n := boundary.RoughDist(wall, w.X[i])
			if d >= radius {
				continue
			}
			v := wall.Vel(w.X[i])
			speed := w.V[i].Sub(v).Dot(n)
			if speed >= 0 {
				continue
			}
			left := min(dt, (d-radius)/speed)
			w.X[i] = w.X[i].Sub(w.V[i].Mul(left))
			w.V[i] = w.V[i].Sub(n.Mul(2 * speed))
			w.X[i] = w.X[i].Add(w.V[i].Mul(s.Damping * left))
			hit, again = true, true
		}
		if !again {
			break
		}
	}
	return hit
}
