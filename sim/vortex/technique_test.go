package vortex

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/biot"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
	"breakwater/sim/vortex/vorticity"
)

// blob returns the vortons of a thick ring, and a grid of n cells along each axis around
// them.
func blob(n int) (*biot.Sources, grid.Grid) {
	f := &Flow{}
	f.Fill(&vorticity.Ring{Axis: vec.New(0, 0, 1), Radius: 0.5, Core: 0.25, Circulation: 1}, 0.1, 1, Blend{})
	s := sourcesOf(f)
	s.Radius = slices.Repeat([]float64{0.15}, s.Len())
	box := f.Bounds()
	return s, grid.Grid{Min: box.Min, Edge: box.Size().Mul(1 / float64(n)), N: [3]int{n, n, n}}
}

func pointsOf(g *grid.Grid) []vec.Vec3 {
	at := make([]vec.Vec3, g.Points())
	for p := range at {
		at[p] = g.Point(p)
	}
	return at
}

// TestTree compares the tree with direct sums: exact where every cell is a leaf, near
// with supervortons, and nearer with the original vortons in the leaves.
func TestTree(t *testing.T) {
	f := jet(t, 16)
	s := sourcesOf(f)
	g := grid.FitGrid(f.Bounds(), s.Len()/16) // several vortons in a cell
	want, got := make([]vec.Vec3, s.Len()), make([]vec.Vec3, s.Len())
	(&Direct{}).Velocities(want, s.X, s, &g)
	var e [2]float64
	for k, leaves := range []string{"super", "original"} {
		(&Tree{Leaves: leaves}).Velocities(got, s.X, s, &g)
		e[k] = off(got, want)
	}
	t.Logf("error %.3g with supervortons, %.3g with original vortons in the leaves", e[0], e[1])
	if !(e[1] < 0.15 && e[1] < 0.5*e[0]) {
		t.Errorf("errors %.3g", e)
	}
	small := grid.Grid{Min: g.Min, Edge: f.Bounds().Size().Mul(0.5), N: [3]int{2, 2, 2}}
	(&Tree{Leaves: "original"}).Velocities(got, s.X, s, &small)
	if e := off(got, want); e > 1e-6 {
		t.Errorf("error %.3g where all cells are leaves", e)
	}
}

// TestPoisson compares Poisson's equation with sums over smooth vortons for a thick ring.
// With the potential of free space at the boundary it must converge. With zero there, it
// must be nearer if the boundary is expanded. Both methods of solution must agree.
func TestPoisson(t *testing.T) {
	longtest.NotShort(t)
	errorOf := func(p *Poisson, s *biot.Sources, g grid.Grid) float64 {
		at := pointsOf(&g)
		want, got := make([]vec.Vec3, len(at)), make([]vec.Vec3, len(at))
		biot.Velocity(want, at, s, biot.Algebraic)
		p.Velocities(got, at, s, &g)
		if n := p.solve.Residual(); n > p.Tolerance {
			t.Errorf("%s: residual %.3g", p.Method, n)
		}
		return off(got, want)
	}
	free := &Poisson{Method: "multigrid", Edge: "integral", Tolerance: 1e-4}
	s, g := blob(8)
	_, fine := blob(16)
	coarse, finer := errorOf(free, s, g), errorOf(free, s, fine)
	relaxed := errorOf(&Poisson{Method: "red-black", Edge: "integral", Tolerance: 1e-4}, s, g)
	tight := errorOf(&Poisson{Method: "multigrid", Edge: "zero", Tolerance: 1e-4}, s, fine)
	wide := fine
	wide.Min, wide.Edge = wide.Min.Sub(wide.Edge.Mul(8)), wide.Edge.Mul(2)
	expanded := errorOf(&Poisson{Method: "multigrid", Edge: "zero", Tolerance: 1e-4}, s, wide)
	t.Logf("errors: integral %.3g and finer %.3g, red-black %.3g, zero %.3g, expanded %.3g", coarse, finer, relaxed, tight, expanded)
	if !(finer < 0.1 && finer < 0.6*coarse) {
		t.Errorf("integral boundary: error %.3g, finer %.3g", coarse, finer)
	}
	if !(tight > 0.2 && expanded < 0.6*tight) {
		t.Errorf("zero boundary: error %.3g, expanded %.3g", tight, expanded)
	}
	near(t, "red-black", relaxed, coarse, 1e-3)
}

// TestPIC checks that vortons at the points of the grid have the velocities of direct
// sums, that a vorton between points does not push itself much, and that new vortons
// have the invariants of the old ones.
func TestPIC(t *testing.T) {
	s, g := blob(16)
	at := pointsOf(&g)
	want, got := make([]vec.Vec3, len(at)), make([]vec.Vec3, len(at))
	(&Direct{}).Velocities(want, at, s, &g)
	(&PIC{Keep: true}).Velocities(got, at, s, &g)
	if e := off(got, want); e > 0.1 {
		t.Errorf("error %.3g", e)
	}
	f, gas := jet(t, 16), still()
	before := f.Invariants(&gas)
	g = grid.FitGrid(f.Bounds(), f.Vortons.Len())
	(&PIC{Keep: false}).Regrid(f, &gas, &g)
	after := f.Invariants(&gas)
	nearVec(t, "strength", after.Strength, before.Strength, 1e-2)
	nearVec(t, "impulse", after.Impulse, before.Impulse, 2e-3*before.Impulse.Len())
	for i, x := range f.Vortons.X {
		p, _ := g.Corners(x)
		if !slices.ContainsFunc(p[:], func(p int) bool { return g.Point(p).Sub(x).Len() < 1e-9 }) {
			t.Fatalf("vorton %d at %v is not at a point of the grid", i, x)
		}
	}
}

// TestMollify checks that cores become as large as cells of the present grid, that larger
// ones stay, and that strengths do not change (rows 110 and 111 of the articles).
func TestMollify(t *testing.T) {
	f := jet(t, 8)
	f.AddVorton(vec.New(0.1, 0.2, 0.3), vec.New(1, 0, 0), 1.9, 1, Blend{})
	s := solver(t, &Tree{Leaves: "super"})
	for _, scale := range []float64{0, 1, 2} {
		s.Mollify = scale
		s.fitGrid(f)
		s.gather(&f.Vortons)
		cell := math.Cbrt(s.grid.CellVolume())
		for i, r := range f.Vortons.Radius {
			near(t, "core", s.sources.Radius[i], max(r, scale*cell), 1e-12)
			nearVec(t, "strength", s.sources.Alpha[i], f.Vortons.Strength(i), 0)
		}
		if r := s.sources.Radius; scale == 2 && !(r[0] > f.Vortons.Radius[0] && r[len(r)-1] == 1.9) {
			t.Errorf("cores of %g m and %g m with cells of %g m", r[0], r[len(r)-1], cell)
		}
		// The grid of a wider flow has larger cells.
		for i := range f.Vortons.X {
			f.Vortons.X[i] = f.Vortons.X[i].Mul(1.1)
		}
	}
}
