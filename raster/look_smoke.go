package raster

import (
	"image"
	"math"

	"breakwater/raster/march"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

func init() {
	Looks.Add("smoke", "a gas as smoke, lit by the scene's light, with shadows and multiple scattering", "Lewis and Miller 1984", func() Look {
		l := defaultSmoke()
		return &l
	})
}

// smokeLook shows the smoke of a gas.
type smokeLook struct {
	Color      vec.Vec3 `toml:"color" color:"linear" unit:"1" range:"[0, 1]" doc:"Share of the light that smoke scatters and does not absorb, linear red, green and blue."`
	Extinction float64  `toml:"extinction" unit:"1/m" range:"[0, inf)" doc:"Extinction of gas that is all smoke: light falls to 37 % over a way of 1/extinction."`
	Anisotropy float64  `toml:"anisotropy" unit:"1" range:"(-1, 1)" doc:"Mean cosine of the angle by which smoke scatters light: 0 for the same in all directions, above 0 for mostly forward."`
	Nodes      bool     `toml:"nodes" recipe:"set" doc:"Whether the picture shows what the nodes of the solver mesh carry, and not the tracers: smooth flames of fuel that burns with air. Smoke is soot then."`
	Voxel      float64  `toml:"voxel" unit:"m" range:"[0, inf)" doc:"Edge of the voxels that the smoke is drawn with; 0 is half the distance of the tracers at the start, or of the nodes. Half the edge takes up to eight times the memory. Pictures at draft have twice the edge."`
}

func defaultSmoke() smokeLook {
	return smokeLook{Color: vec.Vec3{X: 0.92, Y: 0.92, Z: 0.92}, Extinction: 60, Anisotropy: 0.3}
}

func (*smokeLook) DrawsParticles() {}

func (*smokeLook) DrawsGas() {}

// ShowsNodes reports whether the picture shows the nodes of the solver mesh, and no tracers.
func (l *smokeLook) ShowsNodes() bool { return l.Nodes }

func (l *smokeLook) Draw(v *View) (*image.RGBA, error) {
	return l.draw(v, func(f *march.Field) march.Leaf {
		leaf := march.Leaf{At: f.At}
		for i := range f.Values {
			leaf.Extinction[i] = float32(l.Extinction) * (f.Values[i][smokeShare] + f.Values[i][flameShare])
		}
		return leaf
	})
}

// draw draws v, where each field of the gas becomes a leaf of the medium.
func (l *smokeLook) draw(v *View, leaf func(f *march.Field) march.Leaf) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	shown := *v
	shown.Liquid, shown.Grains = nil, nil
	var leaves []march.Leaf
	edge, origin := 1., vec.Vec3{}
	switch p := v.Particles; {
	case v.Volume != nil:
		edge, origin, leaves = v.Volume.Edge, v.Volume.Origin, make([]march.Leaf, len(v.Volume.Fields))
		for i := range leaves {
			leaves[i] = leaf(&v.Volume.Fields[i])
		}
	case p != nil && l.Nodes && p.Vortons != nil && p.Vortons.Len() > 0:
		puffs := l.nodes(p, v)
		edge, leaves = puffs.Edge, puffs.Leaves(leaf)
	case p != nil && !l.Nodes && p.Len() > 0:
		puffs := l.tracers(p, v)
		edge, leaves = puffs.Edge, puffs.Leaves(leaf)
	}
	return drawSmoke(&shown, leaves, edge, origin, smokeLight{l.Color, l.Anisotropy})
}

// The channels of a Volume.
const (
	smokeShare = iota
	flameShare
	reactionShare
	heatShare
)

// draftVoxel is the edge of the voxels at draft relative to others, and draftSpread the spread of
// tracers there, in voxels.
const draftVoxel, draftSpread = 2, 0.6

// edge returns the edge of the voxels for particles that are apart from each other, m.
func (l *smokeLook) edge(apart float64, q Quality) float64 {
	edge := l.Voxel
	if edge == 0 {
		edge = apart / 2
	}
	if edge == 0 {
		edge = 1
	}
	if q == Draft {
		edge *= draftVoxel
	}
	return edge
}

// tracers returns the tracers as puffs.
func (l *smokeLook) tracers(p *Particles, v *View) *march.Puffs {
	edge := l.edge(p.Apart, v.Quality)
	puffs := &march.Puffs{Volume: p.Apart * p.Apart * p.Apart, Edge: edge, Time: v.Shutter}
	if v.Quality == Draft { // round puffs need no neighbours
		puffs.Spread = draftSpread * edge
	}
	smoke, flame, fuel, temperature := attribute(p.Set, "smoke"), attribute(p.Set, "flame"), attribute(p.Set, "fuel"), attribute(p.Set, "temperature")
	near := nearOnes(p.X)
	for i, x := range p.X {
		s, f := smoke[i], flame[i]
		if s+f == 0 || !near(x) {
			continue
		}
		puffs.X, puffs.V, puffs.Of = append(puffs.X, x), append(puffs.V, p.V[i]), append(puffs.Of, GasShares(s, f, fuel[i], temperature[i]))
	}
	return puffs
}

// evenSpread is the standard deviation of a node's kernel over the distance of nodes, along
// an axis: with it ripples of an even gas are below 2 in 100.
const evenSpread = 0.55

// nodes returns what the nodes of the solver mesh carry as puffs.
func (l *smokeLook) nodes(p *Particles, v *View) *march.Puffs {
	set, cell := p.Vortons, p.Spacing
	edge := l.edge(cell, v.Quality)
	puffs := &march.Puffs{Volume: cell * cell * cell, Edge: edge, Time: v.Shutter, Spread: evenSpread * cell}
	smoke, flame := attribute(set, "smoke"), attribute(set, "flame")
	for i, x := range set.X {
		of := burntShares(smoke[i], flame[i], p.Ambient*p.Density/set.Rho[i])
		if of != ([march.Channels]float32{}) {
			puffs.X, puffs.V, puffs.Of = append(puffs.X, x), append(puffs.V, set.V[i]), append(puffs.Of, of)
		}
	}
	return puffs
}

// burntShares returns the channels of a Volume where fuel burns with air, and smoke is soot.
// What has burnt is clear. Fuel meets air where nearly all has burnt.
func burntShares(soot, burnt, kelvin float64) (of [march.Channels]float32) {
	const faint = 1e-4
	soot, burnt = max(0, soot), min(1, max(0, burnt))
	if soot < faint*faint && burnt < 0.5 {
		return of
	}
	of[smokeShare], of[heatShare] = float32(soot), float32(soot*kelvin)
	of[reactionShare] = float32(num.Pow(burnt, burntPower))
	return of
}

// burntPower is the power of the burnt share that shows where fuel meets air.
const burntPower = 12

// nearOnes returns a function that reports whether a point is near most of x: a few
// particles that flew away would take all memory.
func nearOnes(x []vec.Vec3) func(p vec.Vec3) bool {
	var middle, reach [3]float64
	list := make([]float64, len(x))
	for a := range middle {
		for i, p := range x {
			list[i] = p.Array()[a]
		}
		middle[a] = num.NthSmallest(list, len(list)/2)
		for i := range list {
			list[i] = math.Abs(list[i] - middle[a])
		}
		reach[a] = num.NthSmallest(list, len(list)*9/10)
	}
	far := 10 * max(reach[0], reach[1], reach[2])
	return func(p vec.Vec3) bool {
		for a, v := range p.Array() {
			if math.Abs(v-middle[a]) > far {
				return false
			}
		}
		return true
	}
}
