package raster

import (
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/grains"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Foam is a matte layer on the liquid that scatters light back and lets the rest through,
// scattered too. Where it covers a part of the surface, the rest is clear.

const (
	foamGloss = 0.04 // reflectance of the wet surface of foam
	foamPath  = 0.03 // of light in the liquid between the bubbles, m
	foamBelow = 0.30 // of light that comes to foam from below, m
)

// foamDepth returns the optical depth of the foam on the liquid at h, as the vertices have
// it.
func (t *tracer) foamDepth(h bvh.Hit) float64 {
	k := t.tri[h.Tri]
	a, b, c := t.foam.Depth[k[0]], t.foam.Depth[k[1]], t.foam.Depth[k[2]]
	return float64(float64(a)*(1-h.U-h.V)) + float64(float64(b)*h.U) + float64(float64(c)*h.V)
}

// foamCover returns the share of the liquid's surface at p, on the triangle of h, that foam
// covers, and how much light the foam sends back. n is the normal, and width the width of
// the ray.
func (t *tracer) foamCover(h bvh.Hit, p, n vec.Vec3, width float64) (cover, reflectance float64) {
	if t.foam == nil {
		return 0, 0
	}
	cover, depth := t.foam.At(p, n, t.foamDepth(h), width)
	return cover, grains.Reflectance(depth)
}

// foamTransmittance returns the share of light that the foam on the liquid at h lets
// through.
func (t *tracer) foamTransmittance(h bvh.Hit) float64 {
	if t.foam == nil {
		return 1
	}
	depth := t.foamDepth(h)
	if depth <= 0 {
		return 1
	}
	cover := -math.Expm1(-depth)
	return 1 - float64(cover*grains.Reflectance(depth/cover))
}

// lightFoam finds the sun's light on the foam. Its shadows have no edges finer than a triangle,
// so the light at the vertices suffices.
func (t *tracer) lightFoam() {
	if t.foam == nil {
		return
	}
	foamy := make([]bool, t.liquidVertices)
	for _, k := range t.tri[:t.liquid] {
		if t.foam.Depth[k[0]] > 0 || t.foam.Depth[k[1]] > 0 || t.foam.Depth[k[2]] > 0 {
			foamy[k[0]], foamy[k[1]], foamy[k[2]] = true, true, true
		}
	}
	t.sunOnFoam = make([]color.RGB, t.liquidVertices)
	par.For(t.liquidVertices, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if foamy[i] {
				n := widen(&t.vertex[i].nrm)
				t.sunOnFoam[i] = t.sunTransmittance(t.pos[i].Add(n.Mul(4*t.epsilon)), 0.5)
			}
		}
	})
}

// foamLight returns the radiance of foam of a reflectance on the surface s, which a ray
// meets at h.
func (t *tracer) foamLight(s *surfaceHit, h bvh.Hit, reflectance float64) color.RGB {
	up := s.n // out of the liquid
	if s.exiting {
		up = up.Neg()
	}
	sun := color.RGB{}
	if up.Dot(t.sky.ToSun) > 0 {
		k := t.tri[h.Tri]
		sun = t.sunOnFoam[k[0]].Scale(1 - h.U - h.V).Add(t.sunOnFoam[k[1]].Scale(h.U)).Add(t.sunOnFoam[k[2]].Scale(h.V))
	}
	above := t.irradiance(up, sun, 1)
	below := t.irradiance(up.Neg(), color.RGB{}, 1).Mul(t.water.Transmittance(foamBelow))
	tint := t.water.Transmittance(foamPath)
	if s.exiting {
		return below.Scale(reflectance).Add(above.Scale(1 - reflectance)).Mul(tint)
	}
	matte := above.Scale(reflectance).Add(below.Scale(1 - reflectance)).Mul(tint)
	return matte.Lerp(t.backdrop(s.p.Add(s.ng.Mul(t.epsilon)), s.reflected), foamGloss)
}

// underFoam lays the foam on the surface s, where r meets the liquid at h, over its light.
func (t *tracer) underFoam(r *ray, h bvh.Hit, s *surfaceHit, own color.RGB, on *[2]branch) color.RGB {
	n := s.n
	if s.exiting {
		n = n.Neg()
	}
	cover, reflectance := t.foamCover(h, s.p, n, t.footprint(r, h.T))
	if cover < 1e-3 {
		return own
	}
	for k := range on {
		on[k].throughput = on[k].throughput.Scale(1 - cover)
	}
	foam := t.foamLight(s, h, reflectance).Mul(s.transmittance)
	return own.Scale(1 - cover).Add(foam.Scale(cover))
}
