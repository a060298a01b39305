package surface

import (
	"sync"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Methods.Add("zhu-bridson", "distance from the mean position of nearby particles; flat, with ghosts where drops approach",
		"Zhu and Bridson 2005", func() Method { return &zhuBridson{meshing: defaults(), Radius: 1} })
}

// zhuBridson meshes the surface of Zhu and Bridson, Animating sand as a fluid,
// SIGGRAPH 2005, section 5:
//
//	|x − x̄| = r̄,  x̄ = Σ w_j x_j / Σ w_j,  w_j = (1 − |x − x_j|²/R²)³
//
// with R = 2 spacings. A flat surface lies 0.49 spacings from x̄, so that r̄ is
// half a spacing, or one particle radius.
type zhuBridson struct {
	meshing
	Radius float64 `toml:"radius" unit:"particle radii" range:"[0.7, 1.5]" doc:"Distance of the surface from the mean position of nearby particles."`

	mirrored
}

// Surface implements Method.
func (z *zhuBridson) Surface(dst *mesh.Mesh, cloud Cloud) error { return z.surface(dst, cloud, z) }

func (z *zhuBridson) fill(g *grid, f *field) {
	r := z.reach(f.spacing)
	z.take(f, r)
	par.Each(len(g.blocks), func(i int) {
		b := g.blocks[i]
		m := meansPool.Get().(*means)
		defer meansPool.Put(m)
		*m = means{}
		z.scatter(g, b, r, func(_ int32, node int, d vec.Vec3, r2 float64) {
			w := cube(1 - r2/(r*r))
			m[node].w += float64(w)
			m[node].d = m[node].d.Add(d.Mul(w))
		})
		for i := range m {
			b.f[i] = float32(m.level(i, float64(z.Radius/2*f.spacing)) / f.spacing)
		}
	})
}

// level returns r̄ − |x − x̄| at a node, far below 0 away from particles.
func (m *means) level(node int, radius float64) float64 {
	if a := &m[node]; a.w > 0 {
		return radius - a.d.Len()/a.w
	}
	return float64(-10 * radius)
}

func cube(x float64) float64 { return x * x * x }

var meansPool = sync.Pool{New: func() any { return new(means) }}
