package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/lattice"
	"breakwater/sim/longtest"
	"breakwater/sim/neighbor"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestFillFits fills tanks of any size to any level, in two and three dimensions and along
// each direction of gravity. The particles have the volume of the box, are half a row off
// the walls, and none is close to another. With whole numbers of spacings they are where
// they always were.
func TestFillFits(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	r := rand.New(rand.NewPCG(1, 2))
	worst, strain := 0., 0.
	for range 300 {
		dim, axis := 2+r.IntN(2), r.IntN(3)
		cells := vec.New(4+30*r.Float64(), 4+30*r.Float64(), 4+30*r.Float64())
		if r.IntN(2) == 0 {
			cells.X = math.Round(cells.X)
		}
		w := New(d, 1000)
		if dim == 2 {
			w, axis = New2D(d, 1000), axis%2
			cells.Z = 0
		}
		size := cells.Mul(d)
		volume := size.X * size.Y * size.Z
		if dim == 2 {
			volume = size.X * size.Y
		}
		down := [3]float64{}
		down[axis] = [2]float64{-9.81, 9.81}[r.IntN(2)]
		w.Gravity = vec.New(down[0], down[1], down[2])
		// The tank is higher than the block against gravity.
		tank := &boundary.Box{Max: size, Inside: true}
		over := w.Gravity.Mul(-float64(size.Len() / 9.81))
		tank.Min, tank.Max = tank.Min.Add(over.Min(vec.Vec3{})), tank.Max.Add(over.Max(vec.Vec3{}))
		w.Walls = []boundary.Boundary{tank}
		block := &shape.Box{Max: size}
		n := w.Fill(block, vec.Vec3{})
		l := w.Lattice(block)
		e := math.Abs(float64(n)*w.ParticleVolume()/volume - 1)
		worst, strain = max(worst, e), max(strain, l.Strain)
		if e > lattice.FillError+1/float64(n) {
			t.Errorf("%d dimensions, %v spacings, gravity along %v: the volume is off by %.2f %%, with %+v", dim, cells, w.Gravity, 100*e, l)
		}
		if l.Strain > 0.13 {
			t.Errorf("%v spacings: a strain of %g", cells, l.Strain)
		}
		clear := 0.5 * d * (1 - l.Strain - 1e-4)
		var g neighbor.Grid
		g.Build(w.X, 0.8*d)
		for i, x := range w.X {
			if t0, _ := tank.Dist(x); t0 < clear {
				t.Fatalf("%v spacings: particle %d at %v is %g m from a wall", cells, i, x, t0)
			}
			if len(g.Near(nil, x)) > 1 {
				t.Fatalf("%v spacings: particle %d at %v is too close to another", cells, i, x)
			}
		}
	}
	t.Logf("worst error %.3f %%, largest strain %.1f %%", 100*worst, 100*strain)

	w := New(d, 1000)
	w.Gravity = vec.New(0, -9.81, 0)
	corner := vec.New(0.1, 0.2, 0.3)
	block := &shape.Box{Min: corner, Max: corner.Add(vec.New(0.3, 0.14, 0.22))}
	w.Fill(block, vec.Vec3{})
	if l := w.Lattice(block); l.Fitted || w.Len() != 15*7*11 {
		t.Fatalf("%d particles, with %+v", w.Len(), l)
	}
	for i, x := range w.X {
		site := vec.New(float64(i%15)+0.5, float64(i/15%7)+0.5, float64(i/15/7)+0.5)
		if want := corner.Add(site.Mul(d)); x != want {
			t.Fatalf("particle %d is at %v, want %v", i, x, want)
		}
	}
}

// TestFittedVolume fills blocks of 56 to 157 rows. The particles have the volume of each block
// far within FillError, since one of several numbers of rows has little error. The rows with
// the least strain have an error of 0.48 % in the first block.
func TestFittedVolume(t *testing.T) {
	const d = 0.01
	for _, cells := range []vec.Vec3{vec.New(157.44, 98.69, 129.24), vec.New(96.48, 60.48, 79.20), vec.New(89.33, 56, 73.33)} {
		w := New(d, 1000)
		w.Gravity = vec.New(0, -9.81, 0)
		l := w.Lattice(&shape.Box{Max: cells.Mul(d)})
		e := l.Rows[0]*l.Rows[1]*l.Rows[2]/(cells.X*cells.Y*cells.Z) - 1
		if !l.Fitted || l.Rows[1] != math.Round(l.Rows[1]) || math.Abs(e) > 0.0016 || l.Strain > 0.02 {
			t.Errorf("%v spacings: the volume is off by %.3f %%, with %+v", cells, 100*e, l)
		}
	}
}

// TestFillClosed fills a world without a surface: its lattice has no holes.
func TestFillClosed(t *testing.T) {
	w := New2D(0.02, 1000)
	w.Closed = true
	n := w.Fill(&shape.Box{Max: vec.New(0.2, 0.31, 0)}, vec.Vec3{})
	l := w.Lattice(&shape.Box{Max: vec.New(0.2, 0.31, 0)})
	if !l.Fitted || float64(n) != l.Rows[0]*l.Rows[1] || math.Abs(float64(n)*w.ParticleVolume()/(0.2*0.31)-1) > 0.04 {
		t.Errorf("%d particles with %+v", n, l)
	}
}

// TestFittedLevel lets water settle in a tank whose edges are no whole numbers of
// spacings. Its level stays where the block's was, and it starts no more violently than in a
// tank that fits.
func TestFittedLevel(t *testing.T) {
	const d = 0.04
	speed := func(size vec.Vec3) (top, level float64) {
		w := New(d, 1000)
		w.Gravity = vec.New(0, -9.81, 0)
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(size.X, 2*size.Y, size.Z), Inside: true}}
		w.Fill(&shape.Box{Max: size}, vec.Vec3{})
		mustInit(t, w)
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.3, func(StepInfo) error {
			for _, v := range w.V {
				top = max(top, v.Len())
			}
			return nil
		})
		for _, x := range w.X {
			level += 2 * x.Y / float64(w.Len())
		}
		return top, level
	}
	size := vec.New(12.3, 10.3, 6.3).Mul(d)
	top, level := speed(size)
	c := math.Sqrt(9.81 * size.Y)
	t.Logf("level %.4f, highest speed %.3f √(gH)", level/size.Y, top/c)
	if math.Abs(level/size.Y-1) > 0.01 {
		t.Errorf("the level is %g, want %g", level, size.Y)
	}
	if top > 0.25*c {
		t.Errorf("the liquid gets %g m/s fast", top)
	}
}
