package body

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// NewFlatRigid is NewRigid in two dimensions. The mass is for one metre of depth. The body
// moves in the plane z = 0 and turns about z.
func NewFlatRigid(shape boundary.Boundary, density, mass, friction float64) (*Body, error) {
	m, err := flatProperties(shape)
	if err != nil {
		return nil, err
	}
	b, err := newRigid(shape, m, flatContacts(shape), density, mass, friction)
	if err == nil {
		b.Free.flat = true
	}
	return b, err
}

// flatProperties returns the matter of a section, for one metre of depth: sums over the
// triangles that the sides of its outlines make with the origin, by their signs. A disc has
// its closed form.
func flatProperties(b boundary.Boundary) (m massProperties, err error) {
	if s, ok := b.(*boundary.Sphere); ok && !s.Inside {
		r2 := s.Radius * s.Radius
		m = massProperties{volume: math.Pi * r2, center: s.Center}
		m.moment[0][0], m.moment[1][1] = m.volume*r2/4, m.volume*r2/4
		return m, nil
	}
	lines := boundary.Outlines(b)
	if c, ok := b.(interface{ Bounds() vec.Box }); len(lines) == 0 || ok && !c.Bounds().IsEmpty() {
		return m, errors.New("is not a solid: a body must have an inside of its own")
	}
	origin := lines[0][0]
	var first vec.Vec3
	var second [2][2]float64
	for _, line := range lines {
		for k, p := range line {
			a, b := p.Sub(origin), line[(k+1)%len(line)].Sub(origin)
			det := float64(a.X*b.Y) - float64(a.Y*b.X)
			m.volume += float64(det / 2)
			s := a.Add(b)
			first = first.Add(s.Mul(det / 6))
			for _, v := range [...]vec.Vec3{s, a, b} {
				x := v.Array()
				for i := range 2 {
					for j := range 2 {
						second[i][j] += float64(det / 24 * x[i] * x[j])
					}
				}
			}
		}
	}
	if !(m.volume > 0) {
		return m, fmt.Errorf("encloses %.3g m²: a body must have an area", m.volume)
	}
	c := first.Mul(1 / m.volume)
	m.center = origin.Add(c)
	x := c.Array()
	for i := range 2 {
		for j := range 2 {
			m.moment[i][j] = second[i][j] - float64(m.volume*x[i]*x[j])
		}
	}
	return m, nil
}

// flatContacts returns the points at which a body of two dimensions can be in contact with
// other solids.
func flatContacts(b boundary.Boundary) (list []contactPoint) {
	if s, ok := b.(*boundary.Sphere); ok {
		return []contactPoint{{s.Center, s.Radius}}
	}
	var pos []vec.Vec3
	var sides [][2]vec.Vec3
	box := vec.Empty()
	for _, line := range boundary.Outlines(b) {
		for k, p := range line {
			pos, box = append(pos, p), box.Include(p)
			sides = append(sides, [2]vec.Vec3{p, line[(k+1)%len(line)]})
		}
	}
	for _, p := range pos {
		list = append(list, contactPoint{at: p})
	}
	long := box.Size().Len() * longEdge
	for _, s := range sides {
		if l := s[1].Sub(s[0]).Len(); l > long {
			list = edgePoints(list, s[0], s[1], 1+int(l/long))
		}
	}
	return list
}

// levelModes leaves a body of two dimensions its motions in the plane.
func levelModes(u *Modes) { u[2], u[3], u[4] = Twist{}, Twist{}, Twist{} }

// checkFlatState returns an error if a state leaves the plane z = 0.
func checkFlatState(s particle.Body) error {
	t := s.Turn.Unit().Columns()
	if s.X.Z != 0 || s.V.Z != 0 || s.Spin.X != 0 || s.Spin.Y != 0 || math.Abs(t[2].Z-1) > 1e-12 {
		return errors.New("a free body of two dimensions moves in the plane z = 0 and turns about z")
	}
	return nil
}
