package vortex

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// ballRegion is a Region.
type ballRegion struct {
	center vec.Vec3
	radius float64
}

func (b ballRegion) Bounds() vec.Box          { return vec.Box{Min: b.center, Max: b.center}.Grow(b.radius) }
func (b ballRegion) Contains(x vec.Vec3) bool { return x.Sub(b.center).Len() < b.radius }
func (b ballRegion) volume() (v float64)      { return ballVolume(b.radius) }
func (b ballRegion) source(rate float64) Source {
	return Source{Region: b, Vortons: rate, Tracers: 3 * rate, Radius: 0.1, Temperature: 400, Mix: Blend{Fuel: 0.5, Smoke: 0.5}, Start: 0.03, Stop: 0.3}
}

// TestRestore checks that a flow that is restored from the state of a frame continues with
// the same bytes, for each technique, with sources and with a body on a course.
func TestRestore(t *testing.T) {
	for name, solver := range techniques() {
		begin := func() (*Flow, Gas) {
			f, gas := fire(t)
			f.Sources = []Source{ballRegion{vec.New(0, -1, 0), 0.5}.source(200)}
			turning := NewBody(solids.NewBox(vec.New(-1, 1, 0), vec.New(0.5, 0.2, 0.3)), vec.NoTurn)
			f.Bodies = append(f.Bodies, turning)
			turning.Course = func(t float64, s *solids.Solid) {
				s.X, s.V = vec.New(math.Sin(t), 1, 0), vec.New(math.Cos(t), 0, 0)
			}
			return f, gas
		}
		advance := func(f *Flow, gas *Gas, s Solver, end float64) []byte {
			if err := f.Advance(s, gas, end, nil); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			f.State(gas)
			return bytesOf(t, f)
		}
		f, gas := begin()
		s := solver()
		advance(f, &gas, s, 0.05)
		state, now := f.State(&gas), f.Time
		want := advance(f, &gas, s, 0.12)

		g, gas := begin()
		if err := g.Restore(state); err != nil {
			t.Fatal(err)
		}
		g.Time = now
		g.Bodies[2].Course(now, g.Bodies[2].Solid)
		if !bytes.Equal(advance(g, &gas, solver(), 0.12), want) {
			t.Errorf("%s: a restored flow has other bytes", name)
		}
	}
	f, gas := fire(t)
	state := f.State(&gas)
	f.Bodies = f.Bodies[:1]
	if f.Restore(state) == nil {
		t.Error("a state of two bodies fits a flow of one")
	}
}

// TestSource checks the number of particles, in steps of any length, and that they are in
// the region with the heat and the fuel of the source.
func TestSource(t *testing.T) {
	r := ballRegion{vec.New(1, 2, 3), 0.5}
	var last []byte
	for _, steps := range []int{1, 7, 60} {
		f, gas := &Flow{Sources: []Source{r.source(100)}}, still()
		for k := range steps {
			next := 0.5 * float64(k+1) / float64(steps)
			f.emit(&gas, next, true)
			f.Time = next
		}
		if n, m := f.Vortons.Len(), len(f.Tracers.X); n != 27 || m != 81 {
			t.Errorf("%d steps: %d vortons and %d tracers, want 27 and 81", steps, n, m)
		}
		for i, x := range f.Vortons.X {
			if !r.Contains(x) || math.Abs(gas.TemperatureOf(f.Vortons.Density[i])-400) > 1e-9 || f.Vortons.Mix.Fuel[i] != 0.5 || f.Vortons.Radius[i] != 0.1 {
				t.Fatalf("vorton %d is at %v with the density %g", i, x, f.Vortons.Density[i])
			}
		}
		f.Vortons.ID, f.Tracers.ID = nil, nil // which depend on the steps
		if got := bytesOf(t, f); last != nil && !bytes.Equal(got, last) {
			t.Errorf("%d steps: other places", steps)
		} else {
			last = got
		}
	}
	f := &Flow{}
	f.FillTracers(r, 0.05, 300, Blend{Smoke: 1})
	if n, want := float64(len(f.Tracers.X)), r.volume()/(0.05*0.05*0.05); math.Abs(n/want-1) > 0.03 {
		t.Errorf("%g tracers fill the ball, want %g", n, want)
	}
}

// TestMostTracers checks that the oldest tracers go where sources make too many, in steps of any
// length, and that those that are there at the start stay until then.
func TestMostTracers(t *testing.T) {
	for _, steps := range []int{1, 7, 60} {
		f, gas := &Flow{Sources: []Source{ballRegion{vec.New(1, 2, 3), 0.5}.source(100)}}, still()
		for range 20 {
			f.AddTracer(vec.Vec3{}, 300, Blend{})
		}
		f.Tracers.Most = 50
		for k := range steps {
			next := 0.15 * float64(k+1) / float64(steps)
			f.emit(&gas, next, false)
			f.Time = next
			old := 0
			for _, x := range f.Tracers.X {
				if x == (vec.Vec3{}) {
					old++
				}
			}
			if n, made := len(f.Tracers.X), int(f.Sources[0].due(300, next)); n != min(50, 20+made) || old != max(0, min(20, 50-made)) {
				t.Fatalf("%d steps: %d tracers, %d of them of the start, after %d were made", steps, n, old, made)
			}
		}
		if !slices.IsSorted(f.Tracers.ID) || f.Tracers.Age[49] != 0 {
			t.Errorf("%d steps: tracers are out of order", steps)
		}
	}
}

// TestCore checks that the core of a ring is a torus about its circle.
func TestCore(t *testing.T) {
	c := NewCore(&vorticity.Ring{Axis: vec.New(0, 1, 0), Radius: 1, Core: 0.1, Circulation: 1}, 0.02)
	reach := 0.1 * math.Sqrt(math.Log(10)) // where the vorticity is a tenth
	for _, x := range []struct {
		at vec.Vec3
		in bool
	}{{vec.New(1, 0, 0), true}, {vec.New(1+0.9*reach, 0, 0), true}, {vec.New(1+1.1*reach, 0, 0), false}, {vec.New(0, 0, 1), true}, {vec.Vec3{}, false}} {
		if c.Contains(x.at) != x.in {
			t.Errorf("%v in the core: %t", x.at, !x.in)
		}
	}
}
