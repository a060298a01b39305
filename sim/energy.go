package sim

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Balance is the energy that the liquid got from each source in an Advance, J, negative
// where it lost energy. The sum of all is the change of the liquid's kinetic energy,
// rounded velocities included.
//
// A step changes the velocities in parts: by the forces, by viscosity, by pressure, and
// where walls hold particles back. A force F that changes the velocity of a particle from
// v to v′ in dt, alone or with others, does the work dt F·(v + v′)/2, and these works add
// up to the change of kinetic energy exactly. All but the last are measured so; Numerics
// is the rest. The work of viscosity that is solved for is dt F·v′, the power at the
// velocities of the solution: a thick liquid that creeps loses as much as it falls, though
// weight and viscosity change its velocities much within a step.
type Balance struct {
	Gravity   float64 // the fall of the liquid
	Walls     float64 // pressure, friction and impacts of walls that move
	Bodies    float64 // pressure, friction and impacts of free bodies
	Inflows   float64 // pressure of the buffers of inflows, and what moves the particles in them
	Outflows  float64 // less the kinetic energy of particles that are removed
	Tension   float64 // surface tension
	Elastic   float64 // compression of a liquid that a solver makes compressible
	Forces    float64 // the forces of World.Forces
	Viscosity float64 // less what viscosity takes, artificial viscosity included
	Friction  float64 // less what friction at walls and bodies takes
	Impacts   float64 // less what impacts take of particles that walls and bodies hold back
	Numerics  float64 // corrections of the density, integration in time, rounding
}

// given returns the energy from outside, J.
func (b *Balance) given() float64 {
	return b.Gravity + b.Walls + b.Bodies + b.Inflows + b.Outflows + b.Tension + b.Elastic
}

// known returns the energy whose source is known, J.
func (b *Balance) known() float64 {
	return b.given() + b.Forces + b.Viscosity + b.Friction + b.Impacts
}

// Balance returns the energy balance of the last Advance that took a step, when it has
// ended: zero before the first, and of a solver that keeps none.
func (w *World) Balance() Balance { return w.energy.sum }

// KeepsBalance reports whether the steps of s keep the energy balance.
func KeepsBalance(s Solver) bool {
	_, ok := s.(accountant)
	return ok
}

// accountant is a solver whose steps keep the energy balance.
type accountant interface {
	// calmer returns how to make a run stable that gained energy, and the mean excess of
	// density that the solver allows.
	calmer() (advice string, tolerance float64)
}

// elastic is an accountant whose liquid has energy when it is compressed.
type elastic interface {
	// elasticEnergy returns the elastic energy of the particles of w, whose densities are
	// up to date, J.
	elasticEnergy(w *World) float64
}

// account is the energy balance of a world, as its steps keep it.
type account struct {
	on  bool
	sum Balance

	kinetic float64 // kinetic energy now, J
	height  float64 // Σ m g·x now, J: less the potential energy
	lowest  float64 // the largest g·x of a particle, m²/s²
	elastic float64 // the elastic energy, J; not a number until it is known
	pending float64 // unexplained energy of the last step, whose change of elastic energy is not known yet, J

	part   []float64 // of a pass, by block
	pushed []float64 // work of the pressures of the last solve by block, J
	forces []forcePower

	before                      Balance // sum before the step
	kineticBefore, heightBefore float64 // likewise, J
	kineticFirst, heightFirst   float64 // at the start of the Advance, J
}

// fedParticle is the rate at which the buffer of an inflow closes in on a particle.
type fedParticle struct {
	i    int32   // of the particle
	rate float32 // −Σ v·V∇W_ij over the buffer, 1/s
}

// parts returns an item for each block of n particles.
func (e *account) parts(n int) []float64 {
	e.part = par.Resize(e.part, blocks(n))
	return e.part
}

// total returns the sum of the parts, in their order.
func total(part []float64) (sum float64) {
	for _, v := range part {
		sum += v
	}
	return sum
}

