package grains

import (
	"math"
	"sync"

	"breakwater/sim/num"
	"breakwater/sim/vec"
)

const (
	// wide is the radius that a small grain is drawn with, over the width of the ray. A
	// paraboloid of this radius has the same sum over a raster of rays, to 3 %, wherever
	// it is between them, which no smaller one has.
	wide = 1.3
	// finest is the largest radius that small grains are drawn with, in cells. Wider rays
	// see the voxels in their place.
	finest = 0.9
	// blurred is the width of a ray, in cells, from which on it sees the voxels.
	blurred = 1.2
	// nothing is the share of light that is as good as none.
	nothing = 1. / 64
	// behind is the share of light behind which the voxels stand for the grains: those that
	// are behind many others are not seen one by one.
	behind = 0.15
	// thinnest is the least optical depth of mist whose light is looked up, but for the rest
	// at the end of a ray.
	thinnest = 8e-3
	// unseen is the optical depth of mist that is as good as none.
	unseen = 1e-4
)

// clearMiddle is the part of the radius of a drop that lets the light through almost straight: rays
// within 0.6 of it turn by less than 21°, as they would if they were left. Where a drop moves, what
// is seen of it is its bright part.
const clearMiddle = 0.4

// hit is a grain on a ray.
type hit struct {
	t, cover float64
	b        float64 // distance of the ray from its middle, m
	i        int32
}

// Gather returns the light that the cloud sends along a ray from o, against its unit
// direction d, between the distances t0 and t1, and the share of the light from beyond t1
// that comes through. The ray is width wide at o, and wider by spread with each metre.
func (c *Cloud) Gather(o, d vec.Vec3, t0, t1, width, spread float64) (light vec.Vec3, left float64) {
	p := newProbe(o, d)
	t0, t1 = c.within(&p, t0, t1) // with anything between
	if !(t0 < t1) {
		return vec.Vec3{}, 1
	}
	g := gathering{Cloud: c, o: o, d: d, width: width, spread: spread, left: 1, probe: p}
	switch {
	case c.sight == nil:
		g.direct()
	case o == c.sight.eye && width == 0:
		x, y := c.sight.at(d)
		var from, to float64
		g.seen, from, to = c.sight.tile(x, y)
		g.x, g.y = float32(x), float32(y)
		g.direct()
		if t0, t1 = max(from, t0), min(to, t1); !(t0 < t1) {
			return vec.Vec3{}, 1
		}
	default:
		g.afar = true
	}
	c.blocks(&g.probe, t0, t1, g.block)
	if g.pending != nil {
		pendings.Put(g.pending)
	}
	if g.thin > unseen && g.left >= nothing {
		if !g.ready {
			g.prepare()
		}
		s := c.shineAt(c.voxels.lit, o.Add(d.Mul(g.thinAt)))
		g.add(g.scattered(&s), g.thinAt, g.thin)
	}
	if g.left < nothing { // as if the remainder were like the rest
		return g.light.Mul(1 / (1 - g.left)), 0
	}
	return g.light, g.left
}

// direct sets up what only grains that are seen one by one need.
func (g *gathering) direct() {
	if g.moving {
		g.across, g.up = g.d.Basis()
	}
	if g.sight != nil {
		return
	}
	g.perCell = 1 / g.cell
	for k, stride := range [3]int{1, side, side * side} {
		g.gap[k], g.steps[k] = math.Abs(g.cell*g.inverse[k]), stride
		if g.da[k] < 0 {
			g.steps[k] = -stride
		}
	}
}

