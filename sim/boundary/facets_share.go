package boundary

import (
	"math"

	"breakwater/sim/vec"
)

// volumeMap holds, by distance, the functions for the share of the kernel in a solid.
//
// The share F of the kernel that lies in a solid is a sum over its faces. Behind an
// element of a face at the distance r from x lies the kernel's mass G(r) dΩ, with G(r) =
// ∫_r^h W s² ds. Over a plane at the distance p the element is p ρ dρ dθ/r³ with ρ² = r²
// − p², so that the integral over ρ is
//
//	Y(p) − p/r Y(r),  Y(r) = r ∫_r^h G/s² ds,
//
// and a triangle is left with integrals over the angle along its three edges.
// F is the volume map of Bender et al., Volume Maps: An Implicit Boundary
// Representation for SPH, 2019, without their quadrature over the volume.
//
// F is the share of a continuum. The shares that a plane's layers of particles add
// instead, S, and its mirror image, M, are known (see layers). At an edge or in a corner
// of a box at the same distance from each face, 1−F is the product of the faces' 1−F. The
// same holds for 1−S and 1−M. So log(1−S)/log(1−F) there equals its value for a single
// plane. It is taken as the mean over the visible faces, weighted by what they add to F:
// exact for a plane and in boxes' corners.
//
// In two dimensions the faces are sides in the plane z = 0. Behind an element of a side lies the
// kernel's mass Y(r) dθ, with Y(r) = ∫_r^h W s ds and θ the angle seen from x.
type volumeMap struct {
	layers Layers
	flat   bool      // whether it is for two dimensions
	y      []float64 // Y, by r/h
	beam   []float64 // G, by r/h
	half   []float64 // F of a plane, by p/h
	solid  []float64 // log(1−S)/log(1−F), by p/h
	image  []float64 // log(1−M)/log(1−F), by p/h
}

// nearSteps is how finely a volumeMap is tabulated: its error is then below 1e-6.
const nearSteps = 1024

func newVolumeMap(l Layers) *volumeMap {
	table := func() []float64 { return make([]float64, nearSteps+2) }
	n := &volumeMap{layers: l, flat: l.k.Dim() == 2, y: table(), beam: table(), half: table(), solid: table(), image: table()}
	h := l.k.H()
	step := float64(h / nearSteps)
	// Backwards from h, by Simpson's rule on each step: G and ∫ G/s² ds.
	var mass, inverse float64
	for i := nearSteps - 1; i >= 0; i-- {
		r := float64(float64(i) * step)
		w := func(s float64) float64 { return float64(l.k.W(s) * s * s) }
		mass += float64(step / 6 * (w(r) + float64(4*w(r+float64(step/2))) + w(r+step)))
		// By parts, r ∫ G/s² ds = G − r ∫ W s ds.
		ws := func(s float64) float64 { return float64(l.k.W(s) * s) }
		inverse += float64(step / 6 * (ws(r) + float64(4*ws(r+float64(step/2))) + ws(r+step)))
		n.beam[i], n.y[i] = mass, mass-float64(r*inverse)
		n.half[i] = 2 * math.Pi * n.y[i]
		if n.flat {
			n.y[i] = inverse
		}
	}
	for i := range nearSteps {
		p := float64(float64(i) * step)
		if n.flat {
			n.half[i] = n.side(p, -h, h)
		}
		f := math.Log1p(-n.half[i])
		if f > -1e-9 {
			continue
		}
		s, _ := l.HalfSpace(p)
		m, _ := l.Mirror(p)
		n.solid[i], n.image[i] = math.Log1p(-s)/f, math.Log1p(-m)/f
	}
	return n
}

// at returns the table's value for the distance r ≥ 0.
func (n *volumeMap) at(table []float64, r float64) float64 {
	q := float64(r / n.layers.k.H() * nearSteps)
	if q >= nearSteps {
		return 0
	}
	i := int(q)
	return table[i] + float64((q-float64(i))*(table[i+1]-table[i]))
}

// plane returns the share of the kernel beyond a plane at the signed distance p.
func (n *volumeMap) plane(p float64) float64 {
	if p < 0 {
		return 1 - n.at(n.half, -p)
	}
	return n.at(n.half, p)
}

// gauss are the nodes and weights of Gauss's rule on [0, 1].
var gauss = [6][2]float64{
	{0.033765242898423975, 0.085662246189585}, {0.16939530676686776, 0.18038078652406930}, {0.38069040695840156, 0.23395696728634552},
	{0.61930959304159849, 0.23395696728634552}, {0.83060469323313224, 0.18038078652406930}, {0.96623475710157603, 0.085662246189585},
}

