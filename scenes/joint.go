package scenes

import (
	"breakwater/scenes/toml"
	"breakwater/sim/body"
)

// joinedTo returns the number of the body that body i is joined to, from 0, or −1
// if that is the world or nothing.
func (s *Scene) joinedTo(i int) int {
	if name := s.Body[i].Joint.Body; name != "" {
		for k := range s.Body {
			if k != i && s.BodyName(k) == name {
				return k
			}
		}
	}
	return -1
}

// join holds the bodies by their joints. One whose joint cannot be becomes nil.
func (s *Scene) join(f *toml.Report, bodies []*body.Body) {
	for i, b := range bodies {
		if n := s.Body[i].Shape.Node.Get("joint"); n != nil && b != nil && !s.joinBody(f, n, i, bodies) {
			bodies[i] = nil
		}
	}
}

// joinBody joins body i by the joint n, and reports whether it can be.
func (s *Scene) joinBody(f *toml.Report, n *toml.Node, i int, bodies []*body.Body) bool {
	b, j := bodies[i], s.Body[i].Joint
	at := b.Free.Start.X
	if err := j.Check(); err != nil {
		f.Value(n, "%v", err)
		return false
	}
	hinge := j.Kind == "hinge"
	if hinge && n.Get("point") == nil {
		f.Value(n, "the hinge has no position; add a line such as point = %s, a point on its axis", point(at))
		return false
	}
	if off, _ := b.Dist(j.Point); hinge && off > 2*b.Free.Radius() {
		f.Value(n.Get("point"), "%s is %.3g m from the body, more than its width, so the hinge does not reach it; move it to the body, such as to %s", point(j.Point), off, point(at))
		return false
	}
	name := n.Get("body")
	if name == nil {
		b.Join(j)
		return true
	}
	k := s.joinedTo(i)
	switch {
	case j.Body == s.BodyName(i):
		f.Value(name, "%q is this body itself; name another, or remove the line to join it to the world", j.Body)
		return false
	case k < 0:
		var names []string
		for k := range s.Body {
			if k != i {
				names = append(names, s.BodyName(k))
			}
		}
		if len(names) == 0 {
			f.Value(name, "there is no body %q, nor any other; add a [[body]] with that name, or remove the line to join this body to the world", j.Body)
		} else {
			f.Value(name, "there is no body %q; %s", j.Body, toml.Expected(j.Body, names))
		}
		return false
	case k < i && s.joinedTo(k) == i:
		first := s.Body[k].Shape.Node.Get("joint")
		f.Value(name, "%q is already joined to this body, by %s%s; remove one of the two joints", j.Body, first.Path, lineOf(name, first))
		return false
	}
	other := bodies[k]
	if other == nil { // which has a fault of its own
		return false
	}
	if off, _ := other.Dist(j.Point); hinge && off > 2*other.Free.Radius() {
		f.Value(n.Get("point"), "%s is %.3g m from %q, more than its width, so the hinge does not reach it; move the hinge between the two, such as to %s, or move the bodies together",
			point(j.Point), off, j.Body, point(at.Lerp(other.Free.Start.X, 0.5)))
		return false
	}
	b.JoinTo(other, j)
	return true
}
