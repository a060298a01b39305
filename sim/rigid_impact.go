package sim

import (
	"slices"

	"breakwater/sim/vec"
)

// impact is where a particle was held back at a free body.
type impact struct {
	body     *Body
	particle int
	at       vec.Vec3 // where it was put, m
	normal   vec.Vec3 // of the body
	couple   vec.Vec3 // the angular momentum that moving it there removed, with its sign changed, N m s
}

// applyImpacts keeps the particles that were projected out of free bodies from going into
// them, and gives the bodies their momentum. It returns the square of the highest speed
// that a particle gets.
//
// Each impact is an inelastic one: along the normal, particle and body have the same
// speed after it. A body may be lighter than a single particle, so the body's speed
// counts as it is after the impacts before, and none of them adds energy. They are few,
// and taken in the order of the particles.
func (w *World) applyImpacts(blows [][]impact) (v2 float64) {
	r, m := &w.rigid, w.Mass()
	hit := false
	for _, list := range blows {
		for _, x := range list {
			if !hit {
				r.start()
				hit = true
			}
			k := slices.Index(r.bodies, x.body)
			y, u := &r.y[k], &r.modes[k]
			v := &w.V[x.particle]
			along := u.of(wrenchOf(x.at.Sub(x.body.Free.state.X), x.normal))
			if in := v.Dot(x.normal) - y.dot(&along); in < 0 {
				impulse := -in / (1/m + along.dot(&along)) // N s
				*v = v.Add(x.normal.Mul(impulse / m))
				*y = y.add(along.mul(-impulse))
				v2 = max(v2, v.Dot(*v))
			}
			// A body lighter than the particle would spin up. It therefore gets a part
			// in proportion to its mass.
			*y = y.add(u.of(twist{ang: x.couple}).mul(x.body.Free.Mass / (x.body.Free.Mass + m)))
		}
	}
	if !hit {
		return 0
	}
	for k, b := range r.bodies {
		v := r.modes[k].twist(r.y[k])
		s := &w.Set.Bodies[k]
		s.V, s.Spin = v.lin, v.ang
		b.put(*s)
	}
	return v2
}
