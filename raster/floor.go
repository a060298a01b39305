package raster

import (
	"math"

	"breakwater/raster/color"
	"breakwater/raster/sky"
	"breakwater/raster/texture"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// ground is an endless floor, which fades into the horizon.
type ground struct {
	y      float64
	center vec.Vec3 // of the scene, about which it fades
	fade   float64  // distance at which half of it is gone, m
	slab   float64  // side of a slab, m
	paving texture.Paving
	sky    *sky.Sky
	light  *lightMap

	direct, ambient color.RGB // irradiance over π of the sun and of the sky in the open
}

func newGround(y float64, scene vec.Box, p texture.Paving, s *sky.Sky) *ground {
	size := scene.Size()
	extent := max(size.X, size.Z)
	g := &ground{
		y: y, center: scene.Center(), paving: p, sky: s,
		fade: 2.6 * max(extent, size.Y),
		slab: nice(extent / 5),

		direct: s.Sun().Scale(s.ToSun.Y), ambient: s.Irradiance(vec.Vec3{Y: 1}),
	}
	if p == texture.Planks { // boards have a size of their own
		g.slab = min(0.14, nice(extent/3))
	}
	if !s.Indoors() { // no backdrop, only haze
		g.fade *= 4
	}
	return g
}

// nice returns the number nearest to x, by ratio, of 1, 2, 5, 10, ...
func nice(x float64) float64 {
	decade := num.Pow(10, math.Floor(math.Log10(x)))
	best := decade
	for _, m := range [...]float64{2, 5, 10} {
		if math.Abs(math.Log(x/(m*decade))) < math.Abs(math.Log(x/best)) {
			best = m * decade
		}
	}
	return best
}

// distance returns how far the floor is from o along d, +Inf if it is not.
func (g *ground) distance(o, d vec.Vec3) float64 {
	if d.Y >= 0 {
		return math.Inf(1)
	}
	return max(0, (g.y-o.Y)/d.Y)
}

// radiance returns the radiance from the floor at p in the direction -d. blur is the
// width of the ray, across itself, in metres.
func (g *ground) radiance(p, d vec.Vec3, width float64) color.RGB {
	x, z := (p.X-g.center.X)/g.fade, (p.Z-g.center.Z)/g.fade
	left := num.Decay(math.Ln2 * (float64(x*x) + float64(z*z)))
	far := g.sky.Horizon(d)
	if left < 1e-3 {
		return far
	}
	sun, open := color.New(1, 1, 1), 1.0
	if g.light != nil {
		sun, open = g.light.at(p.X, p.Z)
	}
	e := g.direct.Mul(sun).Add(g.ambient.Scale(open))
	if g.light != nil && g.light.lamps != nil {
		e = e.Add(g.light.lampsAt(p.X, p.Z))
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
func (g *ground) albedo(x, z, fx, fz float64) color.RGB {
	return g.paving.Color(x/g.slab, z/g.slab, fx/g.slab, fz/g.slab)
}
