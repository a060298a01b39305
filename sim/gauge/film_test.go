package gauge

import (
	"fmt"
	"math"
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// sheet adds layers of particles, n to either side of the middle, stretched in their plane.
func sheet(w *sim.World, middle vec.Vec3, n, layers int, stretch float64) {
	d := w.Spacing
	for i := -n; i < n; i++ {
		for k := -n; k < n; k++ {
			if w.Dim() == 2 && k != 0 {
				continue
			}
			for j := range layers {
				x := vec.New((float64(i)+0.5)*d*stretch, (float64(j)+0.5)*d, (float64(k)+0.5)*d*stretch)
				if w.Dim() == 2 {
					x.Z = 0
				}
				w.Add(middle.Add(x), vec.Vec3{}, 1000, uint32(w.Len()))
			}
		}
	}
}

// TestLevelOfFilm reads films on the floor of a tank, in two and three dimensions: one
// layer of particles at rest, and films that flow, whose particles are up to 1.9 times as
// far apart. A film has the thickness of its volume. Beside a wall and in the corner the tank
// has as much. One particle and a few are a drop.
func TestLevelOfFilm(t *testing.T) {
	const d = 0.01
	tank := func(dim int) *sim.World {
		w := sim.New(d, 1000)
		top := vec.New(1, 1, 1)
		if dim == 2 {
			w = sim.New2D(d, 1000)
		}
		w.Walls = []boundary.Boundary{&boundary.Box{Max: top, Inside: true}}
		if dim == 2 {
			w.Walls = []boundary.Boundary{&boundary.Box{Min: vec.Vec3{}, Max: vec.New(1, 1, 0), Inside: true}}
		}
		return w
	}
	level := func(w *sim.World, x, z float64) float64 {
		return (&Level{From: vec.New(x, 0, z), To: vec.New(x, 0.9, z)}).Read(nil, w, nil)[0]
	}
	for _, dim := range []int{2, 3} {
		z := 0.5
		if dim == 2 {
			z = 0
		}
		for _, layers := range []int{1, 2} {
			for _, stretch := range []float64{1, 1.1, 1.2, 1.3, 1.5, 1.8, 1.9} {
				want := d * float64(layers) / math.Pow(stretch, float64(dim-1))
				if layers == 2 && want > 1.2*d && stretch != 1 {
					continue // a liquid that is not at rest density
				}
				w := tank(dim)
				sheet(w, vec.New(0.5, 0, z), 20, layers, stretch)
				mustInit(t, w)
				for _, off := range []vec.Vec3{{}, {X: d / 2}, {X: d / 2, Z: d / 2}, {X: d / 3, Z: d / 5}} {
					if dim == 2 {
						off.Z = 0
					}
					if got := level(w, 0.5+off.X, z+off.Z); math.Abs(got-want) > 0.03*d {
						t.Errorf("%d dimensions, %d layers stretched by %g: level %.4g spacings at %v, want %.4g", dim, layers, stretch, got/d, off, want/d)
					}
				}
				if got := level(w, 0.95, z); got != 0 {
					t.Errorf("level %g beside the film", got)
				}
			}
		}
		// A film in a corner of the tank, a sheet in the air, and drops.
		w := tank(dim)
		sheet(w, vec.New(20*1.5*d, 0, 20*1.5*d*float64(dim-2)), 20, 1, 1.5)
		sheet(w, vec.New(0.7, 0.3, 0.7*float64(dim-2)), 12, 1, 1.4)
		drop := vec.New(0.7, 0.05, 0.1*float64(dim-2))
		w.Add(drop, vec.Vec3{}, 1000, uint32(w.Len()))
		mustInit(t, w)
		film := d / math.Pow(1.5, float64(dim-1))
		for _, at := range [][2]float64{{0.001, 0.001}, {0.001, 0.2}, {0.2, 0.2}} {
			if got := level(w, at[0], at[1]*float64(dim-2)); math.Abs(got-film) > 0.07*d {
				t.Errorf("%d dimensions: level %.4g spacings at %v, want %.4g", dim, got/d, at, film/d)
			}
		}
		s := d / math.Pow(1.4, float64(dim-1))
		if got, want := level(w, 0.7, 0.7*float64(dim-2)), 0.3+d/2+s/2; math.Abs(got-want) > 0.05*d {
			t.Errorf("%d dimensions: a sheet in the air is at %.5g, want %.5g", dim, got, want)
		}
		if got := level(w, drop.X, drop.Z); dim == 3 && got != 0 {
			t.Errorf("a drop by itself has the level %g", got)
		}
	}
}

// TestFront reads a block of known size, a single layer of particles, also stretched,
// and a dry gap, in two and three dimensions.
func TestFront(t *testing.T) {
	const d = 0.01
	read := func(w *sim.World, g *Front) (front, wet float64) {
		v := g.Read(nil, w, nil)
		return v[0], v[1]
	}
	for _, dim := range []int{2, 3} {
		fill := func(w *sim.World, x0, x1, y0, y1, z0, z1 float64) {
			box := &shape.Box{Min: vec.New(x0, y0, z0), Max: vec.New(x1, y1, z1)}
			if dim == 2 {
				box.Min.Z, box.Max.Z = 0, 0
			}
			w.Fill(box, vec.Vec3{})
		}
		world := func() *sim.World {
			if dim == 2 {
				return sim.New2D(d, 1000)
			}
			return sim.New(d, 1000)
		}
		floor := func(x, z float64) *Front {
			return &Front{From: vec.New(x, 0, z*float64(dim-2)), Direction: vec.New(3, 0, 0)}
		}
		check := func(what string, w *sim.World, g *Front, front, wet float64) {
			t.Helper()
			if a, b := read(w, g); math.Abs(a-front) > 1e-9 || math.Abs(b-wet) > 1e-9 {
				t.Errorf("%d dimensions, %s: front %.9g m and wet %.9g m, want %g and %g", dim, what, a, b, front, wet)
			}
		}
		w := world()
		check("no liquid", w, floor(0, 0), 0, 0)
		fill(w, 0, 0.3, 0, 0.2, 0, 0.2) // a block
		check("a block", w, floor(0, 0.1), 0.3, 0.3)
		check("from inside", w, floor(0.123, 0.1), 0.177, 0.177)
		check("from behind", w, floor(-0.2, 0.1), 0.5, 0.3)
		check("from ahead", w, floor(0.31, 0.1), 0, 0)
		check("its height", w, &Front{From: vec.New(0.1, -0.1, 0.1*float64(dim-2)), Direction: vec.New(0, 1, 0)}, 0.3, 0.2)

		fill(w, 0.3, 0.6, 0, d, 0, 0.2) // one layer
		check("a layer", w, floor(0, 0.1), 0.6, 0.6)
		fill(w, 0.6+2*d, 0.8, 0, d, 0, 0.2) // a gap of two spacings
		check("a gap", w, floor(0, 0.1), 0.8, 0.78)

		// A drop of 8 or 4 particles ahead, then a larger group.
		fill(w, 0.9, 0.9+2*d, 0, 2*d, 0.1-d, 0.1+d)
		check("a drop", w, floor(0, 0.1), 0.8, 0.78)
		all := floor(0, 0.1)
		all.Drop = d / 2
		check("all drops", w, all, 0.92, 0.8)
		fill(w, 1, 1.05, 0, 0.05, 0.1-2*d, 0.1+2*d)
		check("a pool", w, floor(0, 0.1), 1.05, 0.83)
		large := floor(0, 0.1)
		large.Drop = 0.1
		check("a pool as a drop", w, large, 0.6, 0.6)
	}

	// A layer stretched to 1.9 spacings.
	w := sim.New(d, 1000)
	sheet(w, vec.New(0, 0, 0), 20, 1, 1.9)
	if front, wet := read(w, &Front{Direction: vec.New(1, 0, 0)}); math.Abs(front-(19.5*1.9+0.5)*d) > 1e-9 || math.Abs(wet-front) > 1e-9 {
		t.Errorf("a stretched layer: front %g and wet %g", front, wet)
	}

	// A tongue beside the line, and a jet above it.
	w = sim.New(d, 1000)
	w.Fill(&shape.Box{Max: vec.New(0.2, 0.2, 0.2)}, vec.Vec3{})
	w.Fill(&shape.Box{Min: vec.New(0.2, 0, 0.1), Max: vec.New(0.3, d, 0.2)}, vec.Vec3{})
	w.Fill(&shape.Box{Min: vec.New(0.2, 0.1, 0), Max: vec.New(0.4, 0.2, 0.2)}, vec.Vec3{})
	for _, c := range []struct{ width, height, front float64 }{{0, 0, 0.2}, {0.12, 0, 0.2}, {0.2, 0, 0.3}, {0, 0.095, 0.2}, {0, 0.11, 0.4}, {0.2, 0.05, 0.3}} {
		g := &Front{From: vec.New(0, 0, 0.03), Direction: vec.New(1, 0, 0), Width: c.width, Height: c.height}
		if front, _ := read(w, g); math.Abs(front-c.front) > 1e-9 {
			t.Errorf("width %g and height %g: front %g, want %g", c.width, c.height, front, c.front)
		}
	}
}

// TestFrontSameBytes reads a front on one and three threads.
func TestFrontSameBytes(t *testing.T) {
	want := ""
	for threads := range longtest.OnThreads(1, 3) {
		w := dam(t, 0.05)
		list := observe(w, []*Meter{
			{Gauge: &Front{Direction: vec.New(1, 0, 0), Width: 0.8, Height: 1}, Interval: 0.004},
			{Gauge: &Level{From: vec.New(0.6, 0, 0.2), To: vec.New(0.6, 0.9, 0.2)}, Interval: 0.004},
		})
		mustAdvance(t, w, registrytest.New(t, &sim.Solvers, "iisph"), 0.3, nil)
		got := ""
		for _, m := range list {
			got += fmt.Sprintln(m.Take())
		}
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("on %d threads\n%s\nwant\n%s", threads, got, want)
		}
	}
}