// measure sets the kinetic energy and the height of e from the particles of w.
func (e *account) measure(w *World) {
	squares := par.Sum(w.Len(), func(lo, hi int) (sum float64) {
		for _, v := range w.V[lo:hi] {
			sum += v.Dot(v)
		}
		return sum
	})
	heights := par.Sum(w.Len(), func(lo, hi int) (sum float64) {
		for _, x := range w.X[lo:hi] {
			sum += x.Dot(w.Gravity)
		}
		return sum
	})
	e.kinetic, e.height = w.Mass()/2*squares, w.Mass()*heights
}

// begin starts the balance of an Advance.
func (e *account) begin(w *World, s Solver) {
	e.on, e.sum, e.elastic, e.pending = KeepsBalance(s), Balance{}, math.NaN(), 0
	if !e.on {
		return
	}
	e.measure(w)
	e.kineticFirst, e.heightFirst = e.kinetic, e.height
}

// stored books the elastic energy, which a step finds where the step before has ended.
func (e *account) stored(energy float64) {
	if !math.IsNaN(e.elastic) {
		e.sum.Elastic -= energy - e.elastic
	}
	e.elastic = energy
}

// finish ends the balance of an Advance, when the numbers of the world have been rounded and
// the densities belong to them.
func (e *account) finish(w *World, s Solver) {
	if !e.on {
		return
	}
	if s, ok := s.(elastic); ok {
		before := e.sum.Elastic
		e.stored(s.elasticEnergy(w))
		w.addSurplus(e.pending - (e.sum.Elastic - before))
	}
	e.measure(w)
	e.sum.Gravity += e.height - e.heightFirst
	e.sum.Numerics = (e.kinetic - e.kineticFirst) - e.sum.known()
}

// drive moves the buffers of the inflows for a step of dt.
func (w *World) drive(dt float64) {
	squares := w.buffers.Drive(&w.Set, w.Time, dt)
	e := &w.energy
	e.before, e.kineticBefore, e.heightBefore = e.sum, e.kinetic, e.height
	e.sum.Inflows += float64(w.Mass() / 2 * squares)
}

// forcePower is the power of the forces on the particles of a block in a step of dt over
// the mass of a particle, as a + b dt.
type forcePower struct {
	tension, friction, forces power
	walls                     float64 // of friction, by the velocities of walls, m²/s³
}

// power is a + b dt, in m²/s³.
type power struct{ a, b float64 }

// add adds the power of the acceleration from before to after of a particle with the velocity
// v and the acceleration all by all forces.
func (p *power) add(before, after *Vec4, v, all vec.Vec3) {
	f := vec3(*after).Sub(vec3(*before))
	p.a += f.Dot(v)
	p.b += float64(f.Dot(all) / 2)
}

// forceSplit keeps the accelerations of a block after each of the forces, of which the last
// kind is the rest.
type forceSplit [3][blockLen]Vec4

const (
	afterTension = iota
	beforeFriction
	afterFriction
)

// splits reports whether addForces has to keep the accelerations at a stage.
func splits(w *World, p *Pairs, b, stage int) bool {
	if stage == afterTension {
		return w.SurfaceTension > 0
	}
	return len(w.Forces) > 0 || len(p.blocks[b].frictions) > 0
}

// keep keeps the accelerations a of block b at a stage of addForces.
func (s *forceSplit) keep(w *World, p *Pairs, b, stage int, a []Vec4) {
	if splits(w, p, b, stage) {
		copy(s[stage][:], a)
	}
}

// powers returns the powers of the forces on block b, where a are all accelerations.
func (s *forceSplit) powers(w *World, p *Pairs, b int, a []Vec4) (sum forcePower) {
	tension, rest := splits(w, p, b, afterTension), splits(w, p, b, beforeFriction)
	if !tension && !rest {
		return sum
	}
	blk, driven := &p.blocks[b], p.blocks[b].driven
	for i := range a {
		if len(driven) > 0 && int(driven[0]) == blk.First+i {
			driven = driven[1:]
			continue
		}
		v, all := vec3(p.V[blk.First+i]), vec3(a[i]).Add(w.Gravity)
		if tension {
			sum.tension.add(&Vec4{}, &s[afterTension][i], v, all)
		}
		if rest {
			sum.friction.add(&s[beforeFriction][i], &s[afterFriction][i], v, all)
			sum.forces.add(&s[afterFriction][i], &a[i], v, all)
		}
	}
	return sum
}

