package sim

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// shakenTank returns a tank of water whose particles are up to a tenth of a spacing from a
// lattice, with its pairs, corrections and surroundings.
func shakenTank(t *testing.T, dim int) (*World, *Pairs, *surroundings) {
	const d = 0.02
	w, across := New(d, 1000), 8*d
	if dim == 2 {
		w, across = New2D(d, 1000), 0
	}
	w.Gravity = earth
	size := vec.New(8*d, 12*d, across)
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(size.X, 2*size.Y, size.Z), Inside: true}}
	w.Fill(&shape.Box{Max: size}, vec.Vec3{})
	for i := range w.X {
		a := float64(i)
		by := vec.New(math.Sin(7*a), math.Sin(11*a), math.Sin(13*a)).Mul(0.1 * d)
		if dim == 2 {
			by.Z = 0
		}
		w.X[i] = w.X[i].Add(by)
	}
	p, around := prepared(t, w)
	return w, p, around
}

// prepared returns the pairs of w with corrections, and the surroundings.
func prepared(t *testing.T, w *World) (*Pairs, *surroundings) {
	mustInit(t, w)
	w.corrected = true
	p, err := w.updateNeighbors(nil)
	if err != nil {
		t.Fatal(err)
	}
	correctGradients(w, p)
	p.setVelocities(w)
	around := new(surroundings)
	around.find(w, p)
	return p, around
}

// TestConsistentGradient has the pressure of water at rest, with a surface high above the
// particles. Wherever these lie, and beside walls and in corners, it balances the weight. The
// conservative form does not.
func TestConsistentGradient(t *testing.T) {
	for _, dim := range []int{2, 3} {
		w, p, around := shakenTank(t, dim)
		const depth = 100
		for i, x := range w.X {
			p.At[i].S = float32(9.81 * (depth - x.Y))
		}
		var s consistentGradient
		p.correction.find(w, p, &s)
		s.find(w, p, 1e-3, around)
		a := make([]Vec4, p.n)
		s.accelerate(p, a, around)
		var worst, conservative float64
		plain := make([]Vec4, p.n)
		p.each(func(b, _, _ int) { p.pressureAccel(b, plain) })
		for i, x := range w.X {
			if around.inner[i] < 1 || s.usable[i] < 1 {
				continue
			}
			off := func(a Vec4) float64 { return vec3(a).Add(w.Gravity).Len() }
			worst, conservative = max(worst, off(a[i])), max(conservative, off(plain[i]))
			if off(a[i]) > 0.05 {
				t.Errorf("in %d dimensions: the pressure at %v m accelerates by %v m/s², want %v", dim, x, vec3(a[i]), w.Gravity.Mul(-1))
			}
		}
		if worst == 0 || conservative < 100*worst {
			t.Errorf("in %d dimensions: the acceleration is %g m/s² off, and %g in the conservative form", dim, worst, conservative)
		}
	}
}

// TestPoissonBalance has the pressure of water at rest. With the term of gravity that
// solvePressure adds it solves the equation inside the liquid, for particles that lie in no
// lattice.
func TestPoissonBalance(t *testing.T) {
	for _, dim := range []int{2, 3} {
		w, p, around := shakenTank(t, dim)
		for i, x := range w.X {
			p.At[i].S = float32(9.81 * (1 - x.Y))
		}
		var s poisson
		s.find(w, p, around)
		of := projection{comp: make([]float32, p.n)}
		s.spread(&of, p, 1)
		p.each(func(b, _, _ int) { s.sum(&of, p, b, 1) })
		g := vec4(w.Gravity)
		inside, size := 0, 0.
		for b := range blocks(p.n) {
			blk := &p.blocks[b]
			for k := range blk.Len() {
				i := blk.First + k
				if around.inner[i] < 1 || s.open[i] > 0 {
					continue
				}
				inside++
				flux := float32(0) // of the weight into walls
				if len(blk.walls) > 0 {
					flux = dotVec(&g, &blk.walls[k])
				}
				growth := flux - 2*dotVec(&g, &around.lack[i])/p.h
				size = max(size, math.Abs(float64(of.comp[i])))
				if off := float64(growth + of.comp[i]); math.Abs(off) > 0.2 {
					t.Errorf("in %d dimensions: at %v m the equation is off by %g 1/s²; its left side is %g", dim, w.X[i], off, of.comp[i])
				}
			}
		}
		if inside < p.n/2 || size < 20 {
			t.Errorf("in %d dimensions: %d of %d particles are inside, with left sides up to %g 1/s²", dim, inside, p.n, size)
		}
	}
}

