package surface

import (
	"math"
	"math/bits"
	"sync"

	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/simd"
)

// field is the colour field of SPH (Müller, Charypar and Gross 2003, section
// 3.4)
//
//	F(x) = Σ_j V_j W(x − x_j) / (1 − λ(x))
//
// with the volumes V_j = m/ρ_j from summed densities, so that V_j W(0) is 1 for a lone
// particle, which therefore never vanishes. λ is the share of the kernel in the walls.
// The division by 1 − λ makes liquid at a wall look like liquid in the bulk, so the
// surface does not draw back from the wall. W is the cubic spline with a support of two
// spacings.
//
// Neighbours of particles are found once, by the solver. The surface needs only their
// density, which comes with the particles. The particles come in the order of the
// solver's cells, so that the sort here moves few of them, and not far. The remaining
// search finds the runs of particles around a block or a vertex.
type field struct {
	walls
	simd.Field // the particles by cell, in units of h from corner; Fill is ρ_j/ρ0, walls included

	x      []vec.Vec3 // the same, m, relative to the walls' origin
	moving bool       // velocities are known

	mirrored bool     // the grid holds another field than this one
	corner   vec.Vec3 // of the cells, m
	spacing  float64  // m
	w        *kernel.CubicSpline
	cells    neighbor.Cells
	sheets   sheets

	scratch []vec.Vec3
}

// take fills f with a cloud's particles, relative to origin.
func (f *field) take(c *Cloud, origin vec.Vec3) {
	n := len(c.X)
	f.sheets.list = f.sheets.list[:0]
	f.spacing = c.Spacing
	f.walls = walls{c.Walls, origin, kernel.Support(c.Spacing)}
	f.w = kernel.NewCubicSpline(3, f.h)
	f.scratch = resize(f.scratch, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f.scratch[i] = c.X[i].Sub(origin)
		}
	})
	f.cells.Build(f.scratch, neighbor.Edge(f.h))
	f.corner = f.cells.Corner()
	order := f.cells.Order()
	f.x, f.moving = resize(f.x, n), len(c.V) > 0
	for k, s := range []*[]float32{&f.X, &f.Y, &f.Z, &f.S, &f.Fill, &f.VX, &f.VY, &f.VZ} {
		if k < 5 || f.moving {
			*s = resize(*s, n+simd.Pad)
			clear((*s)[n:])
		}
	}
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			j := order[i]
			f.x[i] = f.scratch[j]
			p := f.inH(f.x[i])
			f.X[i], f.Y[i], f.Z[i] = p.X, p.Y, p.Z
			if f.moving {
				v := c.V[j]
				f.VX[i], f.VY[i], f.VZ[i] = float32(v.X), float32(v.Y), float32(v.Z)
			}
			if len(c.Rho) > 0 {
				share, _ := f.share(f.x[i])
				f.Fill[i] = float32(c.Rho[j]/c.Rho0 + share)
			}
		}
	})
	if len(c.Rho) == 0 {
		f.sum()
	}
	cube := f.spacing / f.h * (f.spacing / f.h) * (f.spacing / f.h)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f.S[i] = simd.Height(cube / float64(f.Fill[i]))
		}
	})
}

// sum finds the densities of particles that come without them.
func (f *field) sum() {
	one := simd.Height(f.spacing / f.h * (f.spacing / f.h) * (f.spacing / f.h)) // of a particle in the bulk
	for i := range f.x {
		f.S[i] = one
	}
	par.For(len(f.x), func(lo, hi int) {
		var near lookup
		for i := lo; i < hi; i++ {
			s := f.Field.At(f.X[i], f.Y[i], f.Z[i], near.runs(f, f.x[i]))
			share, _ := f.share(f.x[i])
			f.Fill[i] = s.F + float32(share)
		}
	})
}

// inH returns x in units of h from the cells' corner. A float32 holds it to
// 1e-7 of the distance from there, which is less than the files keep.
func (f *field) inH(x vec.Vec3) simd.Vec4 {
	d := x.Sub(f.corner).Mul(1 / f.h)
	return simd.Vec4{X: float32(d.X), Y: float32(d.Y), Z: float32(d.Z)}
}

// lookup remembers the runs of particles around the cell asked for last. The
// zero value is ready for use.
type lookup struct {
	cell int // from 1
	rows simd.Runs
}

// runs returns the runs that hold all particles closer than h to x.
func (l *lookup) runs(f *field, x vec.Vec3) *simd.Runs {
	if cell := f.cells.Nearest(x); cell+1 != l.cell {
		l.cell = cell + 1
		f.cells.Rows(cell, (*[9][2]int32)(&l.rows))
	}
	return &l.rows
}

// sample is the field at a point.
type sample struct {
	f    float64
	grad vec.Vec3 // 1/m
	fill float64  // relative density of the particles around
}

// at evaluates the field at x.
func (f *field) at(x vec.Vec3, near *lookup) sample {
	p := f.inH(x)
	a := f.Field.At(p.X, p.Y, p.Z, near.runs(f, x))
	s := sample{f: float64(a.F), grad: vec.New(float64(a.GX), float64(a.GY), float64(a.GZ)).Mul(1 / f.h)}
	if s.f > 0 {
		s.fill = float64(a.Fill) / s.f
	}
	if len(f.all) > 0 {
		if share, grad := f.share(x); share > 0 {
			left := 1 - share
			s.f, s.grad = s.f/left, s.grad.Mul(1/left).Add(grad.Mul(s.f/(left*left)))
		}
	}
	return s
}

