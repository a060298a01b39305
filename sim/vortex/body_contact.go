package vortex

import (
	"math"

	"breakwater/sim/classic/solids"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// push is what a body gets from particles.
type push struct {
	lin, ang vec.Vec3 // N s, and N m s about its center
	heat     float64  // J
	hits     int
}

func (p push) add(o push) push {
	return push{p.lin.Add(o.lin), p.ang.Add(o.ang), p.heat + o.heat, p.hits + o.hits}
}

// contact returns the point C of a body's surface next to a vorton, and the normal there
// towards the gas. ok is false if the vorton is farther than reach.
func (b *Body) contact(x vec.Vec3, reach float64) (c, n vec.Vec3, ok bool) {
	d, plane := b.Contact(x)
	if b.Hole {
		if -d >= reach {
			return c, n, false
		}
		c, n = b.Point(x, d, plane)
		return c, n.Neg(), true
	}
	if d >= reach {
		return c, n, false
	}
	c, n = b.Point(x, d, plane)
	return c, n, true
}

// strikeGrain is how many vortons a leaf of the tree of sums has. It depends on no
// machine, so nor do the sums.
const strikeGrain = 256

// encounter is how vortons meet bodies.
type encounter struct {
	boundary float64 // distance within which they meet, in radii of the vorton
	center   bool    // vortons are ejected away from the center of the body
}

// strike lets vortons near a body react to it, and returns what each body gets. The sums of leaves are added in a binary tree (Gourlay, part 12).
func (e encounter) strike(v *Vortons, bodies []*Body, gas *Gas, dt float64) []push {
	leaves := make([][]push, (v.Len()+strikeGrain-1)/strikeGrain)
	par.Each(len(leaves), func(l int) {
		leaves[l] = make([]push, len(bodies))
		for i := l * strikeGrain; i < min(v.Len(), (l+1)*strikeGrain); i++ {
			for k, b := range bodies {
				if c, n, ok := b.contact(v.X[i], e.boundary*v.Radius[i]); ok {
					if e.center {
						n = b.outward(v.X[i])
					}
					leaves[l][k] = leaves[l][k].add(b.meet(v, i, c, n, gas, dt))
				}
			}
		}
	})
	sums := make([]push, len(bodies))
	if len(leaves) > 0 {
		for k := range sums {
			sums[k] = pushTree(leaves, k)
		}
	}
	return sums
}

func pushTree(leaves [][]push, k int) push {
	if n := len(leaves); n > 1 {
		return pushTree(leaves[:n/2], k).add(pushTree(leaves[n/2:], k))
	}
	return leaves[0][k]
}

// outward returns the direction from the center of a body to x, or in a hole to the
// center.
func (b *Body) outward(x vec.Vec3) vec.Vec3 {
	if b.Hole {
		return b.X.Sub(x).Unit()
	}
	return x.Sub(b.X).Unit()
}

// meet lets vorton i react to a body that it meets at C with the direction n away. The vorton is
// ejected, its vorticity turns towards one that cancels the flow through the surface, and
// heat and momenta go to the body.
func (b *Body) meet(v *Vortons, i int, c, n vec.Vec3, gas *Gas, dt float64) (p push) {
	strength, r := v.Strength(i), v.Radius[i]
	before := Induced(c.Sub(v.X[i]), strength, r)
	// The flow that meets the surface is the vorton's velocity, less its own share at C.
	flow := v.V[i].Sub(before).Sub(b.At(c))
	oldW := v.W[i]
	v.X[i] = eject(v.X[i], c, n, flow, r)
	v.W[i] = b.reassign(oldW, v.X[i], c, flow, r)
	mass := v.Density[i] * ballVolume(r)
	after := Induced(c.Sub(v.X[i]), v.Strength(i), r)
	p.lin = after.Sub(before).Mul(-mass)
	// The angular momentum of a solid ball with half of the vorticity.
	p.ang = oldW.Sub(v.W[i]).Mul(0.5 * 0.4 * mass * r * r).Add(c.Sub(b.X).Cross(p.lin))
	p.heat = b.conduct(v, i, gas, dt)
	p.hits = 1
	return p
}

// eject returns where a vorton at x goes that meets a surface at C: a lever of at least
// its radius away, along
//
//	b = (n×v)×v / |(n×v)×v|
//
// from C − L b, which is C + L n for a flow v along the surface (Gourlay, part 13).
func eject(x, c, n, flow vec.Vec3, r float64) vec.Vec3 {
	lever := max(r, x.Sub(c).Len())
	dir := n.Cross(flow).Cross(flow).Unit()
	if dir == (vec.Vec3{}) { // no flow, or straight at the surface
		dir = n.Neg()
	}
	return c.Sub(dir.Mul(lever))
}

// bounceTracers lets tracers bounce off bodies, and adds what these get.
func bounceTracers(t *Tracers, work *solids.Tracers, bodies []*Body, sums []push) {
	list := make([]*solids.Solid, len(bodies))
	for k, b := range bodies {
		list[k] = b.Solid
	}
	work.X, work.V, work.Radius, work.Mass = t.X, t.V, t.Radius, t.Mass
	for k, p := range work.Collide(list) {
		sums[k] = sums[k].add(push{lin: p.Lin, ang: p.Ang, hits: p.Hits})
	}
}

// blend is the share of the new vorticity that a vorton takes on in a step. With more it
// is not stable (Gourlay, part 13).
const blend = 0.1

// cancel returns the vorticity of a vorton at x of radius r that induces −v at C, for a
// flow v at right angles to d = C − x:
//
//	ω = 4π|d| d × (−v) / V.
func cancel(x, c, flow vec.Vec3, r float64) vec.Vec3 {
	d := c.Sub(x)
	return d.Cross(flow.Neg()).Mul(ballSolidAngle * d.Len() / ballVolume(r))
}

const ballSolidAngle = 12.566370614359172 // 4π

// reassign returns the vorticity of a vorton at x that meets the body at C with the flow v
// (Gourlay, part 13): a share of the vorticity that cancels the flow, turned by
//
//	Ω += (2R/r) Ω_body − ω_old/2,  Ω = ω/2,
//
// R the distance of C from the center of the body, and the rest from before.
func (b *Body) reassign(old, x, c, flow vec.Vec3, r float64) vec.Vec3 {
	turn := b.Spin.Mul(2 * c.Sub(b.X).Len() / r).Sub(old.Mul(0.5))
	w := cancel(x, c, flow, r).Add(turn.Mul(2))
	return old.Lerp(w, blend)
}

// conduct exchanges heat between the body and a vorton in contact for dt, and returns
// what the body gets in J. The heat is conductance times the difference of temperature
// and the cross section of the vorton (Gourlay, part 10, has a factor without units). It
// approaches the common temperature exponentially, so no step overshoots.
func (b *Body) conduct(v *Vortons, i int, gas *Gas, dt float64) float64 {
	if b.Conductance == 0 {
		return 0
	}
	t, r := gas.TemperatureOf(v.Density[i]), v.Radius[i]
	heat := v.Density[i] * v.Volume(i) * gas.HeatCapacity // J/K
	rate := b.Conductance * math.Pi * r * r * dt          // J/K
	inverse := 1 / heat
	if b.HeatCapacity > 0 {
		inverse += 1 / b.HeatCapacity
	}
	q := (b.Temperature - t) / inverse * -math.Expm1(-rate*inverse)
	v.Density[i] = gas.DensityOf(t + q/heat)
	return -q
}

// take adds what the particles gave a body in a step.
func (b *Body) take(p push) {
	b.Impulse, b.Twist, b.Hits = p.lin, p.ang, p.hits
	if b.HeatCapacity > 0 {
		b.Temperature += p.heat / b.HeatCapacity
	}
}

// idle ends a step of dt of a gas without particles, and reports whether it is one.
func (f *Flow) idle(gas *Gas, dt float64) bool {
	if f.Vortons.Len()+len(f.Tracers.X) > 0 {
		return false
	}
	for _, b := range f.Bodies {
		b.take(push{})
	}
	f.moveBodies(nil, gas, nil, dt)
	f.Time += dt
	return true
}

// meetBodies ends a step of dt: particles meet the bodies, which move. The gas has the excess of
// density d at the points of g. It returns the number of particles in contact.
func (f *Flow) meetBodies(t *solids.Tracers, e encounter, d []float64, gas *Gas, g *grid.Grid, dt float64) (hits int) {
	sums := make([]push, len(f.Bodies))
	bounceTracers(&f.Tracers, t, f.Bodies, sums)
	for k, p := range e.strike(&f.Vortons, f.Bodies, gas, dt) {
		f.Bodies[k].take(sums[k].add(p))
		hits += f.Bodies[k].Hits
	}
	f.moveBodies(d, gas, g, dt)
	f.Time += dt
	return hits
}
