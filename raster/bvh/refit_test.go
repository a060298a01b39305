package bvh

import (
	"math"
	"math/rand/v2"
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
