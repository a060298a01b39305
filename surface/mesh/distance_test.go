package mesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/vec"
)

// TestDeviation compares with all triangles one after the other, for points
// near and far, and measures spheres in each other.
func TestDeviation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	o := Sphere(vec.New(1, 2, 3), 1, 20)
	o.Tri = o.Tri[:len(o.Tri)-40] // with a hole, and
	o.Tri = append(o.Tri, [3]int32{0, 0, 5}, [3]int32{7, 7, 7})
	var m Mesh
	for range 300 {
		m.Pos = append(m.Pos, vec.New(1+4*rng.NormFloat64(), 2+rng.NormFloat64(), 3+rng.NormFloat64()))
	}
	for v, got := range m.Deviations(o) {
		want := math.Inf(1)
		for _, tri := range o.Tri {
			// The nearest point, by halving the triangle.
			a, b, c := o.Pos[tri[0]], o.Pos[tri[1]], o.Pos[tri[2]]
			const n = 24
			for i := range n + 1 {
				for j := range n + 1 - i {
					p := a.Add(b.Sub(a).Mul(float64(i) / n)).Add(c.Sub(a).Mul(float64(j) / n))
					want = min(want, p.Sub(m.Pos[v]).Len())
				}
			}
		}
		if got > want+1e-9 || got < want-0.02 {
			t.Fatalf("%v: got %g, want %g or a little less", m.Pos[v], got, want)
		}
	}
	d := Sphere(vec.Vec3{}, 1, 64).DeviationFrom(Sphere(vec.Vec3{}, 1.25, 128))
	if math.Abs(d.Mean-0.25) > 0.002 || d.Max < d.P99 || d.P99 < d.Mean || d.Max > 0.25 {
		t.Errorf("a sphere a quarter inside another is %+v away", d)
	}
	if d := o.DeviationFrom(&Mesh{}); !math.IsInf(d.Mean, 1) {
		t.Errorf("from nothing: %+v", d)
	}
}
