package vortex

import (
	"fmt"
	"math"

	"breakwater/sim/biot"
	"breakwater/sim/classic/solids"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

func init() {
	Solvers.Register(registry.Entry[Solver]{
		Name: "gourlay", Doc: "the vortex particles of \"Fluid Simulation for Video Games\": for some thousand vortons",
		Cite: "Gourlay 2012",
		New: func(d registry.Decode) (Solver, error) {
			s := &Gourlay{
				Technique: &Tree{Leaves: "super"}, At: "grid", Mollify: 2, Stretching: 0.5, Diffusion: "article", Stencil: "faces",
				Phases: "even-odd", Dissipation: true, Boundary: 1.2, Eject: "center", LongestStep: 1. / 30,
			}
			return s, d(s)
		},
	})
}

// Gourlay is the solver of Gourlay, Fluid Simulation for Video Games, parts 3 to 13, 2009
// to 2012. A step has the order of the articles:
//
//  1. The grid is fitted to the particles.
//  2. The technique gives velocities from vorticity.
//  3. Vortons stretch, get vorticity by buoyancy, burn, and exchange vorticity and heat.
//  4. Particles that are too old are removed.
//  5. Tracers and then vortons move with the velocity of the gas and the wind (Euler), and
//     meet the bodies.
//  6. Bodies move.
type Gourlay struct {
	Technique Technique `toml:"-"`
	Flame     *Flame    `toml:"-"` // nil if nothing burns

	At          string  `toml:"at" oneof:"grid vortons" doc:"Where the velocity of vortons is computed: at the points of the grid, from which it is interpolated, or at the vortons."`
	Mollify     float64 `toml:"mollify" unit:"1" range:"[0, 10]" doc:"Length scale of auto-mollification: how many cells of the grid a vorton's core fills. 2 is about as smooth as direct sums at vortons; 0 is off."`
	Stretching  float64 `toml:"stretching" unit:"1" range:"[0, 1]" doc:"Share of the stretching and tilting of vortices; 0 is off. The articles take half for stability."`
	Diffusion   string  `toml:"diffusion" oneof:"article exact" doc:"Exchange between vortons: article, with the viscosity as a rate in 1/s, or exact, which converges to the diffusion equation."`
	Stencil     string  `toml:"stencil" oneof:"faces half" doc:"Cells with which a cell exchanges by the article's diffusion: the three behind its faces, or all 13 after it, which is even in all directions."`
	Phases      string  `toml:"phases" oneof:"even-odd both" doc:"Order of the slices in the article's diffusion: even ones and then odd ones on all cores, or one after the other on one core."`
	Dissipation bool    `toml:"dissipation" doc:"Whether the article's diffusion also lets vorticity decay at the rate of the viscosity, as its published code does."`
	Boundary    float64 `toml:"boundary" unit:"1" range:"[1, 2]" doc:"Distance from a body at which a vorton meets it, in its radii. Vortons are trapped if it is much above 1.2."`
	Eject       string  `toml:"eject" oneof:"center face" doc:"Direction away from a body in which a vorton is ejected: from the center of the body as in the published code, or along the normal of the face. With face, gas that meets the front edge of a plate all goes over its upper side, and pushes it down."`
	Life        float64 `toml:"life" unit:"s" range:"[0, inf)" doc:"Age at which particles are removed; 0 for never."`
	LongestStep float64 `toml:"longest_step" unit:"s" range:"(0, 1]" doc:"Longest time step."`

	grid    grid.Grid
	sources biot.Sources
	nodes   []vec.Vec3 // points of the grid
	field   []vec.Vec3 // velocities there
	density []float64  // excess there
	corner  []corner   // both, for the tracers
	bins    grid.Bins
	bouncer solids.Tracers
}

// Check implements Solver.
func (s *Gourlay) Check(gas *Gas) error {
	if _, ok := s.Technique.(OnGrid); ok && s.At == "vortons" {
		return &SettingError{"at", "this technique gives velocities at the points of the grid only; expected grid"}
	}
	if s.Diffusion != "article" {
		return nil
	}
	for _, r := range []struct {
		key  string
		rate float64
	}{{"viscosity", gas.Viscosity}, {"conduction", gas.Conduction}} {
		if 2*r.rate*s.LongestStep > 0.5 {
			return &SettingError{r.key, fmt.Sprintf(
				"a rate of exchange of %.4g 1/s reverses differences in steps of %.4g s; expected %.4g or less, or diffusion = \"exact\"",
				r.rate, s.LongestStep, 0.25/s.LongestStep)}
		}
	}
	return nil
}

// MaxDt implements Solver.
func (s *Gourlay) MaxDt(*Flow) float64 { return s.LongestStep }

// Step implements Solver.
func (s *Gourlay) Step(f *Flow, gas *Gas, dt float64) (info StepInfo, err error) {
	v, t := &f.Vortons, &f.Tracers
	if f.idle(gas, dt) {
		return info, nil
	}
	s.fitGrid(f)
	if r, ok := s.Technique.(Regridder); ok {
		r.Regrid(f, gas, &s.grid)
	}
	s.velocities(f)
	s.bins.Sort(&s.grid, v.X)
	s.density = par.Resize(s.density, s.grid.Points())
	excess(s.density, v, gas, &s.grid, &s.bins)
	s.change(f, gas, dt)
	f.age(s.Life, dt)
	s.drift(t, gas, dt)
	if s.Flame != nil {
		s.Flame.tracers(t, dt)
	}
	advect(v.X, v.V, gas.Wind, dt)
	info.Hits = s.MeetBodies(f, gas, dt)
	info.Grid = s.grid
	return info, f.sound(&info, "shorter steps by solver.longest_step, solver.mollify = 2, or a smaller solver.stretching")
}

// MeetBodies ends a step of dt, in s: particles meet the bodies. It returns the number of
// particles in contact. The density of the gas at the grid is as in the last step.
func (s *Gourlay) MeetBodies(f *Flow, gas *Gas, dt float64) (hits int) {
	return f.meetBodies(&s.bouncer, encounter{s.Boundary, s.Eject == "center"}, s.density, gas, &s.grid, dt)
}

// fitGrid fits the grid to the particles and to the technique.
func (s *Gourlay) fitGrid(f *Flow) {
	box := f.Bounds()
	if t, ok := s.Technique.(OnGrid); ok {
		grow := box.Size().Mul(t.Margin())
		box = vec.Box{Min: box.Min.Sub(grow), Max: box.Max.Add(grow)}
	}
	s.grid = grid.FitGrid(box, f.Vortons.Len())
}

// velocities sets the velocities of vortons and at the points of the grid, without the wind.
func (s *Gourlay) velocities(f *Flow) {
	v, t := &f.Vortons, &f.Tracers
	s.gather(v)
	if s.At == "vortons" {
		s.Technique.Velocities(v.V, v.X, &s.sources, &s.grid)
	}
	if s.At == "vortons" && len(t.X) == 0 && s.Stretching == 0 {
		return // nobody needs the grid
	}
	s.nodes, s.field = par.Resize(s.nodes, s.grid.Points()), par.Resize(s.field, s.grid.Points())
	par.For(len(s.nodes), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			s.nodes[p] = s.grid.Point(p)
		}
	})
	s.Technique.Velocities(s.field, s.nodes, &s.sources, &s.grid)
	if s.At == "grid" {
		s.fetch(v.V, v.X)
	}
}

