package boundary

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

func init() {
	Boundaries.Add("capsule", "solid cylinder with round ends",
		"Bender et al. 2019", func() Boundary { return &Capsule{Top: vec.New(0, 1, 0), Radius: 0.1} })
}

// Capsule is all that is within a radius of a line: a cylinder with half a ball
// on each end.
type Capsule struct {
	Bottom vec.Vec3 `toml:"bottom" unit:"m" doc:"One end of the axis, the centre of a round end."`
	Top    vec.Vec3 `toml:"top" unit:"m" doc:"The other end of the axis."`
	Radius float64  `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius."`

	shaped
}

// Init implements Boundary.
func (c *Capsule) Init(k kernel.Kernel) error {
	if c.Bottom == c.Top {
		return errors.New("capsule: bottom and top are the same point: move one of them, or make it a sphere")
	}
	if !(2*c.Radius >= k.H()*(1-1e-9)) {
		return fmt.Errorf("capsule: the radius %g m must be at least a spacing, %g m: make it larger or the spacing smaller", c.Radius, kernel.Spacing(k))
	}
	// As in Cylinder.Init.
	n := 2 * ((int(math.Pi/math.Sqrt(2e-3*kernel.Spacing(k)/c.Radius)) + 9) / 2)
	pos, tri := c.Surface(n)
	c.setFaces(pos, tri, false)
	if err := c.shaped.Init(k); err != nil {
		return fmt.Errorf("capsule: %w", err)
	}
	return nil
}

// Surface returns the surface as a closed, outward mesh of n sides, rings of
// points from pole to pole.
func (c *Capsule) Surface(n int) (pos []vec.Vec3, tri [][3]int32) {
	axis := c.Top.Sub(c.Bottom).Unit()
	u, v := axis.Basis()
	half := n / 4 // rings between a pole and the cylinder
	pos = append(pos, c.Bottom.Sub(axis.Mul(c.Radius)))
	for k := range 2 * half {
		end, lat := c.Bottom, float64(k+1-half)/float64(half)*math.Pi/2
		if k >= half {
			end, lat = c.Top, float64(k-half)/float64(half)*math.Pi/2
		}
		up, out := math.Sincos(lat)
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			pos = append(pos, end.Add(axis.Mul(c.Radius*up)).Add(u.Mul(c.Radius*out*cos)).Add(v.Mul(c.Radius*out*sin)))
		}
	}
	pos = append(pos, c.Top.Add(axis.Mul(c.Radius)))
	m, last := int32(n), int32(len(pos)-1)
	for i := range m {
		j := (i + 1) % m
		tri = append(tri, [3]int32{0, 1 + j, 1 + i}, [3]int32{last, last - m + i, last - m + j})
		for k := range int32(2*half) - 1 {
			a := 1 + k*m
			tri = append(tri, [3]int32{a + i, a + j, a + m + j}, [3]int32{a + i, a + m + j, a + m + i})
		}
	}
	return pos, tri
}

// RoughDist implements Rough. It is exact before Init.
func (c *Capsule) RoughDist(x vec.Vec3) (float64, vec.Vec3) {
	if c.grid == nil {
		return c.Dist(x)
	}
	return c.grid.distance(x)
}

// Dist implements Boundary, in closed form.
func (c *Capsule) Dist(x vec.Vec3) (float64, vec.Vec3) {
	axis := c.Top.Sub(c.Bottom)
	t := 0.
	if l2 := axis.Dot(axis); l2 > 0 {
		t = min(1, max(0, x.Sub(c.Bottom).Dot(axis)/l2))
	}
	r := x.Sub(c.Bottom.Lerp(c.Top, t))
	n := r.Unit()
	if n == (vec.Vec3{}) {
		n, _ = axis.Unit().Basis()
	}
	return r.Len() - c.Radius, n
}

// Bounds returns the empty box: a capsule is a solid.
func (c *Capsule) Bounds() vec.Box { return vec.Empty() }

// Extent returns the bounding box.
func (c *Capsule) Extent() vec.Box {
	return vec.Box{Min: c.Bottom.Min(c.Top), Max: c.Bottom.Max(c.Top)}.Grow(c.Radius)
}

// Faces returns the surface as a mesh, closed and outward.
func (c *Capsule) Faces() ([]vec.Vec3, [][3]int32) { return c.Surface(64) }
