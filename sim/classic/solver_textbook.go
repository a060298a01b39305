package classic

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breakwater/sim"
	"breakwater/sim/kernel"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/phase"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	sim.Solvers.Add("textbook", "SPH from its formulas, with a choice of kernels, gradients, equations of state and viscosities",
		"Monaghan 1992; Müller et al. 2003", func() sim.Solver {
			return &Textbook{
				Support: 2, Kernel: "poly6", PressureKernel: "spiky", Gradient: "symmetric", EOS: "linear", CFL: 0.3,
				ViscosityModel: "artificial", Alpha: 0.1, Restitution: 0.01, LongestStep: 1. / 600, Pull: false,
			}
		})
}

// Textbook is SPH as its formulas stand, so that each of them can be had in place
// of another:
//
//	ρ_i = m Σ_j W_ij   dv_i/dt = −∇p_i/ρ_i + g + viscosity
//
// The mass m is such that a lattice at the spacing has the rest density.
type Textbook struct {
	Support        float64 `toml:"support" unit:"1" range:"[1.2, 4]" doc:"Support radius h in spacings."`
	Neighbors      float64 `toml:"neighbors" unit:"1" range:"[0, 500]" doc:"Number of neighbours at rest, which sets the support radius instead of support; 0 uses support."`
	Kernel         string  `toml:"kernel" doc:"Density kernel: any that \"breakwater list\" names."`
	PressureKernel string  `toml:"pressure_kernel" doc:"Kernel of the pressure gradient. If its slope does not vanish between near particles, it keeps them from clumping."`
	Gradient       string  `toml:"gradient" oneof:"canonical difference symmetric" doc:"Formula of the pressure gradient. Only symmetric conserves momentum."`
	EOS            string  `toml:"eos" oneof:"linear tait" doc:"Equation of state: \"linear\" is p = c²(ρ−ρ₀), \"tait\" is p = c²ρ₀/7 ((ρ/ρ₀)⁷−1)."`
	SoundSpeed     float64 `toml:"sound_speed" unit:"m/s" range:"[0, inf)" doc:"Speed of sound c. 0 is the highest that is stable with the longest step."`
	CFL            float64 `toml:"cfl" unit:"1" range:"(0, 0.4]" doc:"Distance that sound may travel per step, in support radii."`
	Pull           bool    `toml:"pull" doc:"Whether pressure may be negative, which pulls particles together at the surface."`

	ViscosityModel string  `toml:"viscosity" oneof:"none artificial exchange laplacian" doc:"Monaghan's artificial viscosity between approaching particles, particle strength exchange, or the Laplacian of Müller et al. with the liquid's own viscosity."`
	Alpha          float64 `toml:"alpha" unit:"1" range:"[0, 2]" doc:"Strength of artificial viscosity."`
	Exchange       float64 `toml:"exchange" unit:"1/s" range:"[0, inf)" doc:"Rate of particle strength exchange."`

	Restitution float64 `toml:"restitution" unit:"1" range:"[0, 1]" doc:"Share of its speed that a particle keeps when it bounces off a wall."`
	LongestStep float64 `toml:"longest_step" unit:"s" range:"(0, 1]" doc:"Longest time step."`

	lists lists
	press []float64
	a     []vec.Vec3
}

// Compressible implements sim.Compressible.
func (*Textbook) Compressible() {}

// h returns the support radius, m.
func (s *Textbook) h(w *sim.World) float64 {
	if s.Neighbors == 0 {
		return s.Support * w.Spacing
	}
	// Of the ball's content in spacings.
	if w.Dim() == 2 {
		return w.Spacing * math.Sqrt(s.Neighbors/math.Pi)
	}
	return w.Spacing * math.Cbrt(s.Neighbors*3/(4*math.Pi))
}

// sound returns c, m/s.
func (s *Textbook) sound(w *sim.World) float64 {
	if s.SoundSpeed > 0 {
		return s.SoundSpeed
	}
	return s.CFL * s.h(w) / s.LongestStep
}

// kernels returns the density and pressure kernels.
func (s *Textbook) kernels(w *sim.World) (density, pressure kernel.Kernel, err error) {
	h := s.h(w)
	if density, err = kernelOf("kernel", s.Kernel, w.Dim(), h); err == nil {
		pressure, err = kernelOf("pressure_kernel", s.PressureKernel, w.Dim(), h)
	}
	return density, pressure, err
}

func kernelOf(key, name string, dim int, h float64) (kernel.Kernel, error) {
	make, err := kernel.Kernels.New(name, registry.None)
	if err != nil {
		return nil, &sim.SettingError{Key: key, Text: fmt.Sprintf("no kernel %q; expected one of %s", name, strings.Join(kernel.Kernels.Names(), ", "))}
	}
	return make(dim, h), nil
}

