package raster

import (
	"math"

	"breakwater/raster/bvh"
	"breakwater/sim/vec"
)

// glass is the sides of a tank as plates with a thickness, glued together at
// the edges. It stands beside the tree: a plate is met exactly, and what
// liquid touches it is looked for, so that where water wets the glass light
// passes from one to the other with no film of air between.
type glass struct {
	plate []vec.Box
	thick float64 // m
	sigma rgb     // absorption coefficient, 1/m
	inner vec.Box
	outer vec.Box
}

const (
	// plateWidth is the thickness of the plates over the tank's longest side:
	// 12 mm in a tank of 2 m, as aquariums have.
	plateWidth = 0.006
	// glassIndex is the refractive index of the tank, soda-lime glass.
	glassIndex = 1.52
	// glassBounces bounds the reflections inside of a plate that is seen along.
	glassBounces = 12
)

func newGlass(t *Tank) *glass {
	g := &glass{outer: vec.Empty()}
	if t == nil {
		return g
	}
	s := t.Size()
	g.thick, g.inner = plateWidth*max(s.X, s.Y, s.Z), t.Box
	// Across a plate little is lost; along it, most of the red.
	g.sigma = rgb{0.012, 0.0035, 0.006}.scale(1 / g.thick)
	add := func(side int, x0, x1, z0, z1 float64) {
		if !t.Open[side] {
			b := vec.Box{Min: vec.Vec3{X: x0, Y: t.Min.Y, Z: z0}, Max: vec.Vec3{X: x1, Y: t.Max.Y, Z: z1}}
			g.plate, g.outer = append(g.plate, b), g.outer.Union(b)
		}
	}
	z0, z1 := t.Min.Z, t.Max.Z
	if !t.Open[2] {
		z0 -= g.thick
	}
	if !t.Open[3] {
		z1 += g.thick
	}
	add(0, t.Min.X-g.thick, t.Min.X, z0, z1)
	add(1, t.Max.X, t.Max.X+g.thick, z0, z1)
	add(2, t.Min.X, t.Max.X, t.Min.Z-g.thick, t.Min.Z)
	add(3, t.Min.X, t.Max.X, t.Max.Z, t.Max.Z+g.thick)
	return g
}

// stretch is a piece of a ray that lies in glass.
type stretch struct {
	in, out   float64  // metres along the ray; in ≤ 0 for a ray that starts in it
	nIn, nOut vec.Vec3 // normals of the faces there, out of the glass
}

// next returns the first piece of the ray from o along d that lies in glass,
// in < out, and whether there is one. Plates that touch are one.
func (g *glass) next(o, d vec.Vec3) (s stretch, ok bool) {
	var list [4]stretch
	n := 0
	inv := vec.Vec3{X: 1 / d.X, Y: 1 / d.Y, Z: 1 / d.Z}
	if _, ok := within(&g.outer, o, inv); !ok {
		return s, false
	}
	for i := range g.plate {
		c, ok := within(&g.plate[i], o, inv)
		if !ok {
			continue
		}
		k := n
		for ; k > 0 && list[k-1].in > c.in; k-- {
			list[k] = list[k-1]
		}
		list[k] = c
		n++
	}
	if n == 0 {
		return s, false
	}
	s = list[0]
	for _, c := range list[1:n] {
		if c.in > s.out+1e-6*g.thick {
			break
		}
		if c.out > s.out {
			s.out, s.nOut = c.out, c.nOut
		}
	}
	return s, true
}

