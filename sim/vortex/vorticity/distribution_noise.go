package vorticity

import (
	"math"

	"breakwater/sim/dice"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Distributions.Register(registry.Entry[Distribution]{
		Name: "noise", Doc: "random vorticity in a box; faint noise only marks places for vortons", Cite: "Gourlay 2012",
		New: func(d registry.Decode) (Distribution, error) {
			n := &Noise{Size: vec.New(1, 1, 1), Amplitude: 1, Seed: 1}
			return n, d(n)
		},
	})
}

// Noise is random vorticity in a box. Each component is uniform between −½ and ½ of the
// amplitude, by a hash of the seed and the place.
type Noise struct {
	Center    vec.Vec3 `toml:"center" unit:"m" doc:"Centre."`
	Size      vec.Vec3 `toml:"size" unit:"m" range:"(0, inf)" doc:"Edges of the box."`
	Amplitude float64  `toml:"amplitude" unit:"1/s" range:"[0, inf)" doc:"Range of each component."`
	Seed      int      `toml:"seed" range:"[0, inf)" doc:"Number that selects the noise."`
}

// Vorticity implements Distribution.
func (n *Noise) Vorticity(x vec.Vec3) vec.Vec3 {
	d := dice.New(uint64(n.Seed), math.Float64bits(x.X), math.Float64bits(x.Y), math.Float64bits(x.Z))
	return vec.New(d.Float(0)-0.5, d.Float(1)-0.5, d.Float(2)-0.5).Mul(n.Amplitude)
}

// Bounds implements Distribution.
func (n *Noise) Bounds() vec.Box {
	half := n.Size.Mul(0.5)
	return vec.Box{Min: n.Center.Sub(half), Max: n.Center.Add(half)}
}
