package surface

import (
	"math"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestSecondOrder marches over the exact distances of a sphere and of a torus:
// with half the cells, vertices and volumes must be off by about a quarter.
func TestSecondOrder(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.1
	shapes := map[string]struct {
		inside func(p vec.Vec3) float64 // distance to the surface, m; below 0 outside
		volume float64
		euler  int
	}{
		"sphere": {func(p vec.Vec3) float64 { return 0.5 - p.Len() }, 4 * math.Pi / 3 * 0.125, 2},
		"torus": {func(p vec.Vec3) float64 {
			return 0.2 - math.Hypot(math.Hypot(p.X, p.Z)-0.5, p.Y)
		}, 2 * math.Pi * math.Pi * 0.5 * 0.04, 0},
	}
	for name, s := range shapes {
		var off, lost []float64
		for _, cell := range []float64{0.05, 0.025, 0.0125} {
			m := &sph{}
			m.Mesh = new(mesh.Mesh)
			// Bent, so that linear interpolation is not exact along a normal.
			bent := func(p vec.Vec3) float64 { e := max(-0.5, s.inside(p)); return e + 0.5*e*e }
			cloud := Cloud{Spacing: d, X: lattice(vec.Box{Min: vec.New(-0.8, -0.8, -0.8), Max: vec.New(0.8, 0.8, 0.8)}, d, 0, 1)}
			if err := m.grid.place(cloud.X, cell, 2*d); err != nil {
				t.Fatal(err)
			}
			m.field.take(&cloud, m.grid.origin)
			m.field.mirrored = true
			m.grid.fill(m.field.x)
			par.Each(len(m.grid.blocks), func(i int) {
				b := m.grid.blocks[i]
				for k := range b.f {
					b.f[k] = float32(bent(m.grid.node(b, k%side, k/side%side, k/side/side).Add(m.grid.origin)))
				}
			})
			m.extract(0)
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
			if got := len(m.Pos) - len(m.Tri)/2; got != s.euler {
				t.Errorf("%s: Euler number %d, want %d", name, got, s.euler)
			}
			var sum float64
			for _, p := range m.Pos {
				sum += math.Abs(s.inside(p.Add(m.grid.origin)))
			}
			off = append(off, sum/float64(len(m.Pos)))
			lost = append(lost, math.Abs(m.Volume()-s.volume))
		}
		for k := range 2 {
			for what, e := range map[string][]float64{"vertices": off, "volume": lost} {
				if rate := math.Log2(e[k] / e[k+1]); rate < 1.7 || rate > 2.4 {
					t.Errorf("%s: %s converge as cells to the power of %.2f: %v", name, what, rate, e)
				}
			}
		}
	}
}
