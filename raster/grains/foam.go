package grains

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Layer is the foam on the surface of a mesh: rafts of bubbles. From afar it is a layer whose
// optical depth is known at the vertices. Close up its bubbles are seen one by one.
type Layer struct {
	// Depth is the optical depth at each vertex: the cross-section of the bubbles over the
	// area, smoothed by a kernel.
	Depth []float32

	wide, fine *grid   // of the bubbles by the kernel, and by themselves; fine is nil if they are too far to be seen
	grains     []grain // with their own reach
	reach      float64 // of the kernel, m
}

// kernel is the least radius of the kernel that spreads a bubble over the surface, m.
const kernel = 0.012

// NewLayer returns the foam of p on a mesh of the given vertices and their unit normals;
// nil for none.
func NewLayer(p *Parcels, v View, pos, normals []vec.Vec3) *Layer {
	if len(normals) != len(pos) {
		return nil
	}
	f := &Layer{reach: max(kernel, p.Spacing)}
	f.grains = p.spread(v, 0, Foam)
	if len(f.grains) == 0 {
		return nil
	}
	nearest, largest := math.Inf(1), 0.0
	for i := range f.grains {
		a := &f.grains[i]
		a.way, a.reach = vec.Vec3{}, f.reach // it goes with the surface
		nearest, largest = min(nearest, v.Spread*a.x.Sub(v.Eye).Len()), max(largest, a.r)
	}
	f.wide = newGrid(f.grains, 2*f.reach, true)
	if nearest < blurredBubbles {
		reach := max(largest, wide*clearBubbles) + clearBubbles
		for i := range f.grains {
			f.grains[i].reach = reach
		}
		f.fine = newGrid(f.grains, 2*reach, true)
	}
	f.Depth = make([]float32, len(pos))
	par.For(len(pos), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f.Depth[i] = float32(f.depthAt(pos[i], normals[i]))
		}
	})
	return f
}

// near returns the grains that may reach to p.
func (g *grid) near(p vec.Vec3) []int32 {
	x, y, z := g.index(p.X), g.index(p.Y), g.index(p.Z)
	if g.blockAt(floorDiv(x, side), floorDiv(y, side), floorDiv(z, side)) < 0 {
		return nil
	}
	cell := g.cellAt(x, y, z)
	return g.list[g.start[cell]:g.start[cell+1]]
}

// aside returns the square of the distance of a bubble from the line through p along the
// normal n, and whether it is of the same surface and within reach.
func (f *Layer) aside(a *grain, p, n vec.Vec3, reach float64) (s2 float64, ok bool) {
	x := a.x.Sub(p)
	h := x.Dot(n)
	s2 = x.Dot(x) - float64(h*h)
	return max(0, s2), s2 < reach*reach && math.Abs(h) < f.reach
}

// depthAt returns the sum of the bubbles' cross-sections times the kernel
//
//	K(s) = 3/πR² (1 − s²/R²)²
//
// whose integral over the surface is 1.
func (f *Layer) depthAt(p, n vec.Vec3) float64 {
	sum, r2 := 0.0, f.reach*f.reach
	for _, i := range f.wide.near(p) {
		a := &f.grains[i]
		if s2, ok := f.aside(a, p, n, f.reach); ok {
			x := 1 - s2/r2
			sum += float64(a.n * a.r * a.r * x * x)
		}
	}
	return 3 * sum / r2
}

// Distances at which the structure of foam begins to be seen, and is seen all, as widths
// of a pixel.
const (
	blurredBubbles = 6e-3 // m
	clearBubbles   = 2e-3
	clearCells     = 1.5e-3
)

// At returns the share of the surface at p that foam covers, and the optical depth of the
// foam there. n is the unit normal, depth is interpolated from Depth, and the foam is seen
// by a ray of a width.
func (f *Layer) At(p, n vec.Vec3, depth, width float64) (cover, layer float64) {
	if depth <= 0 {
		return 0, 0
	}
	cover = -math.Expm1(-depth)
	layer = depth / cover
	fine := 1 - num.Smoothstep(clearBubbles, blurredBubbles, width)
	if fine == 0 || f.fine == nil {
		return cover, layer
	}
	// The bubbles one by one; and the nearest two, between which a film stands.
	left, first, second, size := 1.0, math.Inf(1), math.Inf(1), 0.0
	for _, i := range f.fine.near(p) {
		a := &f.grains[i]
		s2, ok := f.aside(a, p, n, a.reach)
		if !ok {
			continue
		}
		left *= 1 - a.cover(s2, max(a.r, min(a.reach, wide*width)), width)
		if s := math.Sqrt(s2) - a.r; s < first {
			first, second, size = s, first, a.r
		} else if s < second {
			second = s
		}
	}
	cover += float64(fine * (1 - left - cover))
	if contrast := max(0, 1-width/clearCells); contrast > 0 && !math.IsInf(second, 1) {
		film := 1 - num.Smoothstep(0, 0.6*size, second-first)
		cover *= 1 - float64(0.5*contrast*(1-film))
		layer *= 1 + float64(contrast*(float64(0.8*film)-0.3))
	}
	return cover, layer
}

// Reflectance returns the share of light that a layer of foam of an optical depth sends
// back, by the two-stream approximation for light that comes from all sides (Coakley and
// Chýlek 1975). Fresh deep foam has 0.55 (Whitlock, Bartlett and Gurganus 1982).
func Reflectance(depth float64) float64 {
	x := float64(math.Sqrt(3) / 2 * (1 - foamAsymmetry) * depth)
	return min(0.9, x/(1+x))
}

// foamAsymmetry is the asymmetry of a bubble in water, as package scatter finds it.
const foamAsymmetry = 0.689
