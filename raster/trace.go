package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// tracer follows light backwards from the eye through the world (Whitted
// 1980): at every surface of the liquid a ray splits into a reflected and a
// refracted one, as long as they matter to the picture.
type tracer struct {
	*world
	tree *bvh.Tree
	// liquid returns the light from the liquid's surface; the look decides.
	liquid func(r ray, h bvh.Hit) rgb
	// split returns the same light in two parts: the surface's own light, and the rays
	// that continue from it. It is nil for a look that cannot split.
	split func(r ray, h bvh.Hit) (own rgb, on [2]branch)

	effort effort
	motion *motion     // nil if nothing moves
	toSun  vec.Vec3    // to the point of the sun that shadows are thrown by
	inner  []*lightmap // of the tank's solid sides
}

// effort is how far light is followed.
type effort struct {
	// depth bounds the surfaces a path passes. A ray through a clear
	// container needs 7; drops with total reflection some more.
	depth int
	// faint is the part in a pixel below which a reflection is not followed.
	faint float64
	// lost is the part in a pixel below which nothing is followed.
	lost float64
	// alone is the number of surfaces after which a path no longer splits:
	// enough for both walls of a drop before both faces of a wave.
	alone int
	// doubt is the standard error, of the display's range, at which a pixel
	// of an exposure is done.
	doubt float64
}

// effortOf returns the effort of a quality. 0.05 of a pixel is two steps of an
// 8-bit picture under the brightest sky.
func effortOf(q Quality) effort {
	if q == Final {
		return effort{depth: 16, faint: 0.03, lost: 0.02, alone: 4, doubt: 0.015}
	}
	return effort{depth: 10, faint: 0.05, lost: 0.05, alone: 4, doubt: 0.02}
}

// ray is a straight piece of a path.
type ray struct {
	o, d   vec.Vec3
	wet    bool    // starts in the liquid, or in glass that is in its place
	glass  bool    // starts in a solid of glass
	weight float64 // its part in the pixel, at most
	when   float64 // on the way that all goes while it is cast, from 0 to 1, see moveOver
	blur   float64 // width at o, m
	depth  int     // surfaces passed
}

func newTracer(w *world) *tracer {
	return &tracer{
		world: w, tree: bvh.New(w.pos, w.tri), effort: effortOf(w.view.Quality),
		motion: newMotion(w), toSun: w.sky.toSun,
	}
}

// draw draws the picture, with the light on the floor.
func (t *tracer) draw() []rgb {
	t.lightFloor()
	return t.expose()
}

// expose draws the picture.
func (t *tracer) expose() []rgb {
	if t.view.Quality == Final || t.motion != nil || t.lens.aperture > 0 {
		return t.exposed()
	}
	return t.picture()
}

// trace returns the light along r.
func (t *tracer) trace(r ray) rgb { return t.follow(r, t.next(r, math.Inf(1))) }

// next returns the first hit of r within the given distance in metres.
func (t *tracer) next(r ray, within float64) bvh.Hit {
	return t.tree.CastRay(bvh.Ray{O: r.o, D: r.d, Max: within, When: r.when})
}

// follow returns the light along r, whose first triangle is h.
func (t *tracer) follow(r ray, h bvh.Hit) rgb {
	f := t.floor.distance(r.o, r.d)
	if h.Tri < 0 || f <= h.T+t.near {
		if math.IsInf(f, 1) {
			return t.sky.radiance(r.d)
		}
		c := t.floor.radiance(r.o.Add(r.d.Mul(f)), r.d, r.blur+f*t.lens.pixel())
		if r.wet && !r.glass && t.inside(r.d, h) { // liquid and floor touch
			c = c.mul(t.water.through(f))
		}
		if r.glass && t.kind(h.Tri) == solid { // so do glass and floor
			c = c.mul(t.skinOf(h.Tri).glassThrough(f))
		}
		return c
	}
	switch t.kind(h.Tri) {
	case solid:
		c := t.solid(r, h, nil)
		if r.wet && !r.glass {
			c = c.mul(t.water.through(h.T))
		}
		return c
	case bar:
		flat, _ := t.normals(h.Tri, h.U, h.V)
		p := r.o.Add(r.d.Mul(h.T))
		blur := r.blur + h.T*t.lens.pixel()
		if r.depth >= t.effort.depth {
			return t.open(p, r.d, blur)
		}
		// On through the bar: its far side is passed over.
		on := r
		on.o, on.blur, on.depth = p.Add(r.d.Mul(t.near)), blur, r.depth+1
		if flat.Dot(r.d) > 0 {
			return t.trace(on)
		}
		return t.glass(p, r.d, flat, blur, t.trace(on))
	}
	if r.glass && !t.opaque {
		return t.follow(t.inGlass(r, h))
	}
	return t.liquid(r, h)
}

