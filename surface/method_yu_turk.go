package surface

import (
	"math"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Methods.Add("yu-turk", "colour field of kernels stretched along the surface; sheets are smooth and edges sharp, at four times the work",
		"Yu and Turk 2013", func() Method { return &yuTurk{meshing: defaults(), Shift: 0.9, Flattest: 4, Fewest: 25} })
}

// yuTurk meshes the level set ½ of the colour field of Yu and Turk, Reconstructing
// surfaces of particle-based fluids using anisotropic kernels, ACM Trans. Graph. 32,
// 2013, sections 4 and 5. Each particle moves to x̄ = (1−λ) x_i + λ Σ w_ij x_j / Σ w_ij,
// and its kernel has the shape of the ellipsoid
//
//	C_i = Σ w_ij (x_j − x̄_i)⊗(x_j − x̄_i) / Σ w_ij,  w_ij = 1 − |x_i−x_j|³/r³
//
// around, of which no axis may be shorter than the longest by more than a given
// factor, and its volume is kept. r is twice the kernel's support.
//
// A flat surface sinks by a spacing where particles move all the way, which
// restoreVolume gives back. In drops, which would be drawn together, they move
// less.
type yuTurk struct {
	meshing
	Shift    float64 `toml:"shift" unit:"1" range:"[0, 1]" doc:"How far particles move towards the mean position of their neighbours: λ of the paper."`
	Flattest float64 `toml:"flattest" unit:"1" range:"[1, 10]" doc:"Largest ratio of a kernel's length to its thickness."`
	Fewest   int     `toml:"fewest" unit:"1" range:"[1, 200]" doc:"Number of neighbours up to which a kernel is round and half as wide. In the bulk there are about 270."`

	mirrored
	shapes []shape
}

// shape is the kernel of a particle.
type shape struct {
	x     vec.Vec3    // m
	g     [3]vec.Vec3 // rows of G: q = |G d|, 1/m
	s     float64     // V det G, in units of the kernel's height for h = 1
	reach float64     // m
}

// Surface implements Method.
func (y *yuTurk) Surface(dst *mesh.Mesh, cloud Cloud) error { return y.surface(dst, cloud, y) }

// longest is the largest stretch of a kernel.
const longest = 1.5

// sinks returns how far a surface may be from where it belongs, in spacings.
func (y *yuTurk) sinks() float64 { return 2 }

func (y *yuTurk) reach(d float64) float64 { return 2 * longest * d }

func (y *yuTurk) threshold() float64 { return 0.5 }

func (y *yuTurk) fill(g *grid, f *field) {
	h := 2 * f.spacing
	wide := 2 * h
	// The images stand as deep in the wall as neighbours may count.
	y.take(f, wide)
	c := &y.mirrored
	y.shapes = resize(y.shapes, len(c.x))
	par.For(len(c.x), func(lo, hi int) {
		var near lookupRows
		for i := lo; i < hi; i++ {
			y.shapes[i] = y.shapeOf(c, i, wide, h, f.spacing, near.rows(&c.cells, c.x[i]))
		}
	})
	par.Each(len(g.blocks), func(i int) {
		b := g.blocks[i]
		clear(b.f[:])
		c.around(g, b, wide, func(j int32) {
			s := &y.shapes[j]
			p := s.x.Sub(b.corner)
			lo, hi := g.span(p, s.reach)
			for z := lo[2]; z <= hi[2]; z++ {
				for yy := lo[1]; yy <= hi[1]; yy++ {
					for x := lo[0]; x <= hi[0]; x++ {
						d := vec.New(float64(float64(x)*g.cell)-p.X, float64(float64(yy)*g.cell)-p.Y, float64(float64(z)*g.cell)-p.Z)
						e := vec.New(s.g[0].Dot(d), s.g[1].Dot(d), s.g[2].Dot(d))
						if q2 := e.Dot(e); q2 < 1 {
							b.f[(z*side+yy)*side+x] += float32(s.s * f.w.W(h*math.Sqrt(q2)))
						}
					}
				}
			}
		})
	})
}

// span returns the nodes of a block that may be closer than reach to p, which
// is relative to its corner.
func (g *grid) span(p vec.Vec3, reach float64) (lo, hi [3]int) {
	for a, x := range [3]float64{p.X, p.Y, p.Z} {
		lo[a] = max(0, int(math.Ceil((x-reach)/g.cell)))
		hi[a] = min(side-1, int(math.Floor((x+reach)/g.cell)))
	}
	return lo, hi
}

// lookupRows remembers the runs of particles around the cell asked for last.
type lookupRows struct {
	cell int // from 1
	runs [9][2]int32
}

func (l *lookupRows) rows(c *neighbor.Cells, x vec.Vec3) *[9][2]int32 {
	if cell := c.Nearest(x); cell+1 != l.cell {
		l.cell = cell + 1
		c.Rows(cell, &l.runs)
	}
	return &l.runs
}

// shapeOf returns the kernel of particle i, from those closer than wide.
func (y *yuTurk) shapeOf(c *mirrored, i int, wide, h, spacing float64, rows *[9][2]int32) shape {
	x := c.x[i]
	around := spreadAround(x, c.x, wide, rows)
	n := float64(around.n)
	volume := cube(spacing) * c.volume[i]
	if n <= float64(y.Fewest) {
		g := 2 / h
		return shape{x, [3]vec.Vec3{{X: g}, {Y: g}, {Z: g}}, 8 * volume, h / 2}
	}
	values, axes := around.dd.Eigen()
	// Of the ellipsoid, the shape is taken and not the size.
	most := max(values[0], values[1], values[2])
	size := 1.0
	for k := range values {
		values[k] = max(values[k], most/y.Flattest)
		size *= values[k]
	}
	size = math.Cbrt(size)
	// In the bulk and at a flat surface a particle moves all the way.
	full := max(0, min(1, (n-float64(y.Fewest))/max(1, 120-float64(y.Fewest))))
	s := shape{x: x.Add(around.mean.Mul(y.Shift * full)), s: volume}
	for k, v := range values {
		v = min(longest, v/size)
		s.g[k] = axes[k].Mul(1 / (v * h))
		s.s /= v
		s.reach = max(s.reach, v*h)
	}
	return s
}
