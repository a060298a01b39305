package validate

import (
	"math"
	"slices"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("dam-break", "a column twice as high as wide collapses: its front and its height", "Martin and Moyce 1952", damBreak)
}

// damBreak compares a two-dimensional dam break with the experiment of Martin and Moyce,
// An experimental study of the collapse of liquid columns on a rigid horizontal plane,
// Phil. Trans. R. Soc. A 244, 1952, tables 2 and 6: a column of water of width a and
// height 2a, with friction on the ground and the wall, as in the experiment. Its clock
// starts when the gate is off the ground, which takes time. So the error is also given
// for the best time shift, as is usual.
func damBreak(r *Run) (*Result, error) {
	const a, g = 0.05715, 9.81 // 2¼ in
	d := float64(r.pick(0.01, 0.05) * a)
	w := sim.New2D(d, 1000)
	w.Gravity = vec.New(0, -g, 0)
	// So long that nothing comes back: the front's speed is less than 2√(gH).
	tank := &boundary.Box{Max: vec.New(24*a, 3*a, 0), Inside: true}
	w.Viscosity = 1e-6
	w.Walls = []boundary.Boundary{body.New(tank, body.Motion{}, 1)}
	w.Fill(&shape.Box{Max: vec.New(a, 2*a, 0)}, vec.Vec3{})
	if err := w.Init(); err != nil {
		return nil, err
	}
	start := w.Stats()
	var front, height, energy series
	worst := 0.
	sample := func() error {
		var layer []float64  // on the floor
		var column []float64 // heights at the wall
		for _, x := range w.X {
			if x.Y < 2*d {
				layer = append(layer, x.X)
			}
			if x.X < 2*d {
				column = append(column, x.Y)
			}
		}
		s := w.Stats()
		t := float64(w.Time * math.Sqrt(g/a))
		front.add(float64(t*math.Sqrt2), (unbroken(layer, float64(2*d))+float64(d/2))/a)
		height.add(t, (unbroken(column, float64(2*d))+float64(d/2))/(2*a))
		energy.add(t, (s.Kinetic+s.Potential)/(start.Kinetic+start.Potential)-1)
		worst = max(worst, s.MeanError)
		return nil
	}
	if err := r.advance(w, r.solver(), float64(r.pick(7.5, 4)*math.Sqrt(a/g)), int(r.pick(300, 160)), sample); err != nil {
		return nil, err
	}
	wantFront, wantHeight := published("martin_moyce_front", 1), published("martin_moyce_height", 1)
	if r.Quick { // as far as it is run
		n := len(wantHeight.x)
		for wantHeight.x[n-1] > 4 {
			n--
		}
		wantHeight.x, wantHeight.y = wantHeight.x[:n], wantHeight.y[:n]
	}
	frontShift, frontBest := front.bestShift(wantFront, 1)
	heightShift, heightBest := height.bestShift(wantHeight, 1)
	last := wantFront.x[len(wantFront.x)-1] / math.Sqrt2
	drift := energy.at(last)

	axis := figure.Axis{Label: "T = t √(2g/a)"}
	tau := figure.Axis{Label: "τ = t √(g/a)"}
	plot := &figure.Plot{Columns: 2, Wide: true, Panels: []figure.Panel{
		{Name: "front", Title: "(a)", X: axis, Y: figure.Axis{Label: "front Z = x/a"}, Curve: []figure.Curve{
			{Name: "Martin and Moyce", X: wantFront.x, Y: wantFront.y, Dots: true},
			cut("simulation", &front, 0, 3.6), cut("shifted", &front, frontShift, 3.6),
		}},
		{Name: "height", Title: "(b)", X: tau, Y: figure.Axis{Label: "height H = y/2a"}, Curve: []figure.Curve{
			{Name: "Martin and Moyce", X: wantHeight.x, Y: wantHeight.y, Dots: true},
			cut("simulation", &height, 0, 9), cut("shifted", &height, heightShift, 9),
		}},
		{Name: "energy", Title: "(c)", X: tau, Y: figure.Axis{Label: "change of energy (%)"}, Curve: []figure.Curve{
			{Name: "simulation", X: energy.x, Y: percent(energy.y)},
		}},
	}}
	return r.result(w, plot,
		curve("front, raw: RMS", front.rms(wantFront, 0), r.pick(0.13, 0.2)),
		curve("front, best time shift: RMS", frontBest, r.pick(0.024, 0.05)),
		note("shift of the front", "s", frontShift/math.Sqrt(2*g/a)),
		curve("height, raw: RMS", height.rms(wantHeight, 0), noGoal),
		curve("height, best time shift: RMS", heightBest, r.pick(0.038, 0.08)),
		number("energy by T = 3.3", "", 1+drift, 1, 1, r.pick(0.03, 0.05)),
		number("mean density excess", "", worst, 0, 1, r.pick(0.0012, 0.009)),
	), nil
}

// unbroken returns the highest of y that can be reached from 0 without a gap
// wider than that given, which leaves out drops.
func unbroken(y []float64, gap float64) (top float64) {
	slices.Sort(y)
	for _, v := range y {
		if v > top+gap {
			break
		}
		top = v
	}
	return top
}

// cut returns the curve of s, moved by shift, from 0 to most.
func cut(name string, s *series, shift, most float64) figure.Curve {
	c := figure.Curve{Name: name}
	for i, x := range s.shifted(shift) {
		if x >= 0 && x <= most {
			c.X, c.Y = append(c.X, x), append(c.Y, s.y[i])
		}
	}
	return c
}

// percent returns 100 x.
func percent(x []float64) []float64 {
	p := make([]float64, len(x))
	for i := range p {
		p[i] = 100 * x[i]
	}
	return p
}
