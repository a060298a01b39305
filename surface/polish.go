package surface

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// minAngle is the smallest angle that polish leaves alone: a little above the 20°
// below which mesh.Report counts slivers.
const minAngle = 24 * math.Pi / 180

// fairAngle is the cosine of the smallest angle that moving vertices need not
// improve: beyond minAngle, so that a triangle next to the patch is not spoilt.
var fairAngle = math.Cos(32 * math.Pi / 180)

// steepest is the sine of the angle between a side and the surface up to which
// polish takes this for flat: 33°.
const steepest = 0.55

// polishing is the memory of polish.
type polishing struct {
	local []int32 // number of each vertex in the patch, −1 for one that is not
	patch mesh.Mesh
	vertex,
	tri []int32 // of the mesh, indexed by the patch's triangles
	moves  []bool // vertices of the patch
	inner  int32  // vertices of the patch from 0 on whose triangles are all in it
	onWall []bool // triangles of the patch
	gone,
	goneTri []int32 // of the mesh
	corners  corners
	clusters clusters
}

// polish improves slivers, which lie where smoothing has filled a groove and where liquid
// touches a wall. It flips edges, and moves vertices along the surface, along walls and
// along contact lines. Those, a few hundred of a hundred thousand, are cut out as a
// patch, bettered there, and put back.
func (s *vertices) polish(f *field) {
	if !s.findPatch() {
		return
	}
	p := &s.scratch.polishing
	p.corners.build(&p.patch)
	s.polishClusters()
	for i, v := range p.vertex {
		switch {
		case !p.moves[i]:
		case s.kind[v] != free && s.constraints[v].n == 1:
			s.Pos[v], s.constraints[v].dirs[0] = f.project(p.patch.Pos[i])
		default:
			s.Pos[v] = f.before(p.patch.Pos[i])
		}
	}
	for i, t := range p.tri {
		for k, v := range p.patch.Tri[i] {
			if v >= 0 {
				s.Tri[t][k] = p.vertex[v]
			}
		}
	}
	s.fillUp()
}

// findPatch collects the triangles around slivers, and reports whether there
// are any. Vertices that may move, and sides that may turn, are those in and next
// to a sliver, but those in corners of walls and at the ends of contact lines.
func (s *vertices) findPatch() bool {
	p := &s.scratch.polishing
	cos := math.Cos(minAngle)
	slivers := s.trianglesWhere(func(t [3]int32) bool { return s.sliver(t, cos) })
	p.local = resize(p.local, len(s.Pos))
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			p.local[v] = -1
		}
	})
	p.vertex, p.tri, p.moves = p.vertex[:0], p.tri[:0], p.moves[:0]
	add := func(v int32, moves bool) {
		if p.local[v] < 0 {
			p.local[v] = int32(len(p.vertex))
			p.vertex, p.moves = append(p.vertex, v), append(p.moves, moves)
		}
	}
	for _, i := range slivers {
		for _, v := range s.Tri[i] {
			add(v, s.movable(v))
		}
	}
	if len(p.vertex) == 0 {
		return false
	}
	for _, v := range p.vertex[:len(p.vertex):len(p.vertex)] {
		for _, u := range s.rings.Of(v) {
			add(u, s.movable(u))
		}
	}
	// Vertices that move need all triangles around them.
	p.gone, p.goneTri = p.gone[:0], p.goneTri[:0]
	p.patch.Pos, p.patch.Tri, p.onWall = p.patch.Pos[:0], p.patch.Tri[:0], p.onWall[:0]
	p.inner = int32(len(p.vertex))
	in := func(v int32) bool { return p.local[v] >= 0 && p.local[v] < p.inner }
	for _, i := range s.trianglesWhere(func(t [3]int32) bool { return in(t[0]) || in(t[1]) || in(t[2]) }) {
		t := s.Tri[i]
		p.onWall = append(p.onWall, s.onWall(t))
		for k, v := range t {
			add(v, false)
			t[k] = p.local[v]
		}
		p.tri, p.patch.Tri = append(p.tri, i), append(p.patch.Tri, t)
	}
	for _, v := range p.vertex {
		p.patch.Pos = append(p.patch.Pos, s.Pos[v])
	}
	return true
}

