package multipole

import (
	"math"

	"breakwater/sim/biot"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// evaluate adds local expansions and near sums at the points of each leaf.
func (f *Field) evaluate(u []vec.Vec3, grad []biot.Gradient, t *tables) {
	var leaves []int32
	for i := range f.cells {
		if c := &f.cells[i]; !c.split && c.points.len() > 0 {
			leaves = append(leaves, int32(i))
		}
	}
	unit, points := biot.Unit(f.sorted.Radius), f.targets()
	blocks(len(leaves), 8, func(lo, hi int) {
		sums := biot.NewSums(f.Kernel, unit, grad != nil)
		l := newLocal(t)
		var x, v []vec.Vec3
		var g []biot.Gradient
		for _, i := range leaves[lo:hi] {
			c := &f.cells[i]
			n := c.points.len()
			x, v, g = par.Resize(x, n), par.Resize(v, n), par.Resize(g, n)
			at := points[c.points.lo:c.points.hi]
			for k := range at {
				x[k] = at[k].x
			}
			f.nearby(sums, c, x)
			sums.Velocity(v)
			if grad != nil {
				sums.Gradient(g)
			}
			l.start(f, i, grad != nil)
			for k := range at {
				du, dg := l.at(x[k])
				j := at[k].i
				u[j] = v[k].Add(du)
				if grad != nil {
					grad[j] = biot.Gradient{X: g[k].X.Add(dg.X), Y: g[k].Y.Add(dg.Y), Z: g[k].Z.Add(dg.Z)}
				}
			}
		}
	})
}

// nearby sums over the particles that no expansion of the leaf c holds: those in the cells
// that touch it, and in the larger leaves that touch a cell around it.
func (f *Field) nearby(sums *biot.Sums, c *cell, x []vec.Vec3) {
	sums.Start(x)
	add := func(d *cell) {
		s := f.sorted.Slice(int(d.sources.lo), int(d.sources.hi))
		sums.Add(&s)
	}
	for _, j := range c.near[:c.touches] {
		add(&f.cells[j])
	}
	for c.level > 0 {
		c = &f.cells[c.parent]
		for _, j := range c.near[:c.touches] {
			if d := &f.cells[j]; !d.split {
				add(d)
			}
		}
	}
}

// local is the far field in a leaf.
type local struct {
	t        *tables
	middle   vec.Vec3
	edge     float64
	gradient bool
	h        []float64       // harmonics at a point
	potent   [3][]float64    // expansions of the vector potential
	d        [3][3][]float64 // and of its derivatives
	u        [3][]float64    // of the velocity
	g        [3][3][]float64 // and of its derivatives
}

func newLocal(t *tables) *local {
	l := &local{t: t, h: make([]float64, t.n)}
	for i := range 3 {
		l.potent[i], l.u[i] = make([]float64, t.n), make([]float64, t.n)
		for j := range 3 {
			l.d[i][j], l.g[i][j] = make([]float64, t.n), make([]float64, t.n)
		}
	}
	return l
}

// start makes the expansions of velocity and gradient in leaf i.
func (l *local) start(f *Field, i int32, gradient bool) {
	l.gradient = gradient
	l.middle, l.edge = f.center(&f.cells[i])
	p, width := l.t.p, 3*l.t.stride
	for c := range 3 {
		from := f.in[int(i)*width+c*l.t.stride:]
		for k := range l.potent[c] {
			l.potent[c][k] = float64(from[k])
		}
		derivatives(l.d[c][0], l.d[c][1], l.d[c][2], l.potent[c], p)
	}
	n, n2 := size(p-1), size(p-2)
	for c := range 3 {
		a, b := (c+1)%3, (c+2)%3
		for k := range n { // the curl
			l.u[c][k] = l.d[b][a][k] - l.d[a][b][k]
		}
		if gradient {
			derivatives(l.g[c][0], l.g[c][1], l.g[c][2], l.u[c], p-1)
			for j := range 3 {
				weigh(l.g[c][j][:n2], p-2, 1/(4*math.Pi*l.edge*l.edge*l.edge))
			}
		}
		weigh(l.u[c][:n], p-1, 1/(4*math.Pi*l.edge*l.edge))
	}
}

// at returns velocity and gradient at x.
func (l *local) at(x vec.Vec3) (u vec.Vec3, g biot.Gradient) {
	d := x.Sub(l.middle).Mul(1 / l.edge)
	p := l.t.p
	n, n2 := size(p-1), size(p-2)
	h := l.h[:n]
	regular(l.h, p-1, d.X, d.Y, d.Z)
	ux, uy, uz := l.u[0][:n], l.u[1][:n], l.u[2][:n]
	for k, v := range h {
		u.X += float64(ux[k] * v)
		u.Y += float64(uy[k] * v)
		u.Z += float64(uz[k] * v)
	}
	if l.gradient {
		row := func(g *[3][]float64) (s vec.Vec3) {
			gx, gy, gz := g[0][:n2], g[1][:n2], g[2][:n2]
			for k, v := range h[:n2] {
				s.X += float64(gx[k] * v)
				s.Y += float64(gy[k] * v)
				s.Z += float64(gz[k] * v)
			}
			return s
		}
		g = biot.Gradient{X: row(&l.g[0]), Y: row(&l.g[1]), Z: row(&l.g[2])}
	}
	return u, g
}
