package surface

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// constraint keeps a vertex on walls: the directions it may not move in, up to three and
// perpendicular to each other.
type constraint struct {
	n    int
	dirs [3]vec.Vec3
}

// parallel is the sine of the angle up to which two walls count as one.
const parallel = 0.2

// add keeps the vertex also on a wall with normal n. A wall almost parallel
// to those that hold it already adds nothing.
func (h *constraint) add(n vec.Vec3) {
	for _, d := range h.dirs[:h.n] {
		n = n.Sub(d.Mul(d.Dot(n)))
	}
	if l := n.Len(); l > parallel && h.n < 3 {
		h.dirs[h.n] = n.Mul(1 / l)
		h.n++
	}
}

// slide lays a step into the directions the constraint leaves.
func (h *constraint) slide(step vec.Vec3) vec.Vec3 {
	for _, d := range h.dirs[:h.n] {
		step = step.Sub(d.Mul(d.Dot(step)))
	}
	return step
}

// reserve makes room for n vertices, which walls may hold.
func (s *vertices) reserve(n int, walls bool) {
	s.part, s.Pos, s.kind = resize(s.part, n), resize(s.Pos, n), resize(s.kind, n)
	s.scratch.near = resize(s.scratch.near, n)
	s.constraints = s.constraints[:0]
	if walls {
		s.constraints = resize(s.constraints, n)
	}
}

// set puts vertex v on its edge, which leads from node in inside the liquid to node out.
// It lies where the field crosses t, or on the wall that the edge runs into.
func (s *vertices) set(v int32, g *grid, f *field, in, out end, t float64) {
	near := &s.scratch.near[v]
	a, sumA := g.at(&in)
	b, sumB := g.at(&out)
	if out.behind() {
		d, n := f.dist(b)
		s.kind[v] = wall
		s.Pos[v], s.constraints[v] = f.cut(a, b, d, n, g.cell)
		*near = in.number()
		if s.Pos[v].Sub(a).Len() > s.Pos[v].Sub(b).Len() {
			*near = out.number()
		}
		return
	}
	s.release(v)
	la, lb := f.level(in.b, a, sumA), f.level(out.b, b, sumB)
	// Vertices that leave a node along different edges stay apart.
	at := max(clearance, min(1-clearance, (la-t)/(la-lb)))
	s.Pos[v] = a.Lerp(b, at)
	*near = in.number()
	if at > 0.5 {
		*near = out.number()
	}
}

// release makes v a vertex of the free surface.
func (s *vertices) release(v int32) {
	s.kind[v] = free
	if len(s.constraints) > 0 {
		s.constraints[v].n = 0
	}
}

// cut returns where the edge from node a in the liquid to b runs into the wall
// that is d away from b, with normal n there.
//
// If another wall is nearer to a than this one, the two may meet within a cell of the
// vertex. The vertex is then moved to the edge where they meet, so liquid fills the edges
// and corners of a tank. Of the two or three vertices that could go there just those on
// the farther walls do, so none coincide.
func (f *field) cut(a, b vec.Vec3, d float64, n vec.Vec3, cell float64) (p vec.Vec3, h constraint) {
	da := d + a.Sub(b).Dot(n) // distance of a from the plane at b
	at := 0.5
	if da > d {
		// An edge that runs along the wall may meet its plane anywhere, but
		// the vertex belongs between the two nodes.
		at = max(0, min(1, da/(da-d)))
	}
	p, n = f.project(a.Lerp(b, at))
	h.add(n)
	for probe := a; h.n < 3; {
		e, m := f.dist(probe)
		if cos := m.Dot(n); e > cell || cos > 0.9 || cos < -0.7 {
			break // the same wall, or one that faces it
		}
		foot := probe.Sub(m.Mul(e))
		if !h.meet(&p, foot, m, alongWalls*cell) {
			break
		}
		probe = probe.Add(m.Mul(cell)) // where the next nearest wall shows
	}
	return p, h
}

// alongWalls is how far a vertex goes along a wall to where it meets another, at
// most, in cells.
const alongWalls = 1.5

// meet moves p along the walls that hold it onto the plane through foot with normal m,
// and adds the plane to these walls. It does nothing if the plane is farther away than
// reach, since walls at a sharp angle may meet far away. It reports whether it did.
func (h *constraint) meet(p *vec.Vec3, foot, m vec.Vec3, reach float64) bool {
	along := h.slide(m)
	l := along.Len()
	if l <= parallel {
		return false
	}
	step := along.Mul(foot.Sub(*p).Dot(m) / (l * l))
	if step.Len() > reach {
		return false
	}
	*p = p.Add(step)
	h.add(m)
	return true
}

// meetWalls moves the vertices of the free surface that neighbour a wall
// vertex onto that wall, so that the liquid meets it in a sharp line. A wall
// that is farther along the others than alongWalls is left out.
func (s *vertices) meetWalls(f *field) {
	if len(f.all) == 0 {
		return
	}
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			if s.kind[v] == wall {
				continue
			}
			p := s.Pos[v]
			for _, u := range s.rings.Of(int32(v)) {
				if s.kind[u] == wall {
					s.constraints[v].meet(&p, s.Pos[u], s.constraints[u].dirs[0], alongWalls*s.grid.cell)
				}
			}
			switch s.constraints[v].n {
			case 0:
				continue
			case 1:
				p, _ = f.project(p)
			}
			s.Pos[v] = p
		}
	})
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			if s.kind[v] == free && s.constraints[v].n > 0 {
				s.kind[v] = contact
			}
		}
	})
}

// settle moves the vertices that slid along a curved wall back onto it, and
// those that came to lie behind a wall out to it.
func (s *vertices) settle(f *field) {
	if len(f.all) == 0 {
		return
	}
	par.For(len(s.Pos), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			if s.kind[v] != free && s.constraints[v].n == 1 {
				s.Pos[v], s.constraints[v].dirs[0] = f.project(s.Pos[v])
			} else {
				s.Pos[v] = f.before(s.Pos[v])
			}
		}
	})
}
