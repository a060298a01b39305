package sim

import "breakwater/sim/vec"

// conserve changes the accelerations a of a liquid by its own pressure so that they add up to
// no force and no torque, if nothing but the liquid takes part in them. The difference form of
// consistentGradient leaves a rest in the sums, and drops in flight would drift. The rest is
// spread as the acceleration of a rigid body. In a periodic domain, where a torque has no
// meaning, it is the force alone.
func conserve(w *World, p *Pairs, a []Vec4) {
	if p.n == 0 || !unsupported(w, p) {
		return
	}
	type sums struct {
		force, torque, x vec.Vec3
		square           vec.Sym3 // Σ x xᵀ
	}
	part := make([]sums, blocks(p.n))
	p.each(func(b, lo, hi int) {
		s := &part[b]
		for i := lo; i < hi; i++ {
			x, f := vec3(p.At[i]), vec3(a[i])
			s.force, s.torque, s.x = s.force.Add(f), s.torque.Add(x.Cross(f)), s.x.Add(x)
			s.square.AddOuter(x, 1)
		}
	})
	var all sums
	for k := range part {
		s := &part[k]
		all.force, all.torque, all.x = all.force.Add(s.force), all.torque.Add(s.torque), all.x.Add(s.x)
		all.square = all.square.Add(s.square)
	}
	n := float64(p.n)
	center, mean := all.x.Mul(1/n), all.force.Mul(1/n)
	var turn vec.Vec3
	if !w.Period.Any() {
		all.square.AddOuter(center, -n)
		turn = turning(all.square, all.torque.Sub(center.Cross(all.force)), w.Dim() == 2)
	}
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			by := vec4(mean.Add(turn.Cross(vec3(p.At[i]).Sub(center))))
			a[i].X, a[i].Y, a[i].Z = a[i].X-by.X, a[i].Y-by.Y, a[i].Z-by.Z
		}
	})
}

// turning returns the angular acceleration that a torque gives points of mass 1 with
// Σ x xᵀ = square about their centre: 0 if they lie on a line.
func turning(square vec.Sym3, torque vec.Vec3, flat bool) vec.Vec3 {
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
