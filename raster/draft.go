package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/sim/vec"
)

// buffers are the quantities of every pixel for draft shading, in float32.
type buffers struct {
	w, h   int
	tri    []int32      // nearest front face, -1 for none
	depth  []float32    // m along the pixel's ray to that face
	normal [][3]float32 // smooth normal there
	thick  []float32    // m of liquid along the pixel's ray
	rear   [][3]float32 // smooth normal of the nearest back face of the liquid
	exit   []float32    // m along the pixel's ray to that back face
	body   []bvh.Hit    // nearest front face of a solid, wherever the liquid is
}

// gather fills the buffers: one pass for the front, one for the thickness,
// which is the sum of the ways out less the sum of the ways in.
func (w *world) gather() *buffers {
	b := &buffers{w: int(w.lens.width), h: int(w.lens.height)}
	n := b.w * b.h
	b.tri, b.depth, b.normal = make([]int32, n), make([]float32, n), make([][3]float32, n)
	b.thick, b.rear, b.exit, b.body = make([]float32, n), make([][3]float32, n), make([]float32, n), make([]bvh.Hit, n)
	for i := range n {
		b.tri[i], b.depth[i], b.exit[i] = -1, float32(math.Inf(1)), float32(math.Inf(1))
		b.body[i] = bvh.Hit{T: math.Inf(1), Tri: -1}
	}
	pass := w.camera(1)
	pass.draw(w.geometry, func(tri int32, _ bool, x, y int) { b.tri[y*b.w+x] = tri })
	w.pixels(func(x, y int) {
		i := y*b.w + x
		if b.tri[i] < 0 {
			return
		}
		h := w.meet(w.lens.eye, w.pixelRay(x, y), b.tri[i])
		_, n := w.normals(h.Tri, h.U, h.V)
		b.depth[i], b.normal[i] = float32(h.T), pack(n)
	})
	pass.layers = true
	pass.draw(w.geometry, func(tri int32, front bool, x, y int) {
		k := w.kind(tri)
		if k == bar {
			return
		}
		i := y*b.w + x
		h := w.meet(w.lens.eye, w.pixelRay(x, y), tri)
		if k == solid {
			if front && h.T < b.body[i].T {
				b.body[i] = h
			}
			return
		}
		if front {
			b.thick[i] -= float32(h.T)
			return
		}
		b.thick[i] += float32(h.T)
		if float32(h.T) < b.exit[i] {
			_, n := w.normals(h.Tri, h.U, h.V)
			b.exit[i], b.rear[i] = float32(h.T), pack(n)
		}
	})
	return b
}

func (w *world) pixelRay(x, y int) vec.Vec3 { return w.lens.ray(float64(x)+0.5, float64(y)+0.5) }

func pack(n vec.Vec3) [3]float32 {
	return [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}
}

func unpack(n [3]float32) vec.Vec3 {
	return vec.Vec3{X: float64(n[0]), Y: float64(n[1]), Z: float64(n[2])}
}

// draftShade gives the colour of the liquid in a pixel from the buffers.
type draftShade func(w *world, b *buffers, i int, r ray) rgb

// draft draws the picture with one sample a pixel and without tracing.
func (w *world) draft(shade draftShade) []rgb {
	m := w.newLight()
	w.shadow(m)
	w.occlude(m)
	w.floor.light = m
	b := w.gather()
	pix := make([]rgb, b.w*b.h)
	w.pixels(func(x, y int) {
		i := y*b.w + x
		r := w.eyeRay(float64(x)+0.5, float64(y)+0.5)
		depth := float64(b.depth[i])
		end := min(depth, w.floor.distance(r.o, r.d))
		behind := func() rgb {
			if depth > end {
				return w.open(r.o, r.d, 0)
			}
			switch w.kind(b.tri[i]) {
			case solid:
				return w.draftSolid(r, w.meet(r.o, r.d, b.tri[i]), unpack(b.normal[i]))
			case bar:
				p := r.o.Add(r.d.Mul(depth))
				return w.glass(p, r.d, unpack(b.normal[i]), depth*w.lens.pixel(), w.open(p, r.d, depth*w.lens.pixel()))
			case liquid:
				return shade(w, b, i, r)
			}
			return w.open(r.o, r.d, 0)
		}
		sum, left := w.throughTank(r, end)
		pix[i] = sum.add(behind().mul(left))
	})
	return pix
}

// draftWater refracts at the front face and at the nearest back face, and
// absorbs along the straight way between all faces.
func draftWater(w *world, b *buffers, i int, r ray) rgb {
	depth, thick := float64(b.depth[i]), max(0, float64(b.thick[i]))
	front := surface{p: r.o.Add(r.d.Mul(depth)), n: unpack(b.normal[i]), eta: 1 / w.water.index}
	front.flat = front.n
	front.optics(r.d)
	blur := depth * w.lens.pixel()
	mirror := w.open(front.p, front.reflected, blur)
	if s := b.body[i]; s.Tri >= 0 { // seen where it stands, not where the liquid shows it
		_, n := w.normals(s.Tri, s.U, s.V)
		c := w.draftSolid(r, s, n)
		return c.mul(w.water.through(min(thick, s.T-depth))).lerp(mirror, front.mirror)
	}
	// The way inside, taken as long as the straight one.
	d := front.refracted
	q := front.p.Add(d.Mul(thick))
	if f := w.floor.distance(front.p, d); f < thick {
		q = front.p.Add(d.Mul(f))
	} else if n := unpack(b.rear[i]); n.Dot(d) > 0 {
		back := surface{p: q, n: n.Neg(), flat: n.Neg(), eta: w.water.index}
		back.optics(d)
		if back.mirror < 1 {
			d = back.refracted
		}
	}
	behind := w.open(q, d, blur).mul(w.water.through(thick))
	return behind.lerp(mirror, front.mirror)
}

// shadow fills m with the sun's light after a straight way through the
// liquid, from the liquid's thickness along the sun's rays.
func (w *world) shadow(m *lightmap) {
	thick := make([]float32, m.w*m.h)
	dark := make([]bool, m.w*m.h)
	w.onFloor(m, w.sky.toSun, false, true).draw(w.geometry, func(tri int32, front bool, x, y int) {
		i := y*m.w + x
		switch {
		case w.blocks(tri):
			dark[i] = true
		case w.kind(tri) == liquid:
			h := w.meet(m.point(x, y), w.sky.toSun, tri)
			if front { // seen from the sun: the far end of the way from the floor
				thick[i] += float32(h.T)
			} else {
				thick[i] -= float32(h.T)
			}
		}
	})
	for i, t := range thick {
		switch {
		case dark[i]:
			m.sun[i] = rgb{}
		case t > 0:
			m.sun[i] = w.water.through(float64(t)).scale(0.8)
		}
	}
	m.soften(m.discWidth())
}

// drawLiquid draws v. At draft, front shades the front of the liquid. Otherwise rays are
// traced, and setup gives the tracer the liquid's material.
func drawLiquid(v *View, m medium, opaque bool, front func(w *world, b *buffers, i int, r ray) rgb, setup func(t *tracer)) (*image.RGBA, error) {
	w := newWorld(v, m)
	w.opaque = opaque
	if v.Quality == Draft {
		return develop(w.draft(front), v), nil
	}
	t := newTracer(w)
	setup(t)
	return develop(t.draw(), v), nil
}