// sector returns the integral of a face at the distance p > 0 over one edge. The edge's
// line passes the foot of x at the distance e > 0; the edge goes from s0 to s1, counted
// from the nearest point.
func (n *volumeMap) sector(p, e, s0, s1 float64) float64 {
	h := n.layers.k.H()
	yp := n.at(n.y, p)
	sum := float64(yp * (math.Atan2(s1, e) - math.Atan2(s0, e)))
	reach2 := float64(h*h) - float64(p*p) - float64(e*e)
	if reach2 <= 0 {
		return sum
	}
	reach := math.Sqrt(reach2)
	s0, s1 = max(s0, -reach), min(s1, reach)
	part := func(s0, s1 float64) float64 {
		a, b := math.Atan2(s0, e), math.Atan2(s1, e)
		t := 0.
		for _, g := range gauss {
			tan := math.Tan(a + float64(g[0]*(b-a)))
			r := math.Sqrt(float64(p*p) + float64(e*e*(1+float64(tan*tan))))
			t += g[1] * n.at(n.y, r) / r
		}
		return float64(t * (b - a) * p)
	}
	switch {
	case s0 >= s1:
		return sum
	case s0 < 0 && s1 > 0:
		return sum - part(s0, 0) - part(0, s1)
	}
	return sum - part(s0, s1)
}

// side returns the integral in two dimensions over a side at the distance p ≥ 0, from s0 to s1 as
// counted from the point of its line that is nearest.
func (n *volumeMap) side(p, s0, s1 float64) (sum float64) {
	h := n.layers.k.H()
	reach2 := float64(h*h) - float64(p*p)
	if reach2 <= 0 {
		return 0
	}
	reach := math.Sqrt(reach2)
	if s0, s1 = max(s0, -reach), min(s1, reach); s0 >= s1 {
		return 0
	}
	if p == 0 { // half of the kernel is seen behind x, and nothing along the side
		if s0 < 0 && s1 > 0 {
			return math.Pi * n.at(n.y, 0)
		}
		return 0
	}
	part := func(s0, s1 float64) (t float64) {
		a, b := math.Atan2(s0, p), math.Atan2(s1, p)
		for _, g := range gauss {
			tan := math.Tan(a + float64(g[0]*(b-a)))
			t += float64(g[1] * n.at(n.y, float64(p*math.Sqrt(1+float64(tan*tan)))))
		}
		return float64(t * (b - a))
	}
	// In steps that follow Y, which falls from the middle to h.
	const steps = 8
	for i := range steps {
		lo, hi := s0+float64((s1-s0)*float64(i)/steps), s0+float64((s1-s0)*float64(i+1)/steps)
		sum += float64(part(lo, hi))
	}
	return sum
}

// flatFace is face in two dimensions: the term of the side in which the plane z = 0 cuts triangle t.
func (n *volumeMap) flatFace(f *facets, t int32, x vec.Vec3, p float64) float64 {
	along := vec.New(0, 0, 1).Cross(f.normal[t]).Unit()
	s0, s1 := math.Inf(1), math.Inf(-1)
	for k := range 3 {
		a, b := f.pos[f.tri[t][k]], f.pos[f.tri[t][(k+1)%3]]
		if (a.Z < 0) != (b.Z < 0) {
			s := a.Lerp(b, a.Z/(a.Z-b.Z)).Sub(x).Dot(along)
			s0, s1 = min(s0, s), max(s1, s)
		}
	}
	if s0 >= s1 {
		return 0
	}
	return math.Copysign(1, p) * n.side(math.Abs(p), s0, s1)
}

// small is the squared ratio of size to distance below which a face is treated as a
// point, with an error of 1e-3 of its part.
const small = 1. / 16