// velocity returns the mean velocity of the particles around x in m/s, weighted by their
// parts of the field there, and whether x has no particles around it.
func (f *field) velocity(x vec.Vec3, near *lookup) (v vec.Vec3, none bool) {
	p := f.inH(x)
	m := f.Field.Mean(p.X, p.Y, p.Z, near.runs(f, x))
	return vec4(m), m.S == 0
}

// clearance is the distance to a wall, in cells, up to which a node counts as
// behind it. It keeps vertices apart that leave a node along different edges.
const clearance = 0.01

// level returns the field at a node of b where Σ V_j W is sum. A field that
// mirror images go into needs no more.
func (f *field) level(b *block, node vec.Vec3, sum float64) float64 {
	if !b.near || f.mirrored {
		return sum
	}
	share, _ := f.share(node)
	return sum / (1 - share)
}

// meet finds out how block b lies to the walls.
func (g *grid) meet(b *block, f *field) {
	mid := float64(0.5 * (side - 1) * g.cell)
	d := math.Inf(1)
	if len(f.all) > 0 {
		d, _ = f.dist(b.corner.Add(vec.New(mid, mid, mid)))
	}
	radius := float64(mid * math.Sqrt(3))
	b.near = d < radius+g.h
	b.cut = d < radius+float64(clearance*g.cell)
	if b.cut {
		g.clear(b, f)
	}
}

// evaluate fills the nodes of block b.
func (g *grid) evaluate(b *block, f *field) {
	s := splats.Get().(*splatting)
	defer splats.Put(s)
	last := float64(side-1) * g.cell
	reach := vec.Box{Min: b.corner, Max: b.corner.Add(vec.New(last, last, last))}.Grow(g.h)
	s.p, s.flat = s.p[:0], s.flat[:0]
	s.runs = f.cells.RunsIn(s.runs[:0], reach)
	for _, r := range s.runs {
		for j := r[0]; j < r[1]; j++ {
			if reach.Contains(f.x[j]) {
				d := f.x[j].Sub(b.corner).Mul(1 / g.h)
				height := f.S[j]
				if len(f.sheets.list) > 0 {
					if k := f.sheets.of[j] - 1; k >= 0 {
						s.flat = append(s.flat, k)
						height *= 1 - f.sheets.shares[k]
					}
				}
				s.p = append(s.p, simd.Vec4{X: float32(d.X), Y: float32(d.Y), Z: float32(d.Z), S: height})
			}
		}
	}
	simd.Splat(&b.f, &s.bricks, s.p, float32(g.cell/g.h))
	for _, k := range s.flat {
		f.sheets.add(g, b, f, k)
	}
}

// splatting is the memory that evaluate works in.
type splatting struct {
	bricks simd.Bricks
	runs   [][2]int32
	p      []simd.Vec4
	flat   []int32 // the particles of sheets
}

var splats = sync.Pool{New: func() any { return new(splatting) }}

// clear finds the nodes of b that lie before all walls. Since a distance
// changes by no more than the way between two nodes, one that is far from a
// wall answers for those beside it.
func (g *grid) clear(b *block, f *field) {
	for row := range b.clear {
		b.clear[row] = 0
		for x := 0; x < side; {
			d, _ := f.dist(g.node(b, x, row%side, row/side))
			d = d/g.cell - clearance
			n := min(side-x, 1+int(math.Abs(d)*(1-1e-9)))
			if d > 0 {
				b.clear[row] |= (1<<n - 1) << x
			}
			x += n
		}
	}
}

// mark finds the nodes of block b that lie inside the liquid for threshold t:
// their level is above t, and they are before all walls.
func (g *grid) mark(b *block, f *field, t float64) {
	simd.Above(&b.inside, &b.f, float32(t))
	if b.near {
		var maybe [side * side]uint16
		simd.Above(&maybe, &b.f, float32((1-mostShare)*t))
		for row := range maybe {
			m := maybe[row] &^ b.inside[row]
			if b.cut {
				m &= b.clear[row]
				b.inside[row] &= b.clear[row]
			}
			for ; m != 0; m &= m - 1 {
				x := bits.TrailingZeros16(m)
				if f.level(b, g.node(b, x, row%side, row/side), float64(b.f[row*side+x])) > t {
					b.inside[row] |= 1 << x
				}
			}
		}
	}
	if f.mirrored && len(f.all) > 0 {
		g.trim(b)
	}
	b.sum()
}

// sum finds out whether no node of b is inside, or all are.
func (b *block) sum() {
	var some, all uint16 = 0, 1<<side - 1
	for _, row := range b.inside {
		some, all = some|row, all&row
	}
	b.empty, b.full = some == 0, all == 1<<side-1
}

// trim takes the nodes of b beside blocks that do not exist out of the liquid.
// No particle reaches them, but its mirror image may, through a thin wall: the
// piece that it makes there holds no particles, and must be closed to be found.
func (g *grid) trim(b *block) {
	for o := range 27 {
		dx, dy, dz := o%3-1, o/3%3-1, o/9-1
		if g.find(b.at[0]+dx, b.at[1]+dy, b.at[2]+dz) >= 0 {
			continue
		}
		at := func(d int) (first, last int) {
			switch d {
			case -1:
				return 0, 0
			case 1:
				return side - 1, side - 1
			}
			return 0, side - 1
		}
		x0, x1 := at(dx)
		bits := uint16(1)<<(x1+1) - uint16(1)<<x0
		y0, y1 := at(dy)
		z0, z1 := at(dz)
		for z := z0; z <= z1; z++ {
			for y := y0; y <= y1; y++ {
				b.inside[z*side+y] &^= bits
			}
		}
	}
}