// trianglesWhere returns the triangles for which is is true, ascending.
func (s *vertices) trianglesWhere(is func(t [3]int32) bool) []int32 {
	lists := make([][]int32, (len(s.Tri)+chunk-1)/chunk)
	par.Each(len(lists), func(c int) {
		for i := c * chunk; i < min(len(s.Tri), (c+1)*chunk); i++ {
			if is(s.Tri[i]) {
				lists[c] = append(lists[c], int32(i))
			}
		}
	})
	return slices.Concat(lists...)
}

// movable reports whether v may move: on the surface, on a wall, in the edge of
// two, or along a contact line.
func (s *vertices) movable(v int32) bool {
	switch s.kind[v] {
	case free:
		return true
	case contact:
		return s.constraints[v].n == 1
	}
	return s.constraints[v].n < 3
}

// sliver reports whether t has an angle whose cosine is above cos.
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
	if p.onWall[h/3] != p.onWall[o/3] {
		return false
	}
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
	flat := 0.8
	if p.onWall[h/3] {
		flat = 0.97
	}
	if n1.Dot(n2) < flat*n1.Len()*n2.Len() || m1.Dot(m2) < flat*m1.Len()*m2.Len() || n1.Add(n2).Dot(m1.Add(m2)) <= 0 {
		return false
	}
	from, to := vc, vd
	if !p.moves[from] {
		from, to = to, from
	}
	return c.valence(va) > 4 && c.valence(vb) > 4 && !c.beside(from, to)
}

// cosine returns the cosine of the smallest angle of a triangle, which is that
// opposite its shortest side.
func cosine(a, b, c vec.Vec3) float64 {
	u, v, w := b.Sub(a), c.Sub(b), a.Sub(c)
	return cosineOf(u.Dot(u), v.Dot(v), w.Dot(w))
}

// cosineOf is the cosine of the smallest angle of a triangle, whose sides have the
// squares x, y and z.
func cosineOf(x, y, z float64) float64 {
	if y < x {
		x, y = y, x
	}
	if z < x {
		x, z = z, x
	}
	if y*z == 0 {
		return 1
	}
	return (y + z - x) / (2 * math.Sqrt(y*z))
}

// spread moves the movable ones of the given vertices of the patch, one after the other, along their walls
// or the surface towards the middle of their neighbours, wherever that makes no worse
// triangles.
func (s *vertices) spread(list []int32, around *fan) {
	p := &s.scratch.polishing
	for _, v := range list {
		if !p.moves[v] || p.corners.at[v] < 0 {
			continue
		}
		step, ok := s.stepOf(v, around)
		if !ok {
			continue
		}
		x := &p.patch.Pos[v]
		before := *x
		around.measure(before)
		for range 2 {
			after := before.Add(step)
			if is, same := around.moved(after); same && (is <= fairAngle || is <= around.worst()) {
				*x = after
				break
			}
			step = step.Mul(0.5)
		}
	}
}

// fan is the triangles around a vertex of the patch. Triangle k has the vertices ring[k]
// and ring[k+1].
type fan struct {
	ring    []vec.Vec3
	sides   []vec.Vec3 // from the vertex to the ring
	normals []vec.Vec3 // of the triangles, not of unit length
	across  []float64  // squares of the sides of the ring
}

// measure sets the sides, the normals and across for the vertex at x.
func (f *fan) measure(x vec.Vec3) {
	n := len(f.ring)
	f.sides, f.normals, f.across = resize(f.sides, n), resize(f.normals, n), resize(f.across, n)
	for k, a := range f.ring {
		f.sides[k] = a.Sub(x)
	}
	b, to := f.ring[0], f.sides[0]
	for k := n - 1; k >= 0; k-- {
		e := b.Sub(f.ring[k])
		f.across[k], f.normals[k] = e.Dot(e), f.sides[k].Cross(to)
		b, to = f.ring[k], f.sides[k]
	}
}

