package sim

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/neighbor"
	"breakwater/sim/pairsum"
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

// side returns whether an axis repeats, and where.
func (p *Period) side(axis int) (on bool, lo, hi float64) {
	switch axis {
	case 0:
		return p.X, p.Min.X, p.Max.X
	case 1:
		return p.Y, p.Min.Y, p.Max.Y
	}
	return p.Z, p.Min.Z, p.Max.Z
}

// wrap returns x as it lies in the box.
func (p *Period) wrap(x vec.Vec3) vec.Vec3 {
	for axis, v := range [3]*float64{&x.X, &x.Y, &x.Z} {
		if on, lo, hi := p.side(axis); on && !(*v >= lo && *v < hi) {
			*v -= float64((hi - lo) * math.Floor((*v-lo)/(hi-lo)))
		}
	}
	return x
}

// checkPeriod reports sides too short for the kernel and walls across them.
func checkPeriod(w *World) error {
	h := w.Kernel.H()
	for axis, name := range []string{"x", "y", "z"} {
		on, lo, hi := w.Period.side(axis)
		if !on {
			continue
		}
		if axis == 2 && w.Dim() == 2 {
			return fmt.Errorf("sim: two dimensions cannot be periodic along z")
		}
		if !(hi-lo >= 2*h*(1-1e-9)) {
			return fmt.Errorf("sim: the side along %s, %g m, must be at least four spacings, %g m, to be periodic", name, hi-lo, 2*h)
		}
		for i, wall := range w.Walls {
			still, _ := body.Unwrap(wall)
			b, ok := still.(*boundary.Box)
			if !ok {
				continue
			}
			sides := b.Sides()
			faces := [2]float64{sides.Min.Array()[axis], sides.Max.Array()[axis]}
			if b.Inside && (faces[0] > lo-h || faces[1] < hi+h) || !b.Inside && (faces[0] < lo+h || faces[1] > hi-h) && !(faces[0] <= lo-h && faces[1] >= hi+h) {
				return fmt.Errorf("sim: wall %d: the faces of its box at %s = %g and %g m lie in the periodic range from %g to %g m: move them %g m outward, or inward", i+1, name, faces[0], faces[1], lo, hi, h)
			}
		}
	}
	for i, x := range w.X {
		w.X[i] = w.Period.wrap(x)
	}
	return nil
}

// images are copies of the particles near a side that repeats, beside the
// opposite side. They follow the particles in all that the passes read of a
// neighbour, sorted into cells of their own.
type images struct {
	of    []int32    // the particle that each is a copy of
	x     []vec.Vec3 // m
	cells neighbor.Cells
}

// find makes the images of w's particles where they are.
func (m *images) find(w *World) {
	m.of, m.x = m.of[:0], m.x[:0]
	if !w.Period.Any() {
		return
	}
	reach := w.Kernel.H() * (1 + 10*slack)
	for i, x := range w.X {
		first := len(m.x)
		m.x, m.of = append(m.x, x), append(m.of, int32(i))
		for axis := range 3 {
			on, lo, hi := w.Period.side(axis)
			if !on {
				continue
			}
			for _, y := range m.x[first:] {
				v := [3]float64{y.X, y.Y, y.Z}
				switch at := v[axis]; {
				case at-lo < reach:
					v[axis] += hi - lo
				case hi-at < reach:
					v[axis] -= hi - lo
				default:
					continue
				}
				m.x, m.of = append(m.x, vec.New(v[0], v[1], v[2])), append(m.of, int32(i))
			}
		}
		// All but the particle itself.
		m.x, m.of = slices.Delete(m.x, first, first+1), slices.Delete(m.of, first, first+1)
	}
	m.cells.Build(m.x, w.Kernel.H())
	order := m.cells.Order()
	x, of := slices.Clone(m.x), slices.Clone(m.of)
	for i, j := range order {
		m.x[i], m.of[i] = x[j], of[j]
	}
}

// near appends the images in b, and some beside it, as neighbours after the n
// particles.
func (m *images) near(list []int32, b vec.Box, n int, runs *[][2]int32) []int32 {
	*runs = m.cells.RunsIn((*runs)[:0], b)
	for _, r := range *runs {
		for g := r[0]; g < r[1]; g++ {
			list = append(list, int32(n)+g)
		}
	}
	return list
}

// numItems returns how many items the passes read: one per particle and image.
func (p *Pairs) numItems() int { return p.n + len(p.images.of) }

// updateImages gives the images the values of their particles in v, which has room for all.
func (p *Pairs) updateImages(v []Vec4) {
	for g, i := range p.images.of {
		v[p.n+g] = v[i]
	}
}

// updateImageMatrices is updateImages for matrices.
func (p *Pairs) updateImageMatrices(m []pairsum.Mat3) {
	for g, i := range p.images.of {
		m[p.n+g] = m[i]
	}
}

// updateImageValues is updateImages for single numbers.
func (p *Pairs) updateImageValues(v []float32) {
	for g, i := range p.images.of {
		v[p.n+g] = v[i]
	}
}

// updateImageScalars gives the images the S of their particles in p.At.
func (p *Pairs) updateImageScalars() {
	for g, i := range p.images.of {
		p.At[p.n+g].S = p.At[i].S
	}
}
