package sim

import (
	"math"
	"slices"

	"breakwater/sim/plug"
	"breakwater/sim/vec"
)

func init() {
	Solvers.Register(plug.Entry[Solver]{
		Name: "wcsph", Doc: "weakly compressible SPH: pressure from density, in short steps",
		Cite: "Monaghan 1994; Becker and Teschner 2007",
		New: func(d plug.Decode) (Solver, error) {
			s := &WCSPH{EOS: "tait", Alpha: 0.05, CFL: 0.25}
			return s, d(s)
		},
	})
}

// WCSPH is the solver of Monaghan, Simulating Free Surface Flows with SPH, J.
// Comput. Phys. 110, 1994: pressure follows from density by an equation of
// state stiff enough to keep the density within about 1 %, which ties the step
// to the speed of sound.
type WCSPH struct {
	EOS        string  `toml:"eos" oneof:"linear tait" doc:"Equation of state: \"linear\" is p = c²(ρ−ρ₀), \"tait\" is p = c²ρ₀/7 ((ρ/ρ₀)⁷−1)."`
	SoundSpeed float64 `toml:"sound_speed" unit:"m/s" range:"[0, inf)" doc:"Speed of sound c; 0 is ten times the highest speed to expect."`
	Alpha      float64 `toml:"alpha" unit:"1" range:"[0, 1]" doc:"Artificial viscosity, which damps sound."`
	CFL        float64 `toml:"cfl" unit:"1" range:"(0, 0.4]" doc:"How many smoothing lengths, h/2, sound may travel in a step."`

	k     []float32 // p ρ₀/ρ²
	press []Vec4
	a     []vec.Vec3
	ready bool // a is the acceleration of the world as it is
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
	s.accelerate(w)
	c, length := s.sound(w), w.Kernel.H()/2
	speed := w.maxSpeed()
	var a2 float64
	for _, a := range s.a {
		a2 = max(a2, a.Dot(a))
	}
	dt := s.CFL * length / (c*(1+1.2*s.Alpha) + speed)
	dt = min(dt, 0.25*math.Sqrt(length/math.Sqrt(a2)), w.viscousDt())
	for _, f := range w.Forces {
		dt = min(dt, f.MaxDt(w))
	}
	return dt
}

// Step implements Solver: symplectic Euler.
func (s *WCSPH) Step(w *World, dt float64) (info StepInfo, err error) {
	if !s.ready {
		s.accelerate(w)
	}
	s.ready = false
	p := &w.pairs
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			w.V[i] = w.V[i].Add(s.a[i].Mul(dt))
		}
	})
	return info, w.move(dt, &info)
}

// accelerate sets a. MaxDt needs it to bound the step, and leaves it for the
// Step that follows.
func (s *WCSPH) accelerate(w *World) {
	p := w.arrange()
	n := w.Len()
	s.k = slices.Grow(s.k[:0], n)[:n]
	s.press = slices.Grow(s.press[:0], n)[:n]
	s.a = slices.Grow(s.a[:0], n)[:n]
	c := s.sound(w)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			rho := w.Rho[i]
			s.k[i] = float32(s.pressure(rho, w.Rho0, c) * w.Rho0 / (rho * rho))
		}
	})
	p.pressureAccel(s.press, s.k)
	w.accelerate(s.a, p)
	s.damp(w, p, c)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.a[i] = s.a[i].Add(s.press[i].vec())
		}
	})
	s.ready = true
}

// pressure returns the pressure at density rho, Pa: never less than 0, since
// a liquid that pulls at its surface clumps.
func (s *WCSPH) pressure(rho, rho0, c float64) float64 {
	if rho <= rho0 {
		return 0
	}
	if s.EOS == "linear" {
		return c * c * (rho - rho0)
	}
	const gamma = 7 // of water, Monaghan 1994, eq. 3.1
	return c * c * rho0 / gamma * (math.Pow(rho/rho0, gamma) - 1)
}

// damp adds the artificial viscosity of Monaghan 1992, eq. 4.1 and 4.2, with
// β = 0: for approaching particles
//
//	a_i = α c s Σ_j V (v_ij·x_ij)/(|x_ij|² + 0.01 s²) ∇W_ij,  s = h/2.
func (s *WCSPH) damp(w *World, p *Pairs, c float64) {
	if s.Alpha == 0 {
		return
	}
	length := w.Kernel.H() / 2
	soft := 0.01 * length * length
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			near, grad, _ := p.Of(i)
			var sum vec.Vec3
			for n, j := range near {
				x, v := w.X[i].Sub(w.X[j]), w.V[i].Sub(w.V[j])
				if vx := v.Dot(x); vx < 0 {
					sum = sum.Add(grad[n].vec().Mul(vx / (x.Dot(x) + soft)))
				}
			}
			s.a[i] = s.a[i].Add(sum.Mul(s.Alpha * c * length))
		}
	})
}
