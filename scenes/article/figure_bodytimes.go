package article

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"time"

	"breakwater/raster/figure"
	"breakwater/sim/classic/solids"
	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("body-times", "run times of a gas with bodies by number of threads, next to the article's table 2", "Gourlay 2012, table 2 and figure 9", measured(bodyTimes))
}

// theirBodies is the article's table 2: threads, and ms per frame for all that meets bodies, for the tracers
// and the vortons of it, for the whole update, and for the update and the picture. The scene has 49,000
// tracers, 981 vortons, 2 balls and a box, with 8939 hits, on an i7-2600.
var theirBodies = [][6]float64{
	{1, 2.42, 2.346, 0.057, 4.12, 25.7},
	{2, 1.606, 1.563, 0.0423, 2.52, 16.3},
	{3, 1.134, 1.095, 0.0378, 2.15, 11.7},
	{4, 1.142, 1.107, 0.0348, 2.03, 11.4},
	{6, 0.804, 0.774, 0.0312, 1.81, 9.65},
	{8, 0.784, 0.75, 0.0303, 1.76, 9.34},
	{12, 0.69, 0.657, 0.0303, 1.61, 8.38},
	{16, 0.718, 0.684, 0.0336, 1.64, 8.59},
}

// bodyCase is a gas of 49,000 tracers and 981 vortons about two balls and a box, which some 9000 of them hit.
type bodyCase struct {
	solver *vortex.Gourlay
	gas    vortex.Gas
	solids []*solids.Solid
	bodies []*vortex.Body // of solids
	start  *vortex.Flow   // at the start of a step
	moved  *vortex.Flow   // in the same step, before particles meet the bodies
}

// bodyStep is the time step of a bodyCase, s.
const bodyStep = 1. / 30

func newBodyCase() (*bodyCase, error) {
	s, err := vortex.Solvers.New("gourlay", registry.None)
	if err != nil {
		return nil, err
	}
	w := &bodyCase{solver: s.(*vortex.Gourlay), start: &vortex.Flow{}, moved: &vortex.Flow{}}
	w.solver.Technique = &vortex.Tree{Leaves: "super"}
	w.gas = vortex.Gas{Density: 1, Temperature: 300, HeatCapacity: 1, Viscosity: 0.01, Conduction: 1e-4, Gravity: vec.New(0, 0, -9.81)}
	for _, f := range []*vortex.Flow{w.start, w.moved} {
		r := rand.New(rand.NewPCG(13, 2))
		place := func() vec.Vec3 {
			return vec.New(-0.7+float64(1.5*r.Float64()), -0.6+float64(1.2*r.Float64()), 0.3+float64(2.2*r.Float64()))
		}
		for range 981 {
			f.AddVorton(place(), vec.New(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()), 0.09, 1, vortex.Blend{})
		}
		for range 49_000 {
			f.AddTracer(place(), w.gas.Temperature, vortex.Blend{})
		}
		f.Tracers.Radius, f.Tracers.Mass = 0.02, 1e-5
	}
	w.solids = []*solids.Solid{
		solids.NewBall(vec.New(0, 0, 0.5), 0.2), solids.NewBall(vec.New(0.2, 0, 2), 0.5), solids.NewBox(vec.New(0, 0, 1), vec.New(0.5, 0.25, 0.05)),
	}
	for _, s := range w.solids {
		w.bodies = append(w.bodies, vortex.NewBody(s, vec.NoTurn))
	}
	if _, err := w.solver.Step(w.moved, &w.gas, bodyStep); err != nil {
		return nil, err
	}
	w.start.Bodies, w.moved.Bodies = w.bodies, w.bodies
	return w, nil
}

// bodyFrames is how often each time is taken.
const bodyFrames = 60

// ms returns the time in ms of a part of a step of f, each time from the same state, which f has again at
// the end.
func (w *bodyCase) ms(f *vortex.Flow, part func() error) (float64, error) {
	state := f.State(&w.gas)
	var times []float64
	for range bodyFrames {
		if err := f.Restore(state); err != nil {
			return 0, err
		}
		start := time.Now()
		if err := part(); err != nil {
			return 0, err
		}
		times = append(times, time.Since(start).Seconds())
	}
	return 1000 * tenthPercentile(times), f.Restore(state)
}

