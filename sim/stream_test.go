package sim_test

import (
	"math"
	"testing"

	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/gauge"
	"breakwater/sim/inflow"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// stream is a channel that liquid enters through the lower part of its end, as deep and
// as fast as the liquid inside, and leaves through the open end.
func stream(t testing.TB, d, depth, speed, friction float64) *sim.World {
	w := sim.New(d, 1000)
	w.Gravity = vec.New(0, -9.81, 0)
	box := &boundary.Box{Max: vec.New(1.6, 1, 0.24), Inside: true, Open: []string{"x+"}}
	w.Walls = []boundary.Boundary{box}
	if friction > 0 {
		w.Walls = []boundary.Boundary{body.New(box, body.Motion{}, friction)}
	}
	w.Inflows = []inflow.Inflow{{
		Opening: &inflow.Rectangle{Width: 0.24, Height: depth}, Position: vec.New(0, depth/2, 0.12), Direction: vec.New(1, 0, 0),
		Speed: speed, Stop: math.Inf(1),
	}}
	w.Fill(&shape.Box{Max: vec.New(1.6, depth, 0.24)}, vec.New(speed, 0, 0))
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestStream lets water flow through a channel faster than its waves, so that the open
// end changes nothing. The stream keeps its depth and its speed, and outflow equals
// inflow.
func TestStream(t *testing.T) {
	longtest.NotShort(t)
	const depth, speed, end = 0.2, 3., 1.5
	for _, c := range []struct {
		solver  string
		densest float64 // mean excess of the density; isph corrects its average over the neighbours
	}{{"isph", 5e-3}, {"iisph", 2e-3}, {"dfsph", 2e-3}} {
		solver, densest := c.solver, c.densest
		for _, d := range []float64{0.04, 0.02} { // the depth is a whole multiple
			if (d < 0.04 || solver == "dfsph") && !longtest.On() {
				continue
			}
			w := stream(t, d, depth, speed, 0)
			if !w.Nozzles()[0].Flush {
				t.Fatal("the opening is not in the side")
			}
			if n := len(w.Nozzles()[0].Columns); n != int(math.Round(0.24/d)*math.Round(depth/d)) {
				t.Fatalf("%d columns", n)
			}
			s := registrytest.New(t, &sim.Solvers, solver)
			var levels []*gauge.Meter
			for _, x := range []float64{0.1, 0.4, 0.8, 1.2} {
				levels = append(levels, &gauge.Meter{Gauge: &gauge.Level{From: vec.New(x, 0, 0.12), To: vec.New(x, 1, 0.12)}, Interval: 0.05})
			}
			for _, m := range levels {
				w.Observers = append(w.Observers, m)
			}
			start, added, removed := w.Len(), 0, 0
			err := w.Advance(s, end, func(i sim.StepInfo) error {
				added, removed = added+i.Added, removed+i.Removed
				if i.DensityError > densest {
					t.Fatalf("%s: at %.3f s the density is %.2g too high", solver, i.Time, i.DensityError)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if w.Len() != start+added-removed {
				t.Errorf("%s: %d particles of %d, %d have come and %d gone", solver, w.Len(), start, added, removed)
			}
			flow := 0.24 * depth * speed
			if got := float64(removed) * d * d * d / end; math.Abs(got/flow-1) > 0.03 {
				t.Errorf("%s, spacing %.3g: %.3g m³/s leave, want %.3g", solver, d, got, flow)
			}
			for k, m := range levels {
				for _, row := range m.Take() {
					if row[0] > 0.2 && math.Abs(row[1]-depth) > 0.3*d {
						t.Errorf("%s, spacing %.3g: the depth at gauge %d is %.4f m at %.2f s, want %g", solver, d, k, row[1], row[0], depth)
						break
					}
				}
			}
			worst := 0.
			for i, x := range w.X {
				if x.X > 0 && x.X < 1.4 { // before it falls
					worst = max(worst, w.V[i].Sub(vec.New(speed, 0, 0)).Len())
				}
				if x.Y < 0 || x.Z < 0 || x.Z > 0.24 {
					t.Fatalf("a particle is out of the channel at %v", x)
				}
			}
			t.Logf("%s, spacing %.3g: velocities off by %.2g m/s at most", solver, d, worst)
			if worst > 0.1*speed {
				t.Errorf("%s: a velocity is off by %g m/s", solver, worst)
			}
		}
	}
}