// face returns the term of triangle t in F at x, which lies p off its plane. Within the
// kernel, edges to triangles in the same plane are left out, since the two terms cancel.
func (n *volumeMap) face(f *facets, t int32, x vec.Vec3, p float64) (share float64) {
	if n.flat {
		return n.flatFace(f, t, x, p)
	}
	h := n.layers.k.H()
	v, normal := &f.tri[t], f.normal[t]
	a, u, w := f.pos[v[0]], f.pos[v[1]].Sub(f.pos[v[0]]), f.pos[v[2]].Sub(f.pos[v[0]])
	away := a.Add(u.Add(w).Mul(1. / 3)).Sub(x)
	if r2, size2 := away.Dot(away), max(u.Dot(u), w.Dot(w)); size2 < small*min(r2, h*h/4) && !f.flat[t][0] && !f.flat[t][1] && !f.flat[t][2] {
		r := math.Sqrt(r2)
		return n.at(n.beam, r) * p / (r2 * r) * u.Cross(w).Len() / 2
	}
	foot := x.Sub(normal.Mul(p))
	for k := range 3 {
		i, j := v[k], v[(k+1)%3]
		if f.flat[t][k] && toSegment2(x, f.pos[min(i, j)], f.pos[max(i, j)]) < h*h {
			continue
		}
		a, b := f.pos[i].Sub(foot), f.pos[j].Sub(foot)
		along := b.Sub(a).Unit()
		e := normal.Dot(a.Cross(along))
		if math.Abs(e) < 1e-12 {
			continue
		}
		share += float64(math.Copysign(1, e) * n.sector(math.Abs(p), math.Abs(e), a.Dot(along), b.Dot(along)))
	}
	return math.Copysign(1, p) * share
}

// toSegment2 returns the squared distance from x to the segment from a to b.
func toSegment2(x, a, b vec.Vec3) float64 {
	u, v := b.Sub(a), x.Sub(a)
	w := v.Sub(u.Mul(max(0, min(1, v.Dot(u)/u.Dot(u)))))
	return w.Dot(w)
}

// inverse returns the x in [lo, hi] at which the falling function f is y.
func inverse(f func(x float64) float64, y, lo, hi float64) float64 {
	for range 40 {
		mid := (lo + hi) / 2
		if f(mid) > y {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// depths returns the distances from a plane at which its share and its mirror image would
// equal their values at x, which is d off the surface of f. Where the surface is flat as
// far as the kernel reaches, both are d.
func (n *volumeMap) depths(f *facets, x vec.Vec3, d float64, list []int32) (solid, image float64, _ []int32) {
	l := &n.layers
	h := l.k.H()
	if math.Abs(d) >= h {
		return d, d, list
	}
	list = f.within(list[:0], x, h*(1+1e-6))
	var share, solidRatio, imageRatio, weight float64
	flat, first := true, int32(-1)
	for _, t := range list {
		c, _ := f.nearest(t, x)
		if s := x.Sub(c); s.Dot(s) >= h*h {
			continue
		}
		p := x.Sub(f.pos[f.tri[t][0]]).Dot(f.normal[t])
		if first < 0 {
			first = t
		}
		flat = flat && f.normal[t].Dot(f.normal[first]) > 1-1e-12 && math.Abs(p-d) < 1e-7*h
		s := n.face(f, t, x, p)
		share += s
		if p*d > 0 { // the faces that x is on the same side of
			solidRatio += float64(s * n.at(n.solid, math.Abs(p)))
			imageRatio += float64(s * n.at(n.image, math.Abs(p)))
			weight += s
		}
	}
	if flat {
		return d, d, list
	}
	if d < 0 {
		// The same seen from the solid, where the liquid lies beyond.
		share, weight, solidRatio = -share, -weight, -solidRatio
	}
	share = max(0, min(1-1e-9, share))
	far := inverse(n.plane, share, 0, h)
	if weight <= 0 {
		return math.Copysign(far, d), math.Copysign(far, d), list
	}
	logShare := math.Log1p(-share)
	s := -math.Expm1(logShare * solidRatio / weight)
	value := func(t float64) float64 { v, _ := l.HalfSpace(t); return v }
	solid = blend(inverse(value, s, -h/2, h), far, s)
	if d < 0 {
		return -solid, -solid, list
	}
	m := -math.Expm1(logShare * imageRatio / weight)
	value = func(t float64) float64 { v, _ := l.image(t); return v }
	return solid, blend(inverse(value, m, -l.d/2, h), far, m), list
}

// blend returns a where the share s is significant, and far elsewhere.
func blend(a, far, s float64) float64 {
	// These are the shares of a plane's solid at 1.16 and 0.94 spacings. Farther off the
	// share falls to 0 with no slope, so it does not determine a distance.
	const low, high = 0.003, 0.02
	t := max(0, min(1, (s-low)/(high-low)))
	t = float64(t * t * (3 - float64(2*t)))
	return float64(far) + float64(t*(float64(a)-float64(far)))
}
