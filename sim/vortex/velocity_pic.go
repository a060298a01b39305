package vortex

import (
	"breakwater/sim/biot"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

func init() {
	Techniques.Register(registry.Entry[Technique]{
		Name: "pic", Doc: "direct sums over vortons that are moved to the points of the grid first (particle in cell)", Cite: "Gourlay 2012",
		New: func(d registry.Decode) (Technique, error) { t := &PIC{Keep: true}; return t, d(t) },
	})
}

// PIC is the particle-in-cell technique of Gourlay, part 12. The vorticity of the vortons
// goes to the points of the grid, each point gets a vorton of its own, and these induce
// the velocity. A vorton at a point of the grid induces no velocity there, so vortons do
// not push themselves. The article finds that a tree gains nothing from it.
type PIC struct {
	Keep bool `toml:"keep" doc:"Whether the original vortons stay (full-particle PIC). Otherwise the vortons at the points replace them after each step."`

	bins  grid.Bins
	alpha []vec.Vec3
	nodes biot.Sources
}

// Velocities implements Technique. The cores of the new vortons have the volume of a
// cell.
func (t *PIC) Velocities(u, at []vec.Vec3, s *biot.Sources, g *grid.Grid) {
	t.bins.Sort(g, s.X)
	t.alpha = par.Resize(t.alpha, g.Points())
	clear(t.alpha)
	g.Deposit(&t.bins, s.X, func(p, i int, w float64) { t.alpha[p] = t.alpha[p].Add(s.Alpha[i].Mul(w)) })
	n := &t.nodes
	n.X, n.Alpha, n.Radius = n.X[:0], n.Alpha[:0], n.Radius[:0]
	r := BallRadius(g.CellVolume())
	for p, a := range t.alpha {
		if a != (vec.Vec3{}) {
			n.X, n.Alpha, n.Radius = append(n.X, g.Point(p)), append(n.Alpha, a), append(n.Radius, r)
		}
	}
	biot.Velocity(u, at, n, biot.Core)
}

// faint is the share of the largest strength and volume below which a point of the grid
// gets no vorton. Without it the cloud of vortons would grow by a cell in each step.
const faint = 1e-3

// Regrid implements Regridder. The new vortons have the strength, the excess mass and the
// mixture of the old ones around them.
func (t *PIC) Regrid(f *Flow, gas *Gas, g *grid.Grid) {
	if t.Keep {
		return
	}
	v := &f.Vortons
	t.bins.Sort(g, v.X)
	type node struct {
		strength       vec.Vec3
		volume, excess float64
		mix            Blend
	}
	nodes := make([]node, g.Points())
	g.Deposit(&t.bins, v.X, func(p, i int, w float64) {
		n, vol := &nodes[p], float64(w*v.Volume(i))
		n.strength = n.strength.Add(v.W[i].Mul(vol))
		n.volume += vol
		n.excess += float64(vol * (v.Density[i] - gas.Density))
		n.mix = Blend{n.mix.Fuel + float64(vol*v.Mix.Fuel[i]), n.mix.Flame + float64(vol*v.Mix.Flame[i]), n.mix.Smoke + float64(vol*v.Mix.Smoke[i])}
	})
	v.Keep(func(int) bool { return false })
	var strength, volume float64
	for p := range nodes {
		strength, volume = max(strength, nodes[p].strength.Len()), max(volume, nodes[p].volume)
	}
	cell := g.CellVolume()
	r := BallRadius(cell)
	for p := range nodes {
		if n := &nodes[p]; n.strength.Len() > faint*strength || n.volume > faint*volume {
			share := 1 / n.volume
			f.AddVorton(g.Point(p), n.strength.Mul(1/cell), r, gas.Density+n.excess/cell,
				Blend{float64(n.mix.Fuel * share), float64(n.mix.Flame * share), float64(n.mix.Smoke * share)})
		}
	}
}
