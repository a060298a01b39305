package raster

import (
	"breakwater/raster/bvh"
	"breakwater/raster/filter"
)

// displacementOf returns the path of the object that r meets at h. Liquid that slides along a side
// of the tank is flat and invisible there, so its path is the path of the object behind.
func (t *tracer) displacementOf(r ray, h bvh.Hit) filter.Displacement {
	l := t.lens
	far := float64(h.T * -r.d.Dot(l.Back)) // from the eye
	a := t.displacementAt(h.Tri, far)
	if t.kind(h.Tri) != liquid || a.Len() <= filter.StreakLimit {
		return a
	}
	s := t.liquidHit(r, h)
	if s.exiting || !t.onPane(s.p, s.ng, r.time) {
		return a
	}
	r.o, r.d = s.p.Sub(s.ng.Mul(t.epsilon)), s.refracted
	behind := t.intersect(r, t.floor.Distance(r.o, r.d))
	if behind.Tri < 0 {
		return filter.Displacement{}
	}
	return t.displacementAt(behind.Tri, far-float64(behind.T*r.d.Dot(l.Back)))
}

// displacementAt returns the path of a triangle at the given distance from the lens, in metres.
func (t *tracer) displacementAt(tri int32, far float64) filter.Displacement {
	v, l := t.motion.velocity[t.tri[tri][0]], t.lens
	px := t.view.Shutter / (far * l.PixelAngle())
	return filter.Displacement{X: float32(v.Dot(l.Right) * px), Y: float32(-v.Dot(l.Up) * px)}
}
