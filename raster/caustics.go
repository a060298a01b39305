package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/sim/vec"
)

// lightFloor computes the light on the floor, and the sun's on the solid sides
// of the tank.
func (t *tracer) lightFloor() {
	m := t.newLight()
	t.floor.light, t.inner = nil, t.wallLights()
	maps := append([]*lightmap{m}, t.inner...)
	for _, m := range maps {
		clear(m.sun)
	}
	if t.view.Quality == Final {
		t.exposedBeams(maps, t.beamSets(m))
	} else {
		for _, m := range maps {
			t.sunbeams(m, 1, place{x: 0.5, y: 0.5})
			m.fillBelow()
			m.soften(m.discWidth())
		}
	}
	t.occlude(m)
	t.floor.light = m
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
func (t *tracer) beamSets(m *lightmap) int {
	if t.motion == nil {
		return fewestBeamSets
	}
	fastest := 0.0
	for _, v := range t.motion.velocity {
		fastest = max(fastest, v.Dot(v))
	}
	return int(min(mostBeamSets, max(fewestBeamSets, math.Ceil(math.Sqrt(fastest)*t.view.Shutter/m.cell))))
}

// exposedBeams fills the maps with the sun's light over the time that the
// shutter is open and the disc of the sun: shadows are as soft as their distance
// makes them, and caustics as sharp as it leaves them.
func (t *tracer) exposedBeams(maps []*lightmap, sets int) {
	for k := range sets {
		at := t.sampleAt(k)
		t.moveTo(((float64(k)+0.5)/float64(sets) - 0.5) * t.view.Shutter)
		for _, m := range maps {
			t.sunbeams(m, 1/float64(sets), at)
		}
	}
	t.toSun = t.sky.toSun
	t.moveTo(0)
	for _, m := range maps {
		m.openBorder() // where beams from beyond are missing
		m.fillBelow()
		m.soften(0.7) // from one point of the sun to the next
	}
}

// sunbeams adds a share of the sun's light to m, beam by beam through whatever
// is in the way: shadows of solids, the tint of the liquid, and the caustics that
// its waves and solids of glass make. at is the place in their cells that they
// are sent to.
func (t *tracer) sunbeams(m *lightmap, share float64, at place) {
	down := t.toSun.Neg()
	start := 4 * t.size / t.toSun.Y // above everything
	beams := make([]landing, m.w*m.h)
	aside := m.u.Mul((at.x - 0.5) * m.cell).Add(m.v.Mul((at.y - 0.5) * m.cell))
	squares(image.Rect(0, 0, m.w, m.h), func(square image.Rectangle) {
		ripple(func(v *wave) {
			points(square, func(i, j int) {
				v.add(ray{o: m.point(i, j).Add(aside).Sub(down.Mul(start)), d: down}, bvh.Hit{}, j*m.w+i)
			})
			for range t.effort.depth {
				t.cast(v)
				v.next = v.next[:0]
				for i := range v.legs {
					b := &v.legs[i]
					if end, ends := t.sunbeam(m, b, v.hits[i]); ends {
						beams[v.pixel[b.of]] = end
					} else {
						v.next = append(v.next, *b)
					}
				}
				v.legs, v.next = v.next, v.legs
			}
		})
	})
	m.splat(beams, share)
}

// sunbeam continues b at the surface of the hit h, with its share of remaining light and
// its depth, the number of surfaces that bent it. It reports whether b ends there, and
// where it lands on the plane of m.
func (t *tracer) sunbeam(m *lightmap, b *leg, h bvh.Hit) (end landing, ends bool) {
	land := func(p vec.Vec3) landing {
		x, z := m.coordinates(p)
		return landing{(x - m.x) / m.cell, (z - m.z) / m.cell, b.share}
	}
	f := m.distance(b.o, b.d)
	if b.glass && !t.opaque {
		b.ray, h = t.inGlass(b.ray, h)
	}
	if h.Tri < 0 || f <= h.T+t.near {
		if math.IsInf(f, 1) || f > t.floor.distance(b.o, b.d)+t.near {
			return landing{}, true
		}
		if b.wet && !b.glass && t.inside(b.d, h) {
			b.share = b.share.mul(t.water.through(f))
		}
		if b.glass && t.kind(h.Tri) == solid {
			b.share = b.share.mul(t.skinOf(h.Tri).glassThrough(f))
		}
		if b.depth == 0 {
			c, n := t.crossings(&b.ray, f)
			for _, x := range c[:n] {
				b.share = b.share.mul(x.through())
			}
		}
		return land(b.o.Add(b.d.Mul(f))), true
	}
	if t.blocks(h.Tri) {
		return landing{}, true
	}
	p := b.o.Add(b.d.Mul(h.T))
	if t.kind(h.Tri) == bar {
		b.share = b.share.mul(barTint.each(math.Sqrt)) // one of its two faces
		b.o = p.Add(b.d.Mul(t.near))
		return landing{}, false
	}
	b.depth++
	var s surface
	on, wet, touching := p, false, false
	if t.kind(h.Tri) == liquid {
		s = t.surface(b.ray, h)
		wet = !s.exiting
		b.wet = b.wet || s.exiting
		if s.exiting && t.solids > 0 {
			next := t.tree.Cast(p.Add(b.d.Mul(t.near)), b.d, contact*t.size)
			if touching = t.kind(next.Tri) == solid; touching { // no air is between them
				b.share = b.share.mul(s.loss)
				if t.blocks(next.Tri) {
					if f-h.T < contact*t.size {
						return land(b.o.Add(b.d.Mul(f))), true
					}
					return landing{}, true
				}
				b.o, h = p.Add(b.d.Mul(t.near)), next
				p = b.o.Add(b.d.Mul(h.T))
			}
		}
	}
	if t.kind(h.Tri) == solid { // of glass
		s, on, wet = t.glassSurface(b.ray, h)
		if wet = wet && !touching; b.wet && !b.glass && !touching {
			s.loss = t.water.through(h.T)
		}
		b.glass = s.exiting == (s.mirror >= 1)
	}
	b.share = b.share.mul(s.loss)
	if s.mirror >= 1 {
		b.d, b.o = s.reflected, p.Add(s.flat.Mul(t.near))
		return landing{}, false
	}
	b.share = b.share.scale(1 - s.mirror)
	b.d, b.wet = s.refracted, wet
	b.o = on.Sub(s.flat.Mul(t.near))
	return landing{}, false
}
