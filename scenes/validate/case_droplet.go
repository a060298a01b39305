package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("droplet", "a weightless drop oscillates between flat and tall: its period", "Rayleigh 1879", droplet)
}

// droplet compares the swing of a drop of water 1 cm across, pulled together by
// its surface alone, with the theory of Rayleigh, On the capillary phenomena of
// jets, Proc. R. Soc. 29, 1879: for the lowest mode and small swings
//
//	ω² = 8σ/(ρR³) of a ball, 6σ/(ρR³) of a disc.
func droplet(r *Run) (*Result, error) {
	ball, err := r.swing(sim.New(dropRadius/r.pick(10, 6), dropRho))
	if err != nil {
		return nil, err
	}
	disc, err := r.swing(sim.New2D(dropRadius/r.pick(20, 12), dropRho))
	if err != nil {
		return nil, err
	}
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "shape", X: figure.Axis{Label: "time t/T"}, Y: figure.Axis{Label: "shape (b² − a²)/(b² + a²)"}, Curve: []figure.Curve{
			{Name: "ball", X: ball.shape.x, Y: ball.shape.y}, {Name: "ball, theory", X: ball.want.x, Y: ball.want.y},
			{Name: "disc", X: disc.shape.x, Y: disc.shape.y}, {Name: "disc, theory", X: disc.want.x, Y: disc.want.y},
		},
	}}}
	goal := r.pick(0.1, 0.15)
	return r.result(ball.world, plot,
		number("period of the ball", "s", ball.period, ball.theory, ball.theory, goal),
		number("period of the disc", "s", disc.period, disc.theory, disc.theory, goal),
		note("ball's second oscillation, of the first", "", ball.growth()),
		note("disc's second oscillation, of the first", "", disc.growth()),
		number("ball's momentum, of Σ m‖v‖", "", ball.drift, 0, 1, 1e-3),
	), nil
}

const (
	dropRadius = 5e-3  // m
	dropRho    = 1000. // kg/m³
	dropSwing  = 0.08  // of the radius
)

// swingRun is a run of a drop.
type swingRun struct {
	world          *sim.World
	shape, want    series  // over periods of the theory
	period, theory float64 // s
	drift          float64
}

// growth returns the second swing to the tall side over the first.
func (s *swingRun) growth() float64 {
	return highest(s.shape.between(0.9, 1.7).y) / highest(s.shape.between(0, 0.7).y)
}

// swing runs a drop of w's particles for two periods.
func (r *Run) swing(w *sim.World) (*swingRun, error) {
	const sigma = 0.0728 // of water, N/m
	w.Viscosity, w.SurfaceTension = 1e-6, sigma
	s := &swingRun{world: w}
	mode, thin := 8., vec.New(-0.5, 1, -0.5)
	if w.Dim() == 2 {
		mode, thin = 6, vec.New(-1, 1, 0)
	}
	omega := math.Sqrt(mode * sigma / (dropRho * dropRadius * dropRadius * dropRadius))
	s.theory = 2 * math.Pi / omega
	fillTurned(w, dropRadius, latticeTurn, func(x vec.Vec3) vec.Vec3 {
		return vec.New(thin.X*x.X, thin.Y*x.Y, thin.Z*x.Z).Mul(dropSwing * omega)
	})
	if err := w.Init(); err != nil {
		return nil, err
	}
	err := r.advance(w, r.solver(), 2.2*s.theory, 440, func() error {
		m := momentsOf(w)
		t, v := w.Time/s.theory, (m.yy-m.xx)/(m.yy+m.xx)
		s.shape.add(t, v)
		s.want.add(t, (thin.Y-thin.X)*dropSwing*math.Sin(omega*w.Time))
		s.drift = m.momentum / m.flow
		return nil
	})
	s.period = s.shape.period() * s.theory
	return s, err
}