// Check implements sim.Checker.
func (s *Textbook) Check(w *sim.World) error {
	if err := alone(w); err != nil {
		return err
	}
	k, _, err := s.kernels(w)
	if err != nil {
		return err
	}
	if alone := k.W(0) * volume(w); kernel.LatticeSum(k, w.Spacing) < alone*1.02 {
		key := "support"
		if s.Neighbors > 0 {
			key = "neighbors"
		}
		return &sim.SettingError{Key: key, Text: fmt.Sprintf(
			"a support radius of %.3g m finds no neighbours at the spacing of %.3g m; expected a support of 1.5 spacings or more, or 14 neighbors", s.h(w), w.Spacing)}
	}
	if c := s.sound(w); c < 2*w.Speed {
		key, lever := "longest_step", fmt.Sprintf("expected %.2g s or less", 0.99*s.CFL*s.h(w)/(2*w.Speed))
		if s.SoundSpeed > 0 {
			key, lever = "sound_speed", fmt.Sprintf("expected %.3g m/s or more", 2.02*w.Speed)
		}
		return &sim.SettingError{Key: key, Text: fmt.Sprintf(
			"a speed of sound of %.3g m/s is too low for a liquid that may reach %.3g m/s: the liquid would collapse; %s", c, w.Speed, lever)}
	}
	return nil
}

// volume returns d³, or d² in two dimensions.
func volume(w *sim.World) float64 { return num.Pow(w.Spacing, float64(w.Dim())) }

// MaxDt implements sim.Solver.
func (s *Textbook) MaxDt(w *sim.World) float64 {
	h := s.h(w)
	dt := min(s.LongestStep, s.CFL*h/s.sound(w))
	if s.ViscosityModel == "laplacian" && w.Viscosity > 0 {
		dt = min(dt, 0.05*h*h/w.Viscosity)
	}
	return dt
}

// Step implements sim.Solver: symplectic Euler.
func (s *Textbook) Step(w *sim.World, dt float64) (info sim.StepInfo, err error) {
	watch := phase.Start(&info.Seconds)
	wd, wp, err := s.kernels(w)
	if err != nil {
		return info, err
	}
	h := wd.H()
	w.SortByPlace(h)
	watch.Lap(phase.Sorting)
	s.lists.find(w.Finder, w.X, h)
	n := w.Len()
	s.press, s.a = slices.Grow(s.press[:0], n)[:n], slices.Grow(s.a[:0], n)[:n]
	m := w.Rho0 * volume(w) / kernel.LatticeSum(wd, w.Spacing)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := 0.
			for _, j := range s.lists.of(i) {
				sum += wd.W(w.X[i].Sub(w.X[j]).Len())
			}
			w.Rho[i] = m * sum
			s.press[i] = s.pressure(w.Rho[i], w.Rho0, s.sound(w))
		}
	})
	watch.Lap(phase.Pairing)
	form := Form(s.Gradient)
	viscous := kernel.NewViscosity(w.Dim(), h)
	nu := s.Alpha * h * s.sound(w) / 2
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a := w.Gravity
			for _, j := range s.lists.of(i) {
				x := w.X[i].Sub(w.X[j])
				r := x.Len()
				if int(j) == i || r == 0 {
					continue
				}
				rhoI, rhoJ := w.Rho[i], w.Rho[j]
				slope := wp.DW(r) / r
				// ∇p/ρ, with n = ρ/m.
				push := form.weight(s.press[i], s.press[j], rhoI/m, rhoJ/m) / rhoI
				v := w.V[i].Sub(w.V[j])
				switch s.ViscosityModel {
				case "artificial":
					push += float64(m * artificial(v, x, nu*2/(rhoI+rhoJ), h))
				case "laplacian":
					mu := w.Viscosity * w.Rho0
					a = a.Sub(v.Mul(mu * m / (rhoI * rhoJ) * viscous.Laplacian(r)))
				case "exchange":
					a = a.Sub(v.Mul(min(0.5/dt, s.Exchange) * (1 - r/h)))
				}
				a = a.Sub(x.Mul(push * slope))
			}
			s.a[i] = a
		}
	})
	watch.Lap(phase.Density)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			w.V[i] = w.V[i].Add(s.a[i].Mul(dt))
			w.X[i] = w.X[i].Add(w.V[i].Mul(dt))
		}
	})
	for _, rho := range w.Rho {
		info.DensityError += max(0, rho/w.Rho0-1) / float64(n)
	}
	b := bouncer{radius: w.Spacing / 2, bounce: s.Restitution, passes: passes}
	err = b.finishStep(w, dt, &info)
	watch.Lap(phase.Moving)
	return info, err
}

// pressure returns the pressure at density rho, Pa.
func (s *Textbook) pressure(rho, rho0, c float64) (p float64) {
	if s.EOS == "linear" {
		p = c * c * (rho - rho0)
	} else {
		const gamma = 7
		p = c * c * rho0 / gamma * (num.Pow(rho/rho0, gamma) - 1)
	}
	if s.Pull {
		return p
	}
	return max(0, p)
}
