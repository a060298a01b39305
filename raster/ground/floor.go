// Package ground has the floor of a picture, and maps of the light that falls on it and on the
// sides of tanks.
package ground

import (
	"math"

	"breakwater/raster/color"
	"breakwater/raster/sky"
	"breakwater/raster/texture"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// Floor is an endless floor, which fades into the horizon.
type Floor struct {
	Y      float64  // its height, m
	Center vec.Vec3 // of the scene, about which it fades, m
	Fade   float64  // distance from Center at which half of it has faded, m
	Slab   float64  // side of a slab of the paving, m
	Paving texture.Paving
	Sky    *sky.Sky // lights it, and is what it fades into
	Light  *Map     // the share of that light that reaches it; nil for all of it

	Direct, Ambient color.RGB // irradiance over π of the sun and of the sky in the open
}

// New returns a floor at the height y, in metres, with paving p under the sky s. It fades at
// a distance that grows with the box scene, and its slabs fit that box. Nothing shades it yet.
func New(y float64, scene vec.Box, p texture.Paving, s *sky.Sky) *Floor {
	size := scene.Size()
	extent := max(size.X, size.Z)
	g := &Floor{
		Y: y, Center: scene.Center(), Paving: p, Sky: s,
		Fade: 2.6 * max(extent, size.Y),
		Slab: num.Nice(extent / 5),

		Direct: s.Sun().Scale(s.ToSun.Y), Ambient: s.Irradiance(vec.Vec3{Y: 1}),
	}
	if p == texture.Planks { // boards have a size of their own
		g.Slab = min(0.14, num.Nice(extent/3))
	}
	if !s.Indoors() { // no backdrop, only haze
		g.Fade *= 4
	}
	return g
}

// Distance returns how far the floor is from o along d, +Inf if it is not.
func (g *Floor) Distance(o, d vec.Vec3) float64 {
	if d.Y >= 0 {
		return math.Inf(1)
	}
	return max(0, (g.Y-o.Y)/d.Y)
}

// Radiance returns the radiance from the floor at p in the direction -d. The paving is
// averaged over the width of the ray, in metres across it.
func (g *Floor) Radiance(p, d vec.Vec3, width float64) color.RGB {
	x, z := (p.X-g.Center.X)/g.Fade, (p.Z-g.Center.Z)/g.Fade
	left := num.Decay(math.Ln2 * (float64(x*x) + float64(z*z)))
	far := g.Sky.Horizon(d)
	if left < 1e-3 {
		return far
	}
	sun, open := color.New(1, 1, 1), 1.0
	if g.Light != nil {
		sun, open = g.Light.At(p.X, p.Z)
	}
	e := g.Direct.Mul(sun).Add(g.Ambient.Scale(open))
	if g.Light != nil && g.Light.Lamps != nil {
		e = e.Add(g.Light.lampsAt(p.X, p.Z))
	}
	// The ray's footprint is longest along its own direction.
	long := width / max(0.02, -d.Y)
	h := math.Sqrt(float64(d.X*d.X) + float64(d.Z*d.Z))
	if h == 0 {
		h = 1
	}
	fx := width + (long-width)*math.Abs(d.X)/h
	fz := width + (long-width)*math.Abs(d.Z)/h
	return far.Lerp(e.Mul(g.albedo(p.X, p.Z, fx, fz)), left)
}

// albedo returns the mean colour of the floor over fx × fz metres about (x, z).
func (g *Floor) albedo(x, z, fx, fz float64) color.RGB {
	return g.Paving.Color(x/g.Slab, z/g.Slab, fx/g.Slab, fz/g.Slab)
}
