package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/ground"
	"breakwater/raster/optics"
	"breakwater/sim/vec"
)

// buffers are the quantities of every pixel for draft shading, in float32.
type buffers struct {
	w, h       int
	tri        []int32      // nearest front face, -1 for none
	depth      []float32    // m along the pixel's ray to that face
	normal     [][3]float32 // smooth normal there
	thickness  []float32    // m of liquid along the pixel's ray
	backNormal [][3]float32 // smooth normal of the nearest back face of the liquid
	backDepth  []float32    // m along the pixel's ray to that back face
	solid      []bvh.Hit    // nearest front face of a solid, wherever the liquid is
}

// fillBuffers fills the buffers: one pass for the front, one for the thickness, which is
// the sum of the exit distances minus the sum of the entry distances.
func (w *scene) fillBuffers() *buffers {
	b := &buffers{w: int(w.lens.Width), h: int(w.lens.Height)}
	n := b.w * b.h
	b.tri, b.depth, b.normal = make([]int32, n), make([]float32, n), make([][3]float32, n)
	b.thickness, b.backNormal, b.backDepth, b.solid = make([]float32, n), make([][3]float32, n), make([]float32, n), make([]bvh.Hit, n)
	for i := range n {
		b.tri[i], b.depth[i], b.backDepth[i] = -1, float32(math.Inf(1)), float32(math.Inf(1))
		b.solid[i] = bvh.Hit{T: math.Inf(1), Tri: -1}
	}
	pass := w.cameraPass(1)
	pass.Draw(len(w.tri), w.corners, func(tri int32, _ bool, x, y int) { b.tri[y*b.w+x] = tri })
	w.pixels(func(x, y int) {
		i := y*b.w + x
		if b.tri[i] < 0 {
			return
		}
		h := w.intersectPlane(w.lens.Eye, w.pixelRay(x, y), b.tri[i])
		_, n := w.normals(h.Tri, h.U, h.V)
		b.depth[i], b.normal[i] = float32(h.T), pack(n)
	})
	pass.Layers = true
	pass.Draw(len(w.tri), w.corners, func(tri int32, front bool, x, y int) {
		k := w.kind(tri)
		if k == bar {
			return
		}
		i := y*b.w + x
		h := w.intersectPlane(w.lens.Eye, w.pixelRay(x, y), tri)
		if k == solid {
			if front && h.T < b.solid[i].T {
				b.solid[i] = h
			}
			return
		}
		if front {
			b.thickness[i] -= float32(h.T)
			return
		}
		b.thickness[i] += float32(h.T)
		if float32(h.T) < b.backDepth[i] {
			_, n := w.normals(h.Tri, h.U, h.V)
			b.backDepth[i], b.backNormal[i] = float32(h.T), pack(n)
		}
	})
	return b
}

func (w *scene) pixelRay(x, y int) vec.Vec3 { return w.lens.Ray(float64(x)+0.5, float64(y)+0.5) }

func pack(n vec.Vec3) [3]float32 { return [3]float32{float32(n.X), float32(n.Y), float32(n.Z)} }

func unpack(n [3]float32) vec.Vec3 {
	return vec.Vec3{X: float64(n[0]), Y: float64(n[1]), Z: float64(n[2])}
}

// draftShade gives the colour of the liquid in a pixel from the buffers.
type draftShade func(w *scene, b *buffers, i int, r ray) color.RGB

// draft draws the picture with one sample per pixel and without tracing.
func (w *scene) draft(shade draftShade) []color.RGB {
	m := w.newFloorMap()
	w.draftShadow(m)
	w.addOcclusion(m)
	w.addLamps(m, nil)
	w.floor.Light = m
	b := w.fillBuffers()
	grains := w.draftClouds(b)
	pix := make([]color.RGB, b.w*b.h)
	w.pixels(func(x, y int) {
		i := y*b.w + x
		r := w.cameraRay(float64(x)+0.5, float64(y)+0.5)
		depth := float64(b.depth[i])
		end := min(depth, w.floor.Distance(r.o, r.d))
		behind := func() color.RGB {
			if depth > end {
				return w.background(r.o, r.d, 0)
			}
			switch w.kind(b.tri[i]) {
			case solid:
				return w.draftSolid(r, w.intersectPlane(r.o, r.d, b.tri[i]), unpack(b.normal[i]))
			case bar:
				p := r.o.Add(r.d.Mul(depth))
				return w.shadeBar(p, r.d, unpack(b.normal[i]), depth*w.lens.PixelAngle(), w.background(p, r.d, depth*w.lens.PixelAngle()))
			case liquid:
				c := over(grains.bubbles, i, shade(w, b, i, r))
				return w.draftFoam(grains.foam, r, w.intersectPlane(r.o, r.d, b.tri[i]), unpack(b.normal[i]), c)
			}
			return w.background(r.o, r.d, 0)
		}
		sum, left := w.tankGlass(r, end)
		pix[i], _ = w.overSmoke(&r, end, over(grains.spray, i, sum.Add(behind().Mul(left))))
	})
	return pix
}

