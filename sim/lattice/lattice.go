// Package lattice has the places of the particles of a block of liquid at the start.
//
//	lattice.go  cubic lattices, and the sites that have room
//	fit.go      lattices that are strained to fit a box
package lattice

import (
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// Setting is what the sites of a block depend on besides its shape.
type Setting struct {
	Spacing float64 // m
	Flat    bool    // whether all sites are in the plane z = 0
	Gravity vec.Vec3
	Closed  bool // whether the liquid fills its domain and has no surface
	Packs   bool // whether particles may be closer than half a spacing to a wall, and are packed
	Walls   []boundary.Boundary
}

// Sites are the lattice points of a block that may have particles.
type Sites struct {
	Setting
	Corner vec.Vec3 // lower, of the block, m
	N      [3]int   // sites along each axis

	shape  shape.Shape
	fitted *fitted // of a box whose lattice is strained to fit; nil for others
}

const siteSlack = 1e-6 // of a spacing: for rounding in a scene's numbers

// In returns the sites of s.
func In(s shape.Shape, set Setting) *Sites {
	b := s.Bounds()
	size := b.Size()
	l := Sites{Setting: set, Corner: b.Min, shape: s}
	for axis, length := range [3]float64{size.X, size.Y, size.Z} {
		l.N[axis] = int(length/l.Spacing + siteSlack)
	}
	if l.Flat {
		l.N[2] = 1
	}
	if _, ok := s.(*shape.Box); ok {
		l.fit(size)
	}
	return &l
}

// At returns a site of l.
func (l *Sites) At(i, j, k int) vec.Vec3 {
	at := vec.New(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5)
	if f := l.fitted; f != nil {
		at = f.place(at)
	} else {
		at = at.Mul(l.Spacing)
	}
	x := l.Corner.Add(at)
	if l.Flat {
		x.Z = 0
	}
	return x
}

// Holds reports whether a particle may be at the site i, j, k, whose place is x: in the shape
// and clear of the walls. crowded reports whether it is closer than half a spacing to a wall,
// as it may be if the particles are packed. Such sites make up for those that have more room:
// together, the particles at a wall that cuts the lattice have the volume of the liquid.
func (l *Sites) Holds(i, j, k int, x vec.Vec3) (holds, crowded bool) {
	free := l.Spacing * (0.5 - siteSlack)
	if f := l.fitted; f != nil {
		if f.hole(i, j, k) {
			return false, false
		}
		free = min(free, f.least*(0.5-siteSlack))
	} else if !l.shape.Contains(x) {
		return false, false
	}
	for _, b := range l.Walls {
		if boundary.Beyond(b, x, free) {
			continue
		}
		t, _ := b.Dist(x)
		if t >= free {
			continue
		}
		on := math.Abs(t) < siteSlack*l.Spacing // the wall, where every other site has a particle
		if !l.Packs || on && rank3(i, j, k) < 0.5 || !on && t < 0 {
			return false, false
		}
		crowded = true
	}
	return true, crowded
}

// rank3 is rank for the sites of a block: the ranks are the sequence R3 of Roberts.
func rank3(i, j, k int) float64 {
	r := 0.5 + float64(0.8191725133961645*float64(i)) + float64(0.6710436067037893*float64(j)) + float64(0.5497004779019703*float64(k))
	return r - math.Floor(r)
}

// Count counts the sites that hold a particle. Each site it looks at stands for all within
// a cube of stride sites along an edge.
func (l *Sites) Count(stride int) (n int) {
	// step returns the place in the middle of the next cube, and its edge.
	step := func(from, end int) (middle, edge int) {
		edge = min(stride, end-from)
		return from + (edge-1)/2, edge
	}
	for k := 0; k < l.N[2]; k += stride {
		z, deep := step(k, l.N[2])
		for j := 0; j < l.N[1]; j += stride {
			y, high := step(j, l.N[1])
			for i := 0; i < l.N[0]; i += stride {
				x, wide := step(i, l.N[0])
				if holds, _ := l.Holds(x, y, z, l.At(x, y, z)); holds {
					n += wide * high * deep
				}
			}
		}
	}
	return n
}

// Summary describes the lattice of l; it is zero for a cubic one.
func (l *Sites) Summary() Summary {
	if l.fitted == nil {
		return Summary{}
	}
	return l.fitted.about
}