// gathering is the state of Gather.
type gathering struct {
	*Cloud
	o, d          vec.Vec3
	width, spread float64
	light         vec.Vec3
	left          float64
	thin, thinAt  float64 // optical depth that is not counted yet, and the distance up to which it goes

	probe
	gap        [3]float64 // between the borders of cells along the ray, m
	steps      [3]int     // between the numbers of cells
	perCell    float64    // 1/m
	across, up vec.Vec3   // unit, at right angles to d

	ready bool
	sun   vec.Vec3 // phase function of the sun's light along the ray
	glow  vec.Vec3 // radiance along the ray of the light from around, scattered once

	afar bool    // the voxels stand for all grains
	x, y float32 // of the point of the frame
	seen []int32 // numbers in sighting.near of the grains that are still to be tested
	// pending are hits: of the cell, or those farther than the last block, the nearest one last.
	pending *[]hit
}

// pendings keeps lists of hits, which gathering needs only among grains.
var pendings = sync.Pool{New: func() any { list := make([]hit, 0, 2*Most); return &list }}

// block gathers along the ray in a block.
func (g *gathering) block(block int32, from, to float64) bool {
	if g.afar || g.left < behind || g.width+float64(g.spread*from) > blurred*g.cell {
		g.cloudy(&g.all, block, from, to, 2)
		return g.left >= nothing
	}
	if g.foggyAt(block) {
		g.cloudy(&g.fog, block, from, to, g.mistStep())
	}
	if g.sight != nil {
		g.sighted(to)
		return g.left >= nothing
	}
	filled := &g.filledCells[block]
	if *filled == ([cells / 64]uint64{}) {
		return g.left >= nothing
	}
	start := g.start[int(block)*cells:][:cells+1]
	// The walk through the cells: the cell's number, where the ray leaves it along each axis,
	// and how many cells are left along each.
	place := &g.place[block]
	var far [3]float64
	var left [3]int
	cell := 0
	for k, stride := range [3]int{1, side, side * side} {
		base := float64(float64(place[k]) * side * g.cell)
		at := min(side-1, max(0, int((g.oa[k]+float64(g.da[k]*from)-base)*g.perCell)))
		cell += stride * at
		switch {
		case g.da[k] > 0:
			far[k], left[k] = float64((base+float64(float64(at+1)*g.cell)-g.oa[k])*g.inverse[k]), side-at
		case g.da[k] < 0:
			far[k], left[k] = float64((base+float64(float64(at)*g.cell)-g.oa[k])*g.inverse[k]), at+1
		default:
			far[k] = math.Inf(1)
		}
	}
	x, y, z := far[0], far[1], far[2]
	for {
		end, axis := x, 0
		if y < end {
			end, axis = y, 1
		}
		if z < end {
			end, axis = z, 2
		}
		if end > from {
			if filled[cell/64]&(1<<(cell%64)) != 0 {
				if g.cellAlong(g.list[start[cell]:start[cell+1]], from, min(end, to)); g.left < nothing {
					return false
				}
			}
			if from = end; from >= to {
				return true
			}
		}
		switch cell += g.steps[axis]; axis {
		case 0:
			x += g.gap[0]
		case 1:
			y += g.gap[1]
		case 2:
			z += g.gap[2]
		}
		if left[axis]--; left[axis] == 0 {
			return true
		}
	}
}

// cellAlong gathers the grains of a cell that the ray passes between two distances.
func (g *gathering) cellAlong(list []int32, from, to float64) {
	for _, i := range list {
		if h, ok := g.meet(&g.balls[i], i, from, to); ok {
			g.keep(h)
		}
	}
	g.take(to)
}

// keep adds h to those that are pending.
func (g *gathering) keep(h hit) {
	if g.pending == nil {
		g.pending = pendings.Get().(*[]hit)
		*g.pending = (*g.pending)[:0]
	}
	list := append(*g.pending, h)
	n := len(list) - 1
	for ; n > 0 && list[n-1].t <= h.t; n-- {
		list[n] = list[n-1]
	}
	list[n] = h
	*g.pending = list
}

