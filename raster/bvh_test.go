package raster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/vec"
)

func randomTriangles(rng *rand.Rand, n int, size float64) (pos []vec.Vec3, tri [][3]int32) {
	v := func(s float64) vec.Vec3 {
		return vec.Vec3{X: s * rng.NormFloat64(), Y: s * rng.NormFloat64(), Z: s * rng.NormFloat64()}
	}
	for i := range n {
		c := v(1)
		pos = append(pos, c.Add(v(size)), c.Add(v(size)), c.Add(v(size)))
		k := int32(3 * i)
		tri = append(tri, [3]int32{k, k + 1, k + 2})
	}
	return pos, tri
}

// nearest is cast by trying every triangle.
func nearest(pos []vec.Vec3, tri [][3]int32, o, d vec.Vec3) hit {
	best := hit{t: math.Inf(1), tri: -1}
	for i, k := range tri {
		t, u, v := meet(o, d, pos[k[0]], pos[k[1]], pos[k[2]])
		if t > 0 && t < best.t && u >= 0 && v >= 0 && u+v <= 1 {
			best = hit{t, int32(i), u, v}
		}
	}
	return best
}

func TestCastAgainstBruteForce(t *testing.T) {
	for _, n := range []int{1, 2, 4, 5, 9, 100, 5000} {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		pos, tri := randomTriangles(rng, n, 0.3)
		for range n / 10 { // some that have no area, some that lie twice
			i := rng.IntN(n)
			tri = append(tri, [3]int32{tri[i][0], tri[i][0], tri[i][1]}, tri[i])
		}
		b := newBVH(pos, tri)
		for range 400 {
			o := vec.Vec3{X: 4 * rng.NormFloat64(), Y: 4 * rng.NormFloat64(), Z: 4 * rng.NormFloat64()}
			d := vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Sub(o).Unit()
			got, want := b.cast(o, d, math.Inf(1)), nearest(pos, tri, o, d)
			if (got.tri < 0) != (want.tri < 0) {
				// The edges of cast are a hair wider.
				if h := got; h.tri >= 0 && min(h.u, h.v, 1-h.u-h.v) < 1e-4 {
					continue
				}
				t.Fatalf("%d triangles: got triangle %d, want %d", n, got.tri, want.tri)
			}
			if want.tri >= 0 && math.Abs(got.t-want.t) > 1e-5*(1+want.t) {
				t.Fatalf("%d triangles: got %d at %g m, want %d at %g m", n, got.tri, got.t, want.tri, want.t)
			}
		}
	}
}

// TestCastAlongAxes casts rays in the planes of boxes' faces, where a slab's
// distance is 0/0.
func TestCastAlongAxes(t *testing.T) {
	m := pool(testTank, 16, func(x, z float64) float64 { return 0.5 })
	b := newBVH(m.Pos, m.Tri)
	for i := range 17 {
		for j := range 9 {
			o := vec.Vec3{X: 2 * float64(i) / 16, Y: 3, Z: float64(j) / 8}
			if h := b.cast(o, vec.Vec3{Y: -1}, 10); h.tri < 0 || math.Abs(h.t-2.5) > 1e-5 {
				t.Errorf("down from %v: got triangle %d at %g m, want the surface at 2.5 m", o, h.tri, h.t)
			}
		}
	}
}

// TestClosedMeshHasNoGaps shoots at the corners and edges of the faces of a
// closed mesh that are turned to the eye, where no ray may slip in.
func TestClosedMeshHasNoGaps(t *testing.T) {
	m := pool(testTank, 60, func(x, z float64) float64 { return 0.3 + 0.1*math.Sin(9*x)*math.Cos(8*z) })
	b := newBVH(m.Pos, m.Tri)
	eye := vec.Vec3{X: 0.9, Y: 2.5, Z: 3}
	for i, tr := range m.Tri {
		p, q := m.Pos[tr[0]], m.Pos[tr[1]]
		if m.Nrm[tr[0]].Dot(p.Sub(eye)) > -0.5 || m.Nrm[tr[1]].Dot(q.Sub(eye)) > -0.5 ||
			min(p.X, q.X, p.Z, q.Z, 2-p.X, 2-q.X, 1-p.Z, 1-q.Z) <= 0 {
			continue // turned away, or on an outline, where a ray may pass
		}
		for _, target := range []vec.Vec3{p, p.Lerp(q, 0.5), p.Lerp(q, 0.31)} {
			d := target.Sub(eye)
			far := d.Len()
			if h := b.cast(eye, d.Unit(), math.Inf(1)); h.tri < 0 || h.t > far*(1+1e-5) {
				t.Fatalf("triangle %d: a ray at %v, %g m away, meets %d at %g m", i, target, far, h.tri, h.t)
			}
		}
	}
}

func TestHierarchyHoldsEveryTriangleOnce(t *testing.T) {
	for _, n := range []int{0, 1, 4, 5, 6, 1000, 20000} {
		pos, tri := randomTriangles(rand.New(rand.NewPCG(7, uint64(n))), n, 0.1)
		if n == 1000 { // all centres alike: nothing to split by
			for i := range pos {
				pos[i] = pos[i%3]
			}
		}
		b := newBVH(pos, tri)
		var ids []int32
		var walk func(child int32, depth int)
		walk = func(child int32, depth int) {
			if depth > stack-2 {
				t.Fatalf("%d triangles: deeper than %d", n, depth)
			}
			if child >= 0 {
				walk(b.nodes[child].child[0], depth+1)
				walk(b.nodes[child].child[1], depth+1)
				return
			}
			first := int(^child >> leafBits)
			for _, tr := range b.tris[first : first+int(^child&(1<<leafBits-1))] {
				ids = append(ids, tr.id)
			}
		}
		if n > 0 {
			walk(b.root, 0)
		}
		slices.Sort(ids)
		if len(ids) != n || len(slices.Compact(ids)) != n {
			t.Errorf("%d triangles: found %d", n, len(ids))
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{100, 280} {
		m := splash(n)
		b.Run(fmt.Sprintf("tris=%d", len(m.Tri)), func(b *testing.B) {
			for range b.N {
				newBVH(m.Pos, m.Tri)
			}
			b.ReportMetric(float64(len(m.Tri))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtri/s")
		})
	}
}

func BenchmarkCast(b *testing.B) {
	m := splash(280)
	h := newBVH(m.Pos, m.Tri)
	l := newLens(Frame(testTank, 640, 360), 640, 360)
	b.Run("primary", func(b *testing.B) {
		for i := range b.N {
			k := i % (640 * 360)
			h.cast(l.eye, l.ray(float64(k%640), float64(k/640)), math.Inf(1))
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
	})
	b.Run("incoherent", func(b *testing.B) {
		rng := rand.New(rand.NewPCG(1, 2))
		type line struct{ o, d vec.Vec3 }
		lines := make([]line, 4096)
		for i := range lines {
			d := vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
			lines[i] = line{vec.Vec3{X: 2 * rng.Float64(), Y: 0.3 * rng.Float64(), Z: rng.Float64()}, d.Unit()}
		}
		b.ResetTimer()
		for i := range b.N {
			r := lines[i%len(lines)]
			h.cast(r.o, r.d, math.Inf(1))
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
	})
}
