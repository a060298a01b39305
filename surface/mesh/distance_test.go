package mesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/vec"
)

// TestDistance compares with all triangles one after the other, for points near
// and far.
func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	o := Sphere(vec.New(1, 2, 3), 1, 20)
	o.Tri = o.Tri[:len(o.Tri)-40] // with a hole, and
	o.Tri = append(o.Tri, [3]int32{0, 0, 5}, [3]int32{7, 7, 7})
	distance := NewDistance(o)
	for range 300 {
		x := vec.New(1+4*rng.NormFloat64(), 2+rng.NormFloat64(), 3+rng.NormFloat64())
		got := distance.To(x, math.Inf(1))
		want := math.Inf(1)
		for _, tri := range o.Tri {
			// The nearest point, by halving the triangle.
			a, b, c := o.Pos[tri[0]], o.Pos[tri[1]], o.Pos[tri[2]]
			const n = 24
			for i := range n + 1 {
				for j := range n + 1 - i {
					p := a.Add(b.Sub(a).Mul(float64(i) / n)).Add(c.Sub(a).Mul(float64(j) / n))
					want = min(want, p.Sub(x).Len())
				}
			}
		}
		if got > want+1e-9 || got < want-0.02 {
			t.Fatalf("%v: got %g, want %g or a little less", x, got, want)
		}
	}
	if got := NewDistance(o).To(vec.New(5, 2, 3), 1); got != 1 {
		t.Errorf("at most 1 m: got %g", got)
	}
	if got := NewDistance(&Mesh{}).To(vec.Vec3{}, math.Inf(1)); !math.IsInf(got, 1) {
		t.Errorf("from nothing: %g", got)
	}
}