// draftWater refracts at the front face and at the nearest back face, and absorbs along
// the straight path between all faces.
func draftWater(w *scene, b *buffers, i int, r ray) color.RGB {
	depth, thick := float64(b.depth[i]), max(0, float64(b.thickness[i]))
	front := surfaceHit{p: r.o.Add(r.d.Mul(depth)), n: unpack(b.normal[i]), eta: 1 / w.water.Index}
	front.ng = front.n
	front.scatter(r.d)
	width := depth * w.lens.PixelAngle()
	mirror := w.background(front.p, front.reflected, width)
	if s := b.solid[i]; s.Tri >= 0 { // seen where it stands, not where the liquid shows it
		_, n := w.normals(s.Tri, s.U, s.V)
		c := w.draftSolid(r, s, n)
		return c.Mul(w.water.Transmittance(min(thick, s.T-depth))).Lerp(mirror, front.reflectance)
	}
	// The path inside is assumed to be as long as the straight one.
	d := front.refracted
	q := front.p.Add(d.Mul(thick))
	if f := w.floor.Distance(front.p, d); f < thick {
		q = front.p.Add(d.Mul(f))
	} else if n := unpack(b.backNormal[i]); n.Dot(d) > 0 {
		back := surfaceHit{p: q, n: n.Neg(), ng: n.Neg(), eta: w.water.Index}
		back.scatter(d)
		if back.reflectance < 1 {
			d = back.refracted
		}
	}
	behind := w.background(q, d, width).Mul(w.water.Transmittance(thick))
	return behind.Lerp(mirror, front.reflectance)
}

// draftShadow fills m with the sun's light after a straight path through the liquid, from
// the liquid's thickness along the sun's rays.
func (w *scene) draftShadow(m *ground.Map) {
	thick := make([]float32, m.W*m.H)
	dark := make([]bool, m.W*m.H)
	w.mapPass(m, w.sky.ToSun, false, true).Draw(len(w.tri), w.corners, func(tri int32, front bool, x, y int) {
		i := y*m.W + x
		switch {
		case w.blocksLight(tri):
			dark[i] = true
		case w.kind(tri) == liquid:
			h := w.intersectPlane(m.Point(x, y), w.sky.ToSun, tri)
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
			m.Sun[i] = color.RGB{}
		case t > 0:
			m.Sun[i] = w.water.Transmittance(float64(t)).Scale(0.8)
		}
	}
	if w.smoke != nil {
		m.Each(func(i, j int) {
			k := j*m.W + i
			m.Sun[k] = m.Sun[k].Scale(w.smokeTransmittance(m.Point(i, j), w.sky.ToSun, math.Inf(1)))
		})
	}
	m.BlurSun(m.SunBlur())
}

// drawLiquid draws v. At draft, front shades the front of the liquid. Otherwise rays are
// traced, and setup gives the tracer the liquid's material.
func drawLiquid(v *View, m optics.Medium, opaque bool, front func(w *scene, b *buffers, i int, r ray) color.RGB, setup func(t *tracer)) (*image.RGBA, error) {
	w := newScene(v, m)
	w.opaqueLiquid = opaque
	if v.Quality == Draft {
		return color.Develop(w.draft(front), v.Width, v.Light.Gain()), nil
	}
	t := newTracer(w)
	setup(t)
	return color.Develop(t.draw(), v.Width, v.Light.Gain()), nil
}