// within returns the piece of a ray, with 1 over its direction, that lies in b
// and not before the ray's start.
func within(b *vec.Box, o, inv vec.Vec3) (s stretch, ok bool) {
	s.in, s.out = math.Inf(-1), math.Inf(1)
	slab := func(lo, hi, o, inv float64, axis vec.Vec3) {
		t0, t1, n := (lo-o)*inv, (hi-o)*inv, axis
		if inv < 0 {
			t0, t1 = t1, t0
		} else {
			n = n.Neg()
		}
		if math.IsInf(inv, 0) && (o < lo || o > hi) {
			t1 = math.Inf(-1)
		}
		if t0 > s.in {
			s.in, s.nIn = t0, n
		}
		if t1 < s.out {
			s.out, s.nOut = t1, n.Neg()
		}
	}
	slab(b.Min.X, b.Max.X, o.X, inv.X, vec.Vec3{X: 1})
	slab(b.Min.Y, b.Max.Y, o.Y, inv.Y, vec.Vec3{Y: 1})
	slab(b.Min.Z, b.Max.Z, o.Z, inv.Z, vec.Vec3{Z: 1})
	return s, s.in < s.out && s.out > 0
}

// through returns the share of light left after x metres of glass.
func (g *glass) through(x float64) rgb {
	return rgb{decay(g.sigma.R * x), decay(g.sigma.G * x), decay(g.sigma.B * x)}
}

// ahead returns the glass that a ray from o along d passes before the hit h
// and the floor at f, if any. Where the liquid of a wet ray ends on glass, the
// glass comes first.
func (t *tracer) ahead(r ray, h bvh.Hit, f float64) (s stretch, ok bool) {
	if len(t.sides.plate) == 0 {
		return s, false
	}
	s, ok = t.sides.next(r.o, r.d)
	if !ok || s.out <= t.near {
		return s, false
	}
	end := h.T
	if t.kind(h.Tri) == liquid {
		// Seen at an angle, the gap between two faces is longer.
		end += wetting * t.size / max(0.05, math.Abs(s.nIn.Dot(r.d)))
	}
	return s, s.in < min(end, f)
}

// leaving is how a ray comes out of glass.
type leaving struct {
	ray            // on its way; o is on the floor if down
	left   rgb     // share of its light
	mirror float64 // share of light that both faces reflect
	frost  float64 // share of light that a ground edge scatters
	p, n   vec.Vec3
	down   bool    // ends on the floor, under the plate
	stuck  bvh.Hit // the opaque body that touches the glass where the ray comes out, if any
	ok     bool    // not led along the plate till nothing is left
}

// plate follows the ray r through the glass of s. Light that a face reflects
// is told in mirror, that of total reflection goes on.
func (t *tracer) plate(r ray, s stretch) (l leaving) {
	l.left = rgb{1, 1, 1}
	l.ray, l.stuck.Tri = r, -1
	l.depth++
	l.p, l.n = r.o, r.d.Neg()
	d := r.d
	if s.in > 0 {
		l.p, l.n = r.o.Add(r.d.Mul(s.in)), s.nIn
		index := 1.0
		if r.wet {
			index = t.water.index
			l.left = t.water.through(s.in)
		}
		cos := math.Min(1, -s.nIn.Dot(d))
		m, cosT := fresnel(cos, index/glassIndex)
		d = refract(d, s.nIn, index/glassIndex, cos, cosT).Unit()
		l.mirror = m
		l.left = l.left.scale(1 - m)
		l.grind(s.nIn)
	}
	p := l.p
	for range glassBounces {
		// From just inside, so that the plate is met again.
		o := p.Sub(d.Mul(1e-3 * t.near))
		s, ok := t.sides.next(o, d)
		if !ok {
			return l
		}
		if f := t.floor.distance(p, d); f < s.out {
			l.left = l.left.mul(t.sides.through(f))
			l.o, l.d, l.down, l.ok = p.Add(d.Mul(f)), d, true, true
			return l
		}
		l.left = l.left.mul(t.sides.through(s.out))
		if l.left.max() < lost/4 {
			return l
		}
		p = o.Add(d.Mul(s.out))
		index, start := 1.0, p
		touching, back := t.touching(p, d)
		if t.blocks(touching.Tri) {
			l.o, l.d, l.stuck, l.ok = back, d, touching, true
			return l
		}
		wet := touching.Tri >= 0
		if wet {
			index, start = t.water.index, back.Add(d.Mul(touching.T))
		}
		n := s.nOut.Neg()
		cos := math.Min(1, -n.Dot(d))
		m, cosT := fresnel(cos, glassIndex/index)
		l.grind(n)
		if m < 1 {
			l.left = l.left.scale(1 - m)
			l.mirror += m * (1 - l.mirror)
			l.d = refract(d, n, glassIndex/index, cos, cosT).Unit()
			l.o, l.wet, l.ok = start.Add(l.d.Mul(t.near)), wet, true
			return l
		}
		d = reflect(d, n)
	}
	return l
}

