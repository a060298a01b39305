package whitewater

import (
	"math"

	"breakwater/sim/dice"
	"breakwater/sim/par"
	"breakwater/sim/registry"
)

func init() {
	Sources.Register(registry.Entry[Source]{
		Name: "crests", Doc: "thin fast rims shed fine drops, so that spray does not begin at a line",
		New: func(d registry.Decode) (Source, error) { s := &crests{}; return s, d(s) },
	})
}

// crests sheds fine drops from the rims of sheets and of tongues: thin particles with few
// neighbours, all to one side, that are not isolated yet. Their volume is added to the
// liquid's.
type crests struct {
	families [][]Parcel
}

const (
	crestSpeed = 2    // m/s: slower rims hold together
	crestTime  = 0.1  // s: in which a rim sheds the share of the settings
	rimLinks   = 6    // neighbours closer than linkLength that a rim has at most
	rimAway    = 0.25 // cosine of the velocity to the outer normal from which a rim sheds drops
)

// Emit implements Source.
func (c *crests) Emit(w *Whitewater) {
	if w.set.Crest == 0 {
		return
	}
	p, s := &w.part, &w.survey
	d := w.scene.Spacing
	rate := w.set.Crest * w.sizes.crest.parcels / crestTime
	n := len(p.x)
	const chunk = 4096
	c.families = par.Resize(c.families, (n+chunk-1)/chunk)
	par.Each(len(c.families), func(k int) {
		list := c.families[k][:0]
		for i := k * chunk; i < min(n, (k+1)*chunk); i++ {
			if !s.thin[i] || s.airborne[i] || s.linked[i] == 0 || s.linked[i] > rimLinks {
				continue
			}
			v := p.velocity(i, 1).Sub(w.set.Wind)
			speed := v.Len()
			out := wide(s.normal[i])
			if speed < crestSpeed || v.Dot(out) < rimAway*speed || w.walls.within(p.x[i], d) {
				continue
			}
			die := dice.New(uint64(w.set.Seed), purposeCrest, uint64(w.flow.next.ID[i]), w.state.Steps, uint64(p.k))
			for m := range int(float64(rate*p.dt) + die.Float(0)) {
				q := die.Of(uint64(m))
				r, count := w.sizes.crest.at(q.Float(0))
				share := q.Float(1)
				x := p.at(i, share).Add(out.Mul(0.6 * d)).Add(inBall(q, 2).Mul(d / 2))
				u := p.velocity(i, share).Add(inBall(q, 8).Mul(0.1 * speed * math.Sqrt(5./3)))
				list = append(list, Parcel{X: w.walls.inside(x, r), V: u, R: r, N: count, Age: p.age(share), Kind: Spray})
			}
		}
		c.families[k] = list
	})
	for _, list := range c.families {
		w.births = append(w.births, list...)
	}
}
