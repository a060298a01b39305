// Package period holds worlds that repeat themselves along their axes.
package period

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/neighbor"
	"breakwater/sim/vec"
)

// Period says along which axes the world repeats itself: a particle that leaves the box
// there on one side comes back on the other. The zero value repeats nothing.
type Period struct {
	X, Y, Z  bool
	Min, Max vec.Vec3 // m; of the axes that repeat alone
}

// Any reports whether any axis repeats.
func (p *Period) Any() bool { return p.X || p.Y || p.Z }

// Side returns whether an axis repeats, and from where to where, m.
func (p *Period) Side(axis int) (on bool, lo, hi float64) {
	switch axis {
	case 0:
		return p.X, p.Min.X, p.Max.X
	case 1:
		return p.Y, p.Min.Y, p.Max.Y
	}
	return p.Z, p.Min.Z, p.Max.Z
}

// Wrap returns x as it lies in the box.
func (p *Period) Wrap(x vec.Vec3) vec.Vec3 {
	for axis, v := range [3]*float64{&x.X, &x.Y, &x.Z} {
		if on, lo, hi := p.Side(axis); on && !(*v >= lo && *v < hi) {
			*v -= float64((hi - lo) * math.Floor((*v-lo)/(hi-lo)))
		}
	}
	return x
}

// Check reports sides too short for a kernel of support h, in dim dimensions, and walls across
// them.
func (p *Period) Check(walls []boundary.Boundary, h float64, dim int) error {
	for axis, name := range []string{"x", "y", "z"} {
		on, lo, hi := p.Side(axis)
		if !on {
			continue
		}
		if axis == 2 && dim == 2 {
			return fmt.Errorf("two dimensions cannot be periodic along z")
		}
		if !(hi-lo >= 2*h*(1-1e-9)) {
			return fmt.Errorf("the side along %s, %g m, must be at least four spacings, %g m, to be periodic", name, hi-lo, 2*h)
		}
		for i, wall := range walls {
			still, _ := body.Unwrap(wall)
			b, ok := still.(*boundary.Box)
			if !ok {
				continue
			}
			sides := b.Sides()
			faces := [2]float64{sides.Min.Array()[axis], sides.Max.Array()[axis]}
			if b.Inside && (faces[0] > lo-h || faces[1] < hi+h) || !b.Inside && (faces[0] < lo+h || faces[1] > hi-h) && !(faces[0] <= lo-h && faces[1] >= hi+h) {
				return fmt.Errorf("wall %d: the faces of its box at %s = %g and %g m lie in the periodic range from %g to %g m: move them %g m outward, or inward", i+1, name, faces[0], faces[1], lo, hi, h)
			}
		}
	}
	return nil
}

// Images are copies of the particles near a side that repeats, beside the
// opposite side. They follow the particles in all that the passes read of a
// neighbour, sorted into cells of their own.
type Images struct {
	Of    []int32    // the particle that each is a copy of
	X     []vec.Vec3 // m
	cells neighbor.Cells
}

// Find makes the images of the particles at x that are closer than reach to a side. The edges of
// the cells are h long.
func (m *Images) Find(p *Period, x []vec.Vec3, h, reach float64) {
	m.Of, m.X = m.Of[:0], m.X[:0]
	if !p.Any() {
		return
	}
	for i, at := range x {
		first := len(m.X)
		m.X, m.Of = append(m.X, at), append(m.Of, int32(i))
		for axis := range 3 {
			on, lo, hi := p.Side(axis)
			if !on {
				continue
			}
			for _, y := range m.X[first:] {
				v := [3]float64{y.X, y.Y, y.Z}
				switch c := v[axis]; {
				case c-lo < reach:
					v[axis] += hi - lo
				case hi-c < reach:
					v[axis] -= hi - lo
				default:
					continue
				}
				m.X, m.Of = append(m.X, vec.New(v[0], v[1], v[2])), append(m.Of, int32(i))
			}
		}
		// All but the particle itself.
		m.X, m.Of = slices.Delete(m.X, first, first+1), slices.Delete(m.Of, first, first+1)
	}
	m.cells.Build(m.X, h)
	order := m.cells.Order()
	places, of := slices.Clone(m.X), slices.Clone(m.Of)
	for i, j := range order {
		m.X[i], m.Of[i] = places[j], of[j]
	}
}

// Near appends the images in b, and some beside it, as neighbours after the n
// particles.
func (m *Images) Near(list []int32, b vec.Box, n int, runs *[][2]int32) []int32 {
	*runs = m.cells.RunsIn((*runs)[:0], b)
	for _, r := range *runs {
		for g := r[0]; g < r[1]; g++ {
			list = append(list, int32(n)+g)
		}
	}
	return list
}