// TestPoissonSurface has a lattice whose pressure grows in proportion to the depth below the
// surface, half a spacing above its top layer. The equation holds there.
func TestPoissonSurface(t *testing.T) {
	const d = 0.02
	w := New2D(d, 1000)
	w.Gravity = earth
	w.Fill(&shape.Box{Max: vec.New(40*d, 10*d, 0)}, vec.Vec3{})
	p, around := prepared(t, w)
	for i, x := range w.X {
		p.At[i].S = float32(10*d - x.Y)
	}
	var s poisson
	s.find(w, p, around)
	of := projection{comp: make([]float32, p.n)}
	s.spread(&of, p, 1)
	p.each(func(b, _, _ int) { s.sum(&of, p, b, 1) })
	seen := 0
	for i, x := range w.X {
		if x.Y < 9*d || x.X < 3*d || x.X > 37*d {
			continue
		}
		seen++
		// A term of the sum is some 1/d.
		if got := float64(of.comp[i]); math.Abs(got) > 0.05/d {
			t.Errorf("at %v m the Laplacian is %g, want 0", x, got)
		}
	}
	if seen == 0 {
		t.Error("no particle is at the surface")
	}
}

// TestPoissonFewNeighbours has a particle alone in a gap between two walls, which complete its
// density, so that it is not at a surface. Its pressure has a weight in its own equation.
func TestPoissonFewNeighbours(t *testing.T) {
	const d = 0.02
	w := New(d, 1000)
	w.Gravity = earth
	w.Walls = []boundary.Boundary{
		&boundary.Box{Min: vec.New(-1, -1, -1), Max: vec.New(1, 1, 0)},
		&boundary.Box{Min: vec.New(-1, -1, 0.6*d), Max: vec.New(1, 1, 1)},
	}
	w.Add(vec.New(0, 0, 0.3*d), vec.Vec3{}, 1000, 0)
	p, around := prepared(t, w)
	p.At[0].S = 1
	var s poisson
	s.find(w, p, around)
	of := projection{comp: make([]float32, p.n)}
	s.spread(&of, p, 1)
	p.each(func(b, _, _ int) { s.sum(&of, p, b, 1) })
	if got := -of.comp[0] * float32(p.h*p.h); got < 0.999*leastWeights {
		t.Errorf("the pressure has the weight %g in its equation, want at least %d", got, leastWeights)
	}
}

// TestTension has a solver with tension hold a drop that a stretching flow pulls apart in
// the middle, where the pressure becomes negative; without tension it is at least 0.
func TestTension(t *testing.T) {
	lowest := func(tension float64) float64 {
		w := New2D(0.02, 1000)
		w.Viscosity = 1e-6
		w.Fill(&shape.Box{Min: vec.New(-0.2, -0.2, 0), Max: vec.New(0.2, 0.2, 0)}, vec.Vec3{})
		for i, x := range w.X {
			w.V[i] = vec.New(-3*x.Y, 3*x.X, 0)
		}
		mustInit(t, w)
		s := registrytest.New(t, &Solvers, "isph").(*ISPH)
		s.Tension = tension
		mustAdvance(t, w, s, 0.1, nil)
		low := 0.
		for _, p := range w.Carry(carryPressure) {
			low = min(low, p)
		}
		return low
	}
	if p := lowest(0); p != 0 {
		t.Errorf("without tension the lowest pressure is %g Pa", p)
	}
	// A disc of radius 0.2 m would have −ρω²R²/2 = −180 Pa.
	if p := lowest(1e6); p > -100 || p < -400 {
		t.Errorf("the lowest pressure is %g Pa, want about −180", p)
	}
	if p := lowest(50); p < -50.01 || p > -40 {
		t.Errorf("with a tension of 50 Pa the lowest pressure is %g Pa", p)
	}
}
