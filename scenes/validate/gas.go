package validate

import (
	"breakwater/raster/figure"
	"breakwater/sim/registry"
	"breakwater/sim/vortex"
)

// gourlay returns the solver of vortex particles with a technique.
func gourlay(t vortex.Technique) *vortex.Gourlay {
	s, err := vortex.Solvers.New("gourlay", registry.None)
	if err != nil {
		panic("validate: " + err.Error())
	}
	g := s.(*vortex.Gourlay)
	g.Technique = t
	return g
}

// vortons returns the solver of smooth vortex particles, whose cores are core radii wide,
// with a form of the stretching. Splits and the alignment of strengths are off, so that it
// solves the equations of the case alone.
func vortons(stretching string, core float64) *vortex.VPM {
	s, err := vortex.Solvers.New("vortons", registry.None)
	if err != nil {
		panic("validate: " + err.Error())
	}
	v := s.(*vortex.VPM)
	v.Stretching, v.Core, v.Gap, v.Align = stretching, core, 0, 0
	return v
}

// mesh returns the solver of vortex particles with remeshing, for nodes at a distance in m.
func mesh(cell float64) *vortex.Mesh {
	s, err := vortex.Solvers.New("mesh", registry.None)
	if err != nil {
		panic("validate: " + err.Error())
	}
	m := s.(*vortex.Mesh)
	m.Cell = cell
	return m
}

// idealGas is a gas without viscosity, of density 1.
func idealGas() *vortex.Gas { return &vortex.Gas{Density: 1, Temperature: 293, HeatCapacity: 1} }

// flow moves f by s to time end and calls sample at the start and at the end of each of n
// equal parts.
func (r *Run) flow(f *vortex.Flow, s vortex.Solver, gas *vortex.Gas, end float64, n int, sample func()) error {
	sample()
	for k := range n {
		err := f.Advance(s, gas, end*float64(k+1)/float64(n), func(vortex.StepInfo) error {
			r.steps++
			if r.Tell != nil {
				r.Tell(f.Time / end)
			}
			return r.Ctx.Err()
		})
		if err != nil {
			return err
		}
		sample()
	}
	return nil
}

// gasResult returns the result of a run of f.
func (r *Run) gasResult(f *vortex.Flow, spacing float64, plot *figure.Plot, m ...Measure) *Result {
	return &Result{f.Vortons.Len(), r.steps, spacing, m, plot}
}
