package sim

import "breakwater/sim/vec"

// conserve changes the accelerations a of a liquid by its own pressure so that they add up to
// no force and no torque, if nothing but the liquid takes part in them. The difference form of
// consistentGradient leaves a force and a torque, and drops in flight would drift. They are
// spread as the acceleration of a rigid body. In a periodic domain, where a torque has no
// meaning, only the force is.
func conserve(w *World, p *Pairs, a []Vec4) {
	if p.n == 0 || !unsupported(w, p) {
		return
	}
	s := totalsOf(p, a)
	mean, turn := s.force.Mul(1/float64(p.n)), s.turn(w)
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			by := vec4(mean.Add(turn.Cross(vec3(p.At[i]).Sub(s.center))))
			a[i].X, a[i].Y, a[i].Z = a[i].X-by.X, a[i].Y-by.Y, a[i].Z-by.Z
		}
	})
}

// conserveShift changes the shifts by of the particles so that they do not move the centre of
// mass of such a liquid, and the velocities so that its angular momentum stays.
func conserveShift(w *World, p *Pairs, by []Vec4) {
	if p.n == 0 || !unsupported(w, p) {
		return
	}
	s := totalsOf(p, by)
	mean := vec4(s.force.Mul(1 / float64(p.n)))
	part := make([]vec.Vec3, blocks(p.n))
	p.each(func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			by[i].X, by[i].Y, by[i].Z = by[i].X-mean.X, by[i].Y-mean.Y, by[i].Z-mean.Z
			part[b] = part[b].Add(vec3(by[i]).Cross(w.V[i]))
		}
	})
	s.force, s.torque = vec.Vec3{}, vec.Vec3{}
	for _, more := range part {
		s.torque = s.torque.Add(more.Mul(1 / float64(p.h))) // places are in h
	}
	turn := s.turn(w)
	if turn == (vec.Vec3{}) {
		return
	}
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			w.V[i] = w.V[i].Sub(turn.Cross(vec3(p.At[i]).Sub(s.center)))
		}
	})
}

// totals are sums over the particles of a vector f, and of their places x in units of h.
type totals struct {
	force, torque vec.Vec3 // Σ f and Σ x × f
	center        vec.Vec3 // the mean of x
	square        vec.Sym3 // Σ (x − center)(x − center)ᵀ
}

// totalsOf returns the totals of f.
func totalsOf(p *Pairs, f []Vec4) (all totals) {
	part := make([]totals, blocks(p.n))
	p.each(func(b, lo, hi int) {
		s := &part[b]
		for i := lo; i < hi; i++ {
			x, f := vec3(p.At[i]), vec3(f[i])
			s.force, s.torque, s.center = s.force.Add(f), s.torque.Add(x.Cross(f)), s.center.Add(x)
			s.square.AddOuter(x, 1)
		}
	})
	for k := range part {
		s := &part[k]
		all.force, all.torque, all.center = all.force.Add(s.force), all.torque.Add(s.torque), all.center.Add(s.center)
		all.square = all.square.Add(s.square)
	}
	n := float64(p.n)
	all.center = all.center.Mul(1 / n)
	all.square.AddOuter(all.center, -n)
	return all
}

// turn returns the angular acceleration of a rigid body of the particles, of mass 1 each.
func (s *totals) turn(w *World) vec.Vec3 {
	if w.Period.Any() {
		return vec.Vec3{}
	}
	return angularAcceleration(s.square, s.torque.Sub(s.center.Cross(s.force)), w.Dim() == 2)
}

// angularAcceleration returns the angular acceleration that a torque gives points of mass 1
// with Σ x xᵀ = square about their centre: 0 if they lie on a line.
func angularAcceleration(square vec.Sym3, torque vec.Vec3, flat bool) vec.Vec3 {
	trace := square.Trace()
	inertia := square.Scale(-1)
	inertia.XX, inertia.YY, inertia.ZZ = inertia.XX+trace, inertia.YY+trace, inertia.ZZ+trace
	if flat {
		if inertia.ZZ == 0 {
			return vec.Vec3{}
		}
		return vec.New(0, 0, torque.Z/inertia.ZZ)
	}
	adjugate, det := inertia.Adjugate()
	if !(det > 1e-9*trace*trace*trace) {
		return vec.Vec3{}
	}
	return adjugate.Times(torque).Mul(1 / det)
}

// unsupported reports whether no wall, body or inflow is in contact with the liquid.
func unsupported(w *World, p *Pairs) bool {
	if len(w.buffers.Nozzles) > 0 || p.rigid != nil {
		return false
	}
	for b := range blocks(p.n) {
		if len(p.blocks[b].walls) > 0 {
			return false
		}
	}
	return true
}
