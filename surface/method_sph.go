package surface

import (
	"breakwater/sim/kernel"
	"breakwater/sim/par"
	"breakwater/surface/mesh"
)

func init() {
	Methods.Add("sph", "level set of the SPH colour field; the best and the fastest",
		"Müller et al. 2003, Löschner et al. 2023", func() Method { return &sph{meshing: defaults(), Threshold: 0.6, Sheets: true} })
}

// sph meshes the level set of the colour field: see field.
type sph struct {
	meshing
	Threshold float64 `toml:"threshold" unit:"1" range:"[0.3, 0.8]" doc:"Value of the colour field at the surface. 0.6 preserves the volume. In froth it is raised, to 0.75 at most."`
	Sheets    bool    `toml:"sheets" doc:"Whether to flatten the kernels of particles in sheets one layer thick, so that the sheets stay closed for longer."`
}

// Surface implements Method.
func (c *sph) Surface(dst *mesh.Mesh, cloud Cloud) error { return c.surface(dst, cloud, c) }

func (c *sph) images() bool { return false }

func (c *sph) reach(d float64) float64 { return kernel.Support(d) }

func (c *sph) threshold() float64 { return c.Threshold }

func (c *sph) fill(g *grid, f *field) {
	if c.Sheets {
		f.sheets.find(f)
	}
	par.Each(len(g.blocks), func(i int) { g.evaluate(g.blocks[i], f) })
}
