package body

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

var earth = vec.New(0, -9.81, 0)

// world moves bodies without liquid, in the steps of a liquid at rest.
type world struct {
	System
	walls    []boundary.Boundary
	gravity  vec.Vec3
	spacing  float64 // m
	speed    float64 // to expect, m/s
	time, dt float64 // s
	states   []particle.Body
}

func newWorld(t testing.TB, spacing float64, gravity vec.Vec3, walls ...boundary.Boundary) *world {
	t.Helper()
	w := &world{walls: walls, gravity: gravity, spacing: spacing, speed: 10 * spacing}
	k := kernel.NewCubicSpline(3, kernel.Support(spacing))
	for _, wall := range walls {
		if err := wall.Init(k); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if w.System, err = NewSystem(walls); err != nil {
		t.Fatal(err)
	}
	w.states = w.States()
	for _, b := range w.Bodies {
		top := b.MovedBox(b.Boundary.(boundary.Bounded).Extent()).Max.Y
		w.speed = max(w.speed, b.MaxSpeed()+math.Sqrt(2*gravity.Len()*max(0, top)))
	}
	return w
}

// dry returns a world of bodies on a level ground.
func dry(t testing.TB, spacing float64, bodies ...*Body) *world {
	t.Helper()
	walls := []boundary.Boundary{&boundary.Plane{Normal: vec.New(0, 1, 0)}}
	for _, b := range bodies {
		walls = append(walls, b)
	}
	return newWorld(t, spacing, earth, walls...)
}

// advance moves the bodies until a time, and calls step after each step if it is not nil.
func (w *world) advance(until float64, step func()) {
	none := make([]Generalized, len(w.Bodies))
	for w.time < until {
		way, left := 0.4*w.spacing, until-w.time
		dt := way / w.speed
		if g := w.gravity.Len(); g > 0 {
			dt = 0.1 * math.Sqrt(w.spacing/g)
		}
		dt = min(dt, w.MaxDt(w.gravity.Len(), way))
		for _, wall := range w.walls {
			wall.Move(w.time)
			if b, ok := wall.(*Body); ok && b.Free == nil {
				dt = min(dt, way/b.TopSpeed(w.time, 1, 1))
			}
		}
		last := dt >= left
		w.dt = left / math.Ceil(left/dt)
		s := Step{Dt: w.dt, Gravity: w.gravity, Spacing: w.spacing, Speed: w.speed}
		w.Start()
		w.Accelerate(s, none)
		w.WarmStart(s, none)
		w.Move(s, w.states)
		if w.time += w.dt; last {
			w.time = until
		}
		for _, wall := range w.walls {
			wall.Move(w.time)
		}
		if step != nil {
			step()
		}
	}
	set := particle.Set{Bodies: w.states}
	set.Round()
	w.Place(w.states)
}
