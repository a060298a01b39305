package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/force"
	"breakwater/sim/num"
	"breakwater/sim/particle"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/whitewater"
)

func init() {
	register("whitewater", "air of a breaking wave by spacing and frame rate, speeds of drops and bubbles, decay of foam", "Gunn and Kinzer 1949; Park et al. 2017", breakers)
}

// breakers makes whitewater of the shipped dam break at several spacings and frame rates. The
// true volume of air is not known; its goals are that it does not depend on either. Single
// drops and bubbles are compared with their terminal speeds, and foam with its law of decay.
func breakers(r *Run) (*Result, error) {
	var m []Measure
	speeds := figure.Panel{Name: "speed", Title: "(a)", X: figure.Axis{Label: "radius (mm)", Log: true}, Y: figure.Axis{Label: "terminal speed (m/s)", Log: true}}
	for _, kind := range []whitewater.Kind{whitewater.Spray, whitewater.Bubble} {
		list, curves, err := r.terminal(kind)
		if err != nil {
			return nil, err
		}
		m, speeds.Curve = append(m, list...), append(speeds.Curve, curves...)
	}
	foam, decay, err := foamDecay(int(r.pick(20000, 4000)), r.pick(0.05, 0.1))
	if err != nil {
		return nil, err
	}
	m = append(m, decay)

	spacings, rate := []float64{0.036, 0.027, 0.018}, 0.048
	if r.Quick {
		spacings, rate = []float64{0.09, 0.072}, 0.09
	}
	air := figure.Panel{Name: "air", Title: "(c)", X: figure.Axis{Label: "t (s)"}, Y: figure.Axis{Label: "air entrained (L)"}}
	var runs []*breaker
	var world *sim.World
	balance := 0.
	for _, d := range spacings {
		b := &breaker{every: 1}
		if world, err = r.breaking(d, 0.7/30, b); err != nil {
			return nil, err
		}
		runs = append(runs, b)
		balance = max(balance, b.open())
		air.Curve = append(air.Curve, figure.Curve{Name: fmt.Sprintf("%.1f cm", 100*d), X: b.air.x, Y: b.air.y})
	}
	for _, at := range []float64{1.68, 1.82, 1.96, 2.08} {
		mean, off := spread(runs, func(b *breaker) float64 { return b.air.at(at) })
		m = append(m, Measure{fmt.Sprintf("air at %.2f s, mean of the spacings", at), "L", mean, math.NaN(), off, r.pick(0.15, 0.4)})
	}
	flying, off := spread(runs, func(b *breaker) float64 { return b.flying.average() })
	m = append(m, Measure{"isolated particles, mean of the spacings", "L", flying, math.NaN(), off, r.pick(0.1, 1)})

	var rates []*breaker
	for _, every := range []int{1, 2, 4, 5} { // of 120 frames per second: 120, 60, 30, 24
		rates = append(rates, &breaker{every: every})
	}
	if _, err := r.breaking(rate, 0.7/120, rates...); err != nil {
		return nil, err
	}
	mean, off := spread(rates, func(b *breaker) float64 { return b.air.last() })
	m = append(m, Measure{"air, mean of 24 to 120 frames per second", "L", mean, math.NaN(), off, r.pick(0.03, 0.05)})
	mean, off = spread(rates, func(b *breaker) float64 { return b.foam.average() })
	m = append(m, Measure{"area of foam, mean of 24 to 120 frames per second", "m²", mean, math.NaN(), off, r.pick(0.05, 0.15)})
	early := 0.
	for _, b := range runs {
		early = max(early, b.air.at(0.55))
	}
	m = append(m,
		number("air before the wave hits the wall", "L", early, 0, 1, 0.01),
		number("balance of air and of drops", "", balance, 0, 1, 1e-6))
	plot := &figure.Plot{Columns: 2, Wide: true, Panels: []figure.Panel{speeds, foam, air}}
	return r.result(world, plot, m...), nil
}

// spread returns the mean of a quantity over the runs, and the largest deviation from it,
// relative to it.
func spread(runs []*breaker, of func(b *breaker) float64) (mean, off float64) {
	for _, b := range runs {
		mean += of(b) / float64(len(runs))
	}
	for _, b := range runs {
		off = max(off, math.Abs(of(b)/mean-1))
	}
	return mean, off
}

// breaker is the whitewater of every few frames of a dam break.
type breaker struct {
	every int
	water *whitewater.Whitewater
	prev  whitewater.Frame

	air, flying, foam series // litres, litres and m² by time
}

