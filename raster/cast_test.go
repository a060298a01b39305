package raster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/sim/vec"
)

// TestCastAlongAxes casts rays in the planes of boxes' faces, where a slab's
// distance is 0/0.
func TestCastAlongAxes(t *testing.T) {
	m := pool(testTank, 16, func(x, z float64) float64 { return 0.5 })
	b := bvh.New(m.Pos, m.Tri)
	for i := range 17 {
		for j := range 9 {
			o := vec.Vec3{X: 2 * float64(i) / 16, Y: 3, Z: float64(j) / 8}
			if h := b.Cast(o, vec.Vec3{Y: -1}, 10); h.Tri < 0 || math.Abs(h.T-2.5) > 1e-5 {
				t.Errorf("down from %v: got triangle %d at %g m, want the surface at 2.5 m", o, h.Tri, h.T)
			}
		}
	}
}

// TestClosedMeshHasNoGaps shoots at the corners and edges of the faces of a
// closed mesh that are turned to the eye, where no ray may slip in.
func TestClosedMeshHasNoGaps(t *testing.T) {
	m := pool(testTank, 60, func(x, z float64) float64 { return 0.3 + 0.1*math.Sin(9*x)*math.Cos(8*z) })
	b := bvh.New(m.Pos, m.Tri)
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
			if h := b.Cast(eye, d.Unit(), math.Inf(1)); h.Tri < 0 || h.T > far*(1+1e-5) {
				t.Fatalf("triangle %d: a ray at %v, %g m away, meets %d at %g m", i, target, far, h.Tri, h.T)
			}
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{100, 280} {
		m := splash(n)
		b.Run(fmt.Sprintf("tris=%d", len(m.Tri)), func(b *testing.B) {
			for range b.N {
				bvh.New(m.Pos, m.Tri)
			}
			b.ReportMetric(float64(len(m.Tri))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtri/s")
		})
	}
}

func BenchmarkRefit(b *testing.B) {
	m := splash(280)
	tree := bvh.New(m.Pos, m.Tri)
	measure := func(name string, refit func()) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				refit()
			}
			b.ReportMetric(float64(len(m.Tri))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtri/s")
		})
	}
	measure("instant", func() { tree.Refit(m.Pos, m.Tri) })
	measure("slab", func() { tree.Move(m.Pos, m.Pos, m.Tri) })
}

func BenchmarkCast(b *testing.B) {
	m := splash(280)
	h := bvh.New(m.Pos, m.Tri)
	l := camera.NewLens(frameTank(testTank, 640, 360), 640, 360)
	b.Run("primary", func(b *testing.B) {
		for i := range b.N {
			k := i % (640 * 360)
			h.Cast(l.Eye, l.Ray(float64(k%640), float64(k/640)), math.Inf(1))
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
	})
	b.Run("incoherent", func(b *testing.B) {
		rng := rand.New(rand.NewPCG(1, 2))
		rays := make([]bvh.Ray, 1<<18) // their hits do not fit the cache
		for i := range rays {
			d := vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
			o := vec.Vec3{X: 2 * rng.Float64(), Y: 0.3 * rng.Float64(), Z: rng.Float64()}
			rays[i] = bvh.Ray{O: o, D: d.Unit(), Max: math.Inf(1)}
		}
		b.Run("single", func(b *testing.B) {
			for i := range b.N {
				r := rays[i%len(rays)]
				h.Cast(r.O, r.D, r.Max)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
		})
		b.Run("together", func(b *testing.B) {
			var hits [256]bvh.Hit // as many as a square of pixels
			for i := 0; i < b.N; i += len(hits) {
				at := i % len(rays)
				h.CastAll(rays[at:at+len(hits)], hits[:])
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
		})
	})
}
