package body

import (
	"slices"

	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// Impact is where a particle was held back at a free body.
type Impact struct {
	Body     *Body
	Particle int
	At       vec.Vec3 // where it was put, m
	Normal   vec.Vec3 // of the body
	Couple   vec.Vec3 // the angular momentum that moving it there removed, with its sign changed, N m s
}

// ApplyImpacts keeps the particles that were projected out of the bodies from going into them,
// and gives the bodies their momentum. The particles have the given velocities and the mass m, and
// the bodies the states in the list. It returns the square of the highest speed that a particle
// gets, and the kinetic energy that the particles and the bodies get, J.
//
// Each impact is an inelastic one: along the normal, particle and body have the same
// speed after it. A body may be lighter than a single particle, so each impact takes the
// body's speed after the previous impacts, and none adds energy. They are few, and taken
// in the order of the particles.
func (s *System) ApplyImpacts(impacts [][]Impact, velocities []vec.Vec3, m float64, list []particle.Body) (v2, particles, bodies float64) {
	hit := false
	for _, block := range impacts {
		for _, x := range block {
			if !hit {
				s.Start()
				hit = true
				bodies = -s.squares() / 2
			}
			k := slices.Index(s.Bodies, x.Body)
			y, u := &s.Velocities[k], &s.Modes[k]
			v := &velocities[x.Particle]
			along := u.Of(Wrench(x.At.Sub(x.Body.Free.Center()), x.Normal))
			if in := v.Dot(x.Normal) - y.Dot(&along); in < 0 {
				impulse := -in / (1/m + along.Dot(&along)) // N s
				push := x.Normal.Mul(impulse / m)
				particles += float64(m * push.Dot(v.Add(push.Mul(0.5))))
				*v = v.Add(push)
				*y = y.Add(along.Mul(-impulse))
				v2 = max(v2, v.Dot(*v))
			}
			// A body lighter than the particle would spin up. It therefore gets a part
			// in proportion to its mass.
			*y = y.Add(u.Of(Twist{Ang: x.Couple}).Mul(x.Body.Free.Mass / (x.Body.Free.Mass + m)))
		}
	}
	if !hit {
		return 0, 0, 0
	}
	s.putVelocities(list)
	return v2, particles, bodies + float64(s.squares()/2)
}

// squares returns twice the kinetic energy of the free bodies, J.
func (s *System) squares() (sum float64) {
	for k := range s.Velocities {
		sum += s.Velocities[k].Dot(&s.Velocities[k])
	}
	return sum
}
