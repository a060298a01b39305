package gauge

import (
	"math"
	"testing"

	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestRidingExact lets gauges ride on a wall that moves and turns by a known motion through
// a block of particles at rest. What each reads is the length of a known line.
func TestRidingExact(t *testing.T) {
	const d = 0.01
	w := sim.New(d, 1000)
	// The wall is far away. It turns by 90° in a second about the point (0, 0, 0.1), which
	// moves by 0.1 m/s.
	wall := body.New(&boundary.Sphere{Center: vec.New(9, 9, 9), Radius: 0.1},
		body.Motion{Center: vec.New(0, 0, 0.1), Axis: vec.New(0, 0, 1), Turn: 90, Velocity: vec.New(0.1, 0, 0)}, 0)
	w.Walls = []boundary.Boundary{wall}
	w.Fill(&shape.Box{Max: vec.New(0.3, 0.5, 0.2)}, vec.Vec3{})
	for i, x := range w.X {
		w.V[i] = vec.New(x.Y, 0, 0)
	}
	mustInit(t, w)
	down := On(wall, &Front{From: vec.New(0, -0.05, 0.1), Direction: vec.New(0, -1, 0)})
	side := On(wall, &Front{From: vec.New(0.1, 0, 0.1), Direction: vec.New(1, 0, 0), Height: 0.3})
	level := On(wall, &Level{From: vec.New(0.1, -0.1, 0.1), To: vec.New(0.1, -0.9, 0.1)})
	speed := On(wall, &VelocityAt{At: vec.New(0.2, -0.1, 0.1)})
	for _, c := range []struct {
		what   string
		gauge  Gauge
		time   float64
		column int
		want   float64
	}{
		{"a line that begins below the block", down, 0, 0, 0},
		// At 1 s y− has become x+, and the center has moved by 0.1 m.
		{"a line that has turned into the block", down, 1, 0, 0.3 - 0.15},
		{"a line that has moved past its start", down, 2, 0, 0.5 - 0.05},
		{"a line along x", side, 0, 0, 0.2},
		{"a line that has turned upwards", side, 1, 0, 0.4},
		{"a level that has turned", level, 1, 0, 0.1},
		{"a velocity at (0.2, 0.2)", speed, 1, 0, 0.2},
		{"a velocity along y", speed, 1, 1, 0},
	} {
		wall.Move(c.time)
		most := 1e-9
		if c.gauge == level {
			most = 0.1 * d
		}
		if got := c.gauge.Read(nil, w, nil)[c.column]; !(math.Abs(got-c.want) <= most) {
			t.Errorf("%s reads %.9g at %g s, want %g", c.what, got, c.time, c.want)
		}
	}
}

// TestRidingPressure moves a tank at a steady speed with the water in it. The pressure at
// the faces of its walls equals the pressure of water at rest, as far away as the tank gets.
func TestRidingPressure(t *testing.T) {
	const d, depth, speed = 0.04, 0.32, 2
	w := sim.New(d, 1000)
	w.Gravity = vec.New(0, -9.81, 0)
	tank := body.New(&boundary.Box{Max: vec.New(0.4, 0.8, 0.4), Inside: true}, body.Motion{Velocity: vec.New(speed, 0, 0)}, 0)
	w.Walls = []boundary.Boundary{tank}
	w.Fill(&shape.Box{Max: vec.New(0.4, depth, 0.4)}, vec.New(speed, 0, 0))
	mustInit(t, w)
	at := []vec.Vec3{{X: 0.2, Z: 0.2}, {X: 0.4, Y: 0.12, Z: 0.2}, {X: 0.2, Y: 0.16, Z: 0.2}}
	var meters []*Meter
	for _, x := range at {
		meters = append(meters, &Meter{Gauge: On(tank, &PressureAt{At: x}), Interval: 0.01})
	}
	meters = append(meters, &Meter{Gauge: &PressureAt{At: at[1]}, Interval: 0.01})
	observe(w, meters)
	mustAdvance(t, w, registrytest.New(t, &sim.Solvers, "iisph"), 0.6, nil)
	for k, m := range meters {
		mean, n := 0., 0.
		for _, row := range m.Take() {
			if row[0] > 0.3 {
				mean, n = mean+row[1], n+1
			}
		}
		mean /= n
		if k == len(at) {
			if mean != 0 {
				t.Errorf("%g Pa where the tank was", mean)
			}
			continue
		}
		want := 9810 * (depth - at[k].Y)
		t.Logf("at %v: %.0f Pa, exact %.0f", at[k], mean, want)
		if math.Abs(mean-want) > 0.05*9810*depth {
			t.Errorf("at %v the pressure is %g Pa, want %g", at[k], mean, want)
		}
	}
}

// TestRidingOnFreeBody lets a line ride on a body that falls and turns freely.
func TestRidingOnFreeBody(t *testing.T) {
	w := sim.New(0.05, 1000)
	b, err := body.NewRigid(&boundary.Box{Max: vec.New(0.4, 0.4, 0.4)}, 500, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	b.Free.Start.X, b.Free.Start.Turn = vec.New(2, 2, 2), vec.Turn(vec.New(0, 0, 0.3))
	b.Free.Start.V, b.Free.Start.Spin = vec.New(0.5, 0, 0), vec.New(0, 0, math.Pi/2)
	b.PutAtStart()
	w.Walls = []boundary.Boundary{b}
	mustInit(t, w)
	g := On(b, &VelocityAt{At: vec.New(2.3, 2, 2)}) // beside its middle
	mustAdvance(t, w, registrytest.New(t, &sim.Solvers, "iisph"), 1, nil)
	at := g.Gauge.(Movable).Moved(g.on.Place).(*VelocityAt).At
	if want := vec.New(2.5, 2.3, 2); at.Sub(want).Len() > 1e-5 {
		t.Errorf("after a quarter turn the gauge is at %v, want %v", at, want)
	}
}