// inside reports whether a ray along d that meets h next, if anything, is in
// the liquid there. One that went in through a film thinner than near has
// passed the other side too, and would take all the way to the floor for water.
func (t *tracer) inside(d vec.Vec3, h bvh.Hit) bool {
	if t.kind(h.Tri) != liquid {
		return false
	}
	a, b, c := t.corners(h.Tri)
	return b.Sub(a).Cross(c.Sub(a)).Dot(d) > 0
}

// matte returns the colour of a matte surface in sun and sky.
func (t *tracer) matte(r ray, h bvh.Hit, albedo rgb) rgb {
	flat, n := t.normals(h.Tri, h.U, h.V)
	front := flat.Dot(r.d) <= 0
	if !front {
		flat, n = flat.Neg(), n.Neg()
	}
	sun := rgb{}
	if n.Dot(t.sky.toSun) > 0 {
		p := r.o.Add(r.d.Mul(h.T))
		if m := t.wallLight(h.Tri, p, flat); m != nil {
			sun, _ = m.at(m.coordinates(p))
		} else {
			sun = t.sunlight(p.Add(flat.Mul(t.near)), r.when)
		}
	}
	open := 1.0
	if front && int(h.Tri) < t.walls && t.kind(h.Tri) == solid && t.blocks(h.Tri) {
		open = 1 - sheltered*t.shelter.hides(t.tri[h.Tri], h.U, h.V)
	}
	return t.lit(n, sun, open).mul(albedo)
}

// sunlight returns the share of the sun's light that reaches p in a straight line: none
// through solids, and the transmitted share through water and glass.
func (t *tracer) sunlight(p vec.Vec3, when float64) rgb {
	left := rgb{1, 1, 1}
	for range t.effort.depth {
		h := t.next(ray{o: p, d: t.toSun, when: when}, math.Inf(1))
		if t.blocks(h.Tri) {
			return rgb{}
		}
		switch t.kind(h.Tri) {
		case nothing:
			return left
		case bar:
			left = left.mul(barTint.each(math.Sqrt)) // one of its two faces
		case solid: // of glass
			left = left.mul(t.skinOf(h.Tri).color.each(math.Sqrt)).scale(0.95)
		case liquid:
			if flat, _ := t.normals(h.Tri, h.U, h.V); flat.Dot(t.toSun) > 0 {
				left = left.mul(t.water.through(h.T))
			}
			left = left.scale(0.95)
		}
		p = p.Add(t.toSun.Mul(h.T + t.near))
	}
	return left
}

// surface is a point where a ray meets the liquid.
type surface struct {
	p         vec.Vec3
	n, flat   vec.Vec3 // smooth and geometric normal, unit, facing the ray
	exiting   bool     // the ray comes from inside
	eta       float64  // index on the ray's side over that on the other
	cosI      float64
	reflected vec.Vec3 // unit
	refracted vec.Vec3 // unit; meaningless if all is reflected
	mirror    float64  // share of light reflected
	loss      rgb      // share of light left after the way to p
}

