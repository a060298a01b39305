package article

import (
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

// approach is a way to compute velocities, as the figures of article C name it.
type approach struct {
	name      string
	technique string
	at        string
	mollify   float64
	set       func(t vortex.Technique) // further settings of the technique, or nil
}

// solver returns the solver of article C by which only velocities move the vortons:
// without stretching, buoyancy, viscosity and conduction.
func (a *approach) solver() (*vortex.Gourlay, error) {
	s, err := vortex.Solvers.New("gourlay", registry.None)
	if err != nil {
		return nil, err
	}
	t, err := vortex.Techniques.New(a.technique, registry.None)
	if err != nil {
		return nil, err
	}
	if a.set != nil {
		a.set(t)
	}
	g := s.(*vortex.Gourlay)
	g.Technique, g.At, g.Mollify, g.Stretching = t, a.at, a.mollify, 0
	return g, nil
}

// plainGas is a gas that nothing but its own velocity moves.
func plainGas() *vortex.Gas { return &vortex.Gas{Density: 1, Temperature: 300, HeatCapacity: 1} }

// jetRing is the jet ring of article C in 16³ cells, which moves along x. The article's
// circulation is 200 m²/s.
func jetRing(circulation float64) *vortex.Flow {
	f := &vortex.Flow{}
	f.Fill(&vorticity.JetRing{Axis: vec.New(1, 0, 0), Radius: 1, Thickness: 1, Circulation: circulation}, 0.25, 1, vortex.Blend{})
	return f
}

// expand extends the grid of Poisson's equation by half of its size at each side.
func expand(t vortex.Technique) { t.(*vortex.Poisson).Border = 0.5 }
