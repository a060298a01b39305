package bvh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/vec"
)

// TestRefit moves all points, a little and then far, and compares the tree
// with one made anew.
func TestRefit(t *testing.T) {
	for _, n := range []int{1, 4, 9, 3000} {
		rng := rand.New(rand.NewPCG(11, uint64(n)))
		pos, tri := randomTriangles(rng, n, 0.1)
		tree := New(pos, tri)
		for _, far := range []float64{0, 0.01, 1} {
			for i := range pos {
				pos[i] = pos[i].Add(vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Mul(far))
			}
			tree.Refit(pos, tri)
			anew := New(pos, tri)
			hits := 0
			for range 2000 {
				o := vec.Vec3{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}
				d := vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
				got, want := tree.Cast(o, d, 10), anew.Cast(o, d, 10)
				if got.Tri != want.Tri || math.Abs(got.T-want.T) > 1e-5 {
					t.Fatalf("%d triangles moved by %g: got %+v, want %+v", n, far, got, want)
				}
				if got.Tri >= 0 {
					hits++
				}
			}
			if n > 1000 && hits < 500 {
				t.Fatalf("%d triangles moved by %g: only %d rays hit", n, far, hits)
			}
		}
	}
}

// TestMove compares what rays meet on the way of the points with a tree of where
// they are then; and then Refit stops them.
func TestMove(t *testing.T) {
	for _, n := range []int{1, 4, 9, 3000} {
		rng := rand.New(rand.NewPCG(13, uint64(n)))
		from, tri := randomTriangles(rng, n, 0.1)
		tree := New(from, tri)
		to, at := slices.Clone(from), slices.Clone(from)
		for i := range to {
			to[i] = to[i].Add(vec.Vec3{X: 1 + 0.02*rng.NormFloat64(), Y: 0.02 * rng.NormFloat64(), Z: 0.02 * rng.NormFloat64()})
		}
		check := func(when float64) {
			for i := range at {
				at[i] = from[i].Lerp(to[i], when)
			}
			still := New(at, tri)
			hits, beside := 0, 0
			for range 1000 {
				o := vec.Vec3{X: 1.5 * rng.NormFloat64(), Y: rng.Float64(), Z: rng.Float64()}
				d := vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
				got, want := tree.CastRay(Ray{O: o, D: d, Max: 10, Time: when}), still.Cast(o, d, 10)
				if got.Tri != want.Tri || math.Abs(got.T-want.T) > 1e-4 {
					beside++ // at an edge, by rounding
				}
				if got.Tri >= 0 {
					hits++
				}
			}
			if beside > 2 || n > 1000 && hits < 300 {
				t.Errorf("%d triangles at %g: %d of 1000 rays meet another, %d meet any", n, when, beside, hits)
			}
		}
		tree.Move(from, to, tri)
		for _, when := range []float64{0, 0.3, 0.8, 1} {
			check(when)
		}
		tree.Refit(to, tri)
		if o, d := to[0].Add(vec.Vec3{Z: 50}), (vec.Vec3{Z: -1}); tree.CastRay(Ray{O: o, D: d, Max: 100, Time: 1}) != tree.Cast(o, d, 100) {
			t.Errorf("%d triangles: what stands still moves", n)
		}
	}
}
