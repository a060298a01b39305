package raster

import (
	"math"

	"breakwater/sim/vec"
)

// lightFloor computes the light on the floor.
func (t *tracer) lightFloor() {
	m := t.newLight()
	if t.view.Quality == Final {
		t.exposedBeams(m)
	} else {
		clear(m.sun)
		t.sunbeams(m, 1, place{x: 0.5, y: 0.5})
		m.soften(m.discWidth())
	}
	t.occlude(m)
	t.floor.light = m
}

// beamSets is how often the beams of an exposure are sent, each time between
// those before, from another point of the sun, at another instant.
const beamSets = 6

// exposedBeams fills m with the sun's light over the time that the shutter is
// open and the disc of the sun: shadows are as soft as their distance makes
// them, and caustics as sharp as it leaves them.
func (t *tracer) exposedBeams(m *lightmap) {
	clear(m.sun)
	for k := range beamSets {
		at := t.sampleAt(k)
		t.moveTo((instant(k, 0) - 0.5) * t.view.Shutter)
		t.sunbeams(m, 1./beamSets, at)
	}
	t.toSun = t.sky.toSun
	t.moveTo(0)
	m.openBorder() // where beams from beyond are missing
	m.soften(0.7)  // from one point of the sun to the next
}

// sunbeams adds a share of the sun's light on the floor to m, beam by beam
// through whatever is in the way: shadows of solids, the tint of the liquid, and
// the caustics that its waves make. at is the place in their cells that they are
// sent to.
func (t *tracer) sunbeams(m *lightmap, share float64, at place) {
	down := t.toSun.Neg()
	start := 4 * t.size / t.toSun.Y // above everything
	beams := make([]landing, m.w*m.h)
	aside := vec.Vec3{X: (at.x - 0.5) * m.cell, Z: (at.y - 0.5) * m.cell}
	tiles(m.w, m.h, func(i, j int) {
		p := m.point(i, j, t.floor.y).Add(aside)
		beams[j*m.w+i] = t.sunbeam(m, p.Sub(down.Mul(start)), down)
	})
	m.splat(beams, share)
}

// sunbeam follows one beam to the floor.
func (t *tracer) sunbeam(m *lightmap, o, d vec.Vec3) landing {
	left, wet, bent := rgb{1, 1, 1}, false, false
	for range t.effort.depth {
		h := t.tree.Cast(o, d, math.Inf(1))
		f := t.floor.distance(o, d)
		if h.Tri < 0 || f <= h.T+t.near {
			if math.IsInf(f, 1) {
				return landing{}
			}
			if wet && t.inside(d, h) {
				left = left.mul(t.water.through(f))
			}
			if c, n := t.crossings(o, d, f); !bent {
				for _, x := range c[:n] {
					left = left.mul(behindGlass(x.cos))
				}
			}
			p := o.Add(d.Mul(f))
			return landing{(p.X - m.x) / m.cell, (p.Z - m.z) / m.cell, left}
		}
		p := o.Add(d.Mul(h.T))
		if t.blocks(h.Tri) {
			return landing{}
		}
		if t.kind(h.Tri) == bar {
			left = left.mul(barTint.each(math.Sqrt)) // one of its two faces
			o = p.Add(d.Mul(t.near))
			continue
		}
		if t.kind(h.Tri) == solid { // of glass
			left = left.mul(t.skinOf(h.Tri).color.each(math.Sqrt)).scale(0.95)
			o = p.Add(d.Mul(t.near))
			continue
		}
		bent = true
		s := t.surface(ray{o: o, d: d, wet: wet}, h)
		left = left.mul(s.loss)
		if s.mirror >= 1 {
			d, wet = s.reflected, true
			o = p.Add(s.flat.Mul(t.near))
			continue
		}
		left = left.scale(1 - s.mirror)
		d, wet = s.refracted, !s.exiting
		o = p.Sub(s.flat.Mul(t.near))
	}
	return landing{}
}