// worst returns the largest cosine of an angle of the triangles.
func (f *fan) worst() float64 {
	cos := -1.0
	z := f.sides[0].Dot(f.sides[0])
	for k := len(f.sides) - 1; k >= 0; k-- {
		x := f.sides[k].Dot(f.sides[k])
		cos = max(cos, cosineOf(x, f.across[k], z))
		z = x
	}
	return cos
}

// moved returns the largest cosine of an angle of the triangles with the vertex at x, and
// whether they face the same way as before. If they do not, the cosine has no meaning.
func (f *fan) moved(x vec.Vec3) (cos float64, same bool) {
	cos = -1
	b := f.ring[0].Sub(x)
	b2 := b.Dot(b)
	for k := len(f.ring) - 1; k >= 0; k-- {
		a := f.ring[k].Sub(x)
		if !(a.Cross(b).Dot(f.normals[k]) > 0) {
			return cos, false
		}
		a2 := a.Dot(a)
		cos = max(cos, cosineOf(a2, f.across[k], b2))
		b, b2 = a, a2
	}
	return cos, true
}

// steep reports whether the sine of the angle between a side and the surface with the
// given normal is at least steepest.
func steep(side, normal vec.Vec3) bool {
	d, l2 := side.Dot(normal), side.Dot(side)
	// Few sides need the root.
	return d*d >= 0.999*steepest*steepest*l2 && math.Abs(d) >= steepest*math.Sqrt(l2)
}

// stepOf returns the displacement of vertex v of the patch to the centre of its
// neighbours, along its walls or the surface. It also reports whether v may go there
// without a change of the volume. It collects the ring of the fan around v.
func (s *vertices) stepOf(v int32, fan *fan) (step vec.Vec3, ok bool) {
	p := &s.scratch.polishing
	c := &p.corners
	x, u := p.patch.Pos[v], p.vertex[v]
	normal := s.Nrm[u]
	fan.ring = fan.ring[:0]
	kind := s.kind[u]
	var line [2]vec.Vec3 // sides of the contact line
	lines, n := 0, 0.0
	for h := c.at[v]; ; {
		to, around := c.step(h)
		at := p.patch.Pos[to]
		side := at.Sub(x)
		fan.ring = append(fan.ring, at)
		step = step.Add(side)
		n++
		if kind == contact && p.onWall[h/3] != p.onWall[c.twin[h]/3] {
			if lines < len(line) {
				line[lines] = side
			}
			lines++
		}
		if kind == free && steep(side, normal) {
			return step, false
		}
		if h = around; h == c.at[v] {
			break
		}
	}
	step = step.Mul(1 / n)
	switch kind {
	case free:
		return step.Sub(normal.Mul(step.Dot(normal))), true
	case wall:
		return s.constraints[u].slide(step), true
	}
	// Along the chord of the two sides, the wet area stays the same.
	along := line[1].Sub(line[0]).Unit()
	return along.Mul(line[0].Add(line[1]).Dot(along) / 2), lines == 2
}

// ringAt returns the largest cosine of an angle in the triangles around vertex v of the
// patch that do not contain u, with v at x. It also returns whether they face the same
// way as with v at before.
func (p *polishing) ringAt(v, u int32, before, x vec.Vec3) (cos float64, same bool) {
	c := &p.corners
	cos, same = -1, true
	for h := c.at[v]; ; {
		if i, j := c.vertex(next(h)), c.vertex(last(h)); i != u && j != u {
			a, b := p.patch.Pos[i], p.patch.Pos[j]
			cos = max(cos, cosine(x, a, b))
			same = same && a.Sub(x).Cross(b.Sub(x)).Dot(a.Sub(before).Cross(b.Sub(before))) > 0
		}
		if h = c.around(h); h == c.at[v] {
			return cos, same
		}
	}
}
