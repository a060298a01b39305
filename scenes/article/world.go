package article

import (
	"math"
	"runtime"
	"slices"
	"time"

	"breakwater/scenes/host"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/classic"
	"breakwater/sim/registry"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// column is the falling column of article A with 1024 particles, as in the shipped
// scene, in a box that turns at the given rate in radians per second.
func column(turn float64) (*sim.World, error) {
	const d = 0.1136
	w := sim.New(d, 1000)
	w.Gravity = vec.New(0, -10, 0)
	height := 4.
	if turn != 0 {
		height = 18 * d
	}
	box := &boundary.Box{Max: vec.New(32*d, height, 4*d), Inside: true}
	w.Walls = []boundary.Boundary{box}
	if turn != 0 {
		w.Walls[0] = body.New(box, body.Motion{Center: box.Max.Mul(0.5), Axis: vec.New(0, 0, 1), Turn: turn * 180 / math.Pi}, 0)
	}
	w.Fill(&shape.Box{Min: vec.New(16*d, 0, 0), Max: vec.New(32*d, 16*d, 4*d)}, vec.Vec3{})
	return w, w.Init()
}

// solverOf returns a solver of the family by name.
func solverOf(name string) (sim.Solver, error) { return sim.Solvers.New(name, registry.None) }

// collapsedBy returns the liquid of article E by one of its algorithms.
func collapsedBy(algorithm string) (*classic.Collapsed, error) {
	s, err := solverOf("collapsed")
	if err != nil {
		return nil, err
	}
	c := s.(*classic.Collapsed)
	c.Algorithm = algorithm
	return c, nil
}

// tenthPercentile returns the 10th percentile of many times, which other programs hardly
// disturb.
func tenthPercentile(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/10]
}

// clock times f repeatedly and returns the 10th percentile in s: wall time, or CPU time
// with one thread.
func clock(runs int, f func() error) (float64, error) {
	times := make([]float64, runs)
	for i := range times {
		start, worked := time.Now(), host.ProcessorTime()
		if err := f(); err != nil {
			return 0, err
		}
		if times[i] = time.Since(start).Seconds(); runtime.GOMAXPROCS(0) == 1 {
			times[i] = host.ProcessorTime() - worked
		}
	}
	return tenthPercentile(times), nil
}
