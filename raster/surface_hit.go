package raster

import (
	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/sim/vec"
)

// surfaceHit is a point where a ray meets the surface of the liquid or of a solid, and the
// directions in which its light continues.
type surfaceHit struct {
	p             vec.Vec3
	n, ng         vec.Vec3 // smooth and geometric normal, unit, facing the ray
	exiting       bool     // the ray comes from inside
	eta           float64  // refractive index on the ray's side over the index on the other side
	cosI          float64  // cosine of the angle of incidence
	reflected     vec.Vec3 // unit
	refracted     vec.Vec3 // unit; undefined at total reflection
	reflectance   float64
	transmittance color.RGB // of the ray's path to p
}

// liquidHit returns the point where r meets the liquid's surface at h.
func (t *tracer) liquidHit(r ray, h bvh.Hit) surfaceHit {
	s := surfaceHit{p: r.o.Add(r.d.Mul(h.T)), eta: 1 / t.water.Index, transmittance: color.New(1, 1, 1)}
	s.ng, s.n = t.normals(h.Tri, h.U, h.V)
	if s.ng.Dot(r.d) > 0 {
		s.exiting, s.eta = true, t.water.Index
		s.ng, s.n = s.ng.Neg(), s.n.Neg()
		if r.inLiquid {
			s.transmittance = t.water.Transmittance(h.T)
		}
	}
	s.scatter(r.d)
	if !s.exiting && t.onPane(s.p, s.ng, r.time) {
		s.reflectance, _ = optics.Fresnel(s.cosI, 1/optics.GlassIndex) // the glass reflects
	}
	return s
}

// scatter computes the directions and the reflectance for light along d.
func (s *surfaceHit) scatter(d vec.Vec3) {
	const grazing = 0.01
	s.cosI = -s.n.Dot(d)
	if s.cosI < grazing { // the smooth normal is turned away: turn it until it faces the ray
		s.n = s.n.Sub(d.Mul(grazing - s.cosI)).Unit()
		s.cosI = -s.n.Dot(d)
	}
	var cosT float64
	s.reflectance, cosT = optics.Fresnel(s.cosI, s.eta)
	// Smooth normals may send light through the wrong side of the triangle.
	s.reflected = optics.Reflect(d, s.n)
	if c := s.reflected.Dot(s.ng); c < grazing {
		s.reflected = s.reflected.Add(s.ng.Mul(grazing - c)).Unit()
	}
	s.refracted = optics.Refract(d, s.n, s.eta, s.cosI, cosT)
	if c := s.refracted.Dot(s.ng); c > -grazing {
		s.refracted = s.refracted.Sub(s.ng.Mul(grazing + c)).Unit()
	}
}
