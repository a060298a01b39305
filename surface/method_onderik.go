package surface

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Methods.Add("onderik", "zhu-bridson with a smaller distance where particles are few, which removes its ghosts",
		"Onderik et al. 2011", func() Method { return &onderik{meshing: defaults(), Radius: 1, Full: 0.6} })
}

// onderik meshes the surface of Onderik, Chládek and Ďurikovič, SPH with small
// scale details and improved surface reconstruction, SCCG 2011:
//
//	|x − x̄| = r̄ (1 − (1 − F/F₁)²)²  up to F = F₁, from where on it is r̄
//
// where x̄ is the mean of the particles by the weights V_j W_j of the colour
// field, and F their sum. A flat surface lies 0.44 spacings from x̄.
type onderik struct {
	meshing
	Radius float64 `toml:"radius" unit:"particle radii" range:"[0.5, 1.5]" doc:"Distance of the surface from the mean position of nearby particles, where these are many."`
	Full   float64 `toml:"full" unit:"1" range:"(0, 1]" doc:"Colour field above which particles count as many."`

	mirrored
}

// Surface implements Method.
func (o *onderik) Surface(dst *mesh.Mesh, cloud Cloud) error { return o.surface(dst, cloud, o) }

func (o *onderik) fill(g *grid, f *field) {
	r := o.reach(f.spacing)
	o.take(f, r)
	unit := cube(f.spacing)
	par.Each(len(g.blocks), func(i int) {
		b := g.blocks[i]
		m := meansPool.Get().(*means)
		defer meansPool.Put(m)
		*m = means{}
		o.scatter(g, b, r, func(j int32, node int, d vec.Vec3, _ float64) {
			w := float64(unit * o.volume[j] * f.w.W(d.Len()))
			m[node].w += w
			m[node].d = m[node].d.Add(d.Mul(w))
		})
		for i := range m {
			few := 1 - min(1, m[i].w/o.Full)
			decay := 1 - float64(few*few)
			b.f[i] = float32(m.level(i, float64(o.Radius/2*f.spacing*decay*decay)) / f.spacing)
			if m[i].w == 0 {
				b.f[i] = -1
			}
		}
	})
}
