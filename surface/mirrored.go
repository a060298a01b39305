package surface

import (
	"math"

	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/simd"
)

// mirrored holds the particles and, beyond each wall, their mirror images, so that
// the surface continues into the wall and can be cut there. All methods but sph
// embed it and compute their fields from it.
type mirrored struct {
	x      []vec.Vec3 // m, relative to the grid's origin
	volume []float64  // d³ρ0/ρ of each, in d³
	cells  neighbor.Cells

	all     []vec.Vec3
	volumes []float64
}

// images implements level.
func (c *mirrored) images() bool { return true }

// reach implements level.
func (c *mirrored) reach(d float64) float64 { return kernel.Support(d) }

// threshold implements level.
func (c *mirrored) threshold() float64 { return 0 }

// take fills c with the particles of f and the images of the particles closer than reach
// to a wall, sorted by cells of that edge.
func (c *mirrored) take(f *field, reach float64) {
	c.all, c.volumes = append(c.all[:0], f.x...), c.volumes[:0]
	for i := range f.x {
		c.volumes = append(c.volumes, 1/float64(f.Fill[i]))
	}
	if len(f.all) > 0 {
		images := make([][]vec.Vec3, len(f.x))
		par.For(len(f.x), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				images[i] = f.images(f.x[i], reach)
			}
		})
		for i, all := range images {
			for _, x := range all {
				c.all, c.volumes = append(c.all, x), append(c.volumes, c.volumes[i])
			}
		}
	}
	c.cells.Build(c.all, neighbor.Edge(reach))
	n := len(c.all)
	c.x, c.volume = resize(c.x, n), resize(c.volume, n)
	order := c.cells.Order()
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c.x[i], c.volume[i] = c.all[order[i]], c.volumes[order[i]]
		}
	})
}

// images returns the mirror images of x in the walls that are closer than reach:
// in each, and where two or three meet, in their edges and corner.
func (w *walls) images(x vec.Vec3, reach float64) (all []vec.Vec3) {
	probe := x
	var normals [3]vec.Vec3
	var n int
	for n < 3 {
		d, m := w.dist(probe)
		d += x.Sub(probe).Dot(m) // of the plane there from x
		known := false
		for _, o := range normals[:n] {
			known = known || math.Abs(o.Dot(m)) > 0.7
		}
		if known || d >= reach || d < 0 {
			break
		}
		all = append(all, x.Sub(m.Mul(2*d)))
		for _, y := range all[:len(all)-1] {
			all = append(all, y.Sub(m.Mul(2*d)))
		}
		normals[n] = m
		n++
		probe = probe.Add(m.Mul(reach)) // where the next nearest shows
	}
	return all
}

// around calls f with the particles that may be closer than reach to a node of b.
func (c *mirrored) around(g *grid, b *block, reach float64, f func(j int32)) {
	last := float64(side-1) * g.cell
	box := vec.Box{Min: b.corner, Max: b.corner.Add(vec.New(last, last, last))}.Grow(reach)
	var runs [][2]int32
	for _, r := range c.cells.RunsIn(runs, box) {
		for j := r[0]; j < r[1]; j++ {
			if box.Contains(c.x[j]) {
				f(j)
			}
		}
	}
}

// scatter calls add for all particles and the nodes of b closer than reach to
// them, with the place of the node and the way to it from the particle.
func (c *mirrored) scatter(g *grid, b *block, reach float64, add func(j int32, node int, d vec.Vec3, r2 float64)) {
	inv := 1 / g.cell
	span := func(x, r float64) (first, last int) {
		return max(0, int(math.Ceil((x-r)*inv))), min(side-1, int(math.Floor((x+r)*inv)))
	}
	c.around(g, b, reach, func(j int32) {
		p := c.x[j].Sub(b.corner)
		z0, z1 := span(p.Z, reach)
		for z := z0; z <= z1; z++ {
			dz := float64(float64(z)*g.cell) - p.Z
			y0, y1 := span(p.Y, reach)
			for y := y0; y <= y1; y++ {
				dy := float64(float64(y)*g.cell) - p.Y
				rest := float64(reach*reach) - float64(dz*dz) - float64(dy*dy)
				if rest <= 0 {
					continue
				}
				x0, x1 := span(p.X, math.Sqrt(rest))
				for x := x0; x <= x1; x++ {
					d := vec.New(float64(float64(x)*g.cell)-p.X, dy, dz)
					add(j, (z*side+y)*side+x, d, d.Dot(d))
				}
			}
		}
	})
}

// means are Σ w and Σ w·(node − particle) at the nodes of a block.
type means [len(simd.Block{})]struct {
	w float64
	d vec.Vec3
}

// trilinear is a field known at the nodes of a grid.
type trilinear struct {
	g  *grid
	at finder
}

// value returns the field and its gradient, 1/m, at x.
func (t *trilinear) value(x vec.Vec3) (f float64, grad vec.Vec3) {
	g := t.g
	x = x.Mul(1 / g.cell)
	i, j, k := int(math.Floor(x.X)), int(math.Floor(x.Y)), int(math.Floor(x.Z))
	at := t.at.find(i/side, j/side, k/side)
	if at < 0 {
		return 0, vec.Vec3{}
	}
	b := g.blocks[at]
	var v [8]float64
	for c := range v {
		x, y, z := i%side+c&1, j%side+c>>1&1, k%side+c>>2&1
		n := b.next[x/side|y/side<<1|z/side<<2]
		if n < 0 {
			return 0, vec.Vec3{}
		}
		v[c] = float64(g.blocks[n].f[(z%side*side+y%side)*side+x%side])
	}
	u := vec.New(x.X-float64(i), x.Y-float64(j), x.Z-float64(k))
	mix := func(a, b, t float64) float64 { return a + float64((b-a)*t) }
	// Along x at the four edges, then along y, then along z.
	var e, ex [4]float64
	for c := range e {
		e[c], ex[c] = mix(v[2*c], v[2*c+1], u.X), v[2*c+1]-v[2*c]
	}
	lo, hi := mix(e[0], e[1], u.Y), mix(e[2], e[3], u.Y)
	grad = vec.New(
		mix(mix(ex[0], ex[1], u.Y), mix(ex[2], ex[3], u.Y), u.Z),
		mix(e[1]-e[0], e[3]-e[2], u.Z),
		hi-lo)
	return mix(lo, hi, u.Z), grad.Mul(1 / g.cell)
}
