package inflow

import (
	"fmt"
	"math"

	"breakwater/sim/vec"
)

// Slit is the opening of an inflow in two dimensions: the section of another opening by the plane
// z = 0. Its area is for one metre of depth.
type Slit struct {
	Width float64 // m
	level bool    // whether it extends along the first axis of the opening, as for a vertical flow
}

// Section returns the opening of an inflow in two dimensions, whose flow has a direction in the plane
// z = 0.
func Section(o Opening, direction vec.Vec3) (Opening, error) {
	if s, ok := o.(*Slit); ok {
		return s, nil
	}
	dir := direction.Unit()
	if dir.Z != 0 {
		return nil, fmt.Errorf("the direction has z = %g: in two dimensions it must be 0", direction.Z)
	}
	u, _ := dir.LevelBasis()
	s := &Slit{level: u.Z == 0}
	for _, p := range o.Outline() {
		across := p[1]
		if s.level {
			across = p[0]
		}
		s.Width = max(s.Width, 2*math.Abs(across))
	}
	return s, nil
}

// place returns a point on the axes of the opening, which lies t from the middle.
func (s *Slit) place(t float64) [2]float64 {
	if s.level {
		return [2]float64{t, 0}
	}
	return [2]float64{0, t}
}

// along is the reverse of place.
func (s *Slit) along(a, b float64) float64 {
	if s.level {
		return a
	}
	return b
}

// Area implements Opening.
func (s *Slit) Area() float64 { return s.Width }

// Across implements Opening.
func (s *Slit) Across() float64 { return s.Width }

// Outline implements Opening: its two ends.
func (s *Slit) Outline() [][2]float64 {
	return [][2]float64{s.place(-s.Width / 2), s.place(s.Width / 2)}
}

// Dist implements Opening.
func (s *Slit) Dist(a, b float64) (d, na, nb float64) {
	t := s.along(a, b)
	n := s.place(math.Copysign(1, t))
	return math.Abs(t) - float64(s.Width/2), n[0], n[1]
}

// Parabola implements Opening: the flow of Poiseuille between plates.
func (s *Slit) Parabola(a, b float64) float64 {
	t := s.along(a, b) / s.Width
	return max(0, 1-float64(4*t*t))
}

// columns lays the columns of a nozzle side by side over the slit, about a spacing d apart, with
// layers at the distance that gives each particle the area d². See cross for the phases.
func (s *Slit) columns(n *Nozzle, d, speed float64, parabolic bool) {
	u, v := n.Dir.LevelBasis()
	apart, shift := columnsAcross(s.Width, d)
	sum := 0.
	half := int(math.Ceil(s.Width / apart))
	for i := -half; i <= half; i++ {
		at := s.place((float64(i) + shift) * apart)
		share := s.Parabola(at[0], at[1])
		if share <= 0 {
			continue
		}
		if !parabolic {
			share = 1
		}
		n.Columns = append(n.Columns, Column{n.At.Add(u.Mul(at[0])).Add(v.Mul(at[1])), share, phaseOf(i, 0)})
		sum += share
	}
	for i := range n.Columns {
		n.Columns[i].Speed *= speed * float64(len(n.Columns)) / sum
	}
	n.Layer, n.Flow = d*d/apart, s.Width*speed
}