func (t *tracer) surface(r ray, h bvh.Hit) surface {
	s := surface{p: r.o.Add(r.d.Mul(h.T)), eta: 1 / t.water.index, loss: rgb{1, 1, 1}}
	s.flat, s.n = t.normals(h.Tri, h.U, h.V)
	if s.flat.Dot(r.d) > 0 {
		s.exiting, s.eta = true, t.water.index
		s.flat, s.n = s.flat.Neg(), s.n.Neg()
		if r.wet {
			s.loss = t.water.through(h.T)
		}
	}
	s.optics(r.d)
	if !s.exiting && t.onPane(s.p, s.flat, r.when) {
		s.mirror, _ = fresnel(s.cosI, 1/glassIndex) // the glass reflects
	}
	return s
}

// optics fills in the directions and the reflectance for light along d.
func (s *surface) optics(d vec.Vec3) {
	const grazing = 0.01
	s.cosI = -s.n.Dot(d)
	if s.cosI < grazing { // the smooth normal is turned away: bend it until it is seen
		s.n = s.n.Sub(d.Mul(grazing - s.cosI)).Unit()
		s.cosI = -s.n.Dot(d)
	}
	var cosT float64
	s.mirror, cosT = fresnel(s.cosI, s.eta)
	// Smooth normals may send light through the wrong side of the triangle.
	s.reflected = reflect(d, s.n)
	if c := s.reflected.Dot(s.flat); c < grazing {
		s.reflected = s.reflected.Add(s.flat.Mul(grazing - c)).Unit()
	}
	s.refracted = refract(d, s.n, s.eta, s.cosI, cosT)
	if c := s.refracted.Dot(s.flat); c > -grazing {
		s.refracted = s.refracted.Sub(s.flat.Mul(grazing + c)).Unit()
	}
}

// picture traces the whole picture: one sample a pixel where it is calm, two
// where the brightness changes, four where those two differ much or things of
// different kinds meet, eight at outlines that stand out.
func (t *tracer) picture() []rgb {
	w, h := int(t.lens.width), int(t.lens.height)
	seen := make([]int32, 4*w*h) // by sample, 2 × 2 per pixel
	for i := range seen {
		seen[i] = -1
	}
	t.camera(2).draw(t.geometry, func(tri int32, _ bool, x, y int) { seen[y*2*w+x] = tri })
	sample := func(v *wave, x, y, k int) {
		u, s := 2*x+k%2, 2*y+k/2
		r := t.eyeRay((float64(u)+0.5)/2, (float64(s)+0.5)/2)
		first := bvh.Hit{T: math.Inf(1), Tri: seen[s*2*w+u]}
		if first.Tri >= 0 {
			first = t.meet(r.o, r.d, first.Tri)
		}
		v.add(r, first, y*w+x)
	}
	pix, level := make([]rgb, w*h), make([]float64, w*h)
	t.eachSquare(func(v *wave, square image.Rectangle) {
		points(square, func(x, y int) { sample(v, x, y, 0) })
		t.eyes(v)
		for i, k := range v.pixel {
			pix[k] = v.sums[i]
			level[k] = shown(pix[k])
		}
	})
	fine := make([]bool, w*h)
	par.Each(h, func(y int) {
		for x := range w {
			fine[y*w+x] = t.busy(level, seen, x, y, w, h)
		}
	})
	t.eachSquare(func(v *wave, square image.Rectangle) {
		points(square, func(x, y int) {
			if fine[y*w+x] {
				sample(v, x, y, 3) // the opposite corner: it shows whether more are needed
			}
		})
		t.eyes(v)
		var four, eight []int32 // pixels that do
		for i, k := range v.pixel {
			a, b := pix[k], v.sums[i]
			pix[k] = a.add(b)
			apart := math.Abs(shown(a) - shown(b))
			edge := t.edge(seen, int(k)%w, int(k)/w, w)
			if edge && apart > sharp {
				eight = append(eight, k)
			}
			if edge && apart > step || apart > sharp {
				four = append(four, k)
			} else {
				pix[k] = pix[k].scale(1. / 2)
			}
		}
		v.clear()
		for _, k := range four {
			sample(v, int(k)%w, int(k)/w, 1)
			sample(v, int(k)%w, int(k)/w, 2)
		}
		t.eyes(v)
		for i, k := range v.pixel {
			pix[k] = pix[k].add(v.sums[i])
		}
		v.clear()
		for _, k := range eight {
			for _, o := range [4][2]float64{{0.5, 0.1}, {0.9, 0.5}, {0.5, 0.9}, {0.1, 0.5}} {
				v.add(t.eyeRay(float64(int(k)%w)+o[0], float64(int(k)/w)+o[1]), bvh.Hit{}, int(k))
			}
		}
		t.cast(v)
		t.eyes(v)
		for i, k := range v.pixel {
			pix[k] = pix[k].add(v.sums[i])
		}
		for _, k := range four {
			n := 4.0
			if len(eight) > 0 && eight[0] == k { // those are among the four, in their order
				n, eight = 8, eight[1:]
			}
			pix[k] = pix[k].scale(1 / n)
		}
	})
	return pix
}