// grind scatters light at a face of normal n if it is an upper or lower edge,
// which is ground, not polished.
func (l *leaving) grind(n vec.Vec3) {
	const share = 0.45
	if math.Abs(n.Y) > 0.5 && l.frost == 0 {
		l.frost = share * l.left.max()
		l.left = l.left.scale(1 - share)
	}
}

// touching returns what touches the glass at p, from where a ray goes out along
// d: the hit of a ray that starts at from, a little before p, or none.
func (t *tracer) touching(p, d vec.Vec3) (h bvh.Hit, from vec.Vec3) {
	none := bvh.Hit{Tri: -1}
	gap := 2 * wetting * t.size
	if len(t.tri) == 0 || !t.sides.inner.Grow(gap).Contains(p) {
		return none, p
	}
	from = p.Sub(d.Mul(gap))
	h = t.tree.Cast(from, d, 2*gap)
	if h.Tri < 0 {
		return none, p
	}
	if flat, _ := t.normals(h.Tri, h.U, h.V); flat.Dot(d) > 0 {
		return none, p
	}
	return h, from
}

// behindPlate returns what comes along r, which meets the glass of s.
func (t *tracer) behindPlate(r ray, s stretch) rgb {
	blur := r.blur + max(0, s.in)*t.lens.pixel()
	l := t.plate(r, s)
	sum := rgb{}
	if l.mirror > 0 && !r.wet {
		sum = t.open(l.p, reflect(r.d, l.n), blur).scale(l.mirror)
	}
	if l.frost > 0 {
		sum = sum.add(t.lit(vec.Vec3{Y: 1}, rgb{1, 1, 1}).mul(barTint).scale(0.5 * l.frost))
	}
	part := r.weight * l.left.max()
	switch {
	case !l.ok: // light led along the plate from all around it
		return sum.add(t.sky.ambient(vec.Vec3{Y: 1}).mul(barTint).mul(l.left).scale(0.3))
	case l.down:
		return sum.add(t.floor.radiance(l.o, l.d, blur).mul(l.left))
	case r.depth >= maxDepth || part < lost/4:
		return sum.add(t.backdrop(l.d).mul(l.left))
	}
	l.blur, l.weight = blur, part
	if l.stuck.Tri >= 0 {
		l.wet = false
		return sum.add(t.body(l.ray, l.stuck).mul(l.left))
	}
	return sum.add(t.trace(l.ray).mul(l.left))
}

// rim marks the pixels of a w×h picture that the upper edges of the plates
// cross: lines so thin that samples may miss them.
func (t *tracer) rim(w, h int) []bool {
	on := make([]bool, w*h)
	for i := range t.sides.plate {
		b := &t.sides.plate[i]
		for k := range 4 {
			// The corners with the numbers 2, 3, 7 and 6 go around the top.
			from, to := corner(*b, [4]int{2, 3, 7, 6}[k]), corner(*b, [4]int{3, 7, 6, 2}[k])
			ax, ay, a := t.lens.project(from)
			bx, by, b := t.lens.project(to)
			if a <= 0 || b <= 0 {
				continue
			}
			n := min(4*(w+h), int(2*max(math.Abs(bx-ax), math.Abs(by-ay)))+1)
			for j := range n + 1 {
				s := float64(j) / float64(n)
				x, y := int(math.Floor(ax+s*(bx-ax))), int(math.Floor(ay+s*(by-ay)))
				for y := max(0, y-1); y <= min(h-1, y+1); y++ {
					if x >= 0 && x < w {
						on[y*w+x] = true
					}
				}
			}
		}
	}
	return on
}
