package raster

import (
	"math"

	"breakwater/raster/bvh"
	"breakwater/sim/vec"
)

// solidGlass returns the light from a solid of glass that r meets at h, from outside or,
// if r is in the glass, from inside. The media are nested: the glass has the air or the
// liquid about it.
func (t *tracer) solidGlass(r ray, h bvh.Hit, back *vec.Vec3) rgb {
	s, on, wet := t.glassSurface(r, h)
	blur := r.blur + h.T*t.lens.pixel()
	if r.depth >= t.effort.depth || r.depth > 0 && r.weight < t.effort.lost {
		return t.backdrop(s.p.Add(r.d.Mul(t.near)), r.d).mul(s.loss)
	}
	next := ray{blur: blur, depth: r.depth + 1, when: r.when}
	part := r.weight * s.loss.max()
	mirror := s.mirror
	if r.depth >= t.effort.alone {
		if mirror = 0; s.mirror > 0.5 {
			mirror = 1
		}
	}
	sum := rgb{}
	switch {
	case mirror == 0:
	case part*mirror >= t.effort.faint || mirror >= 1:
		next.o, next.d, next.weight = s.p.Add(s.flat.Mul(t.near)), s.reflected, part*mirror
		next.wet, next.glass = r.wet, s.exiting
		if back != nil && !s.exiting {
			next.o = *back
		}
		sum = t.trace(next).scale(mirror)
	case s.exiting: // too little to follow: let it leave with the rest
		mirror = 0
	default:
		sum = t.backdrop(s.p.Add(s.flat.Mul(t.near)), s.reflected).scale(mirror)
	}
	if mirror < 1 {
		next.o, next.d, next.weight = on.Sub(s.flat.Mul(t.near)), s.refracted, part*(1-mirror)
		next.wet, next.glass = wet && back == nil, !s.exiting
		sum = sum.add(t.trace(next).scale(1 - mirror))
	}
	return sum.mul(s.loss)
}

// glassSurface returns where r meets a solid of glass at h, where a continued ray starts,
// but for a hair, and whether it is wet.
func (t *tracer) glassSurface(r ray, h bvh.Hit) (s surface, on vec.Vec3, wet bool) {
	s = surface{p: r.o.Add(r.d.Mul(h.T)), loss: rgb{1, 1, 1}}
	s.flat, s.n = t.normals(h.Tri, h.U, h.V)
	s.exiting = s.flat.Dot(r.d) > 0
	around := t.indexAbout(r)
	on, wet = s.p, r.wet
	if s.exiting {
		s.flat, s.n = s.flat.Neg(), s.n.Neg()
		if !wet {
			on, wet = t.beyond(s.p, r)
		}
		around = 1
		if wet {
			around = t.water.index
		}
		s.eta = glassIndex / around
		s.loss = t.skinOf(h.Tri).glassThrough(h.T)
	} else {
		s.eta = around / glassIndex
	}
	s.optics(r.d)
	return s, on, wet
}

// inGlass returns the next hit h of r, which is in a solid of glass, other than the
// liquid's surface. Where the two overlap there is glass (nested dielectrics, Schmidt and
// Budge 2002). The ray is wet if the liquid is there too, and so is the ray that leaves
// the glass.
func (t *tracer) inGlass(r ray, h bvh.Hit) (ray, bvh.Hit) {
	for t.kind(h.Tri) == liquid {
		r.wet = !t.inside(r.d, h)
		on := r
		on.o = r.o.Add(r.d.Mul(h.T + t.near))
		passed := h.T + t.near
		h = t.next(on, math.Inf(1))
		h.T += passed
	}
	return r, h
}

// glassThrough returns the transmittance of the glass of k over a path, in metres: its
// colour over the longest side of the solid.
func (k *skin) glassThrough(way float64) rgb {
	return k.color.each(func(x float64) float64 { return math.Pow(max(1e-4, x), way/k.size) })
}

// beyond looks at the far side of a solid from p, along r: it returns where the liquid
// begins and that it does, or p if there is only air.
func (t *tracer) beyond(p vec.Vec3, r ray) (on vec.Vec3, wet bool) {
	r.o = p.Add(r.d.Mul(t.near))
	h := t.next(r, contact*t.size)
	if t.kind(h.Tri) != liquid || t.opaque {
		return p, false
	}
	a, b, c := t.corners(h.Tri)
	if b.Sub(a).Cross(c.Sub(a)).Dot(r.d) > 0 { // out of the liquid: p was in it
		return p, true
	}
	return r.o.Add(r.d.Mul(h.T)), true
}
