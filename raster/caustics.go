package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/ground"
	"breakwater/sim/vec"
)

// lightFloor computes the light on the floor, and the sun's on the solid sides
// of the tank.
func (t *tracer) lightFloor() {
	m := t.newFloorMap()
	t.floor.Light, t.wallMaps = nil, t.wallLights()
	maps := append([]*ground.Map{m}, t.wallMaps...)
	for _, m := range maps {
		clear(m.Sun)
	}
	if t.view.Quality == Final {
		t.exposedBeams(maps, t.beamSets(m))
	} else {
		for _, m := range maps {
			t.sunbeams(m, 1, samplePoint{x: 0.5, y: 0.5})
			m.FillBelow()
			m.BlurSun(m.SunBlur())
		}
	}
	t.addOcclusion(m)
	t.addLamps(m, t.unblocked)
	t.floor.Light = m
}

// The beams of an exposure are sent several times, each set offset between the earlier
// ones, from another point of the sun, at another instant. There is one set per cell of
// the map that the fastest motion crosses. With fewer, each bright line on the floor
// would appear several times, side by side, like the rings of a tree.
const (
	fewestBeamSets = 6 // for the disc of the sun
	mostBeamSets   = 32
)

// beamSets returns how often the beams are sent to m.
func (t *tracer) beamSets(m *ground.Map) int {
	if t.motion == nil {
		return fewestBeamSets
	}
	fastest := 0.0
	for _, v := range t.motion.velocity {
		fastest = max(fastest, v.Dot(v))
	}
	return int(min(mostBeamSets, max(fewestBeamSets, math.Ceil(math.Sqrt(fastest)*t.view.Shutter/m.Cell))))
}

// exposedBeams fills the maps with the sun's light, averaged over the exposure and over
// the disc of the sun. Shadows and caustics therefore get softer with distance.
func (t *tracer) exposedBeams(maps []*ground.Map, sets int) {
	for k := range sets {
		at := t.sampleAt(k)
		t.moveTo(((float64(k)+0.5)/float64(sets) - 0.5) * t.view.Shutter)
		for _, m := range maps {
			t.sunbeams(m, 1/float64(sets), at)
		}
	}
	t.toSun = t.sky.ToSun
	t.moveTo(0)
	for _, m := range maps {
		m.UnshadeBorder() // where beams from beyond are missing
		m.FillBelow()
		m.BlurSun(0.7) // from one point of the sun to the next
	}
}

// sunbeams traces one beam per cell and adds a share of the sun's light to m. This makes
// the shadows of solids, the tint of the liquid, and the caustics of its waves and of
// glass. at is the place in their cells that they are sent to.
func (t *tracer) sunbeams(m *ground.Map, share float64, at samplePoint) {
	down := t.toSun.Neg()
	start := 4 * t.size / t.toSun.Y // above everything
	beams := make([]ground.Landing, m.W*m.H)
	aside := m.U.Mul((at.x - 0.5) * m.Cell).Add(m.V.Mul((at.y - 0.5) * m.Cell))
	squares(image.Rect(0, 0, m.W, m.H), func(square image.Rectangle) {
		withWavefront(func(v *wavefront) {
			points(square, func(i, j int) {
				v.add(ray{o: m.Point(i, j).Add(aside).Sub(down.Mul(start)), d: down}, bvh.Hit{}, j*m.W+i)
			})
			for range t.limits.maxDepth {
				t.intersectAll(v)
				v.next = v.next[:0]
				for i := range v.segments {
					b := &v.segments[i]
					if end, ends := t.sunbeam(m, b, v.hits[i]); ends {
						beams[v.pixel[b.path]] = end
					} else {
						v.next = append(v.next, *b)
					}
				}
				v.segments, v.next = v.next, v.segments
			}
		})
	})
	m.Splat(beams, share)
}

// sunbeam continues b at the surface of the hit h, with its share of remaining light and
// its depth, the number of surfaces that bent it. It reports whether b ends there, and
// where it lands on the plane of m.
func (t *tracer) sunbeam(m *ground.Map, b *segment, h bvh.Hit) (end ground.Landing, ends bool) {
	land := func(p vec.Vec3) ground.Landing {
		x, z := m.Coordinates(p)
		return ground.Landing{X: (x - m.X) / m.Cell, Z: (z - m.Z) / m.Cell, Light: b.throughput}
	}
	f := m.Distance(b.o, b.d)
	if b.inGlass && !t.opaqueLiquid {
		b.ray, h = t.skipLiquid(b.ray, h)
	}
	if !b.inGlass {
		b.throughput = b.throughput.Scale(t.through(b.inLiquid || t.insideLiquid(b.d, h), b.o, b.d, min(f, h.T)))
	}
	if h.Tri < 0 || f <= h.T+t.epsilon {
		if math.IsInf(f, 1) || f > t.floor.Distance(b.o, b.d)+t.epsilon {
			return ground.Landing{}, true
		}
		if b.inLiquid && !b.inGlass && t.insideLiquid(b.d, h) {
			b.throughput = b.throughput.Mul(t.water.Transmittance(f))
		}
		if b.inGlass && t.kind(h.Tri) == solid {
			b.throughput = b.throughput.Mul(t.material(h.Tri).transmittance(f))
		}
		if b.depth == 0 {
			c, n := t.crossings(&b.ray, f)
			for _, x := range c[:n] {
				b.throughput = b.throughput.Mul(x.transmittance())
			}
		}
		return land(b.o.Add(b.d.Mul(f))), true
	}
	if t.blocksLight(h.Tri) {
		return ground.Landing{}, true
	}
	p := b.o.Add(b.d.Mul(h.T))
	if t.kind(h.Tri) == bar {
		b.throughput = b.throughput.Mul(barTint.Each(math.Sqrt)) // one of its two faces
		b.o = p.Add(b.d.Mul(t.epsilon))
		return ground.Landing{}, false
	}
	b.depth++
	var s surfaceHit
	on, wet, touching := p, false, false
	if t.kind(h.Tri) == liquid {
		s = t.liquidHit(b.ray, h)
		b.throughput = b.throughput.Scale(t.foamTransmittance(h))
		wet = !s.exiting
		b.inLiquid = b.inLiquid || s.exiting
		if s.exiting && t.solids > 0 {
			out := b.ray
			out.o = p
			var next bvh.Hit
			if next, touching = t.touchedSolid(&out); touching { // no air is between them
				b.throughput = b.throughput.Mul(s.transmittance)
				if t.blocksLight(next.Tri) {
					if f-h.T < contactGap*t.size {
						return land(b.o.Add(b.d.Mul(f))), true
					}
					return ground.Landing{}, true
				}
				b.o, h = out.o, next
				p = b.o.Add(b.d.Mul(h.T))
			}
		}
	}
	if t.kind(h.Tri) == solid { // of glass
		s, on, wet = t.glassHit(b.ray, h)
		if wet = wet && !touching; b.inLiquid && !b.inGlass && !touching {
			s.transmittance = t.water.Transmittance(h.T)
		}
		b.inGlass = s.exiting == (s.reflectance >= 1)
	}
	b.throughput = b.throughput.Mul(s.transmittance)
	if s.reflectance >= 1 {
		b.d, b.o = s.reflected, p.Add(s.ng.Mul(t.epsilon))
		return ground.Landing{}, false
	}
	b.throughput = b.throughput.Scale(1 - s.reflectance)
	b.d, b.inLiquid = s.refracted, wet
	b.o = on.Sub(s.ng.Mul(t.epsilon))
	return ground.Landing{}, false
}
