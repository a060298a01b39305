package sim

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/phase"
)

func init() {
	Solvers.Add("wcsph", "weakly compressible SPH: pressure from density, in short steps",
		"Monaghan 1994; Becker and Teschner 2007", func() Solver { return &WCSPH{EOS: "tait", Alpha: 0.05, CFL: 0.25} })
}

// WCSPH is the solver of Monaghan, Simulating Free Surface Flows with SPH, J.
// Comput. Phys. 110, 1994: pressure follows from density by an equation of
// state stiff enough to keep the density within about 1 %, which ties the step
// to the speed of sound.
type WCSPH struct {
	EOS        string  `toml:"eos" oneof:"linear tait" doc:"Equation of state: \"linear\" is p = c²(ρ−ρ₀), \"tait\" is p = c²ρ₀/7 ((ρ/ρ₀)⁷−1)."`
	SoundSpeed float64 `toml:"sound_speed" unit:"m/s" range:"[0, inf)" doc:"Speed of sound c; 0 is ten times the highest expected speed."`
	Alpha      float64 `toml:"alpha" unit:"1" range:"[0, 1]" doc:"Artificial viscosity, which damps sound."`
	CFL        float64 `toml:"cfl" unit:"1" range:"(0, 0.4]" doc:"Distance that sound may travel per step, in smoothing lengths, h/2."`

	press []Vec4
	a     []Vec4 // by all but gravity, m/s²
	err   error  // of setting a
	ready bool   // a is the acceleration of the world as it is
	stiff bool   // viscosity is not in a, but is applied after it

	stored   float64  // elastic energy of the world as it is, J
	prepared StepInfo // times of setting a
}

// sound returns the speed of sound. With ten times the highest speed the
// density varies by 1 % (Monaghan 1994, sec. 3).
func (s *WCSPH) sound(w *World) float64 {
	if s.SoundSpeed > 0 {
		return s.SoundSpeed
	}
	return 10 * w.Speed
}

// MaxDt implements Solver: the smallest of the steps that sound, viscosity,
// acceleration (Monaghan 1992, sec. 10.3) and speed allow.
func (s *WCSPH) MaxDt(w *World) float64 {
	length := w.Spacing
	dt := s.CFL * length / (float64(s.sound(w)*(1+float64(1.2*s.Alpha))*bounceRatio(w)) + maxSpeed(w.V))
	dt = boundedDt(w, min(dt, wallDt(w, s.CFL*w.Spacing)))
	s.accelerate(w, dt)
	var a2 float64
	for _, a := range s.a {
		a := w.Gravity.Add(vec3(a))
		a2 = max(a2, a.Dot(a))
	}
	return min(dt, 0.25*math.Sqrt(length/math.Sqrt(a2)))
}

// calmer implements accountant.
func (s *WCSPH) calmer() (string, float64) {
	return "lower the solver's cfl, or raise its alpha or its sound_speed", 0
}

// Step implements Solver: symplectic Euler.
func (s *WCSPH) Step(w *World, dt float64) (info StepInfo, err error) {
	if !s.ready {
		s.accelerate(w, dt)
	}
	s.ready = false
	if s.err != nil {
		return info, s.err
	}
	info.Seconds = s.prepared.Seconds
	watch := phase.Start(&info.Seconds)
	w.energy.stored(s.stored)
	pressure := workOf(w, &w.pairs, s.press, s.a, dt)
	work := addAcceleration(w, &w.pairs, s.a, w.Gravity, dt) - pressure
	w.energy.forced(w, work, w.rigid.accelerate(w.bodyStep(dt)), dt, !s.stiff || s.Alpha > 0)
	w.energy.pressed(w, &w.pairs, w.rigid.applyPressures(dt), dt, nil)
	if s.stiff {
		info.ViscosityIter = w.implicitViscosity.solve(w, &w.pairs, dt)
	}
	watch.Lap(phase.Forcing)
	shiftParticles(w, &w.pairs, dt, shiftRate)
	err = w.move(dt, &info)
	watch.Lap(phase.Moving)
	return info, err
}

// bounceRatio returns the ratio, at least 1, of the fastest oscillation of a free body
// that the liquid bounces to the frequency of sound between adjacent particles. The
// liquid is a spring, and the frequency grows with the root of the particles' mass at the
// body over the body's mass. Up to a ratio of 30 of the masses it is no faster than
// sound.
func bounceRatio(w *World) (times float64) {
	times = 1
	for _, b := range w.rigid.Bodies {
		times = max(times, math.Sqrt(w.entrainedMass(b)/30))
	}
	return times
}

