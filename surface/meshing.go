package surface

import (
	"fmt"
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// meshing is the part that all methods have in common: everything but the field.
//
// It works in stages, each parallel and each in its own files. The field lies on blocks
// of a grid fixed to the world (field.go, blocks.go). Marching cubes extract its level
// set (march.go, cases.go). Slivers are merged or improved (snap.go, polish.go). The
// surface is cut at the walls (contact.go) and smoothed (smooth.go, drops.go). Then the
// volume of each connected part is restored (parts.go, volume.go) and normals are
// computed. Larger triangles are made where they suffice (coarsen.go, quadric.go). What
// no liquid can be is refused (flaw.go).
type meshing struct {
	Settings
	memory
}

// Settings are the settings that all methods have in common.
type Settings struct {
	Cell            float64 `toml:"cell" unit:"particle radii" range:"[0.25, 1.2]" doc:"Edge of the grid's cells; 1 is half the spacing. Time and memory grow with its inverse cube."`
	Tidy            bool    `toml:"tidy" doc:"Whether to improve sliver triangles. The mesh then has a quarter fewer triangles."`
	Smoothing       int     `toml:"smoothing" unit:"1" range:"[0, 200]" doc:"Smoothing passes over the surface. Drops and thin sheets are smoothed less."`
	NormalSmoothing int     `toml:"normal_smoothing" unit:"1" range:"[0, 100]" doc:"Smoothing passes over the normals."`
	Volumes         bool    `toml:"volume" doc:"Whether to make drops round and to give each part of the liquid the volume of its particles. Otherwise the surface stays where the field has the threshold."`
	Adaptive        float64 `toml:"adaptive" unit:"particle radii" range:"[0, 1]" doc:"How far the surface may move, on average around a vertex, to save triangles where it is flat or evenly curved; 0 keeps all triangles."`
	Triangles       int     `toml:"triangles" unit:"1" range:"[0, inf)" doc:"Largest number of triangles. Removed are those that change the surface least. 0 for no limit."`
	cavities
	straying
}

// Common implements Method.
func (s Settings) Common() Settings { return s }

// defaults are the defaults of the common settings.
func defaults() meshing {
	return meshing{Settings: Settings{Cell: 1, Tidy: true, Smoothing: 36, NormalSmoothing: 40, Volumes: true, cavities: cavities{Bubble: 8, Cavities: "fill"}, straying: straying{Strays: "keep", StraySize: 8}}}
}

// memory is the data that a method keeps from frame to frame.
type memory struct {
	grid   grid
	field  field
	gaps   gaps
	liquid parts
	counts Counts
	vertices
}

// Forget implements Method.
func (m *memory) Forget() { *m = memory{} }

// level is a field on the grid, with the surface as a level set.
type level interface {
	// reach returns how far from a particle the field may be inside, or count
	// for a node that is, in m, for the spacing d.
	reach(d float64) float64
	// fill sets f at the nodes of all blocks of g, whose near, cut and clear are known.
	fill(g *grid, f *field)
	// threshold returns the value at the surface, 0 or more. Far from particles, the
	// field is below it.
	threshold() float64
	// images reports whether the particles have mirror images beyond the walls.
	// Otherwise the field is divided by the share of the kernel outside the walls.
	images() bool
}

// sinking is a level whose surface lies deeper in the liquid than others', by up to the
// given number of spacings at corners. restoreVolume corrects this.
type sinking interface{ sinks() float64 }

// surface replaces dst's contents by the surface of the cloud as l has it.
func (c *meshing) surface(dst *mesh.Mesh, cloud Cloud, l level) error {
	dst.Reset()
	c.counts = Counts{}
	if err := cloud.check(); err != nil {
		return err
	}
	if len(cloud.X) == 0 {
		return nil
	}
	d := cloud.Spacing
	g, f, s := &c.grid, &c.field, &c.vertices
	if err := g.place(cloud.X, c.Cell*d/2, l.reach(d)); err != nil {
		return err
	}
	f.take(&cloud, g.origin)
	f.mirrored = l.images()
	g.fill(f.x)
	par.Each(len(g.blocks), func(i int) { g.meet(g.blocks[i], f) })
	l.fill(g, f)

	cube := d * d * d
	t := l.threshold()
	s.Mesh = dst
	c.extract(t)
	if c.Volumes {
		volume, air := s.enclosed(c.Bubble * cube)
		if raised := s.raisedThreshold(f, t, volume-air, float64(len(f.x))*cube, g.cell); !f.mirrored && raised > t+0.01 {
			t = raised
			c.extract(t)
		}
	}
	n := c.liquid.count(f.x)
	want := make([]float64, len(n))
	for p := range n {
		want[p] = n[p] * cube
	}
	gone := make([]bool, len(s.scratch.pieces))
	s.dropEmptyParts(gone, want)
	c.cavities.fill(s, gone, want, cube, &c.counts)
	if c.sort(s, f, &cloud, &c.liquid, n, want, cube, &c.counts) {
		s.dropEmptyParts(gone, want)
	}
	if c.Tidy {
		s.snap()
	}
	s.arrange(gone)
	if !c.raw(&cloud) {
		// Froth takes up to 1.3 radii; beyond, it would be no correction any more.
		limit := 0.75
		if l, ok := l.(sinking); ok {
			limit = l.sinks()
		}
		if err := c.finish(t, want, limit*d, &cloud); err != nil {
			return err
		}
	}
	s.addDroplets(f)
	s.flow(f)
	for v := range dst.Pos {
		dst.Pos[v] = dst.Pos[v].Add(g.origin)
	}
	if cloud.Flat {
		s.Nrm = s.Nrm[:0]
	}
	s.Mesh = nil
	return nil
}

// raw reports whether the surface of the cloud stays as marching cubes find it.
func (c *meshing) raw(cloud *Cloud) bool {
	return !c.Volumes && !c.Tidy && c.Smoothing == 0 && cloud.Flat && len(cloud.Walls) == 0 && c.Adaptive == 0 && c.Triangles == 0
}

// finish improves marching cubes' triangles, for the threshold t: vertices are moved by
// limit at most, in m, for the volumes want.
func (c *meshing) finish(t float64, want []float64, limit float64, cloud *Cloud) error {
	g, f, s := &c.grid, &c.field, &c.vertices
	s.rings.Build(s.Mesh, 0, 0)
	s.grid = g
	s.sample(f, t, g.cell, 0)
	s.meetWalls(f)
	s.meetCreases(f)
	if c.Volumes {
		s.refine(f, t, g.cell)
	}
	s.order()
	if c.Smoothing > 0 || c.NormalSmoothing > 0 || len(f.all) > 0 {
		s.link()
	}
	kept := want
	if !c.Volumes {
		kept = nil
	}
	s.smooth(c.Smoothing, kept, f.spacing)
	s.settle(f)
	if c.Volumes {
		s.restoreVolume(f, want, limit)
	}
	s.relaxWalls()
	s.settle(f)
	s.meetCreases(f)
	if !cloud.Flat || c.Tidy || c.Adaptive > 0 || c.Triangles > 0 {
		s.smoothNormals(c.NormalSmoothing)
	}
	if c.Tidy {
		s.polish(f)
	}
	if err := s.longSide(f, cloud); err != nil {
		return err
	}
	if c.Adaptive > 0 || c.Triangles > 0 {
		s.coarsen(f, c.Adaptive*f.spacing/2, c.Triangles)
	}
	if c.Volumes {
		return s.missedVolume(f, cloud, want)
	}
	return nil
}

// extract marches over the level set t, and finds the pieces of its surface.
func (c *meshing) extract(t float64) {
	g, f, s := &c.grid, &c.field, &c.vertices
	par.Each(len(g.blocks), func(i int) { g.mark(g.blocks[i], f, t) })
	if len(f.all) > 0 {
		each := f.spacing / g.cell
		c.gaps.fill(g, float64(c.Bubble*each*each*each))
	}
	c.liquid.find(g)
	g.march(s, f, &c.liquid, t)
	s.scratch.of, s.scratch.pieces = s.Components()
}

// Counts implements Method.
func (c *meshing) Counts() Counts { return c.counts }

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
			return fmt.Errorf("surface: particle %d is at %v, which is not finite", i, x)
		}
	}
	for i, v := range c.V {
		if !v.Finite() {
			return fmt.Errorf("surface: particle %d has velocity %v", i, v)
		}
	}
	if len(c.Rho) != 0 && len(c.Rho) != len(c.X) {
		return fmt.Errorf("surface: %d densities for %d particles", len(c.Rho), len(c.X))
	}
	for i, rho := range c.Rho {
		if fill := rho / c.Rho0; !(fill > 0) || math.IsInf(fill, 0) {
			return fmt.Errorf("surface: particle %d has the invalid density %g of %g kg/m³", i, rho, c.Rho0)
		}
	}
	return nil
}
