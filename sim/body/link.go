package body

import (
	"errors"
	"math"
	"slices"

	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// A link is a joint between two free bodies. Both keep all their modes. The solver finds
// the impulses at the link that let them move as the joint allows.
//
// All connected links are solved at once, so an anchor at the end of a chain holds as
// firmly as a hinge. Impulses along the constraints at the start of a step bring the
// bodies to places that the link allows at its end. Impulses along the constraints at the
// end give them speeds that it allows (Andersen, Rattle: a "velocity" version of the
// Shake algorithm for molecular dynamics calculations, J. Comput. Phys. 52, 1983). The
// scheme is symplectic: a double pendulum swings on. Bodies that are only kept from
// parting, and pulled back, would lose (ω dt)² of their speed per step.
type link struct {
	*Joint
	a, b  int32
	other *Body          // b
	at    [2]vec.Vec3    // the joint's point from the centre of mass of a, and of b, as the shapes are placed
	axes  [2][3]vec.Vec3 // the joint's axis and two across it, as the shapes are placed
}

// JoinTo holds a free body, as it starts, by a joint to another one, as that starts. The
// first step removes the speeds that the joint forbids from both.
func (b *Body) JoinTo(other *Body, j Joint) {
	l := &link{Joint: &j, other: other}
	if j.Kind != "hinge" {
		j.Point = b.Free.Start.X
	}
	n := vec.New(1, 0, 0)
	if j.Axis != (vec.Vec3{}) {
		n = j.Axis.Unit()
	}
	u, v := n.Basis()
	for k, body := range [...]*Body{b, other} {
		c := body.Free.Start.Turn.Unit().Columns()
		back := func(x vec.Vec3) vec.Vec3 { return vec.New(c[0].Dot(x), c[1].Dot(x), c[2].Dot(x)) }
		l.at[k] = back(j.Point.Sub(body.Free.Start.X))
		l.axes[k] = [3]vec.Vec3{back(n), back(u), back(v)}
	}
	b.Free.link = l
}

// linkage is a group of links that hang together.
type linkage struct {
	bodies      []int32 // that they hold, in order
	links       []*link
	constraints []constraint
	factor      [][]float64 // L of L Lᵀ, the rate of the ties' speeds with their impulses; nil for a tie that follows from others
	first       []int       // where each row of L begins: of a chain it is a band
	speed       []float64   // scratch
}

// constraint is one component of the motion between two bodies that a link forbids.
type constraint struct {
	a, b   int32
	ya, yb Generalized // the change of the bodies' speeds by an impulse of 1 N s, or 1 N m s
	off    float64     // how far they are from where it holds them, m or rad
}

// addConstraints appends the constraints of l, as the bodies are placed.
func (l *link) addConstraints(dst []constraint, s *System) []constraint {
	a, b := s.Bodies[l.a], s.Bodies[l.b]
	xa, xb := a.Free.state.X, b.Free.state.X
	pa, pb := xa.Add(a.pose.rotate(l.at[0])), xb.Add(b.pose.rotate(l.at[1]))
	var ea, eb [3]vec.Vec3
	var off vec.Vec3 // the turn of a against b, if it is small, rad
	for k := range 3 {
		ea[k], eb[k] = a.pose.rotate(l.axes[0][k]), b.pose.rotate(l.axes[1][k])
		off = off.Add(eb[k].Cross(ea[k]).Mul(0.5))
	}
	add := func(fa, fb Twist, off float64) {
		dst = append(dst, constraint{a: l.a, b: l.b, ya: s.Modes[l.a].Of(fa), yb: s.Modes[l.b].Of(fb.Mul(-1)), off: off})
	}
	gap, first := pa.Sub(pb), 0
	if l.Kind == "slider" {
		pb, first = pa, 1 // a's point, on the line of b
	}
	for _, e := range eb[first:] {
		add(Wrench(pa.Sub(xa), e), Wrench(pb.Sub(xb), e), gap.Dot(e))
	}
	first = 0
	if l.Kind == "hinge" {
		off, first = eb[0].Cross(ea[0]), 1
	}
	for _, e := range eb[first:] {
		add(Twist{Ang: e}, Twist{Ang: e}, off.Dot(e))
	}
	return dst
}

// findLinks finds the groups of links.
func (s *System) findLinks() error {
	s.linkages = nil
	group := make([]int, len(s.Bodies)) // of each body; 0 for none
	for i, a := range s.Bodies {
		l := a.Free.link
		if l == nil {
			continue
		}
		l.a, l.b = int32(i), int32(slices.Index(s.Bodies, l.other))
		if l.b < 0 {
			return errors.New("sim: a body is joined to one that does not exist")
		}
		switch from, to := group[l.a], group[l.b]; {
		case from == 0 && to == 0:
			group[l.a], group[l.b] = i+1, i+1
		case from == 0:
			group[l.a] = to
		case to == 0:
			group[l.b] = from
		default:
			for k, g := range group {
				if g == from {
					group[k] = to
				}
			}
		}
	}
	at := map[int]*linkage{}
	for i, a := range s.Bodies {
		if group[i] == 0 {
			continue
		}
		g := at[group[i]]
		if g == nil {
			g = &linkage{}
			at[group[i]] = g
			s.linkages = append(s.linkages, g)
		}
		g.bodies = append(g.bodies, int32(i))
		if a.Free.link != nil {
			g.links = append(g.links, a.Free.link)
		}
	}
	return nil
}

// joined reports whether a link connects the bodies: then they have no contacts.
func joined(a, b *Body) bool {
	return a.Free.link != nil && a.Free.link.other == b || b.Free.link != nil && b.Free.link.other == a
}

// prepare finds the constraints of the links, as the bodies are placed.
func (g *linkage) prepare(s *System) {
	g.constraints = g.constraints[:0]
	for _, l := range g.links {
		g.constraints = l.addConstraints(g.constraints, s)
	}
	n := len(g.constraints)
	g.speed = slices.Grow(g.speed[:0], n)[:n]
	g.factor = slices.Grow(g.factor[:0], n)[:n]
	g.first = slices.Grow(g.first[:0], n)[:n]
	// Cholesky's method. A tie that others imply, as in a ring, has nothing left
	// of its rate.
	const negligible = 1e-9
	for i := range n {
		row := slices.Grow(g.factor[i][:0], i+1)[:i+1]
		first := 0
		for !g.constraints[i].sharesBody(&g.constraints[first]) {
			first++
		}
		g.factor[i], g.first[i] = nil, first
		for j := first; j <= i; j++ {
			s := g.constraints[i].rate(&g.constraints[j])
			if j == i {
				least := negligible * s
				for _, v := range row[first:i] {
					s -= float64(v * v)
				}
				if s > least {
					row[i] = math.Sqrt(s)
					g.factor[i] = row
				}
				continue
			}
			row[j] = 0
			if l := g.factor[j]; l != nil {
				for k := max(first, g.first[j]); k < j; k++ {
					s -= float64(row[k] * l[k])
				}
				row[j] = s / l[j]
			}
		}
	}
}

// sharesBody reports whether t and o hold a body in common.
func (t *constraint) sharesBody(o *constraint) bool {
	return t.a == o.a || t.a == o.b || t.b == o.a || t.b == o.b
}

// rate returns the speed along t for an impulse along o.
func (t *constraint) rate(o *constraint) (s float64) {
	for _, x := range [...]struct {
		i int32
		y *Generalized
	}{{t.a, &t.ya}, {t.b, &t.yb}} {
		if x.i == o.a {
			s += x.y.Dot(&o.ya)
		}
		if x.i == o.b {
			s += x.y.Dot(&o.yb)
		}
	}
	return s
}

// change changes the speeds y so that those along the ties change by g.speed.
func (g *linkage) change(y []Generalized) {
	x := g.speed
	for i, l := range g.factor {
		if l == nil {
			x[i] = 0
			continue
		}
		for k := g.first[i]; k < i; k++ {
			x[i] -= float64(l[k] * x[k])
		}
		x[i] /= l[i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		l := g.factor[i]
		if l == nil {
			continue
		}
		x[i] /= l[i]
		for k := g.first[i]; k < i; k++ {
			x[k] -= float64(l[k] * x[i])
		}
	}
	for i := range g.constraints {
		if t := &g.constraints[i]; g.factor[i] != nil {
			y[t.a] = y[t.a].Add(t.ya.Mul(x[i]))
			y[t.b] = y[t.b].Add(t.yb.Mul(x[i]))
		}
	}
}

// project removes the velocities that the links forbid from y, and returns the largest.
func (g *linkage) project(y []Generalized) (largest float64) {
	for i := range g.constraints {
		t := &g.constraints[i]
		g.speed[i] = -t.ya.Dot(&y[t.a]) - t.yb.Dot(&y[t.b])
		if g.factor[i] != nil {
			largest = max(largest, math.Abs(g.speed[i]))
		}
	}
	g.change(y)
	return largest
}

const (
	// linkTrials is the number of iterations for the positions. Each reduces the error
	// to about a hundredth.
	linkTrials = 8

	// linkError is how far bodies may be off, m or rad, in spacings.
	linkError = 1e-9
)

// solvePositions changes the velocities so that the bodies are where the links allow after dt.
func (g *linkage) solvePositions(s *System, st Step, list []particle.Body) {
	var moved []constraint
	for range linkTrials {
		for _, i := range g.bodies {
			s.Bodies[i].advance(list[i], s.Modes[i].Twist(s.Velocities[i]), st.Dt)
		}
		moved = moved[:0]
		for _, l := range g.links {
			moved = l.addConstraints(moved, s)
		}
		for _, i := range g.bodies {
			s.Bodies[i].Put(list[i])
		}
		largest := 0.
		for i := range moved {
			g.speed[i] = -moved[i].off / st.Dt
			if g.factor[i] != nil {
				largest = max(largest, math.Abs(moved[i].off))
			}
		}
		if largest <= linkError*st.Spacing {
			return
		}
		g.change(s.Velocities)
	}
}

// projectMoved removes, from the speeds of bodies that have moved, the part that the links
// forbid in the new places.
func (g *linkage) projectMoved(s *System, list []particle.Body) {
	for _, i := range g.bodies {
		b := s.Bodies[i]
		s.Modes[i] = b.modes()
		s.Velocities[i] = s.Modes[i].Of(b.Momentum())
	}
	g.prepare(s)
	g.project(s.Velocities)
	for _, i := range g.bodies {
		v := s.Modes[i].Twist(s.Velocities[i])
		list[i].V, list[i].Spin = v.Lin, v.Ang
		s.Bodies[i].Put(list[i])
	}
}

// motor appends the motor that drives a against b.
func (l *link) motor(dst []contact, s *System, dt float64) []contact {
	if l == nil || !l.Motor {
		return dst
	}
	b := s.Bodies[l.b]
	n := b.pose.rotate(l.axes[1][0])
	m := contact{a: l.a, b: l.b, limit: math.Inf(1)}
	row, maxForce := &m.rows[0], l.Force
	if l.Kind == "hinge" {
		row.a, row.b = s.Modes[l.a].Of(Twist{Ang: n}), s.Modes[l.b].Of(Twist{Ang: n.Neg()})
		row.target, maxForce = l.Speed*radians, l.Power
	} else {
		arm := s.Bodies[l.a].Free.state.X.Sub(b.Free.state.X)
		row.a, row.b = s.Modes[l.a].Of(Twist{Lin: n}), s.Modes[l.b].Of(Wrench(arm, n.Neg()))
		row.target = l.Pace
	}
	row.rate = row.a.Dot(&row.a) + row.b.Dot(&row.b)
	if !(row.rate > 0) {
		return dst
	}
	if maxForce > 0 {
		m.limit = maxForce * dt
	}
	return append(dst, m)
}
