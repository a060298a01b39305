package sim

import (
	"math"
	"slices"

	"breakwater/sim/boundary"
	"breakwater/sim/neighbor"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// Fill adds particles of velocity v on a cubic lattice in s, or a square one in two
// dimensions, and returns their number. The first is half a spacing from the corner of
// the bounds. The lattice of a box whose edges are not whole numbers of spacings is fitted to
// the box; see Lattice. It leaves out the places closer than half a spacing to a wall, and those
// closer than three quarters of a spacing to a particle that is already there.
func (w *World) Fill(s shape.Shape, v vec.Vec3) int {
	_ = w.openInflows() // whose fault Init reports

	l := sitesIn(w, s)
	reach := vec.New(l.d, l.d, l.d)
	around := vec.Box{Min: l.corner.Sub(reach), Max: l.corner.Add(vec.New(float64(l.n[0]), float64(l.n[1]), float64(l.n[2])).Mul(l.d)).Add(reach)}
	var there []vec.Vec3
	id := uint32(0)
	for i, o := range w.ID {
		id = max(id, o+1)
		if w.Dim() == 2 || around.Contains(w.X[i]) {
			there = append(there, w.X[i])
		}
	}
	var old neighbor.Grid
	old.Build(there, 0.75*l.d)

	before := w.Len()
	var near []int32
	for k := range l.n[2] {
		for j := range l.n[1] {
			for i := range l.n[0] {
				x := l.at(i, j, k)
				if !l.holds(i, j, k, x) {
					continue
				}
				if near = old.Near(near[:0], x); len(near) > 0 {
					continue
				}
				w.X = append(w.X, x)
				w.V = append(w.V, v)
				w.Rho = append(w.Rho, w.Rho0)
				w.ID = append(w.ID, id)
				id++
			}
		}
	}
	for _, a := range w.Attr {
		w.Carry(a.Name)
	}
	return w.Len() - before
}

// Places returns approximately how many particles Fill would add to a world without
// particles. It samples about most lattice points, spread evenly. It samples all of them
// if they are no more than that or if the sample finds no particle.
func (w *World) Places(s shape.Shape, sample int) int {
	l := sitesIn(w, s)
	all := float64(l.n[0]) * float64(l.n[1]) * float64(l.n[2])
	for stride := int(math.Ceil(math.Cbrt(all / float64(sample)))); ; stride /= 2 {
		stride = max(1, stride)
		if n := l.count(stride); n > 0 || stride == 1 {
			return n
		}
	}
}

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

// sitesIn returns the sites of s in w.
func sitesIn(w *World, s shape.Shape) *sites {
	b := s.Bounds()
	size := b.Size()
	l := sites{shape: s, walls: w.Walls, corner: b.Min, d: w.Spacing, flat: w.Dim() == 2}
	for axis, length := range [3]float64{size.X, size.Y, size.Z} {
		l.n[axis] = int(length/l.d + siteSlack)
	}
	if l.flat {
		l.n[2] = 1
	}
	if _, ok := s.(*shape.Box); ok {
		l.fit(size, w.Gravity, w.Closed)
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