// forcePowers returns the items that addForces sets.
func (e *account) forcePowers(n int) []forcePower {
	e.forces = par.Resize(e.forces, blocks(n))
	return e.forces
}

// forced books the forces of a step: the work of all, with viscosity if viscous is set, and
// the gain of the free bodies by friction.
func (e *account) forced(w *World, work, bodies, dt float64, viscous bool) {
	var sum forcePower
	for i := range e.forces {
		f := &e.forces[i]
		for _, x := range [...][2]*power{{&sum.tension, &f.tension}, {&sum.friction, &f.friction}, {&sum.forces, &f.forces}} {
			x[0].a, x[0].b = x[0].a+x[1].a, x[0].b+x[1].b
		}
		sum.walls += f.walls
	}
	m := w.Mass()
	of := func(p power) float64 { return float64(m * dt * (p.a + float64(p.b*dt))) }
	tension, friction, forces, walls := of(sum.tension), of(sum.friction), of(sum.forces), float64(m*dt*sum.walls)
	e.sum.Tension += tension
	e.sum.Forces += forces
	e.sum.Walls += walls
	e.sum.Bodies -= bodies
	e.sum.Friction += friction - walls + bodies
	if viscous {
		e.sum.Viscosity += work - tension - friction - forces
	}
}

// pressed books the pressures of a solve, the S of p.At, which have acted for dt. bodies is
// the gain of the free bodies. onWalls, if it is not nil, returns the pressure over ρ₀ with which
// the wall beside particle i pushes it, where that is not S.
func (e *account) pressed(w *World, p *Pairs, bodies, dt float64, onWalls func(i int) float32) {
	e.sum.Bodies -= bodies
	e.pushed = append(e.pushed[:0], e.part...)
	// C is the adjoint of the pressure forces. So the work of solids that close in on a
	// particle at the relative rate S is m k S in a second; see Pairs.compression.
	closing, inflows := make([]float64, blocks(p.n)), make([]float64, blocks(p.n))
	p.each(func(b, _, _ int) {
		blk := &p.blocks[b]
		if !blk.closing {
			return
		}
		for k := range blk.walls {
			i := blk.First + k
			pressure := p.At[i].S
			if onWalls != nil {
				pressure = onWalls(i)
			}
			closing[b] += float64(float64(pressure) * float64(blk.walls[k].S))
		}
		// The buffer presses by its particles and by their image.
		for _, f := range blk.fed {
			inflows[b] += float64(float64(p.At[f.i].S) * float64(f.rate))
		}
	})
	all, image := float64(w.Mass()*dt*total(closing)), float64(w.Mass()*dt*total(inflows))
	e.sum.Walls += all - image
	e.sum.Inflows += float64(2 * image)
}

// thickened books the implicit solve for viscosity: the work on the particles, and that on the
// free bodies, J. scale is the solve's.
func (e *account) thickened(w *World, p *Pairs, work, bodies float64, scale float32) {
	m := w.Mass()
	part := make([]frictionWork, blocks(p.n))
	p.each(func(b, _, _ int) { part[b] = p.viscousFriction(b, scale) })
	var friction frictionWork
	for _, f := range part {
		friction.walls, friction.lost = friction.walls+f.walls, friction.lost+f.lost
	}
	e.sum.Walls += float64(m * friction.walls)
	e.sum.Bodies -= bodies
	e.sum.Friction += float64(m * friction.lost)
	e.sum.Viscosity += work - float64(m*(friction.walls+friction.lost)) + bodies
}

// frictionWork is the work of friction on particles over the mass of a particle, m²/s²: by
// the velocities of walls, and what is lost at walls and bodies.
type frictionWork struct{ walls, lost float64 }

// viscousFriction returns the work of friction in block b in the implicit solve for
// viscosity, whose solution is p.V. scale is the solve's.
func (p *Pairs) viscousFriction(b int, scale float32) (sum frictionWork) {
	blk := &p.blocks[b]
	for k := range blk.frictions {
		r := &blk.frictions[k]
		i := blk.First + int(r.i)
		solid, v := vec3(r.v), vec3(p.V[i])
		if r.slot >= 0 {
			slot := blk.coupledBodies[r.slot]
			solid = p.rigid.Modes[slot].Twist(p.rigid.Velocities[slot]).At(vec3(r.arm))
		}
		f := vec3(r.along(vec4(solid.Sub(v)))).Mul(float64(scale * r.n.S))
		if r.slot < 0 {
			sum.walls += f.Dot(solid)
		}
		sum.lost += f.Dot(v.Sub(solid))
	}
	return sum
}

