package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/coverage"
	"breakwater/raster/ground"
	"breakwater/raster/optics"
	"breakwater/sim/vec"
)

// tracer traces paths of light backwards from the camera (Whitted 1980). At every surface
// of the liquid a ray splits into a reflected and a refracted one, as long as both
// contribute enough to the pixel.
type tracer struct {
	*scene
	clouds
	tree *bvh.Tree
	// liquidLight returns the light along r from the liquid's surface at h, in the two
	// parts of traceSegment. The look sets it.
	liquidLight func(r ray, h bvh.Hit) (own color.RGB, on [2]branch)

	limits   limits
	motion   *motion       // nil if nothing moves
	toSun    vec.Vec3      // to the point of the sun that casts the shadows
	wallMaps []*ground.Map // of the tank's solid sides
}

// limits decide where paths end.
type limits struct {
	// maxDepth is the largest number of surfaces on a path. A ray through a clear
	// container needs 7. Drops with total reflection need some more.
	maxDepth int
	// minReflection is the weight in the pixel below which a reflection is not traced: the
	// backdrop stands for it.
	minReflection float64
	// minWeight is the weight in the pixel below which no ray is traced.
	minWeight float64
	// splitDepth is the number of surfaces after which a path no longer splits. It is
	// enough for both walls of a drop in front of both faces of a water wave.
	splitDepth int
	// maxError is the standard error, as a part of the display's range, at which a pixel
	// of an exposure needs no more samples.
	maxError float64
	// minSamples is the number of samples of every pixel of an exposure, a power of 2.
	minSamples int
	// maxSamples is the largest number of samples of a pixel of an exposure.
	maxSamples int
	// timeSlabs is the number of slabs that the exposure is cut into.
	timeSlabs int
}

// limitsOf returns the limits of a quality. A weight of 0.05 is two steps of an 8-bit
// picture under the brightest sky.
func limitsOf(q Quality) limits {
	if q == Final {
		return limits{maxDepth: 16, minReflection: 0.03, minWeight: 0.02, splitDepth: 4, maxError: 0.015, minSamples: 4, maxSamples: maxSamples, timeSlabs: timeSlabs}
	}
	return limits{maxDepth: 10, minReflection: 0.05, minWeight: 0.05, splitDepth: 4, maxError: 0.029, minSamples: 1, maxSamples: maxSamples, timeSlabs: timeSlabs / 4}
}

// ray is a ray of a path, with the medium and the instant that it starts in.
type ray struct {
	o, d     vec.Vec3 // origin, and unit direction
	inLiquid bool     // starts in the liquid, or in glass that is surrounded by it
	inGlass  bool     // starts in a solid of glass
	weight   float64  // upper bound of its weight in the pixel
	time     float64  // within the current motion, from 0 to 1, see moveOver
	width    float64  // of the footprint at o, m
	depth    int      // surfaces passed
	cover    float64  // share that grains hide, set by traceSegment
	passed   *passed  // grains that a ray from the eye keeps for the next one of its pixel; nil to keep none
}

func newTracer(w *scene) *tracer {
	return &tracer{
		scene: w, tree: bvh.New(w.pos, w.tri), limits: limitsOf(w.view.Quality),
		motion: newMotion(w), toSun: w.sky.ToSun,
	}
}

// shadeOpaque sets the light from the surface of an opaque liquid.
func (t *tracer) shadeOpaque(light func(r ray, h bvh.Hit) color.RGB) {
	t.liquidLight = func(r ray, h bvh.Hit) (own color.RGB, on [2]branch) { return light(r, h), on }
}

// draw draws the picture, with the light on the floor.
func (t *tracer) draw() []color.RGB {
	t.lightClouds()
	t.lightFloor()
	return t.render()
}

// render draws the picture.
func (t *tracer) render() []color.RGB {
	if t.view.Quality == Final || t.lens.Aperture > 0 {
		return t.renderExposure()
	}
	return t.renderAdaptive()
}

// trace returns the light along r.
func (t *tracer) trace(r ray) color.RGB { return t.light(r, t.intersect(r, math.Inf(1))) }

// light returns the light along r, whose first hit is h.
func (t *tracer) light(r ray, h bvh.Hit) color.RGB {
	sum, next := t.traceSegment(&r, h)
	for i := range next {
		if b := &next[i]; b.throughput != (color.RGB{}) {
			sum = sum.Add(t.trace(b.ray).Mul(b.throughput))
		}
	}
	return sum
}

