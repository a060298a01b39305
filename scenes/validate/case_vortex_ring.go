package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/biot"
	"breakwater/sim/multipole"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

func init() {
	register("vortex-ring", "a ring of vortex particles moves along its axis: its velocity by number of particles and kernel", "exact, Saffman 1970", vortexRing)
}

// vortexRing compares the velocity of a thin ring with Saffman, The velocity of viscous
// vortex rings, Stud. Appl. Math. 49, 1970, in the form for a filament whose velocity a
// kernel g smooths:
//
//	U = Γ/(4πR) (ln(8R/σ) − Δ),
//	Δ = ln 2 − ∫₀¹ q/ρ dρ + ∫₁^∞ (1−q)/ρ dρ,  q = ρ³ g(ρ, 1).
func vortexRing(r *Run) (*Result, error) {
	panel := figure.Panel{
		Name: "velocity", X: figure.Axis{Label: "particles", Log: true}, Y: figure.Axis{Label: "error of the velocity", Log: true},
	}
	res := &Result{}
	for _, k := range biot.Kernels() {
		s := &series{}
		fewest := math.NaN()
		for n := 100; n <= int(r.pick(12800, 6400)); n = n * 3 / 2 {
			ring := newRing(n, ringCore)
			some := min(n, 16)
			u := make([]vec.Vec3, some)
			biot.Velocity(u, ring.X[:some], ring, k)
			e := math.Abs(u[0].Z/ringSpeed(k) - 1)
			s.add(float64(n), e)
			if e > 1e-3 {
				fewest = math.NaN()
			} else if math.IsNaN(fewest) {
				fewest = float64(n)
			}
			if err := r.Ctx.Err(); err != nil {
				return nil, err
			}
		}
		panel.Curve = append(panel.Curve, figure.Curve{Name: k.String(), X: s.x, Y: s.y})
		res.Measures = append(res.Measures,
			number(k.String()+": velocity", "m/s", ringSpeed(k)*(1+s.last()), ringSpeed(k), ringSpeed(k), r.pick(1e-4, 2e-4)),
			note(k.String()+": particles for 0.1 %", "", fewest))
	}
	n := int(r.pick(10000, 7000))
	travel, err := r.travel(n)
	if err != nil {
		return nil, err
	}
	res.Measures = append(res.Measures, travel...)
	res.Particles, res.Steps, res.Spacing = n, r.steps, 2*math.Pi*ringRadius/float64(n)
	res.Plot = &figure.Plot{Columns: 1, Panels: []figure.Panel{panel}}
	return res, nil
}

const (
	ringRadius = 1.   // m
	ringCore   = 0.01 // m
	ringGamma  = 1.   // circulation, m²/s
	thickCore  = 0.1  // of the ring that travels, m
)

// newRing returns a ring of n particles with the given core radius, about the axis z.
func newRing(n int, core float64) *biot.Sources {
	s := &biot.Sources{}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		s.X = append(s.X, vec.New(cos, sin, 0).Mul(ringRadius))
		s.Alpha = append(s.Alpha, vec.New(-sin, cos, 0).Mul(ringGamma*2*math.Pi*ringRadius/float64(n)))
		s.Radius = append(s.Radius, core)
	}
	return s
}

// travel moves a thick ring of n particles by a quarter of its radius, or a tenth in a quick run.
// The steps are of the second order, with velocities of the fast multipole method and with
// stretching. The expected velocity is the integral of the kernel along the ring.
func (r *Run) travel(n int) ([]Measure, error) {
	const k = biot.Algebraic
	steps, way := int(r.pick(20, 6)), r.pick(ringRadius/4, ringRadius/10)
	s := newRing(n, thickCore)
	speed := 0.0
	for i := range 2000 {
		d := 2 * ringRadius * math.Sin(math.Pi*(float64(i)+0.5)/2000)
		speed += ringGamma / (4 * math.Pi) * ringProfile(k, d/thickCore) / (2 * d) * 2 * math.Pi / 2000
	}
	dt := way / speed / float64(steps)
	f := &multipole.Field{Kernel: k, Error: multipole.DefaultError}
	u, g := make([]vec.Vec3, n), make([]biot.Gradient, n)
	half := &biot.Sources{X: make([]vec.Vec3, n), Alpha: make([]vec.Vec3, n), Radius: s.Radius}
	move := func(to, at *biot.Sources, dt float64) {
		f.VelocityGradient(u, g, at.X, at)
		for i := range n {
			to.X[i] = s.X[i].Add(u[i].Mul(dt))
			to.Alpha[i] = s.Alpha[i].Add(g[i].AlongT(at.Alpha[i]).Mul(dt))
		}
	}
	for range steps {
		move(half, s, dt/2)
		move(s, half, dt)
		r.steps++
		if r.Tell != nil {
			r.Tell(float64(r.steps) / float64(steps))
		}
		if err := r.Ctx.Err(); err != nil {
			return nil, err
		}
	}
	var path, radius, strength float64
	var total vec.Vec3
	for i, x := range s.X {
		path += x.Z / float64(n)
		radius += math.Hypot(x.X, x.Y) / float64(n)
		strength += s.Alpha[i].Len()
		total = total.Add(s.Alpha[i])
	}
	return []Measure{
		number("multipole, thick ring: path", "m", path, way, way, 1e-3),
		number("thick ring: radius at the end", "m", radius, ringRadius, ringRadius, 1e-3),
		number("thick ring: Σ α, of Σ ‖α‖", "", total.Len()/strength, 0, 1, 1e-4),
	}, nil
}

// ringSpeed returns the velocity of the thin ring, in m/s.
func ringSpeed(k biot.Kernel) float64 {
	delta := math.Ln2
	const n = 20000
	for i := range n { // ρ = v/(1−v), by the midpoint rule
		v := (float64(i) + 0.5) / n
		rho := v / (1 - v)
		q := ringProfile(k, rho)
		if rho > 1 {
			q--
		}
		delta -= q / rho / ((1 - v) * (1 - v)) / n
	}
	return ringGamma / (4 * math.Pi * ringRadius) * (math.Log(8*ringRadius/ringCore) - delta)
}

// ringProfile returns q, the share of a particle's vorticity within ρ core radii.
func ringProfile(k biot.Kernel, rho float64) float64 {
	switch k {
	case biot.Algebraic:
		return rho * rho * rho * (float64(rho*rho) + 2.5) / num.Pow(float64(rho*rho)+1, 2.5)
	case biot.Gauss:
		return num.Erf(rho/math.Sqrt2) - float64(math.Sqrt(2/math.Pi)*rho*num.Exp(-rho*rho/2))
	}
	return num.Pow(min(rho, 1), 3)
}
