package boundary

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Boundaries.Add("cylinder", "cylinder with flat ends: a column, or a round tank",
		"Bender et al. 2019", func() Boundary { return &Cylinder{Top: vec.New(0, 1, 0), Radius: 0.1} })
}

// Cylinder is a solid cylinder, or a container of that shape.
type Cylinder struct {
	Bottom vec.Vec3 `toml:"bottom" unit:"m" doc:"Centre of one end."`
	Top    vec.Vec3 `toml:"top" unit:"m" doc:"Centre of the other end."`
	Radius float64  `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius."`
	Inside bool     `toml:"inside" doc:"Whether the liquid is inside the cylinder; false makes it a solid column."`

	shaped
}

// Init implements Boundary.
func (c *Cylinder) Init(k kernel.Kernel) error {
	axis := c.Top.Sub(c.Bottom)
	if !(axis.Len() > 0) {
		return errors.New("cylinder: bottom and top are the same point: move one of them")
	}
	if least := min(axis.Len(), 2*c.Radius); !(least >= k.H()*(1-1e-9)) {
		return fmt.Errorf("cylinder: length and diameter must be at least two spacings, %g m: make it larger or the spacing smaller, at most %.3g m", k.H(), least/2)
	}
	// The flats of its sides stay within a thousandth of a spacing of it.
	n := int(math.Pi/math.Sqrt(2e-3*kernel.Spacing(k)/c.Radius)) + 8
	pos, tri := c.Prism(n)
	c.setFaces(pos, tri, c.Inside)
	if err := c.shaped.Init(k); err != nil {
		return fmt.Errorf("cylinder: %w", err)
	}
	return nil
}

// Prism returns a closed, outward prism of n sides around the axis, as far
// outside the cylinder in its edges as inside it in its flats.
func (c *Cylinder) Prism(n int) (pos []vec.Vec3, tri [][3]int32) {
	u, v := c.Top.Sub(c.Bottom).Unit().Basis()
	r := c.Radius * 2 / (1 + math.Cos(math.Pi/float64(n)))
	for _, end := range [...]vec.Vec3{c.Bottom, c.Top} {
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			pos = append(pos, end.Add(u.Mul(r*cos)).Add(v.Mul(r*sin)))
		}
	}
	m := int32(n)
	for i := range m {
		j := (i + 1) % m
		tri = append(tri, [3]int32{i, j, m + j}, [3]int32{i, m + j, m + i})
	}
	// Ends in strips from side to side, which are short where they meet.
	for a, b := int32(0), m-1; b-a > 1; {
		c, up := a+1, (a+b)%2 != 0
		if up {
			tri = append(tri, [3]int32{a, b, c}, [3]int32{m + a, m + c, m + b})
			a = c
		} else {
			c = b - 1
			tri = append(tri, [3]int32{a, b, c}, [3]int32{m + a, m + c, m + b})
			b = c
		}
	}
	return pos, tri
}

// RoughDist implements Rough. It is exact before Init.
func (c *Cylinder) RoughDist(x vec.Vec3) (float64, vec.Vec3) {
	if c.grid == nil {
		return c.Dist(x)
	}
	return c.grid.distance(x)
}

// Dist implements Boundary, in closed form.
func (c *Cylinder) Dist(x vec.Vec3) (float64, vec.Vec3) {
	axis := c.Top.Sub(c.Bottom)
	length := axis.Len()
	n := axis.Unit()
	r := x.Sub(c.Bottom.Lerp(c.Top, 0.5))
	along := r.Dot(n)
	side := r.Sub(n.Mul(along))
	out := unitOr(side)
	if side == (vec.Vec3{}) {
		out, _ = n.Basis()
	}
	end := n.Mul(math.Copysign(1, along))
	a, b := side.Len()-c.Radius, math.Abs(along)-float64(length/2)
	var d float64
	var normal vec.Vec3
	switch {
	case a > 0 && b > 0:
		d = math.Sqrt(float64(a*a) + float64(b*b))
		normal = out.Mul(a / d).Add(end.Mul(b / d))
	case a > b:
		d, normal = a, out
	default:
		d, normal = b, end
	}
	if c.Inside {
		return -d, normal.Neg()
	}
	return d, normal
}

// Bounds returns the bounding box of a container, or the empty box for a solid.
func (c *Cylinder) Bounds() vec.Box {
	if c.Inside {
		return c.Extent()
	}
	return vec.Empty()
}

// Extent returns the bounding box.
func (c *Cylinder) Extent() vec.Box {
	n := c.Top.Sub(c.Bottom).Unit()
	r := vec.New(math.Sqrt(max(0, 1-float64(n.X*n.X))), math.Sqrt(max(0, 1-float64(n.Y*n.Y))), math.Sqrt(max(0, 1-float64(n.Z*n.Z)))).Mul(c.Radius)
	return vec.Box{Min: c.Bottom.Min(c.Top).Sub(r), Max: c.Bottom.Max(c.Top).Add(r)}
}

// Rims returns the edges of a prism of n sides in its place, for pictures.
func (c *Cylinder) Rims(n int) (edges []mesh.Edge) {
	u, v := c.Top.Sub(c.Bottom).Unit().Basis()
	at := func(i int) vec.Vec3 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		return u.Mul(cos).Add(v.Mul(sin))
	}
	for _, end := range [...]vec.Vec3{c.Bottom, c.Top} {
		for i := range n {
			a, b := at(i), at(i+1)
			edges = append(edges, mesh.Edge{A: end.Add(a.Mul(c.Radius)), B: end.Add(b.Mul(c.Radius)), Out: a.Add(b).Unit()})
		}
	}
	return edges
}