// intersect returns the first hit of r within the given distance in metres.
func (t *tracer) intersect(r ray, within float64) bvh.Hit {
	return t.tree.CastRay(bvh.Ray{O: r.o, D: r.d, Max: within, Time: r.time})
}

// traceSegment returns the light along r, whose first hit is h, in two parts: the light
// that is known at once, and the rays that bring the rest. Every segment of a path from
// the camera passes here once. It goes from r.o along r.d to the distance end, through
// the liquid if r.inLiquid, through glass if r.inGlass, or else through air, at the
// instant r.time. It is r.width wide at its start, and footprint(r, end) at its end.
func (t *tracer) traceSegment(r *ray, h bvh.Hit) (light color.RGB, on [2]branch) {
	if r.inGlass && !t.opaqueLiquid && t.kind(h.Tri) == liquid && t.floor.Distance(r.o, r.d) > h.T+t.epsilon {
		nested, next := t.skipLiquid(*r, h)
		r, h = &nested, next
	}
	end, k := h.T, t.kind(h.Tri)
	if f := t.floor.Distance(r.o, r.d); k == nothing || f <= h.T+t.epsilon {
		end, k = f, nothing
	}
	switch k {
	case nothing:
		light = t.endLight(r, h, end)
	case solid:
		light = t.solidLight(*r, h, nil)
		if r.inLiquid && !r.inGlass {
			light = light.Mul(t.water.Transmittance(end))
		}
	case bar:
		light = t.barLight(*r, h)
	default:
		light, on = t.liquidLight(*r, h)
	}
	light = t.inPath(r, end, t.lens.PixelAngle(), light, &on)
	if t.smoke != nil && !r.inLiquid && !r.inGlass {
		var left float64
		light, left = t.overSmoke(r, end, light)
		for k := range on {
			on[k].throughput = on[k].throughput.Scale(left)
		}
		r.cover = max(r.cover, 1-left)
	}
	return light, on
}

// footprint returns the width of r at the given distance from its origin, m.
func (w *scene) footprint(r *ray, distance float64) float64 {
	return r.width + float64(distance*w.lens.PixelAngle())
}

// endLight returns the light from the floor at the distance f along r, or from the sky
// if that is infinite. h is the first triangle behind the floor.
func (t *tracer) endLight(r *ray, h bvh.Hit, f float64) color.RGB {
	if math.IsInf(f, 1) {
		return t.sky.Radiance(r.d)
	}
	c := t.floor.Radiance(r.o.Add(r.d.Mul(f)), r.d, t.footprint(r, f))
	if r.inLiquid && !r.inGlass && t.insideLiquid(r.d, h) { // liquid and floor touch
		c = c.Mul(t.water.Transmittance(f))
	}
	if r.inGlass && t.kind(h.Tri) == solid { // so do glass and floor
		c = c.Mul(t.material(h.Tri).transmittance(f))
	}
	return c
}

// barLight returns the light from a bar of glass that r meets at h.
func (t *tracer) barLight(r ray, h bvh.Hit) color.RGB {
	flat, _ := t.normals(h.Tri, h.U, h.V)
	p := r.o.Add(r.d.Mul(h.T))
	width := t.footprint(&r, h.T)
	if r.depth >= t.limits.maxDepth {
		return t.background(p, r.d, width)
	}
	// On through the bar: its far side is passed over.
	on := r
	on.o, on.width, on.depth, on.passed = p.Add(r.d.Mul(t.epsilon)), width, r.depth+1, nil
	if flat.Dot(r.d) > 0 {
		return t.trace(on)
	}
	return t.shadeBar(p, r.d, flat, width, t.trace(on))
}

// insideLiquid reports whether a ray along d is in the liquid just before its next hit h.
// A ray that enters a film thinner than epsilon has already passed the film's other side.
// Without this test everything from there to the floor would count as water.
func (t *tracer) insideLiquid(d vec.Vec3, h bvh.Hit) bool {
	if t.kind(h.Tri) != liquid {
		return false
	}
	a, b, c := t.corners(h.Tri)
	return b.Sub(a).Cross(c.Sub(a)).Dot(d) > 0
}

