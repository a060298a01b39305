package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("drift", "conservation: energy of a disc that oscillates on springs, momentum of balls that collide as they fall", "Monaghan and Rafiee 2013", drift)
}

// drift runs two liquids without viscosity or walls. A disc that a force −Ω²r pulls
// together swings between wide and tall for ever, as an ellipse. See Monaghan and
// Rafiee, A simple SPH algorithm for multi-fluid flow with high density ratios (Int. J.
// Numer. Meth. Fluids 71, 2013): what it loses of its energy, the simulation has lost.
// And two balls of liquid hit each other off their centres as they fall. Whatever
// becomes of them, their common centre keeps to its parabola. They keep their momentum,
// and their angular momentum about the centre. They may lose energy about it, but gain
// none.
func drift(r *Run) (*Result, error) {
	disc, err := r.springs(r.pick(0.01, 0.05))
	if err != nil {
		return nil, err
	}
	balls, err := r.collision(r.pick(0.1, 0.2))
	if err != nil {
		return nil, err
	}
	swings := figure.Axis{Label: "time t Ω/2π"}
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{
		{Name: "disc", X: swings, Y: figure.Axis{Label: "disc: shape (b² − a²)/(b² + a²)"}, Curve: []figure.Curve{
			{Name: "simulation", X: disc.shape.x, Y: disc.shape.y}, {Name: "exact", X: disc.want.x, Y: disc.want.y},
		}},
		{Name: "disc's energy", X: swings, Y: figure.Axis{Label: "disc: energy E/E₀ − 1 (%)"}, Curve: []figure.Curve{
			{Name: "simulation", X: disc.energy.x, Y: percent(disc.energy.y)},
		}},
		{Name: "balls' energy", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "balls: energy E/E₀ − 1 (%)"}, Curve: []figure.Curve{
			{Name: "simulation", X: balls.energy.x, Y: percent(balls.energy.y)},
		}},
	}}
	return r.result(disc.world, plot,
		number("disc: energy after four oscillations", "", 1+disc.energy.last(), 1, 1, r.pick(0.02, 0.1)),
		number("disc: period", "s", disc.period, disc.exact, disc.exact, r.pick(0.01, 0.02)),
		number("disc: momentum, of Σ m‖v‖", "", disc.momentum, 0, 1, 1e-5),
		number("disc: angular momentum, of Σ m‖x‖‖v‖", "", disc.spin, 0, 1, 1e-5),
		number("balls: path of the centre, of the parabola", "", balls.way, 1, 1, 0.01),
		number("balls: momentum", "", balls.momentum, 1, 1, 1e-5),
		number("balls: angular momentum", "", balls.spin, 1, 1, 1e-4),
		number("balls: largest gain of energy", "", highest(balls.energy.y), 0, 1, 0.01),
		note("balls: remaining energy", "", 1+balls.energy.last()),
	), nil
}

// springRun is a run of the disc; its series are over swings of the springs.
type springRun struct {
	world               *sim.World
	shape, want, energy series
	period, exact       float64 // s
	momentum, spin      float64
}

// springs runs a disc of radius 1 m of particles d apart for four swings, with
// Ω = 1/s and velocities (−Ax, Ay), A = Ω/2, at the start. Then, with b = 1/a,
//
//	dA/dt = (A² + Ω²) (a⁴−1)/(a⁴+1),  da/dt = −aA.
func (r *Run) springs(d float64) (*springRun, error) {
	const omega, rate = 1., 0.5
	w := sim.New2D(d, 1000)
	s := &springRun{world: w}
	fillTurned(w, 1, latticeTurn, func(x vec.Vec3) vec.Vec3 { return vec.New(float64(-rate*x.X), float64(rate*x.Y), 0) })
	if err := w.Init(); err != nil {
		return nil, err
	}
	// Four swings of 4.567 s. Each step is one part of the run. The springs act half
	// before the measurement and half after.
	const end = 4 * 4.567
	n := math.Ceil(end / (float64(0.3*d) / rate))
	push := func() {
		w.Surplus = 0 // the alarm does not know of the springs
		for i, x := range w.X {
			w.V[i] = w.V[i].Sub(x.Mul(float64(omega * omega * end / n / 2)))
		}
	}
	a, now, begun, first := 1., rate, 0., 0.
	err := r.advance(w, r.solver(), end, int(n), func() error {
		if w.Time > 0 {
			push()
		}
		m := momentsOf(w)
		energy := m.energy + float64(omega*omega/2*w.Mass()*float64(w.Len())*(m.xx+m.yy))
		if w.Time == 0 {
			first = energy
		}
		begun, a, now = ellipse(begun, w.Time, a, now, omega)
		t := w.Time * omega / (2 * math.Pi)
		s.shape.add(t, (m.yy-m.xx)/(m.yy+m.xx))
		s.want.add(t, (1/(a*a)-float64(a*a))/(1/(a*a)+float64(a*a)))
		s.energy.add(t, energy/first-1)
		s.momentum, s.spin = m.momentum/m.flow, math.Abs(m.spin)/m.turning
		push()
		return nil
	})
	s.period, s.exact = float64(s.shape.period()*2*math.Pi/omega), float64(s.want.period()*2*math.Pi/omega)
	return s, err
}

// collisionRun is a run of the balls: the remaining shares of their initial quantities.
type collisionRun struct {
	energy              series // about the common centre, relative to that at the start, over s
	way, momentum, spin float64
}

// collision runs two balls of radius 1 m of particles d apart that meet at
// 2 m/s, half a radius off the middle, while they fall for two seconds.
func (r *Run) collision(d float64) (*collisionRun, error) {
	const g, speed = 9.81, 1.
	w := sim.New(d, 1000)
	w.Gravity = vec.New(0, 0, -g)
	for _, side := range []float64{-1, 1} {
		w.Fill(&shape.Sphere{Center: vec.New(1.2, 0.25, 0).Mul(side), Radius: 1}, vec.New(-speed*side, 0, 0))
	}
	if err := w.Init(); err != nil {
		return nil, err
	}
	c := &collisionRun{}
	var first, last about
	solver := r.solver()
	err := r.advance(w, solver, 2, 100, func() error {
		last = aboutCenter(w)
		if w.Time == 0 {
			first = last
		}
		c.energy.add(w.Time, last.energy/first.energy-1)
		return nil
	})
	t := w.Time
	fall := w.Gravity.Mul(t)
	c.momentum = last.velocity.Sub(first.velocity).Dot(fall) / fall.Dot(w.Gravity.Mul(sim.VelocityTime(w, solver)))
	c.way = last.center.Sub(first.center).Sub(first.velocity.Mul(t)).Dot(fall) / fall.Dot(fall.Mul(t/2))
	c.spin = last.spin.Dot(first.spin) / first.spin.Dot(first.spin)
	return c, err
}
