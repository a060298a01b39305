package sim

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/inflow"
	"breakwater/sim/longtest"
	"breakwater/sim/outflow"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// TestFlatInflow has a stream enter a world of two dimensions without gravity: it keeps its speed and
// its width, and the flow is the speed times the width. The plane cuts a rectangle by its height, or by
// its width where the stream is vertical, and a disc by its diameter.
func TestFlatInflow(t *testing.T) {
	const d, speed, width, end = 0.01, 2., 0.08, 0.2
	for name, c := range map[string]struct {
		opening   inflow.Opening
		direction vec.Vec3
		parabolic bool
	}{
		"level":     {&inflow.Rectangle{Width: 1, Height: width}, vec.New(1, 0, 0), false},
		"upright":   {&inflow.Rectangle{Width: width, Height: 1}, vec.New(0, 1, 0), false},
		"askew":     {&inflow.Disc{Radius: width / 2}, vec.New(-1, 2, 0), false},
		"parabolic": {&inflow.Disc{Radius: width / 2}, vec.New(0, -1, 0), true},
	} {
		t.Run(name, func(t *testing.T) {
			w := New2D(d, 1000)
			w.Inflows = []inflow.Inflow{{Opening: c.opening, Direction: c.direction, Speed: speed, Parabolic: c.parabolic, Stop: math.Inf(1)}}
			mustInit(t, w)
			s := registrytest.New(t, &Solvers, "isph")
			mustAdvance(t, w, s, end, nil)
			out := 0
			dir := c.direction.Unit()
			mean, widest := vec.Vec3{}, 0.
			for i, x := range w.X {
				if x.Z != 0 || w.V[i].Z != 0 {
					t.Fatalf("a particle at %v with velocity %v leaves the plane", x, w.V[i])
				}
				if w.InBuffer(w.ID[i], w.Time) {
					continue
				}
				out++
				mean = mean.Add(w.V[i])
				if along := x.Dot(dir); !c.parabolic && along < speed*end-0.05 {
					widest = max(widest, x.Sub(dir.Mul(along)).Len())
				}
			}
			if want := speed * width * end / (d * d); math.Abs(float64(out)-want) > width/d+1 {
				t.Errorf("%d particles have come, want %g", out, want)
			}
			mean = mean.Mul(1 / float64(out))
			if !c.parabolic && (mean.Sub(dir.Mul(speed)).Len() > 0.01*speed || widest > width/2) {
				t.Errorf("the mean velocity is %v, and the stream %g m wide", mean, 2*widest)
			}
		})
	}
	w := New2D(d, 1000)
	w.Inflows = []inflow.Inflow{{Opening: &inflow.Disc{Radius: 0.1}, Direction: vec.New(0, 1, 1), Speed: 1, Stop: 1}}
	if err := w.Init(); err == nil {
		t.Error("a direction out of the plane is accepted")
	}
}

// TestFlatChannel lets a stream as deep as its opening in the side of a tank run along the floor: it
// keeps its depth once the front, which is thinner, has passed, and the wall above the opening is closed.
func TestFlatChannel(t *testing.T) {
	longtest.Only(t)
	const d, deep, speed, end = 0.01, 0.1, 1.5, 2.5
	w := New2D(d, 1000)
	w.Gravity = earth
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1, 1, 0), Inside: true}}
	w.Inflows = []inflow.Inflow{{Opening: &inflow.Rectangle{Width: 1, Height: deep}, Position: vec.New(0, deep/2, 0), Direction: vec.New(1, 0, 0), Speed: speed, Stop: math.Inf(1)}}
	w.Outflows = []outflow.Outflow{{Region: &outflow.Box{Min: vec.New(0.9, -1, -1), Max: vec.New(2, 2, 1)}}}
	mustInit(t, w)
	if len(w.Walls) != 1 || !w.Nozzles()[0].Flush {
		t.Fatalf("the opening in the side of a tank has a pipe of its own, in %d walls", len(w.Walls))
	}
	mustAdvance(t, w, registrytest.New(t, &Solvers, "isph"), end, nil)
	n, top := 0, 0.
	for _, x := range w.X {
		if x.X > 0.2 && x.X < 0.8 {
			n++
			top = max(top, x.Y)
		}
	}
	if got := float64(n) * d * d / 0.6; math.Abs(got-deep) > 0.03*deep || top > deep+d {
		t.Errorf("the stream is %g m deep on average and %g m at most, want %g", got, top, deep)
	}
}