// accelerate sets a for a step of at most dt. MaxDt needs it to bound the step,
// and leaves it for the Step that follows.
func (s *WCSPH) accelerate(w *World, dt float64) {
	s.a = s.a[:0]
	s.prepared = StepInfo{}
	watch := phase.Start(&s.prepared.Seconds)
	defer watch.Lap(phase.Forcing)
	var p *Pairs
	if p, s.err = w.updateNeighbors(watch); s.err != nil {
		return
	}
	s.press = slices.Grow(s.press[:0], p.n)[:p.n]
	s.a = slices.Grow(s.a, p.n)[:p.n]
	p.setVelocities(w)
	s.stiff = viscosityIsStiff(w, dt)
	addForces(w, p, s.a, dt, !s.stiff)
	c := s.sound(w)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			rho := w.Rho[i]
			press := s.pressure(rho, w.Rho0, c)
			if !w.Closed {
				press = max(0, press) // a liquid that pulls at its surface clumps
			}
			p.At[i].S = float32(press * w.Rho0 / (rho * rho))
		}
	})
	s.stored = s.elasticEnergy(w)
	p.updateImageScalars()
	p.each(func(b, lo, hi int) {
		p.pressureAccel(b, s.press)
		p.sumPressures(b)
		s.damp(b, p, c)
		for i := lo; i < hi; i++ {
			s.a[i].X += s.press[i].X
			s.a[i].Y += s.press[i].Y
			s.a[i].Z += s.press[i].Z
		}
	})
	p.setPressureRates()
	s.ready = true
}

// pressure returns the pressure at density rho, Pa.
func (s *WCSPH) pressure(rho, rho0, c float64) float64 {
	if s.EOS == "linear" {
		return c * c * (rho - rho0)
	}
	const gamma = 7 // of water, Monaghan 1994, eq. 3.1
	return c * c * rho0 / gamma * (num.Pow(rho/rho0, gamma) - 1)
}

// elasticEnergy implements elastic. It is the work of the pressure in compression from the rest
// density, Σ m ∫ p/ρ² dρ. With x = ρ/ρ₀ the integral is c² (ln x + 1/x − 1) of the linear
// equation, and c²/7 ((x⁶ − 1)/6 + 1/x − 1) of Tait's.
func (s *WCSPH) elasticEnergy(w *World) float64 {
	c := s.sound(w)
	return w.Mass() * par.Sum(w.Len(), func(lo, hi int) (sum float64) {
		for _, rho := range w.Rho[lo:hi] {
			x := rho / w.Rho0
			if x < 1 && !w.Closed {
				continue
			}
			if s.EOS == "linear" {
				sum += float64(c * c * (logNearOne(x) + 1/x - 1))
				continue
			}
			cube := x * x * x
			sum += float64(c * c / 7 * (float64((float64(cube*cube)-1)/6) + 1/x - 1))
		}
		return sum
	})
}

// logNearOne returns ln x, to 1e-15 from 0.8 to 1.25 and to 1e-4 from 0.3 to 3.
func logNearOne(x float64) float64 {
	y := (x - 1) / (x + 1)
	square, power, sum := y*y, y, 0.
	for n := 1.; n < 16; n += 2 {
		sum += power / n
		power *= square
	}
	return 2 * sum
}

// damp adds the artificial viscosity of Monaghan 1992, eq. 4.1 and 4.2, with
// β = 0, for the particles of block b: for approaching ones
//
//	a_i = α c s Σ_j V (v_ij·x_ij)/|x_ij|² ∇W_ij,  s = h/2.
//
// With the weight f of a pair, −h² V (dW/dr)/r, and d = (x_j − x_i)/h, the term is −f
// (v·d)d/|d|²/h². Particles approach where v·d > 0.
func (s *WCSPH) damp(b int, p *Pairs, c float64) {
	if s.Alpha == 0 {
		return
	}
	blk := &p.blocks[b]
	scale := -float32(s.Alpha*c) / (2 * p.h)
	for i := range blk.Len() {
		vi, xi := p.V[blk.First+i], p.At[blk.First+i]
		var sum Vec4
		for j, f := range blk.Of(i) {
			vj, xj := &p.V[j], &p.At[j]
			x, y, z := xj.X-xi.X, xj.Y-xi.Y, xj.Z-xi.Z
			if vd := float32((vi.X-vj.X)*x) + float32((vi.Y-vj.Y)*y) + float32((vi.Z-vj.Z)*z); vd > 0 {
				f *= vd / (float32(x*x) + float32(y*y) + float32(z*z))
				sum.X += float32(f * x)
				sum.Y += float32(f * y)
				sum.Z += float32(f * z)
			}
		}
		a := &s.a[blk.First+i]
		a.X += float32(scale * sum.X)
		a.Y += float32(scale * sum.Y)
		a.Z += float32(scale * sum.Z)
	}
}

// Pressures returns the pressure of each particle, Pa.
func (s *WCSPH) Pressures(w *World) []float64 {
	p, c := make([]float64, w.Len()), s.sound(w)
	for i, rho := range w.Rho {
		p[i] = s.pressure(rho, w.Rho0, c)
	}
	return p
}

// leastSoundRatio is the least ratio of the speed of sound to the highest expected speed.
// The density varies by the square of their ratio (Monaghan 1994, sec. 3): With 10 it
// varies by 1 %, with 3 by 11 %, which is visible as bouncing. With less the liquid
// collapses under its own weight.
const leastSoundRatio = 3

// Check implements Checker.
func (s *WCSPH) Check(w *World) error {
	if s.SoundSpeed == 0 || s.SoundSpeed >= leastSoundRatio*w.Speed {
		return nil
	}
	// 1 % on top: three digits may round down.
	return &SettingError{"sound_speed", fmt.Sprintf(
		"%.4g m/s is too low for a liquid that may reach %.3g m/s: pressure could not maintain its density; expected %.3g m/s or more, or 0 for ten times the highest speed",
		s.SoundSpeed, w.Speed, 1.01*leastSoundRatio*w.Speed)}
}