// take gathers the pending hits up to a distance, from the nearest on.
func (g *gathering) take(to float64) {
	if g.pending == nil {
		return
	}
	list := *g.pending
	for n := len(list) - 1; n >= 0 && list[n].t < to && g.left >= nothing; n-- {
		h := &list[n]
		g.add(g.shade(h), h.t, h.cover)
		list = list[:n]
	}
	*g.pending = list
}

// sighted gathers the grains that a ray from the eye passes up to a distance, beyond those
// that it has passed already.
func (g *gathering) sighted(to float64) {
	k := 0
	for ; k < len(g.seen); k++ {
		p := &g.sight.near[g.seen[k]]
		if float64(p.from) >= to {
			break
		}
		if p.misses(g.x, g.y) {
			continue
		}
		h, ok := hit{}, false
		if g.moving {
			h, ok = g.streak(&g.grains[p.i], p.i, 0, math.Inf(1))
		} else {
			h, ok = g.meet(&g.balls[p.i], p.i, 0, math.Inf(1))
		}
		if ok {
			g.keep(h)
		}
	}
	g.seen = g.seen[k:]
	g.take(to)
}

// meet returns where and how the ray passes the grain i of the ball p, and whether it does so
// between two distances.
func (g *gathering) meet(p *ball, i int32, from, to float64) (h hit, ok bool) {
	x, y, z := float64(p.x)-g.o.X, float64(p.y)-g.o.Y, float64(p.z)-g.o.Z
	a := &g.grains[i]
	if g.moving {
		// Most are too far aside.
		u, v := &g.across, &g.up
		wx, wy, wz := float64(p.way[0]), float64(p.way[1]), float64(p.way[2])
		px, py := float64(x*u.X)+float64(y*u.Y)+float64(z*u.Z), float64(x*v.X)+float64(y*v.Y)+float64(z*v.Z)
		qx, qy := float64(wx*u.X)+float64(wy*u.Y)+float64(wz*u.Z), float64(wx*v.X)+float64(wy*v.Y)+float64(wz*v.Z)
		turn, q2, r2 := float64(px*qy)-float64(py*qx), float64(qx*qx)+float64(qy*qy), float64(float64(p.reach)*float64(p.reach))
		if turn*turn >= r2*q2 && q2 > 1e-4*r2 {
			return h, false
		}
		t, dt := float64(x*g.d.X)+float64(y*g.d.Y)+float64(z*g.d.Z), float64(wx*g.d.X)+float64(wy*g.d.Y)+float64(wz*g.d.Z)
		if t+float64(math.Abs(dt)/2) < from || t-float64(math.Abs(dt)/2) >= to {
			return h, false
		}
		// And beside the ends of the way.
		if m := math.Abs(float64(px*qx)+float64(py*qy)) - float64(q2/2); m > 0 && m*m >= r2*q2 && q2 > 1e-4*r2 {
			return h, false
		}
		return g.streak(a, i, from, to)
	}
	t := float64(x*g.d.X) + float64(y*g.d.Y) + float64(z*g.d.Z)
	b2 := float64(x*x) + float64(y*y) + float64(z*z) - float64(t*t)
	if reach := float64(p.reach); b2 >= reach*reach || t < from || t >= to {
		return h, false
	}
	width := g.width + float64(g.spread*t)
	radius := min(a.reach, max(a.r, float64(wide*width)))
	cover := a.cover(b2, radius, width)
	return hit{t: t, cover: cover, b: math.Sqrt(max(0, b2)), i: i}, cover > 0
}

// add adds light that comes from the distance t, where grains cover a share of the ray.
func (g *gathering) add(c vec.Vec3, t, cover float64) {
	if a := &g.Cloud.light.Absorption; *a != (vec.Vec3{}) {
		c = vec.Vec3{X: c.X * num.Exp(-a.X*t), Y: c.Y * num.Exp(-a.Y*t), Z: c.Z * num.Exp(-a.Z*t)}
	}
	g.light = g.light.Add(c.Mul(g.left * cover))
	g.left *= 1 - cover
}

