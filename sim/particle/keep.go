package particle

import (
	"slices"

	"breakwater/sim/vec"
)

// Add appends a particle, with nothing in its attributes.
func (s *Set) Add(x, v vec.Vec3, rho float64, id uint32) {
	s.X = append(s.X, x)
	s.V = append(s.V, v)
	s.Rho = append(s.Rho, rho)
	s.ID = append(s.ID, id)
	for i := range s.Attr {
		s.Attr[i].Data = append(s.Attr[i].Data, 0)
	}
}

// Remove takes out the particles with the given indices, which ascend. The
// others keep their order.
func (s *Set) Remove(gone []int32) {
	s.X = without(s.X, gone)
	s.V = without(s.V, gone)
	s.Rho = without(s.Rho, gone)
	s.ID = without(s.ID, gone)
	for i := range s.Attr {
		s.Attr[i].Data = without(s.Attr[i].Data, gone)
	}
}

// RemoveIDs takes out the particles with the given numbers, which ascend.
func (s *Set) RemoveIDs(list []uint32) {
	var gone []int32
	for i, id := range s.ID {
		if _, found := slices.BinarySearch(list, id); found {
			gone = append(gone, int32(i))
		}
	}
	s.Remove(gone)
}

// without closes the gaps that the items gone leave in x.
func without[T any](x []T, gone []int32) []T {
	if len(gone) == 0 {
		return x
	}
	n := int(gone[0])
	for k, g := range gone {
		end := len(x)
		if k+1 < len(gone) {
			end = int(gone[k+1])
		}
		n += copy(x[n:], x[g+1:end])
	}
	return x[:n]
}