// open returns how far the balances of air and of drops are from closed, relative to what
// came.
func (b *breaker) open() float64 {
	l, v := b.water.Budget(), b.water.Parcels().Volumes()
	air := v[whitewater.Foam] + v[whitewater.Bubble] + l.Burst + l.AirOut
	drops := v[whitewater.Spray] + v[whitewater.Mist] + l.Landed + l.Clung + l.Evaporated + l.SprayOut
	return max(math.Abs(air/l.Entrained-1), math.Abs(drops/l.Sprayed-1))
}

// breaking simulates the shipped dam break with the spacing d, and makes the whitewater of the
// runs from frames dt apart.
func (r *Run) breaking(d, dt float64, runs ...*breaker) (*sim.World, error) {
	w := sim.New(d, 1000)
	w.Viscosity, w.Gravity = 1e-6, vec.New(0, -9.81, 0)
	tank := &boundary.Box{Max: vec.New(3.2, 4, 0.99), Inside: true}
	w.Walls = []boundary.Boundary{tank}
	w.Forces = []force.Force{&force.XSPH{Rate: 20}}
	w.Fill(&shape.Box{Max: vec.New(1.206, 0.756, 0.99)}, vec.Vec3{})
	if err := w.Init(); err != nil {
		return nil, err
	}
	for _, b := range runs {
		set := whitewater.DefaultSettings()
		set.Detail = 4
		around := water(d)
		around.Walls = []whitewater.Wall{tank}
		var err error
		if b.water, err = whitewater.New(set, around); err != nil {
			return nil, err
		}
	}
	frame := -1
	return w, r.advance(w, usual(), dt*math.Floor(2.1/dt), int(2.1/dt), func() error {
		if frame++; frame == 0 {
			w.SumDensities()
		}
		w.Round()
		set := &particle.Set{}
		for i := range w.X {
			set.Add(w.X[i], w.V[i], w.Rho[i], w.ID[i])
		}
		for _, b := range runs {
			if frame%b.every != 0 {
				continue
			}
			next := whitewater.Frame{Time: w.Time, Set: set}
			if frame > 0 {
				if err := b.water.Step(b.prev, next); err != nil {
					return err
				}
			} else {
				b.water.Start(w.Time)
			}
			b.prev = next
			b.note(d)
		}
		return nil
	})
}

// note notes the volumes of the present frame.
func (b *breaker) note(d float64) {
	t, p := b.prev.Time, b.water.Parcels()
	area := 0.
	for i := range p.Len() {
		if p.Kind[i].Kind() == whitewater.Foam {
			radius := p.Shown(i)
			area += float64(math.Pi * radius * radius * float64(p.N[i]))
		}
	}
	b.air.add(t, 1e3*b.water.Budget().Entrained)
	b.flying.add(t, 1e3*float64(len(b.water.Airborne(nil)))*d*d*d)
	b.foam.add(t, area)
}

// water returns the surroundings of whitewater without walls.
func water(d float64) whitewater.Scene {
	return whitewater.Scene{Spacing: d, Rho0: 1000, Viscosity: 1e-6, SurfaceTension: 0.0728, Gravity: vec.New(0, -9.81, 0)}
}

// pool returns the particles of liquid at rest in a box. Those in the top layer have the density
// of a surface, if it is one.
func pool(box vec.Box, d float64, surface bool) *particle.Set {
	s := &particle.Set{}
	for z := box.Min.Z + float64(d/2); z < box.Max.Z; z += d {
		for y := box.Min.Y + float64(d/2); y < box.Max.Y; y += d {
			for x := box.Min.X + float64(d/2); x < box.Max.X; x += d {
				rho := 1000.
				if surface && y > box.Max.Y-d {
					rho = 850
				}
				s.Add(vec.New(x, y, z), vec.Vec3{}, rho, uint32(s.Len()))
			}
		}
	}
	s.Round()
	return s
}