// cover returns the share of a ray that a, drawn with a radius, takes, where the ray
// passes its middle at the distance whose square is b2.
//
// Up to about a pixel the grain is a paraboloid with the grain's own cross-section:
//
//	n r²/ρ² · 2 (1 − b²/ρ²)
//
// A larger one is a disc with an edge as wide as the ray.
func (a *grain) cover(b2, radius, width float64) float64 {
	var one float64
	if sharp := disc(a.r, width); sharp < 1 {
		if x := 1 - b2/(radius*radius); x > 0 {
			one = (1 - sharp) * min(1, 2*a.r*a.r/(radius*radius)*x)
		}
		if sharp > 0 {
			one += float64(sharp * edge(a.r, b2, width))
		}
	} else {
		one = edge(a.r, b2, width)
	}
	return several(one, a.n)
}

// several returns the cover of n grains, each of the cover one, where each lies by chance.
func several(one, n float64) float64 {
	switch x := float64(n * one); {
	case n == 1:
		return one
	case x < 0.03 && n > 1:
		return x - float64(x*(x-one)/2)
	case one >= 1:
		return min(1, n)
	}
	log := math.Log1p
	if one < 0.1 {
		log = func(x float64) float64 { return float64(x * (1 - float64(x*(1./2-float64(x*(1./3-float64(x/4))))))) }
	}
	return 1 - num.Decay(float64(-n*log(-one)))
}

// disc returns how much a grain is drawn as a disc and not as a paraboloid.
func disc(r, width float64) float64 { return min(1, max(0, (r/width-0.6)/0.6)) }

// edge returns the cover of a disc with an edge as wide as the ray and with the area of one
// of radius r, at the distance whose square is b2.
func edge(r, b2, width float64) float64 {
	r = math.Sqrt(max(0, float64(r*r)-width*width/12))
	if b2 >= (r+float64(width/2))*(r+float64(width/2)) {
		return 0
	}
	return min(1, (r-math.Sqrt(b2))/width+0.5)
}

// streak returns where the ray passes the way of a, and the mean over the exposure of its
// cover: the integral of the paraboloid along the way as the ray sees it.
func (g *gathering) streak(a *grain, i int32, from, to float64) (hit, bool) {
	// Across the ray, the middle of the way is at p, and the way is q.
	x := a.x.Sub(g.o)
	t, dt := x.Dot(g.d), a.way.Dot(g.d)
	px, py := x.Dot(g.across), x.Dot(g.up)
	qx, qy := a.way.Dot(g.across), a.way.Dot(g.up)
	q2, turn := float64(qx*qx)+float64(qy*qy), float64(px*qy)-float64(py*qx)
	width := g.width + float64(g.spread*max(0, t))
	r := float64(a.r * (1 - float64(g.clear*disc(a.r, width))))
	radius := min(a.reach, max(r, float64(wide*width)))
	r2 := float64(radius * radius)
	if q2 <= 1e-4*r2 { // straight along the ray
		b2 := float64(px*px) + float64(py*py)
		if b2 >= r2 || t < from || t >= to {
			return hit{}, false
		}
		h := hit{t: t, cover: a.cover(b2, radius, width), b: math.Sqrt(b2), i: i}
		return h, h.cover > 0
	}
	// At the share s of the way from the middle its distance is b² = c² + q²(s − m)².
	inverse := 1 / q2
	m := float64(-(float64(px*qx) + float64(py*qy)) * inverse)
	c2 := float64(turn * turn * inverse)
	if c2 >= r2 || math.Abs(m) > 0.5 && (math.Abs(m)-0.5)*(math.Abs(m)-0.5)*q2 >= r2-c2 {
		return hit{}, false
	}
	half := math.Sqrt(float64((r2 - c2) * inverse))
	lo, hi := max(-0.5, m-half), min(0.5, m+half)
	if t += float64(dt * (lo + hi) / 2); !(lo < hi) || t < from || t >= to {
		return hit{}, false
	}
	u, v := hi-m, lo-m
	mean := (float64((r2-c2)*(hi-lo)) - q2*(float64(u*u*u)-float64(v*v*v))/3) / r2
	one := min(hi-lo, float64(2*r*r/r2*mean))
	return hit{t: t, cover: several(one, a.n), b: math.Sqrt(max(0, c2)), i: i}, true
}

