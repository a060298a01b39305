package raster

import (
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// glassLight returns the light from a solid of glass that r meets at h, from outside or,
// if r is in the glass, from inside. The media are nested: the glass has the air or the
// liquid about it.
func (t *tracer) glassLight(r ray, h bvh.Hit, back *vec.Vec3) color.RGB {
	s, on, wet := t.glassHit(r, h)
	width := t.footprint(&r, h.T)
	if r.depth >= t.limits.maxDepth || r.depth > 0 && r.weight < t.limits.minWeight {
		return t.backdrop(s.p.Add(r.d.Mul(t.epsilon)), r.d).Mul(s.transmittance)
	}
	next := ray{width: width, depth: r.depth + 1, time: r.time}
	part := r.weight * s.transmittance.Max()
	mirror := s.reflectance
	if r.depth >= t.limits.splitDepth {
		if mirror = 0; s.reflectance > 0.5 {
			mirror = 1
		}
	}
	sum := color.RGB{}
	switch {
	case mirror == 0:
	case part*mirror >= t.limits.minReflection || mirror >= 1:
		next.o, next.d, next.weight = s.p.Add(s.ng.Mul(t.epsilon)), s.reflected, part*mirror
		next.inLiquid, next.inGlass = r.inLiquid, s.exiting
		if back != nil && !s.exiting {
			next.o = *back
		}
		sum = t.trace(next).Scale(mirror)
	case s.exiting: // too little to follow: let it leave with the rest
		mirror = 0
	default:
		sum = t.backdrop(s.p.Add(s.ng.Mul(t.epsilon)), s.reflected).Scale(mirror)
	}
	if mirror < 1 {
		next.o, next.d, next.weight = on.Sub(s.ng.Mul(t.epsilon)), s.refracted, part*(1-mirror)
		next.inLiquid, next.inGlass = wet && back == nil, !s.exiting
		sum = sum.Add(t.trace(next).Scale(1 - mirror))
	}
	return sum.Mul(s.transmittance)
}

// glassHit returns where r meets a solid of glass at h, where a continued ray starts,
// apart from an offset by epsilon, and whether it is in the liquid.
func (t *tracer) glassHit(r ray, h bvh.Hit) (s surfaceHit, on vec.Vec3, wet bool) {
	s = surfaceHit{p: r.o.Add(r.d.Mul(h.T)), transmittance: color.New(1, 1, 1)}
	s.ng, s.n = t.normals(h.Tri, h.U, h.V)
	s.exiting = s.ng.Dot(r.d) > 0
	around := t.outsideIndex(r)
	on, wet = s.p, r.inLiquid
	if s.exiting {
		s.ng, s.n = s.ng.Neg(), s.n.Neg()
		if !wet {
			on, wet = t.liquidBeyond(s.p, r)
		}
		around = 1
		if wet {
			around = t.water.Index
		}
		s.eta = optics.GlassIndex / around
		s.transmittance = t.material(h.Tri).transmittance(h.T)
	} else {
		s.eta = around / optics.GlassIndex
	}
	s.scatter(r.d)
	return s, on, wet
}

// skipLiquid returns the next hit h of r, which is in a solid of glass, other than the
// liquid's surface. Where the two overlap there is glass (nested dielectrics, Schmidt and
// Budge 2002). The ray is marked as in the liquid if the liquid is there too, and so is the ray that leaves
// the glass.
func (t *tracer) skipLiquid(r ray, h bvh.Hit) (ray, bvh.Hit) {
	for t.kind(h.Tri) == liquid {
		r.inLiquid = !t.insideLiquid(r.d, h)
		on := r
		on.o = r.o.Add(r.d.Mul(h.T + t.epsilon))
		passed := h.T + t.epsilon
		h = t.intersect(on, math.Inf(1))
		h.T += passed
	}
	return r, h
}

// transmittance returns the transmittance of the glass of k over a path, in metres: its
// colour over the longest side of the solid.
func (k *shadingMaterial) transmittance(way float64) color.RGB {
	return k.color.Each(func(x float64) float64 { return num.Pow(max(1e-4, x), way/k.size) })
}

// liquidBeyond looks for liquid at the far side of a solid, from p along r. It returns
// where the liquid begins and true, or p and false if there is only air.
func (t *tracer) liquidBeyond(p vec.Vec3, r ray) (on vec.Vec3, wet bool) {
	r.o = p.Add(r.d.Mul(t.epsilon))
	h := t.intersect(r, contactGap*t.size)
	if t.kind(h.Tri) != liquid || t.opaqueLiquid {
		return p, false
	}
	a, b, c := t.corners(h.Tri)
	if b.Sub(a).Cross(c.Sub(a)).Dot(r.d) > 0 { // out of the liquid: p was in it
		return p, true
	}
	return r.o.Add(r.d.Mul(h.T)), true
}
