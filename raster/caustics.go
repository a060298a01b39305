package raster

import (
	"math"

	"breakwater/sim/vec"
)

// lightFloor computes the light on the floor.
func (t *tracer) lightFloor() {
	m := t.newLight()
	t.sunbeams(m)
	t.occlude(m)
	t.floor.light = m
}

// sunbeams fills m with the sun's light on the floor, beam by beam through
// whatever is in the way: shadows of solids, the tint of the liquid, and the
// caustics that its waves make.
func (t *tracer) sunbeams(m *lightmap) {
	down := t.sky.toSun.Neg()
	start := 4 * t.size / t.sky.toSun.Y // above everything
	beams := make([]landing, m.w*m.h)
	tiles(m.w, m.h, func(i, j int) {
		p := m.point(i, j, t.floor.y)
		beams[j*m.w+i] = t.sunbeam(m, p.Sub(down.Mul(start)), down)
	})
	m.splat(beams)
	m.soften()
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
