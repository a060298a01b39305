package inflow

import (
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// Pipe is the solid around a nozzle's buffer: a pipe with a wall one spacing thick
// and a closed end. It separates the buffer from the liquid outside. For that liquid,
// the buffer's particles and the pipe together act as a solid block.
type Pipe struct {
	*Nozzle
	opening Opening
	u, v    vec.Vec3 // the opening's axes
	d       float64  // spacing, m

	// solid makes it a solid block, the buffer a part of it.
	solid bool

	boundary.Fixed
	layers boundary.Layers
}

// Wall thickness of a pipe and the gap to the buffer, in spacings. The gap keeps
// the outermost particles from being held back at the wall as they leave.
const (
	pipeWall = 1
	pipeGap  = boundary.ParticleGap
)

// Init implements Boundary.
func (b *Pipe) Init(k kernel.Kernel) error {
	b.layers = boundary.NewLayers(k)
	return nil
}

// CheckFlat implements boundary.Flat: in two dimensions it is the pipe of a [Slit].
func (b *Pipe) CheckFlat() error { return nil }

// Bounds returns the empty box: it holds nothing in.
func (b *Pipe) Bounds() vec.Box { return vec.Empty() }

// depth returns how far behind the mouth the bore ends: so far that its end is
// half a spacing behind a particle that has just come.
func (b *Pipe) depth() float64 { return b.length() + float64(b.d/2) }

// around is where a point is about a pipe, in metres, and the directions in
// which that grows.
type around struct {
	side   float64  // beyond the outside, to the side
	within float64  // outside the bore, to the side
	front  float64  // before the mouth
	back   float64  // behind the closed end
	n      vec.Vec3 // of side and within
}

func (b *Pipe) around(x vec.Vec3) around {
	r := x.Sub(b.At)
	side, na, nb := b.opening.Dist(r.Dot(b.u), r.Dot(b.v))
	front := r.Dot(b.Dir)
	return around{
		side: side - float64((pipeWall+pipeGap)*b.d), within: side - float64(pipeGap*b.d),
		front: front, back: -front - b.pipe,
		n: b.u.Mul(na).Add(b.v.Mul(nb)),
	}
}

// Dist implements Boundary. The bore is a wall as far behind the mouth as particles are
// held off it. So liquid that comes back is held at the mouth, and liquid that leaves is
// not.
func (b *Pipe) Dist(x vec.Vec3) (float64, vec.Vec3) {
	a := b.around(x)
	if a.within < 0 && a.front > -b.depth() && !b.solid {
		d, n := a.front+float64(boundary.ParticleGap*b.d), b.Dir
		if a.front > 0 {
			if rim := math.Hypot(a.within, a.front); rim < d && rim > 0 {
				return rim, a.n.Mul(a.within).Add(b.Dir.Mul(a.front)).Mul(1 / rim)
			}
		}
		return d, n
	}
	// The end that is nearer, and the side.
	end, along := a.front, b.Dir
	if a.back > a.front {
		end, along = a.back, b.Dir.Neg()
	}
	switch {
	case end > 0 && a.side > 0:
		d := math.Hypot(end, a.side)
		return d, along.Mul(end).Add(a.n.Mul(a.side)).Mul(1 / d)
	case end > a.side:
		return end, along
	}
	return a.side, a.n
}

// Wall implements Boundary.
func (b *Pipe) Wall(x vec.Vec3) (float64, vec.Vec3) { return b.share(x, b.layers.HalfSpace) }

// Mirror implements Boundary.
func (b *Pipe) Mirror(x vec.Vec3) (float64, vec.Vec3) {
	return b.share(x, func(t float64) (share, slope float64) {
		// In the shadow of the other sides, the solid is as deep as its layers.
		if t < 0 {
			return b.layers.HalfSpace(t)
		}
		return b.layers.Mirror(t)
	})
}

// share returns the share of the kernel in the solid and its gradient, as products like a
// box's, with each side treated as a plane. The mouth is not a mirror: liquid that leaves
// it must not be pushed.
func (b *Pipe) share(x vec.Vec3, beyond func(t float64) (share, slope float64)) (float64, vec.Vec3) {
	h := b.layers.Support()
	a := b.around(x)
	if max(a.side, a.front, a.back) >= h {
		return 0, vec.Vec3{}
	}
	outer, dOuter := beyond(a.side)
	front, dFront := b.layers.HalfSpace(a.front)
	back, dBack := beyond(a.back)
	long, dLong := front+back-1, dFront-dBack
	share := float64(outer * long)
	grad := a.n.Mul(float64(dOuter * long)).Add(b.Dir.Mul(float64(outer * dLong)))
	if b.solid {
		return max(0, share), grad
	}
	bore, dBore := b.layers.HalfSpace(a.within)
	end, dEnd := b.layers.HalfSpace(-a.front - b.depth())
	deep, dDeep := front+end-1, dFront-dEnd
	share -= float64(bore * deep)
	grad = grad.Sub(a.n.Mul(float64(dBore * deep))).Sub(b.Dir.Mul(float64(bore * dDeep)))
	return max(0, share), grad
}

// Solid returns the pipe with its buffer as a solid block, for products without the
// buffers.
func (b *Pipe) Solid() *Pipe {
	s := *b
	s.solid = true
	return &s
}

// Pipe returns how much wider than the opening the pipe of a nozzle is on each
// side, and how long it is, m. An opening in a side has none, and only its buffer.
func (n *Nozzle) Pipe(d float64) (wall, length float64) {
	if n.Flush {
		return 0, n.shortest(d)
	}
	return (pipeWall + pipeGap) * d, n.pipe
}

// shortest returns the length of the shortest pipe that has the buffer in it, m.
func (n *Nozzle) shortest(d float64) float64 { return n.length() + float64(d/2) + float64(pipeWall*d) }

// Meets reports whether the pipes of two nozzles share any room, taken for
// round.
func (n *Nozzle) Meets(m *Nozzle, d float64) bool {
	wall, length := n.Pipe(d)
	other, span := m.Pipe(d)
	const steps = 32
	for i := range steps + 1 {
		x := n.At.Sub(n.Dir.Mul(length * float64(i) / steps))
		r := x.Sub(m.At)
		along := min(0, max(-span, r.Dot(m.Dir)))
		if r.Sub(m.Dir.Mul(along)).Len() < n.HalfWidth+wall+m.HalfWidth+other {
			return true
		}
	}
	return false
}
