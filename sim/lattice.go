package sim

import (
	"slices"

	"breakwater/sim/boundary"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// count counts the sites that hold a particle. Each site it looks at stands for all within
// a cube of stride sites along an edge.
func (l *sites) count(stride int) (n int) {
	// step returns the place in the middle of the next cube, and its edge.
	step := func(from, end int) (middle, edge int) {
		edge = min(stride, end-from)
		return from + (edge-1)/2, edge
	}
	for k := 0; k < l.n[2]; k += stride {
		z, deep := step(k, l.n[2])
		for j := 0; j < l.n[1]; j += stride {
			y, high := step(j, l.n[1])
			for i := 0; i < l.n[0]; i += stride {
				if x, wide := step(i, l.n[0]); l.holds(x, y, z, l.at(x, y, z)) {
					n += wide * high * deep
				}
			}
		}
	}
	return n
}

// sites are the lattice points of a block that may have particles.
type sites struct {
	shape  shape.Shape
	walls  []boundary.Boundary
	corner vec.Vec3
	d      float64 // m
	n      [3]int  // sites along each axis
	flat   bool    // whether all are in the plane z = 0

	fitted *fitted // of a box whose lattice is strained to fit; nil for others
}

const siteSlack = 1e-6 // of a spacing: for rounding in a scene's numbers

// Setting is what the sites of a block depend on besides its shape.
type Setting struct {
	Spacing float64 // m
	Flat    bool    // whether all sites are in the plane z = 0
	Gravity vec.Vec3
	Closed  bool // whether the liquid fills its domain and has no surface
	Walls   []boundary.Boundary
}

// sitesIn returns the sites of s.
func sitesIn(s shape.Shape, set Setting) *sites {
	b := s.Bounds()
	size := b.Size()
	l := sites{shape: s, walls: set.Walls, corner: b.Min, d: set.Spacing, flat: set.Flat}
	for axis, length := range [3]float64{size.X, size.Y, size.Z} {
		l.n[axis] = int(length/l.d + siteSlack)
	}
	if l.flat {
		l.n[2] = 1
	}
	if _, ok := s.(*shape.Box); ok {
		l.fit(size, set.Gravity, set.Closed)
	}
	return &l
}

// at returns a site of l.
func (l *sites) at(i, j, k int) vec.Vec3 {
	at := vec.New(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5)
	if f := l.fitted; f != nil {
		at = f.place(at)
	} else {
		at = at.Mul(l.d)
	}
	x := l.corner.Add(at)
	if l.flat {
		x.Z = 0
	}
	return x
}

// holds reports whether a particle may be at the site i, j, k, whose place is x: in the shape
// and clear of the walls.
func (l *sites) holds(i, j, k int, x vec.Vec3) bool {
	free := l.d * (0.5 - siteSlack)
	if f := l.fitted; f != nil {
		if f.hole(i, j, k) {
			return false
		}
		free = min(free, f.least*(0.5-siteSlack))
	} else if !l.shape.Contains(x) {
		return false
	}
	return !slices.ContainsFunc(l.walls, func(b boundary.Boundary) bool {
		if boundary.Beyond(b, x, free) {
			return false
		}
		t, _ := b.Dist(x)
		return t < free
	})
}

// Summary describes the lattice of l; it is zero for a cubic one.
func (l *sites) Summary() Lattice {
	if l.fitted == nil {
		return Lattice{}
	}
	return l.fitted.about
}