const (
	brightest = 6    // bounds a sample, so that a glint smaller than a pixel does not light all of it
	step      = 0.02 // of the display's range: just visible in a calm area
	sharp     = 0.10 // of the display's range: an edge whose stairs would show
)

// shown returns about how bright c will be, in [0, 1].
func shown(c rgb) float64 {
	l := c.luminance()
	return math.Sqrt(l / (l + 1))
}

// edge reports whether things of different kinds meet in the pixel.
func (t *tracer) edge(seen []int32, x, y, w int) bool {
	i := 2*y*2*w + 2*x
	k := t.kind(seen[i])
	return k != t.kind(seen[i+1]) || k != t.kind(seen[i+2*w]) || k != t.kind(seen[i+2*w+1])
}

// busy reports whether the pixel needs more than one sample.
func (t *tracer) busy(level []float64, seen []int32, x, y, w, h int) bool {
	if t.edge(seen, x, y, w) {
		return true
	}
	m := level[y*w+x]
	lo, hi := m, m
	for _, n := range [4][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
		if n[0] >= 0 && n[1] >= 0 && n[0] < w && n[1] < h {
			l := level[n[1]*w+n[0]]
			lo, hi = min(lo, l), max(hi, l)
		}
	}
	return hi-lo > step
}

// camera returns the pass of the camera's view, with grid × grid samples per pixel.
func (w *world) camera(grid int) *pass {
	l := w.lens
	far := w.size
	for i := range 8 {
		far = max(far, corner(w.bounds, i).Sub(l.eye).Len())
	}
	return &pass{
		width: grid * int(l.width), height: grid * int(l.height),
		part:   image.Rectangle{w.part.Min.Mul(grid), w.part.Max.Mul(grid)},
		matrix: l.matrix(1e-3*w.size, 2*far),
		sight:  func(p vec.Vec3) vec.Vec3 { return p.Sub(l.eye) },
	}
}

// eyeRay returns the ray through the point (x, y) of the picture.
func (w *world) eyeRay(x, y float64) ray { return ray{o: w.lens.eye, d: w.lens.ray(x, y), weight: 1} }

// throughTank returns the light that the tank's glass adds to a ray from the eye before
// end, and the transmittance of the glass.
func (w *world) throughTank(r ray, end float64) (sum, left rgb) {
	c, n := w.crossings(&r, end-wetting*w.size)
	left = rgb{1, 1, 1}
	for _, x := range c[:n] {
		if x.bent && (end-x.t)*max(x.cos, 0.02) < contact*w.size { // the solid behind reflects
			continue
		}
		p := r.o.Add(r.d.Mul(x.t))
		mirror := w.open(p, reflect(r.d, x.normal), x.t*w.lens.pixel())
		sum = sum.add(mirror.mul(left).scale(pane(x.cos)))
		left = left.mul(x.through())
	}
	return sum, left
}
