package surface

import (
	"math"

	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Carrier takes quantities from particles to points near them: to the vertices
// of their surface.
//
// The value at a point is the mean over the particles around, weighted by the kernel
// (Shepard 1968),
//
//	A(x) = Σ_j A_j W(x − x_j) / Σ_j W(x − x_j),
//
// with the cubic spline and a support of two spacings, as the colour field has. Without
// a particle that near, it is the value of the nearest.
type Carrier struct {
	x     []vec.Vec3 // by cell, relative to origin
	from  vec.Vec3
	h     float64
	w     *kernel.CubicSpline
	cells neighbor.Cells
}

// NewCarrier returns a Carrier of quantities from the particles x, which lie spacing
// apart.
func NewCarrier(x []vec.Vec3, spacing float64) *Carrier {
	c := &Carrier{h: kernel.Support(spacing)}
	c.w = kernel.NewCubicSpline(3, c.h)
	if len(x) > 0 {
		c.from = x[0]
	}
	local := make([]vec.Vec3, len(x))
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			local[i] = x[i].Sub(c.from)
		}
	})
	c.cells.Build(local, neighbor.Edge(c.h))
	order := c.cells.Order()
	c.x = make([]vec.Vec3, len(x))
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c.x[i] = local[order[i]]
		}
	})
	return c
}

// Quantity names what a Carrier transfers: values per particle from one of the two slices
// to values per point in another.
type Quantity struct {
	Scalar, ToScalar []float64
	Vector, ToVector []vec.Vec3
}

// Carry sets the values of the quantities at the points at. A value that is not finite is
// left out of the mean.
func (c *Carrier) Carry(at []vec.Vec3, quantities []Quantity) {
	order := c.cells.Order()
	par.For(len(at), func(lo, hi int) {
		var near []neighborWeight
		var rows [9][2]int32
		last := -1
		for v := lo; v < hi; v++ {
			x := at[v].Sub(c.from)
			if cell := c.cells.Nearest(x); cell != last {
				c.cells.Rows(cell, &rows)
				last = cell
			}
			near = near[:0]
			for _, r := range rows {
				for j := r[0]; j < r[1]; j++ {
					d := c.x[j].Sub(x)
					if r2 := d.Dot(d); r2 < c.h*c.h {
						near = append(near, neighborWeight{order[j], c.w.W(math.Sqrt(r2))})
					}
				}
			}
			for k := range quantities {
				quantities[k].mean(v, near, func() int32 { return c.nearest(x) })
			}
		}
	})
}

// neighborWeight is a particle and its weight.
type neighborWeight struct {
	particle int32
	w        float64
}

// mean sets value v of the quantity to the mean over the particles near.
func (q *Quantity) mean(v int, near []neighborWeight, nearest func() int32) {
	var sum, scalar float64
	var vector vec.Vec3
	for _, n := range near {
		if q.Vector != nil {
			if a := q.Vector[n.particle]; a.Finite() {
				vector, sum = vector.Add(a.Mul(n.w)), sum+n.w
			}
		} else if a := q.Scalar[n.particle]; a-a == 0 {
			scalar, sum = scalar+float64(n.w*a), sum+n.w
		}
	}
	switch {
	case sum == 0 && q.Vector != nil:
		if vector = q.Vector[nearest()]; !vector.Finite() {
			vector = vec.Vec3{}
		}
	case sum == 0:
		if scalar = q.Scalar[nearest()]; scalar-scalar != 0 {
			scalar = 0
		}
	default:
		vector, scalar = vector.Mul(1/sum), scalar/sum
	}
	if q.Vector != nil {
		q.ToVector[v] = vector
	} else {
		q.ToScalar[v] = scalar
	}
}

// nearest returns the particle nearest to x, which is farther than the support
// from all.
func (c *Carrier) nearest(x vec.Vec3) int32 {
	best, least := 0, math.Inf(1)
	for j, p := range c.x {
		if d := p.Sub(x); d.Dot(d) < least {
			best, least = j, d.Dot(d)
		}
	}
	return c.cells.Order()[best]
}