// row returns the times of a step on the threads there are, in the order of theirBodies but without the
// picture; then the time of the collisions of tracers that push bodies in the order in which threads find
// them; and the number of particles that hit a body.
func (w *bodyCase) row() (ms [5]float64, hits int, err error) {
	tracers := &vortex.Flow{Tracers: w.moved.Tracers, Bodies: w.bodies}
	vortons := &vortex.Flow{Vortons: w.moved.Vortons, Bodies: w.bodies}
	for k, f := range []*vortex.Flow{w.moved, tracers, vortons} {
		n := 0
		ms[k], err = w.ms(f, func() error { n = w.solver.MeetBodies(f, &w.gas, bodyStep); return nil })
		if err != nil {
			return ms, 0, err
		}
		hits = max(hits, n)
	}
	ms[3], err = w.ms(w.start, func() error { _, err := w.solver.Step(w.start, &w.gas, bodyStep); return err })
	if err != nil {
		return ms, 0, err
	}
	t := &solids.Tracers{Radius: w.moved.Tracers.Radius, Mass: w.moved.Tracers.Mass}
	ms[4], err = w.ms(tracers, func() error {
		t.X, t.V = tracers.Tracers.X, tracers.Tracers.V
		t.CollideAsItComes(w.solids)
		return nil
	})
	return ms, hits, err
}

func bodyTimes() (*figure.Plot, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	w, err := newBodyCase()
	if err != nil {
		return nil, err
	}
	names := []string{"all that meets bodies", "tracers", "vortons", "update", "total with picture", "tracers, unordered"}
	theirs, ours := make([]figure.Curve, 5), make([]figure.Curve, 5)
	for k := range 5 {
		theirs[k] = figure.Curve{Name: names[k], Both: true}
		ours[k] = theirs[k]
	}
	ours[4].Name = names[5]
	table := [][]string{{"threads", "all", "tracers", "vortons", "update", "total", "here: all", "tracers", "vortons", "update", "unordered"}}
	hits := 0
	for _, row := range theirBodies {
		runtime.GOMAXPROCS(int(row[0]))
		times, n, err := w.row()
		if err != nil {
			return nil, err
		}
		hits = n
		cells := []string{strconv.Itoa(int(row[0]))}
		for t, list := range [2][]float64{row[1:], times[:]} {
			for k, y := range list {
				c := &[2][]figure.Curve{theirs, ours}[t][k]
				c.X, c.Y = append(c.X, row[0]), append(c.Y, y)
				cells = append(cells, num.Decimals(y, 3))
			}
		}
		table = append(table, cells)
	}
	// The article marks the cores and the hardware threads of its processor.
	mark := func(name string, n int) figure.Curve {
		return figure.Curve{Name: name, X: []float64{float64(n), float64(n)}, Y: []float64{0.03, 30}}
	}
	theirs = append(theirs, mark("4 cores", 4), mark("8 hardware threads", 8))
	cores := runtime.NumCPU()
	ours = append(ours, mark(fmt.Sprintf("%d processors", cores), cores))
	axes := func(name, title string, curves []figure.Curve) figure.Panel {
		return figure.Panel{Name: name, Title: title, X: figure.Axis{Label: "threads"}, Y: figure.Axis{Label: "ms", Log: true}, Curve: curves}
	}
	return &figure.Plot{Columns: 2, Wide: true, Rows: []float64{230, 150}, Panels: []figure.Panel{
		axes("article", "the article: i7-2600, 8939 hits per frame", theirs),
		axes("here", fmt.Sprintf("here: %d hits per step", hits), ours),
		{Name: "table 2", Title: "ms: the article's table 2, and here", Table: table},
	}, Caption: fmt.Sprintf("Run times of a gas with 981 vortons and 49,000 tracers about two balls and a box, over the number of threads: table 2 and figure 9 of the article, and measured here with the solver gourlay (tree at the grid) on %d processors. The update is a whole step, of which a part lets tracers and vortons meet bodies. The article's picture is interactive, so it has no counterpart here. Impulses are added in a tree, with the same bits on any number of threads; unordered, tracers push bodies in the order in which threads find them, and bits differ from run to run. %d particles hit a body.", cores, hits)}, nil
}