// workOf returns the work of the acceleration f, which acts for dt beside all others, of which
// the sum is a and gravity, J.
func workOf(w *World, p *Pairs, f, a []Vec4, dt float64) float64 {
	part := w.energy.parts(p.n)
	p.each(func(b, lo, hi int) {
		sum, driven := 0., p.blocks[b].driven
		for i := lo; i < hi; i++ {
			if len(driven) > 0 && int(driven[0]) == i {
				driven = driven[1:]
				continue
			}
			mean := w.V[i].Add(vec3(a[i]).Add(w.Gravity).Mul(dt / 2))
			sum += vec3(f[i]).Dot(mean)
		}
		part[b] = sum
	})
	return w.Mass() * dt * total(part)
}

// motion is what a block's particles have and got as they moved: sums over the particles, all
// for a mass of 1 kg, J.
type motion struct {
	lowest  float64 // the largest g·x, after the move, m²/s²
	squares float64 // Σ v², after the move
	height  float64 // Σ g·x, after the move
	wrapped float64 // Σ g·(jump) of particles that came back on the other side of a period
	walls   float64 // given by walls that hold particles back
	held    float64 // given in all other ways by holding particles back
	driven  float64 // Σ of the squares that particles in buffers gained, less 2 g·(their ways)
}

// hold books that a wall of velocity u changed the velocity of a particle by push. The change
// takes the energy lost of the particle: less than 0 if it gives some, J for 1 kg.
func (m *motion) hold(u, push vec.Vec3, lost float64) {
	if u == (vec.Vec3{}) {
		m.held -= lost
		return
	}
	if push == (vec.Vec3{}) { // a wall that moves lifts the particle
		m.walls -= lost
		return
	}
	m.walls += push.Dot(u)
	m.held -= lost + push.Dot(u)
}

// add returns the sum of m and o.
func (m motion) add(o motion) motion {
	return motion{max(m.lowest, o.lowest), m.squares + o.squares, m.height + o.height, m.wrapped + o.wrapped, m.walls + o.walls, m.held + o.held, m.driven + o.driven}
}

// moved books the move of the particles: sums over them, the kinetic energy that they got in
// impacts on free bodies, and that which the bodies got, J.
func (e *account) moved(w *World, sum motion, particles, bodies float64) {
	m := w.Mass()
	e.sum.Walls += float64(m * sum.walls)
	e.sum.Bodies -= bodies
	e.sum.Impacts += float64(m*sum.held) + particles + bodies
	e.sum.Inflows += float64(m / 2 * sum.driven)
	e.sum.Gravity -= float64(m * sum.wrapped)
	e.kinetic, e.height, e.lowest = float64(m/2*sum.squares)+particles, m*sum.height, sum.lowest
}

// took books particles that outflows are about to remove.
func (e *account) took(w *World, gone []int32) {
	kinetic, height := energies(w, func(yield func(i int) bool) {
		for _, i := range gone {
			if !yield(int(i)) {
				return
			}
		}
	})
	e.sum.Outflows -= kinetic
	e.sum.Gravity += height
	e.kinetic, e.height = e.kinetic-kinetic, e.height-height
}

// gave books the particles from number n on, which inflows have added.
func (e *account) gave(w *World, n int) {
	kinetic, height := energies(w, func(yield func(i int) bool) {
		for i := n; i < w.Len() && yield(i); i++ {
		}
	})
	e.sum.Inflows += kinetic
	e.sum.Gravity -= height
	e.kinetic, e.height = e.kinetic+kinetic, e.height+height
}

// energies returns the kinetic energy and the height of the particles of a list, J.
func energies(w *World, list func(yield func(i int) bool)) (kinetic, height float64) {
	for i := range list {
		kinetic += w.V[i].Dot(w.V[i])
		height += w.X[i].Dot(w.Gravity)
	}
	return w.Mass() / 2 * kinetic, w.Mass() * height
}
