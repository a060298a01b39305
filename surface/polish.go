package surface

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// worst is the smallest angle that polish leaves alone.
const worst = 24 * math.Pi / 180

// steepest is the sine of the angle between a side and the surface up to which
// polish takes this for flat.
const steepest = 0.55

// polishing is the memory of polish.
type polishing struct {
	bad   []bool  // of the triangles
	local []int32 // number of each vertex in the patch, −1 for one that is not
	patch mesh.Mesh
	vertex,
	tri []int32 // of the mesh, by those of the patch
	moves   []bool // vertices of the patch
	pos     []vec.Vec3
	corners corners
}

// polish turns sides and moves vertices along the surface where triangles are
// slivers: where smoothing has filled up a groove, a few hundred of a hundred
// thousand. Those are cut out as a patch, bettered there, and put back.
func (s *vertices) polish(f *field) {
	if !s.findPatch() {
		return
	}
	p := &s.scratch.polishing
	c := &p.corners
	c.build(&p.patch)
	for range 4 {
		for h := range int32(len(c.twin)) {
			if h < c.twin[h] && p.better(h) {
				c.flip(h)
			}
		}
		for range 4 {
			s.spread()
		}
	}
	for i, v := range p.vertex {
		if p.moves[i] {
			s.Pos[v] = f.before(p.patch.Pos[i])
		}
	}
	for i, t := range p.tri {
		for k, v := range p.patch.Tri[i] {
			s.Tri[t][k] = p.vertex[v]
		}
	}
}

// findPatch collects the triangles around slivers, and reports whether there
// are any. Vertices that may move, and sides that may turn, are those in and next
// to a sliver and away from walls.
func (s *vertices) findPatch() bool {
	p := &s.scratch.polishing
	p.bad = resize(p.bad, len(s.Tri))
	cos := math.Cos(worst)
	par.For(len(s.Tri), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p.bad[i] = s.sliver(s.Tri[i], cos)
		}
	})
	p.local = resize(p.local, len(s.Pos))
	for v := range p.local {
		p.local[v] = -1
	}
	p.vertex, p.tri, p.moves = p.vertex[:0], p.tri[:0], p.moves[:0]
	add := func(v int32, moves bool) {
		if p.local[v] < 0 {
			p.local[v] = int32(len(p.vertex))
			p.vertex, p.moves = append(p.vertex, v), append(p.moves, moves)
		}
	}
	for i, bad := range p.bad {
		if bad {
			for _, v := range s.Tri[i] {
				add(v, s.kind[v] == free)
			}
		}
	}
	if len(p.vertex) == 0 {
		return false
	}
	for _, v := range p.vertex[:len(p.vertex):len(p.vertex)] {
		for _, u := range s.rings.Of(v) {
			add(u, s.kind[u] == free)
		}
	}
	// Those that move need all triangles around them.
	p.patch.Pos, p.patch.Tri = p.patch.Pos[:0], p.patch.Tri[:0]
	inner := int32(len(p.vertex))
	for i, t := range s.Tri {
		in := false
		for _, v := range t {
			in = in || p.local[v] >= 0 && p.local[v] < inner
		}
		if !in {
			continue
		}
		for k, v := range t {
			add(v, false)
			t[k] = p.local[v]
		}
		p.tri, p.patch.Tri = append(p.tri, int32(i)), append(p.patch.Tri, t)
	}
	for _, v := range p.vertex {
		p.patch.Pos = append(p.patch.Pos, s.Pos[v])
	}
	return true
}

// sliver reports whether t has an angle of which the cosine is above cos.
func (s *vertices) sliver(t [3]int32, cos float64) bool {
	a, b, c := s.Pos[t[0]], s.Pos[t[1]], s.Pos[t[2]]
	return sharp(a, b, c, cos) || sharp(b, c, a, cos) || sharp(c, a, b, cos)
}

// sharp reports whether the cosine of the angle at a is above cos, which is
// positive.
func sharp(a, b, c vec.Vec3, cos float64) bool {
	u, v := b.Sub(a), c.Sub(a)
	d := u.Dot(v)
	return d > 0 && d*d >= cos*cos*u.Dot(u)*v.Dot(v)
}

// better reports whether side h may turn, and the smallest angle beside it is
// larger then.
func (p *polishing) better(h int32) bool {
	c := &p.corners
	o := c.twin[h]
	va, vb, vc, vd := c.vertex(h), c.vertex(next(h)), c.vertex(last(h)), c.vertex(last(o))
	if !p.moves[va] || !p.moves[vb] || !p.moves[vc] && !p.moves[vd] {
		return false
	}
	x := p.patch.Pos
	pa, pb, pc, pd := x[va], x[vb], x[vc], x[vd]
	if max(cosine(pa, pd, pc), cosine(pb, pc, pd)) >= max(cosine(pa, pb, pc), cosine(pb, pa, pd)) {
		return false
	}
	n1, n2 := pb.Sub(pa).Cross(pc.Sub(pa)), pa.Sub(pb).Cross(pd.Sub(pb))
	m1, m2 := pd.Sub(pa).Cross(pc.Sub(pa)), pc.Sub(pb).Cross(pd.Sub(pb))
	// The surface is flat there, and stays so.
	const flat = 0.8
	if n1.Dot(n2) < flat*n1.Len()*n2.Len() || m1.Dot(m2) < flat*m1.Len()*m2.Len() || n1.Add(n2).Dot(m1.Add(m2)) <= 0 {
		return false
	}
	from, to := vc, vd
	if !p.moves[from] {
		from, to = to, from
	}
	return c.valence(va) > 4 && c.valence(vb) > 4 && !c.beside(from, to)
}

// cosine returns the cosine of the smallest angle of a triangle.
func cosine(a, b, c vec.Vec3) float64 {
	u, v, w := b.Sub(a).Unit(), c.Sub(b).Unit(), a.Sub(c).Unit()
	return -min(u.Dot(w), v.Dot(u), w.Dot(v))
}

// spread moves the vertices of the patch that may be moved along the surface
// towards the middle of their neighbours.
func (s *vertices) spread() {
	p := &s.scratch.polishing
	c := &p.corners
	p.pos = append(p.pos[:0], p.patch.Pos...)
	for v, moves := range p.moves {
		if !moves {
			continue
		}
		x, normal := p.pos[v], s.Nrm[p.vertex[v]]
		var sum vec.Vec3
		n, flat := 0.0, true
		for h := c.at[v]; ; {
			side := p.pos[c.vertex(next(h))].Sub(x)
			sum = sum.Add(side)
			n++
			flat = flat && math.Abs(side.Dot(normal)) < steepest*side.Len()
			if h = c.around(h); h == c.at[v] {
				break
			}
		}
		if flat { // else the volume would change
			step := sum.Mul(1 / n)
			p.patch.Pos[v] = x.Add(step.Sub(normal.Mul(step.Dot(normal))))
		}
	}
}
