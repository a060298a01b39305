package whitewater

import (
	"math"

	"breakwater/sim/dice"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Sources.Register(registry.Entry[Source]{
		Name: "strays", Doc: "isolated particles become families of drops of the same volume and momentum",
		Cite: "Watanabe and Ingram 2016",
		New:  func(d registry.Decode) (Source, error) { s := &strays{}; return s, d(s) },
	})
}

// strays breaks isolated SPH particles into drops. The number of drops is proportional to
// a power of the radius, −2 for fully fragmented splashes at walls (Watanabe and Ingram,
// Proc. R. Soc. A 472, 2016).
type strays struct {
	families [][]Parcel
}

// Emit implements Source.
func (s *strays) Emit(w *Whitewater) {
	fresh := w.survey.fresh
	s.families = par.Resize(s.families, len(fresh))
	par.Each(len(fresh), func(k int) {
		s.families[k] = w.breakUp(s.families[k][:0], int(fresh[k]))
	})
	for _, list := range s.families {
		w.births = append(w.births, list...)
	}
}

// breakUp appends the family of particle i of the next frame to list. The volume and the
// momentum of the drops are the volume and the momentum of the particle.
func (w *Whitewater) breakUp(list []Parcel, i int) []Parcel {
	s := &w.part
	d := w.scene.Spacing
	die := dice.New(uint64(w.set.Seed), purposeFamily, uint64(w.flow.next.ID[i]), w.state.Steps, uint64(s.k))
	from := len(list)
	v := float64(d * d * d)

	mist := w.sizes.mist.draw(&list, Mist, die.Of(1), float64(w.set.Mist*v))
	w.sizes.family.draw(&list, Spray, die.Of(2), v-mist)

	x, speed := s.x[i], s.velocity(i, 1)
	unrest := w.unrest(i)
	var momentum vec.Vec3
	var all float64
	for k := range list[from:] {
		p := &list[from+k]
		q := die.Of(uint64(16 + k))
		p.X = w.walls.inside(x.Add(inBall(q, 0).Mul(float64(familyRadius*d))), p.R)
		if w.walls.within(p.X, 0) { // between two bodies
			p.X = x
		}
		p.V = inBall(q, 8).Mul(float64(unrest * math.Sqrt(5./3))) // whose r.m.s. speed is unrest
		p.Age = s.age(1)                                          // born at the end
		momentum = momentum.Add(p.V.Mul(p.Volume()))
		all += p.Volume()
	}
	if all == 0 {
		return list
	}
	for k := range list[from:] {
		p := &list[from+k]
		p.V = p.V.Sub(momentum.Mul(1 / all)).Add(speed)
	}
	return list
}

// draw appends the parcels of one breakup of the volume v, whose volumes add up to it, and
// returns v; or nothing and 0, if the parcels are so few that chance leaves none.
func (f *family) draw(list *[]Parcel, kind Kind, die dice.Dice, v float64) float64 {
	if !(v > 0) || !(f.parcels > 0) {
		return 0
	}
	n := int(f.parcels + die.Float(0))
	if n == 0 {
		if kind == Mist {
			return 0
		}
		n = 1
	}
	from := len(*list)
	var sum float64
	for k := range n {
		r, count := f.at((float64(k) + die.Float(uint64(1+k))) / float64(n))
		p := Parcel{R: r, N: count, Kind: kind}
		sum += p.Volume()
		*list = append(*list, p)
	}
	grow := math.Cbrt(v / sum)
	for k := range (*list)[from:] {
		(*list)[from+k].R *= grow
	}
	return v
}

// unrest returns the speed, m/s, at which the drops of particle i of the next frame part:
// the r.m.s. relative velocity of what was near it halfway from the sample before.
func (w *Whitewater) unrest(i int) float64 {
	p := &w.part
	m := &w.survey.middle
	d := w.scene.Spacing
	var sum, square float64
	v := p.velocity(i, 0.5)
	for _, j := range m.grid.Near(nil, m.x[i]) {
		if int(j) == i {
			continue
		}
		weight := max(0, 1-m.x[i].Sub(m.x[j]).Len()/(linkLength*d))
		u := p.velocity(int(j), 0.5).Sub(v)
		sum += weight
		square += float64(weight * u.Dot(u))
	}
	speed := p.velocity(i, 1).Len()
	low := max(0.05*speed, math.Sqrt(2*w.scene.SurfaceTension/(w.scene.Rho0*filmThickness)))
	high := max(low, mostUnrest*speed)
	if sum == 0 {
		return low
	}
	return min(high, max(low, math.Sqrt(square/sum)))
}

// familyRadius is the radius of a ball with the volume of a particle, in spacings, in which its
// drops are born. mostUnrest bounds the r.m.s. speed at which they part, over their speed: the
// drops of a sheet that breaks up in the air fly on with it.
const (
	familyRadius = 0.62
	mostUnrest   = 0.2
)

// filmThickness is the thickness of the films and threads that break up, m. The rim of a
// film retracts at √(2σ/(ρ e)) (Taylor 1959, Culick 1960), 0.54 m/s in water, so the drops of
// a slow splash part at about this speed.
const filmThickness = 0.5e-3

// inBall returns a point uniform in the ball of radius 1, from three numbers of the dice
// from k on.
func inBall(die dice.Dice, k uint64) vec.Vec3 {
	z := float64(2*die.Float(k)) - 1
	a := 2 * math.Pi * die.Float(k+1)
	r := math.Cbrt(die.Float(k + 2))
	s := r * math.Sqrt(1-float64(z*z))
	return vec.Vec3{X: s * math.Cos(a), Y: s * math.Sin(a), Z: r * z}
}