// prepare finds what all grains on the ray share.
func (g *gathering) prepare() {
	g.ready = true
	cos := g.d.Dot(g.Cloud.light.ToSun)
	p := &g.Cloud.light.Phase
	g.sun = vec.Vec3{X: p[0].At(cos), Y: p[1].At(cos), Z: p[2].At(cos)}
	g.glow = g.Cloud.glow.along(g.d)
}

// shade returns the radiance of the grain of h towards the ray's origin.
func (g *gathering) shade(h *hit) vec.Vec3 {
	if !g.ready {
		g.prepare()
	}
	a, s := &g.grains[h.i], &g.Cloud.lit[h.i]
	c := g.scattered(s).Add(g.Cloud.light.Flame.Mul(a.glow))
	if g.Cloud.light.Seen == nil || g.moving {
		return c
	}
	width := g.width + float64(g.spread*h.t)
	if sharp := disc(a.r, width); sharp > 0 {
		c = c.Lerp(g.sphere(a, s, h, width), sharp)
	}
	return c
}

// scattered returns the radiance along the ray of grains in the light s.
func (g *gathering) scattered(s *shine) vec.Vec3 {
	lean := 1 - (float64(float64(s.lean[0])*g.d.X) + float64(float64(s.lean[1])*g.d.Y) + float64(float64(s.lean[2])*g.d.Z))
	l := &g.Cloud.light
	return vec.Vec3{
		X: l.Emission.X + float64(l.Color.X*(float64(float64(s.sun[0])*g.sun.X)+float64(float64(s.open[0])*g.glow.X)+float64(float64(s.multi[0])*lean))),
		Y: l.Emission.Y + float64(l.Color.Y*(float64(float64(s.sun[1])*g.sun.Y)+float64(float64(s.open[1])*g.glow.Y)+float64(float64(s.multi[1])*lean))),
		Z: l.Emission.Z + float64(l.Color.Z*(float64(float64(s.sun[2])*g.sun.Z)+float64(float64(s.open[2])*g.glow.Z)+float64(float64(s.multi[2])*lean))),
	}
}

// mistStep returns the distance between two samples of mist, which is softened, in nodes.
func (v *voxels) mistStep() float64 {
	if v.hasFine {
		return 1
	}
	return 2
}

// cloudy gathers a field in a block between two distances, with the given distance between
// two samples in nodes.
func (g *gathering) cloudy(f *field, block int32, from, to, step float64) {
	some := f.some[block]
	if some == 0 {
		return
	}
	brick, numbers := &f.brick[block], &g.number[block]
	m := g.newMarch(&g.oa, &g.da, block, from, to, step)
	var c vec.Vec3 // light, which changes less than the extinction: every second time
	known := false
	for t := from + float64(m.length/2); m.n > 0; t += m.length {
		if box := m.next(); some&box == 0 {
			continue
		}
		g.thin, g.thinAt = g.thin+float64(m.value(brick)*m.length), t
		if g.thin < thinnest {
			continue
		}
		x := g.thin
		g.thin = 0
		if known = !known; known {
			if !g.ready {
				g.prepare()
			}
			s := m.shine(g.voxels.lit, numbers)
			c = g.scattered(&s)
		}
		cover := float64(x * (1 - float64(x/2) + x*x/6))
		if x > 0.1 {
			cover = -math.Expm1(-x)
		}
		g.add(c, t, cover)
	}
}
