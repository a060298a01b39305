package surface

import (
	"math"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/plug"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Methods.Register(plug.Entry[Method]{
		Name: "yu-turk", Doc: "colour field of kernels stretched along the surface; sheets and edges are smooth and sharp, at four times the work", Cite: "Yu and Turk 2013",
		New: func(d plug.Decode) (Method, error) {
			y := &yuTurk{meshing: defaults(), Shift: 0.9, Flattest: 4, Fewest: 25}
			return y, d(y)
		},
	})
}

// yuTurk meshes the level set ½ of the colour field of Yu and Turk,
// Reconstructing surfaces of particle-based fluids using anisotropic kernels, ACM
// Trans. Graph. 32, 2013, sections 4 and 5: each particle moves to x̄ = (1−λ) x_i +
// λ Σ w_ij x_j / Σ w_ij, and its kernel has the shape of the ellipsoid
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
	Shift    float64 `toml:"shift" unit:"1" range:"[0, 1]" doc:"How far particles move to the mean place of those around: λ of the paper."`
	Flattest float64 `toml:"flattest" unit:"1" range:"[1, 10]" doc:"Most that a kernel is longer than thick."`
	Fewest   int     `toml:"fewest" unit:"1" range:"[1, 200]" doc:"Neighbours, of about 270 in the bulk, up to which a kernel is round, and half as wide."`

	crowd  crowd
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

func (y *yuTurk) images() *crowd { return &y.crowd }

func (y *yuTurk) threshold() float64 { return 0.5 }

func (y *yuTurk) fill(g *grid, f *field) {
	h := 2 * f.spacing
	wide := 2 * h
	// The images stand as deep in the wall as neighbours may count.
	y.crowd.take(f, wide)
	c := &y.crowd
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
		c.near(g, b, wide, func(j int32) {
			s := &y.shapes[j]
			p := s.x.Sub(b.corner)
			lo, hi := g.span(p, s.reach)
			for z := lo[2]; z <= hi[2]; z++ {
				for yy := lo[1]; yy <= hi[1]; yy++ {
					for x := lo[0]; x <= hi[0]; x++ {
						d := vec.New(float64(x)*g.cell-p.X, float64(yy)*g.cell-p.Y, float64(z)*g.cell-p.Z)
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
func (y *yuTurk) shapeOf(c *crowd, i int, wide, h, spacing float64, rows *[9][2]int32) shape {
	x := c.x[i]
	var sum, n float64
	var mean vec.Vec3
	var dd [6]float64 // Σ w d⊗d: xx, yy, zz, xy, yz, zx
	for _, r := range rows {
		for j := r[0]; j < r[1]; j++ {
			d := c.x[j].Sub(x)
			r2 := d.Dot(d) / (wide * wide)
			if r2 >= 1 {
				continue
			}
			w := 1 - r2*math.Sqrt(r2)
			sum, n = sum+w, n+1
			mean = mean.Add(d.Mul(w))
			dd[0] += w * d.X * d.X
			dd[1] += w * d.Y * d.Y
			dd[2] += w * d.Z * d.Z
			dd[3] += w * d.X * d.Y
			dd[4] += w * d.Y * d.Z
			dd[5] += w * d.Z * d.X
		}
	}
	mean = mean.Mul(1 / sum)
	volume := cube(spacing) * c.volume[i]
	if n <= float64(y.Fewest) {
		g := 2 / h
		return shape{x, [3]vec.Vec3{{X: g}, {Y: g}, {Z: g}}, 8 * volume, h / 2}
	}
	for k, m := range [6]float64{mean.X * mean.X, mean.Y * mean.Y, mean.Z * mean.Z, mean.X * mean.Y, mean.Y * mean.Z, mean.Z * mean.X} {
		dd[k] = dd[k]/sum - m
	}
	values, axes := eigen(dd)
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
	s := shape{x: x.Add(mean.Mul(y.Shift * full)), s: volume}
	for k, v := range values {
		v = min(longest, v/size)
		s.g[k] = axes[k].Mul(1 / (v * h))
		s.s /= v
		s.reach = max(s.reach, v*h)
	}
	return s
}

// eigen returns the eigenvalues and unit eigenvectors of the symmetric matrix
// with the elements xx, yy, zz, xy, yz, zx, by Jacobi's rotations.
func eigen(m [6]float64) (values [3]float64, axes [3]vec.Vec3) {
	a := [3][3]float64{{m[0], m[3], m[5]}, {m[3], m[1], m[4]}, {m[5], m[4], m[2]}}
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} // rows are the axes
	for range 12 {
		off := a[0][1]*a[0][1] + a[1][2]*a[1][2] + a[0][2]*a[0][2]
		if off < 1e-24*(a[0][0]*a[0][0]+a[1][1]*a[1][1]+a[2][2]*a[2][2]) {
			break
		}
		for _, pq := range [3][2]int{{0, 1}, {1, 2}, {0, 2}} {
			p, q := pq[0], pq[1]
			if a[p][q] == 0 {
				continue
			}
			theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
			t := math.Copysign(1/(math.Abs(theta)+math.Sqrt(theta*theta+1)), theta)
			cos := 1 / math.Sqrt(t*t+1)
			sin := t * cos
			for k := range 3 {
				a[k][p], a[k][q] = cos*a[k][p]-sin*a[k][q], sin*a[k][p]+cos*a[k][q]
			}
			for k := range 3 {
				a[p][k], a[q][k] = cos*a[p][k]-sin*a[q][k], sin*a[p][k]+cos*a[q][k]
				v[p][k], v[q][k] = cos*v[p][k]-sin*v[q][k], sin*v[p][k]+cos*v[q][k]
			}
		}
	}
	for k := range 3 {
		values[k], axes[k] = a[k][k], vec.New(v[k][0], v[k][1], v[k][2])
	}
	return values, axes
}
