package simd

import "math"

// Rings are the neighbours of the vertices of a mesh: vertex v has
// Of[Start[v]:Start[v+1]]. Their number is padded to a multiple of Four with the number
// of vertices, whose vector must be 0. A loop over them then takes one or two
// predictable iterations.
type Rings struct{ Start, Of []int32 }

// Four neighbours are added in one turn.
const Four = 4

// Relax moves the vertices lo ≤ v < hi by
//
//	next_v = a_v x_v + S_v Σ_j x_j + d_v,
//
// where S and d are the number and the vector in pull, and j runs over the
// neighbours of v. A vertex with S = 0 stays where it is. The numbers in x
// must be 0, and those in next will be.
func Relax(next, x, pull []Vec4, a []float32, r *Rings, lo, hi int) {
	if lo < hi {
		relax(next, x, pull, a, r, lo, hi)
	}
}

func relaxGo(next, x, pull []Vec4, a []float32, r *Rings, lo, hi int) {
	for v := lo; v < hi; v++ {
		next[v] = x[v]
		d, a := pull[v], a[v]
		if d.S == 0 {
			continue
		}
		s := r.sum(x, v)
		next[v] = Vec4{
			float32(a*x[v].X) + float32(d.S*s.X) + d.X,
			float32(a*x[v].Y) + float32(d.S*s.Y) + d.Y,
			float32(a*x[v].Z) + float32(d.S*s.Z) + d.Z, 0}
	}
}

// sum returns the sum of x over the neighbours of v.
func (r *Rings) sum(x []Vec4, v int) (s Vec4) {
	for _, j := range r.Of[r.Start[v]:r.Start[v+1]] {
		q := &x[j]
		s.X += q.X
		s.Y += q.Y
		s.Z += q.Z
	}
	return s
}

// Turn turns the unit vectors lo ≤ v < hi towards the sums of their
// neighbours', by the shares a, from 0 to 1:
//
//	next_v = m/|m|,  m = (1−a_v) x_v + a_v s/|s|,  s = Σ_j x_j.
//
// One with a = 0, or whose m is almost nothing, stays as it is. The numbers in
// x must be 0, and those in next will be.
func Turn(next, x []Vec4, a []float32, r *Rings, lo, hi int) {
	if lo < hi {
		turn(next, x, a, r, lo, hi)
	}
}

// leastTurn is the square of |m| from which on m has a direction.
const leastTurn = 0.01

func turnGo(next, x []Vec4, a []float32, r *Rings, lo, hi int) {
	for v := lo; v < hi; v++ {
		next[v] = x[v]
		a := a[v]
		if a == 0 {
			continue
		}
		s := r.sum(x, v)
		s2 := s.square()
		b := (1 - a) * float32(math.Sqrt(float64(s2)))
		m := Vec4{float32(b*x[v].X) + float32(a*s.X), float32(b*x[v].Y) + float32(a*s.Y), float32(b*x[v].Z) + float32(a*s.Z), 0}
		if m2 := m.square(); m2 > leastTurn*s2 {
			l := float32(math.Sqrt(float64(m2)))
			next[v] = Vec4{m.X / l, m.Y / l, m.Z / l, 0}
		}
	}
}

func (v *Vec4) square() float32 { return float32(float32(v.X*v.X)+float32(v.Y*v.Y)) + float32(v.Z*v.Z) }
