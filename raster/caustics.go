package raster

import (
	"math"

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
		t.exposedBeams(maps)
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

// beamSets is how often the beams of an exposure are sent, each time between
// those before, from another point of the sun, at another instant.
const beamSets = 6

// exposedBeams fills the maps with the sun's light over the time that the
// shutter is open and the disc of the sun: shadows are as soft as their distance
// makes them, and caustics as sharp as it leaves them.
func (t *tracer) exposedBeams(maps []*lightmap) {
	for k := range beamSets {
		at := t.sampleAt(k)
		t.moveTo(((float64(k)+0.5)/beamSets - 0.5) * t.view.Shutter)
		for _, m := range maps {
			t.sunbeams(m, 1./beamSets, at)
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
	tiles(m.w, m.h, func(i, j int) {
		p := m.point(i, j).Add(aside)
		beams[j*m.w+i] = t.sunbeam(m, p.Sub(down.Mul(start)), down)
	})
	m.splat(beams, share)
}

// sunbeam follows one beam to the plane of m.
func (t *tracer) sunbeam(m *lightmap, o, d vec.Vec3) landing {
	r := ray{o: o, d: d}
	left, bent := rgb{1, 1, 1}, false
	land := func(p vec.Vec3) landing {
		x, z := m.coordinates(p)
		return landing{(x - m.x) / m.cell, (z - m.z) / m.cell, left}
	}
	for range t.effort.depth {
		h := t.tree.Cast(r.o, r.d, math.Inf(1))
		f := m.distance(r.o, r.d)
		if h.Tri < 0 || f <= h.T+t.near {
			if math.IsInf(f, 1) || f > t.floor.distance(r.o, r.d)+t.near {
				return landing{}
			}
			if r.wet && t.inside(r.d, h) {
				left = left.mul(t.water.through(f))
			}
			if r.glass && t.kind(h.Tri) == solid {
				left = left.mul(t.skinOf(h.Tri).glassThrough(f))
			}
			if c, n := t.crossings(r.o, r.d, f); !bent {
				for _, x := range c[:n] {
					left = left.mul(behindGlass(x.cos))
				}
			}
			return land(r.o.Add(r.d.Mul(f)))
		}
		if t.blocks(h.Tri) {
			return landing{}
		}
		p := r.o.Add(r.d.Mul(h.T))
		if t.kind(h.Tri) == bar {
			left = left.mul(barTint.each(math.Sqrt)) // one of its two faces
			r.o = p.Add(r.d.Mul(t.near))
			continue
		}
		bent = true
		var s surface
		on, wet := p, false
		if t.kind(h.Tri) == solid { // of glass
			s, on, wet = t.glassSurface(r, h)
			r.glass = s.exiting == (s.mirror >= 1)
		} else {
			s = t.surface(r, h)
			if s.exiting && t.solids > 0 {
				if next := t.tree.Cast(p.Add(r.d.Mul(t.near)), r.d, contact*t.size); t.kind(next.Tri) == solid {
					// What touches the liquid: no air is between them.
					left = left.mul(s.loss)
					if t.blocks(next.Tri) {
						if f-h.T < contact*t.size {
							return land(r.o.Add(r.d.Mul(f)))
						}
						return landing{}
					}
					r.o = p.Add(r.d.Mul(t.near))
					continue
				}
			}
			wet = !s.exiting
			r.wet = r.wet || s.exiting
		}
		left = left.mul(s.loss)
		if s.mirror >= 1 {
			r.d, r.o = s.reflected, p.Add(s.flat.Mul(t.near))
			continue
		}
		left = left.scale(1 - s.mirror)
		r.d, r.wet = s.refracted, wet
		r.o = on.Sub(s.flat.Mul(t.near))
	}
	return landing{}
}