// terminal lets single drops fall through air, or bubbles rise through water, until their
// speed is constant. Drops are balls here. Real drops of 1 mm radius and more are flat and fall
// more slowly, so their measured speeds are not goals.
func (r *Run) terminal(kind whitewater.Kind) (list []Measure, curves []figure.Curve, err error) {
	const d, dt = 0.03, 0.02
	speeds := []struct{ r, v, goal float64 }{ // m and m/s
		{0.25e-3, 0.094, 0.03}, {0.5e-3, 0.233, 0.03}, {1e-3, 0.280, 0.03}, {2e-3, 0.241, 0.03}, {4e-3, 0.243, 0.03},
	}
	set, at, steps, cite := pool(vec.Box{Min: vec.New(-0.15, 0, -0.15), Max: vec.New(0.15, 0.6, 0.15)}, d, false), vec.New(0, 0.2, 0), 40, "Park et al."
	if kind == whitewater.Spray {
		// Gunn and Kinzer, The terminal velocity of fall for water droplets in stagnant air,
		// J. Meteorol. 6, 1949, table 2.
		speeds = []struct{ r, v, goal float64 }{{0.1e-3, 0.72, 0.03}, {0.3e-3, 2.47, 0.03}, {0.5e-3, 4.03, 0.03}, {1e-3, 6.49, noGoal}, {2e-3, 8.83, noGoal}}
		set, at, steps, cite = &particle.Set{}, vec.New(0, 200, 0), 400, "Gunn and Kinzer"
	}
	settings := whitewater.DefaultSettings()
	settings.Sources = nil
	here, there := figure.Curve{Name: kind.String()}, figure.Curve{Name: kind.String() + ", " + cite, Dots: true}
	for _, c := range speeds {
		w, err := whitewater.New(settings, water(d))
		if err != nil {
			return nil, nil, err
		}
		w.Start(0)
		w.Add(whitewater.Parcel{X: at, R: c.r, N: 1, Kind: kind})
		var y [2]float64
		for k := range steps {
			if err := w.Step(whitewater.Frame{Time: dt * float64(k), Set: set}, whitewater.Frame{Time: dt * float64(k+1), Set: set}); err != nil {
				return nil, nil, err
			}
			y[0], y[1] = y[1], w.Parcels().At(0).Y
		}
		v := math.Abs(y[1]-y[0]) / dt
		list = append(list, number(fmt.Sprintf("%s of %g mm radius", kind, 1e3*c.r), "m/s", v, c.v, c.v, c.goal))
		here.X, here.Y = append(here.X, 1e3*c.r), append(here.Y, v)
		there.X, there.Y = append(there.X, 1e3*c.r), append(there.Y, c.v)
	}
	return list, []figure.Curve{here, there}, nil
}

// foamDecay lets a thin foam decay on water at rest over two of its lives.
func foamDecay(n int, goal float64) (figure.Panel, Measure, error) {
	const d, dt, fade = 0.05, 0.1, 0.15 // what ends shrinks for the time fade, s
	settings := whitewater.DefaultSettings()
	settings.Sources, settings.Lace = nil, 0
	around := water(d)
	around.Walls = []whitewater.Wall{&boundary.Box{Max: vec.New(1, 1, 1), Inside: true}}
	w, err := whitewater.New(settings, around)
	if err != nil {
		return figure.Panel{}, Measure{}, err
	}
	w.Start(0)
	for k := range n { // evenly, by a sequence of low discrepancy
		x := vec.New(0.1+float64(0.8*math.Mod(float64(float64(k)*0.7548776662), 1)), 0.2, 0.1+float64(0.8*math.Mod(float64(float64(k)*0.5698402910), 1)))
		w.Add(whitewater.Parcel{X: x, R: 0.5e-3, N: 1, Kind: whitewater.Foam})
	}
	set := pool(vec.Box{Max: vec.New(1, 0.2, 1)}, d, true)
	var got, want series
	worst := 0.
	for k := range int(2*settings.FoamLife/dt + 0.5) {
		t := float64(dt * float64(k+1))
		if err := w.Step(whitewater.Frame{Time: float64(dt * float64(k)), Set: set}, whitewater.Frame{Time: t, Set: set}); err != nil {
			return figure.Panel{}, Measure{}, err
		}
		if t < 2*fade {
			continue
		}
		got.add(t, float64(w.Parcels().Len())/float64(n))
		want.add(t, num.Exp(-(t-fade)/settings.FoamLife))
		worst = max(worst, math.Abs(got.last()/want.last()-1))
	}
	panel := figure.Panel{Name: "foam", Title: "(b)", X: figure.Axis{Label: "t (s)"}, Y: figure.Axis{Label: "foam, of the start"}, Curve: []figure.Curve{
		{Name: "simulation", X: got.x, Y: got.y}, {Name: "exp(−t/τ)", X: want.x, Y: want.y},
	}}
	return panel, curve("foam over two lives: largest error", worst, goal), nil
}