// diffuse returns the radiance of a matte surface in the light of sun and sky.
func (t *tracer) diffuse(r ray, h bvh.Hit, albedo color.RGB) color.RGB {
	flat, n := t.normals(h.Tri, h.U, h.V)
	front := flat.Dot(r.d) <= 0
	if !front {
		flat, n = flat.Neg(), n.Neg()
	}
	sun := color.RGB{}
	if n.Dot(t.sky.ToSun) > 0 {
		p := r.o.Add(r.d.Mul(h.T))
		if m := t.wallLight(h.Tri, p, flat); m != nil {
			sun, _ = m.At(m.Coordinates(p))
		} else {
			sun = t.sunTransmittance(p.Add(flat.Mul(t.epsilon)), r.time)
		}
	}
	open := 1.0
	if front && int(h.Tri) < t.firstWall && t.kind(h.Tri) == solid && t.blocksLight(h.Tri) {
		open = 1 - float64(occlusionStrength*t.occluders.occlusion(t.tri[h.Tri], h.U, h.V))
	}
	e := t.irradiance(n, sun, open)
	if len(t.lamps) > 0 {
		e = e.Add(t.lampLight(r.o.Add(r.d.Mul(h.T)).Add(flat.Mul(t.epsilon)), n, t.unblocked))
	}
	return e.Mul(albedo)
}

// unblocked reports whether no solid is on the way of far metres from p along d.
func (t *tracer) unblocked(p, d vec.Vec3, far float64) bool {
	return !t.blocksLight(t.intersect(ray{o: p, d: d, time: 0.5}, far).Tri)
}

// sunTransmittance returns the share of the sun's light that reaches p in a straight line.
// Solids block it. Water and glass transmit a part.
func (t *tracer) sunTransmittance(p vec.Vec3, time float64) color.RGB {
	left := color.New(1, 1, 1)
	for range t.limits.maxDepth {
		h := t.intersect(ray{o: p, d: t.toSun, time: time}, math.Inf(1))
		if t.blocksLight(h.Tri) {
			return color.RGB{}
		}
		left = left.Scale(t.through(t.insideLiquid(t.toSun, h), p, t.toSun, h.T))
		switch t.kind(h.Tri) {
		case nothing:
			return left
		case bar:
			left = left.Mul(barTint.Each(math.Sqrt)) // one of its two faces
		case solid: // of glass
			left = left.Mul(t.material(h.Tri).color.Each(math.Sqrt)).Scale(0.95)
		case liquid:
			if flat, _ := t.normals(h.Tri, h.U, h.V); flat.Dot(t.toSun) > 0 {
				left = left.Mul(t.water.Transmittance(h.T))
			}
			left = left.Scale(0.95 * t.foamTransmittance(h))
		}
		p = p.Add(t.toSun.Mul(h.T + t.epsilon))
	}
	return left
}

// cameraPass returns the pass of the camera's view, with grid × grid samples per pixel.
func (w *scene) cameraPass(grid int) *coverage.Pass {
	l := w.lens
	far := w.size
	for _, p := range w.bounds.Corners() {
		far = max(far, p.Sub(l.Eye).Len())
	}
	return &coverage.Pass{
		Width: grid * int(l.Width), Height: grid * int(l.Height),
		Part:   image.Rectangle{w.region.Min.Mul(grid), w.region.Max.Mul(grid)},
		Matrix: l.Matrix(1e-3*w.size, 2*far),
		Sight:  func(p vec.Vec3) vec.Vec3 { return p.Sub(l.Eye) },
	}
}

// cameraRay returns the ray through the point (x, y) of the picture.
func (w *scene) cameraRay(x, y float64) ray {
	return ray{o: w.lens.Eye, d: w.lens.Ray(x, y), weight: 1}
}

// tankGlass returns the light that the tank's glass adds to a ray from the eye before
// end, and the transmittance of the glass.
func (w *scene) tankGlass(r ray, end float64) (sum, left color.RGB) {
	c, n := w.crossings(&r, end-float64(wetGap*w.size))
	left = color.New(1, 1, 1)
	for _, x := range c[:n] {
		if x.vessel && (end-x.t)*max(x.cos, 0.02) < contactGap*w.size { // the solid behind reflects
			continue
		}
		p := r.o.Add(r.d.Mul(x.t))
		mirror := w.background(p, optics.Reflect(r.d, x.normal), x.t*w.lens.PixelAngle())
		sum = sum.Add(mirror.Mul(left).Scale(optics.PaneReflectance(x.cos)))
		left = left.Mul(x.transmittance())
	}
	return sum, left
}
