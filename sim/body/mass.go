package body

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// massProperties holds the inertial properties of a solid of density 1: its volume, its centre,
// and its second moments ∫ r rᵀ dV about the centre, from which the inertia follows.
type massProperties struct {
	volume float64       // m³
	center vec.Vec3      // m
	moment [3][3]float64 // m⁵
}

// inertia returns the inertia about the centre, tr(S) I − S with S the moments,
// for a density of 1.
func (m *massProperties) inertia() (i [3][3]float64) {
	trace := m.moment[0][0] + m.moment[1][1] + m.moment[2][2]
	for a := range 3 {
		for b := range 3 {
			i[a][b] = -m.moment[a][b]
		}
		i[a][a] += trace
	}
	return i
}

// massPropertiesOf returns the matter of the solid b.
func massPropertiesOf(b boundary.Boundary) (massProperties, error) {
	switch s := b.(type) {
	case *boundary.Box:
		if s.Inside {
			break
		}
		box := vec.Box{Min: s.Min, Max: s.Max}
		m := massProperties{volume: box.Volume(), center: box.Center()}
		for a, l := range box.Size().Array() {
			m.moment[a][a] = m.volume * l * l / 12
		}
		return m, nil
	case *boundary.Sphere:
		if s.Inside {
			break
		}
		r2 := s.Radius * s.Radius
		m := massProperties{volume: 4. / 3 * math.Pi * r2 * s.Radius, center: s.Center}
		for a := range 3 {
			m.moment[a][a] = m.volume * r2 / 5
		}
		return m, nil
	case *boundary.Cylinder:
		if s.Inside {
			break
		}
		return roundProperties(s.Bottom, s.Top, s.Radius, false), nil
	case *boundary.Capsule:
		return roundProperties(s.Bottom, s.Top, s.Radius, true), nil
	case interface {
		Faces() ([]vec.Vec3, [][3]int32)
		Bounds() vec.Box
	}:
		if !s.Bounds().IsEmpty() {
			break
		}
		m := meshProperties(s.Faces())
		if !(m.volume > 0) {
			return m, fmt.Errorf("encloses %.3g m³: a body must have a volume", m.volume)
		}
		return m, nil
	}
	return massProperties{}, errors.New("is not a solid: a body must have an inside of its own")
}

// roundProperties returns the matter of a cylinder, with half a ball on each end if
// capped is set.
func roundProperties(bottom, top vec.Vec3, r float64, capped bool) massProperties {
	axis := top.Sub(bottom)
	l := axis.Len()
	m := massProperties{volume: float64(math.Pi * r * r * l), center: bottom.Lerp(top, 0.5)}
	across, along := float64(m.volume*r*r/4), m.volume*l*l/12
	if capped {
		// Half a ball has its centre 3r/8 from its flat side, and 19/320 r² of
		// second moment about it.
		ball := float64(4. / 3 * math.Pi * r * r * r)
		m.volume += ball
		across += ball * r * r / 5
		far := float64(l/2) + float64(3*r/8)
		along += float64(ball * (float64(r*r*(1./5-9./64)) + float64(far*far)))
	}
	n := axis.Unit().Array()
	for a := range 3 {
		for b := range 3 {
			m.moment[a][b] = float64((along - across) * n[a] * n[b])
		}
		m.moment[a][a] += across
	}
	return m
}

// meshProperties returns the matter within a closed, outward mesh: the sum over the
// tetrahedra that its triangles make with a point, by their signs.
func meshProperties(pos []vec.Vec3, tri [][3]int32) (m massProperties) {
	if len(pos) == 0 {
		return m
	}
	origin := pos[0]
	var first vec.Vec3
	var second [3][3]float64
	for _, t := range tri {
		a, b, c := pos[t[0]].Sub(origin), pos[t[1]].Sub(origin), pos[t[2]].Sub(origin)
		det := a.Dot(b.Cross(c))
		s := a.Add(b).Add(c)
		m.volume += det / 6
		first = first.Add(s.Mul(det / 24))
		for _, v := range [...]vec.Vec3{s, a, b, c} {
			x := v.Array()
			for i := range 3 {
				for j := range 3 {
					second[i][j] += float64(det / 120 * x[i] * x[j])
				}
			}
		}
	}
	c := first.Mul(1 / m.volume)
	m.center = origin.Add(c)
	x := c.Array()
	for i := range 3 {
		for j := range 3 {
			m.moment[i][j] = second[i][j] - float64(m.volume*x[i]*x[j])
		}
	}
	return m
}
