package surface

import (
	"fmt"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/plug"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Methods.Register(plug.Entry[Method]{
		Name: "colour", Doc: "level set of the SPH colour field, smoothed, true in volume", Cite: "Müller et al. 2003, Löschner et al. 2023",
		New: func(d plug.Decode) (Method, error) {
			c := &colour{Cell: 1, Threshold: 0.6, Smoothing: 25, NormalSmoothing: 40, Bubble: 8}
			return c, d(c)
		},
	})
}

// colour meshes the level set of the colour field.
//
// It works in stages, each parallel and each in a file of its own: the field on
// blocks of a grid fixed to the world (field.go, blocks.go), marching cubes
// (march.go, cases.go), contact with walls (contact.go), smoothing, the volume
// of each connected part of the liquid (parts.go, volume.go), and normals.
type colour struct {
	Cell            float64 `toml:"cell" unit:"particle radii" range:"[0.25, 1.2]" doc:"Edge of the grid's cells; half the spacing is 1. Time and memory grow with its inverse cube."`
	Threshold       float64 `toml:"threshold" unit:"1" range:"[0.3, 0.8]" doc:"Value of the colour field at the surface; 0.6 keeps the volume. In froth it is raised, to 0.75 at most."`
	Smoothing       int     `toml:"smoothing" unit:"1" range:"[0, 200]" doc:"Passes of smoothing over the surface; drops and thin sheets are smoothed less."`
	NormalSmoothing int     `toml:"normal_smoothing" unit:"1" range:"[0, 100]" doc:"Passes of smoothing over the normals."`
	Bubble          float64 `toml:"bubble" unit:"particle volumes" range:"[0, inf)" doc:"Air enclosed in the liquid is filled up if it is smaller than this."`
}

// Surface implements Method.
func (c *colour) Surface(dst *mesh.Mesh, cloud Cloud) error {
	dst.Reset()
	if err := cloud.check(); err != nil {
		return err
	}
	if len(cloud.X) == 0 {
		return nil
	}
	d := cloud.Spacing
	g, err := newGrid(cloud.X, c.Cell*d/2, 2*d)
	if err != nil {
		return err
	}
	f := newField(cloud, g.origin)
	g.fill(f.x)
	par.Each(len(g.blocks), func(i int) { g.evaluate(&g.blocks[i], f) })

	cube := d * d * d
	t := c.Threshold
	s, liquid := extract(dst, g, f, t, c.Bubble*cube)
	if rise := s.rise(f, t, float64(len(f.x))*cube, g.cell); rise > t+0.01 {
		t = rise
		s, liquid = extract(dst, g, f, t, c.Bubble*cube)
	}
	s.rings = mesh.NewRings(dst)
	s.sample(f, t, g.cell, 0)
	s.meetWalls(f)
	s.refine(f, t, g.cell)

	want := liquid.count(f.x)
	for p := range want {
		want[p] *= cube
	}
	s.smooth(c.Smoothing)
	s.settle(f)
	// Froth takes up to 1.3 radii; beyond, it would be no correction any more.
	s.restoreVolume(want, 0.75*d)
	s.relaxWalls()
	s.settle(f)
	dst.Nrm = append(dst.Nrm[:0], s.smoothNormals(s.freeNormals(), c.NormalSmoothing)...)
	for v := range dst.Pos {
		dst.Pos[v] = dst.Pos[v].Add(g.origin)
	}
	return nil
}

// extract marches over the level set t of f on g.
func extract(dst *mesh.Mesh, g *grid, f *field, t, bubble float64) (*vertices, *parts) {
	par.Each(len(g.blocks), func(i int) { g.mark(&g.blocks[i], f, t) })
	edges := g.march(dst)
	liquid := newParts(g)
	s := &vertices{Mesh: dst, parts: liquid.n, part: liquid.ofEdges(edges)}
	s.place(g, f, edges, t)
	s.fillBubbles(bubble)
	return s, liquid
}

// check returns an error for a cloud that has no surface.
func (c *Cloud) check() error {
	if !(c.Spacing > 0) || !vec.New(c.Spacing, 0, 0).Finite() {
		return fmt.Errorf("surface: spacing %g m is not a positive length", c.Spacing)
	}
	if len(c.V) != 0 && len(c.V) != len(c.X) {
		return fmt.Errorf("surface: %d velocities for %d particles", len(c.V), len(c.X))
	}
	for i, x := range c.X {
		if !x.Finite() {
			return fmt.Errorf("surface: particle %d is at %v, which is no place", i, x)
		}
	}
	for i, v := range c.V {
		if !v.Finite() {
			return fmt.Errorf("surface: particle %d has velocity %v", i, v)
		}
	}
	return nil
}

// newField takes a cloud's particles, sorted by place, relative to origin.
func newField(cloud Cloud, origin vec.Vec3) *field {
	h := 2 * cloud.Spacing
	f := &field{walls: walls{cloud.Walls, origin, h}, spacing: cloud.Spacing}
	var cells neighbor.Cells
	cells.Build(cloud.X, neighbor.Edge(h))
	order := cells.Order()
	f.x = make([]vec.Vec3, len(cloud.X))
	for i, j := range order {
		f.x[i] = cloud.X[j].Sub(origin)
	}
	if len(cloud.V) > 0 {
		f.v = make([]vec.Vec3, len(cloud.V))
		for i, j := range order {
			f.v[i] = cloud.V[j]
		}
	}
	f.measure()
	return f
}
