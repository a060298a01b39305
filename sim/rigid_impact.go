package sim

import (
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/vec"
)

// impact is where a particle was held back at a free body.
type impact struct {
	body     *body.Body
	particle int
	at       vec.Vec3 // where it was put, m
	normal   vec.Vec3 // of the body
	couple   vec.Vec3 // the angular momentum that moving it there removed, with its sign changed, N m s
}

// applyImpacts keeps the particles that were projected out of free bodies from going into
// them, and gives the bodies their momentum. It returns the square of the highest speed
// that a particle gets, and the kinetic energy that the particles and the bodies get, J.
//
// Each impact is an inelastic one: along the normal, particle and body have the same
// speed after it. A body may be lighter than a single particle, so each impact takes the
// body's speed after the previous impacts, and none adds energy. They are few, and taken
// in the order of the particles.
func applyImpacts(w *World, impacts [][]impact) (v2, particles, bodies float64) {
	r, m := &w.rigid, w.Mass()
	hit := false
	for _, list := range impacts {
		for _, x := range list {
			if !hit {
				r.start()
				hit = true
				bodies = -r.squares() / 2
			}
			k := slices.Index(r.Bodies, x.body)
			y, u := &r.Velocities[k], &r.Modes[k]
			v := &w.V[x.particle]
			along := u.Of(body.Wrench(x.at.Sub(x.body.Free.Center()), x.normal))
			if in := v.Dot(x.normal) - y.Dot(&along); in < 0 {
				impulse := -in / (1/m + along.Dot(&along)) // N s
				push := x.normal.Mul(impulse / m)
				particles += float64(m * push.Dot(v.Add(push.Mul(0.5))))
				*v = v.Add(push)
				*y = y.Add(along.Mul(-impulse))
				v2 = max(v2, v.Dot(*v))
			}
			// A body lighter than the particle would spin up. It therefore gets a part
			// in proportion to its mass.
			*y = y.Add(u.Of(body.Twist{Ang: x.couple}).Mul(x.body.Free.Mass / (x.body.Free.Mass + float64(m))))
		}
	}
	if !hit {
		return 0, 0, 0
	}
	r.PutVelocities(w.Set.Bodies)
	return v2, particles, bodies + float64(r.squares()/2)
}