// gather makes sources of the vortons.
func (s *Gourlay) gather(v *Vortons) {
	s.sources = biot.Sources{X: v.X, Alpha: par.Resize(s.sources.Alpha, v.Len()), Radius: par.Resize(s.sources.Radius, v.Len())}
	for i := range v.X {
		s.sources.Alpha[i] = v.Strength(i)
		s.sources.Radius[i] = v.Radius[i] * spread(s.Mollify, &s.grid, v.Radius[i])
	}
}

// VelocityAt implements Solver. Vortons have the cores that the next step gives them.
func (s *Gourlay) VelocityAt(f *Flow, gas *Gas, x vec.Vec3) vec.Vec3 {
	if f.Vortons.Len() == 0 {
		return gas.Wind
	}
	s.fitGrid(f)
	s.gather(&f.Vortons)
	var u [1]vec.Vec3
	biot.Velocity(u[:], []vec.Vec3{x}, &s.sources, biot.Core)
	return u[0].Add(gas.Wind)
}

// fetch interpolates the velocity to particles.
func (s *Gourlay) fetch(v, x []vec.Vec3) {
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v[i] = s.grid.Fetch(s.field, x[i])
		}
	})
}

// change changes the vorticity, density and mixture of the vortons in place.
func (s *Gourlay) change(f *Flow, gas *Gas, dt float64) {
	v := &f.Vortons
	if s.Stretching > 0 {
		stretch(v, s.field, &s.grid, s.Stretching, dt)
	}
	if gas.Gravity != (vec.Vec3{}) {
		buoyancy(v, s.density, gas, &s.grid, dt)
	}
	if s.Flame != nil {
		s.Flame.vortons(v, gas, dt)
	}
	if s.Diffusion == "exact" {
		diffuseExact(v, gas, dt)
		return
	}
	e := exchange{&s.bins, &s.grid, stencil(s.Stencil), s.Phases == "both"}
	if gas.Viscosity > 0 {
		e.vorticity(v, gas.Viscosity, dt)
		if s.Dissipation {
			dissipate(v, gas.Viscosity, dt)
		}
	}
	if gas.Conduction > 0 {
		e.heat(v, gas.Conduction, dt)
	}
}

// spread returns the spreading range factor R of a vorton, with which its core is about
// as large as a cell of the grid (Gourlay, part 12, auto-mollification):
//
//	R = max(lengthScale (cell volume)^(1/3) / radius, 1)
//
// The far field stays the same, because the strength stays the same (C = R⁻³). A length
// scale of 0 switches it off.
func spread(lengthScale float64, g *grid.Grid, radius float64) float64 {
	return max(lengthScale*math.Cbrt(g.CellVolume())/radius, 1)
}
