package vortex

import (
	"math"

	"breakwater/sim/biot"
	"breakwater/sim/classic/solids"
	"breakwater/sim/multipole"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

func init() {
	Solvers.Register(registry.Entry[Solver]{
		Name: "vortons", Doc: "vortex particles with smooth cores and an error asked for: for rings and wakes of up to a million vortons",
		Cite: "Alvarez and Ning 2024",
		New: func(d registry.Decode) (Solver, error) {
			s := &VPM{
				Kernel: "algebraic", Error: multipole.DefaultError, Core: 2, Stretching: "reformulated", Conserve: true, Diffusion: "cores",
				Align: 0.3, Gap: 1.5, Merge: 1. / 3, Most: 1_000_000, Boundary: 1.2, Eject: "center", Turn: 0.5, LongestStep: 1. / 30,
			}
			return s, d(s)
		},
	})
}

// VPM is the vortex particle method with smooth kernels: direct sums for few vortons and
// the fast multipole method for many. A step has these parts:
//
//  1. Positions, strengths and cores of vortons, and positions of tracers, move by a
//     Runge-Kutta scheme of the third order. It has as many steps as the gradients require.
//  2. Vortons get vorticity by buoyancy, burn, and diffuse.
//  3. Particles that are too old are removed. Vortons split where they are far apart along
//     their vorticity, and merge if they are too many.
//  4. Particles meet the bodies, and the bodies move.
//
// A step depends on the flow alone, and not on the steps before.
type VPM struct {
	Flame *Flame `toml:"-"` // nil if nothing burns

	Kernel      string  `toml:"kernel" oneof:"algebraic gauss" doc:"Shape of a vorton's core. Sums over algebraic cores are several times faster."`
	Error       float64 `toml:"error" unit:"1" range:"[1e-5, 0.1]" doc:"Largest error of the velocities of many vortons, relative and in the L2 norm. Each step measures it at some vortons."`
	Core        float64 `toml:"core" unit:"1" range:"[0.5, 10]" doc:"Core radius σ of a vorton, in radii of a ball of its volume. With 2, the cores of a cubic lattice are 1.24 of its edges."`
	Stretching  string  `toml:"stretching" oneof:"reformulated transpose classical none" doc:"Stretching and tilting of vortices. reformulated also thins the cores and stays stable. transpose keeps the sum of all strengths. classical is the equation as it stands, and can blow up."`
	Conserve    bool    `toml:"conserve" doc:"Whether a step restores total strength, impulse and angular impulse by the least change of strengths. Vortices that move and stretch keep them, but not the forms of the stretching."`
	Diffusion   string  `toml:"diffusion" oneof:"cores exchange" doc:"How viscosity acts: cores that grow, or exchange of vorticity between neighbours."`
	Align       float64 `toml:"align" unit:"1" range:"[0, 1]" doc:"Share by which each part of a step turns a vorton's strength towards the vorticity of all vortons at its place. Otherwise errors of the stretching grow, and the vorticity gets sources and sinks. 0 is off."`
	Gap         float64 `toml:"gap" unit:"1" range:"[0, 10]" doc:"Distance in core radii between vortons along their vorticity beyond which a vorton is split in two; 0 for never."`
	Merge       float64 `toml:"merge" unit:"1" range:"[0, 2]" doc:"Distance in core radii below which two vortons merge if there are more than most; 0 for never."`
	Most        int     `toml:"most" range:"[1, 100000000]" doc:"Number of vortons up to which they split, and above which they merge."`
	Boundary    float64 `toml:"boundary" unit:"1" range:"[1, 2]" doc:"Distance from a body at which a vorton meets it, in its radii."`
	Eject       string  `toml:"eject" oneof:"center face" doc:"Direction away from a body in which a vorton is ejected: from the center of the body, or along the normal of the face."`
	Life        float64 `toml:"life" unit:"s" range:"[0, inf)" doc:"Age at which particles are removed; 0 for never."`
	Turn        float64 `toml:"turn" unit:"1" range:"(0, 1]" doc:"Largest product of the length of a step and a velocity gradient."`
	LongestStep float64 `toml:"longest_step" unit:"s" range:"(0, 1]" doc:"Longest time step."`

	field    multipole.Field
	sources  biot.Sources
	u        []vec.Vec3
	grad     []biot.Gradient
	drift    []vec.Vec3 // velocities of tracers
	measured float64    // error of the last velocities at vortons
	stages   stages
	grid     grid.Grid
	bins     grid.Bins
	excess   []float64
	bouncer  solids.Tracers
}

// Check implements Solver.
func (s *VPM) Check(*Gas) error { return nil }

// MaxDt implements Solver.
func (s *VPM) MaxDt(*Flow) float64 { return s.LongestStep }

// Step implements Solver.
func (s *VPM) Step(f *Flow, gas *Gas, dt float64) (info StepInfo, err error) {
	v, t := &f.Vortons, &f.Tracers
	if f.idle(gas, dt) {
		return info, nil
	}
	before := f.moments()
	info.Error = s.flow(f, gas, dt)
	if err := f.sound(&info, "shorter steps by solver.longest_step or solver.turn, a larger solver.core, or slower vortices"); err != nil {
		return info, err
	}
	if s.Conserve {
		before.about = before.about.Add(gas.Wind.Mul(dt))
		f.restore(before)
	}
	s.grid = grid.FitGrid(f.Bounds(), v.Len())
	s.bins.Sort(&s.grid, v.X)
	s.excess = par.Resize(s.excess, s.grid.Points())
	excess(s.excess, v, gas, &s.grid, &s.bins)
	s.change(f, gas, dt)
	f.age(s.Life, dt)
	assign(t, gas, &s.grid, s.excess)
	if s.Flame != nil {
		s.Flame.tracers(t, dt)
	}
	if s.Gap > 0 {
		f.split(s.Core, s.Gap, s.Most)
	}
	if s.Merge > 0 && v.Len() > s.Most {
		f.merge(s.Core, s.Merge)
	}
	info.Hits = f.meetBodies(&s.bouncer, encounter{s.Boundary, s.Eject == "center"}, s.excess, gas, &s.grid, dt)
	info.Grid = s.grid
	return info, nil
}

// flow moves vortons and tracers for dt with the velocity of the gas and the wind, and
// stretches vortons. The velocity of a particle becomes its mean over the step. It returns
// the error of the velocities at the start.
func (s *VPM) flow(f *Flow, gas *Gas, dt float64) (measured float64) {
	v, t := &f.Vortons, &f.Tracers
	copy(v.V, v.X)
	copy(t.V, t.X)
	s.start(v)
	left := dt
	for n := range mostParts {
		if left == 0 {
			break
		}
		s.velocities(t)
		if n == 0 {
			measured = s.measured
		}
		steps := max(1, math.Ceil(left*s.steepest()/s.Turn-1e-9))
		if !(steps < hopeless) {
			steps = 1
		}
		steps = min(steps, float64(mostParts-n))
		h := left / steps
		for stage := range williamson {
			if stage > 0 {
				s.velocities(t)
			}
			s.stages.advance(s, t, gas.Wind, stage, h)
		}
		s.align()
		if left -= h; steps == 1 {
			left = 0
		}
	}
	s.finish(v)
	mean := func(v, x []vec.Vec3) {
		for i := range v {
			v[i] = x[i].Sub(v[i]).Mul(1 / dt)
		}
	}
	mean(v.V, v.X)
	mean(t.V, t.X)
	return measured
}

// VelocityAt implements Solver.
func (s *VPM) VelocityAt(f *Flow, gas *Gas, x vec.Vec3) vec.Vec3 {
	s.start(&f.Vortons)
	var u [1]vec.Vec3
	biot.Velocity(u[:], []vec.Vec3{x}, &s.sources, s.field.Kernel)
	return u[0].Add(gas.Wind)
}

// mostParts is how many parts a step has at most. A flow that needs more gets longer ones,
// and is found out by Flow.sound if they are too long.
const mostParts = 200

// hopeless is a number of parts at which a step is not divided, so that Flow.sound finds
// the instability at once.
const hopeless = 1e5

// start makes sources of the vortons, which share their positions.
func (s *VPM) start(v *Vortons) {
	n := v.Len()
	s.sources = biot.Sources{X: v.X, Alpha: par.Resize(s.sources.Alpha, n), Radius: par.Resize(s.sources.Radius, n)}
	for i := range v.X {
		s.sources.Alpha[i], s.sources.Radius[i] = v.Strength(i), s.Core*v.Radius[i]
	}
	s.field.Kernel, s.field.Error = biot.Algebraic, s.Error
	s.field.Reset()
	if s.Kernel == "gauss" {
		s.field.Kernel = biot.Gauss
	}
}

// finish gives the vortons the strengths and cores of the sources.
func (s *VPM) finish(v *Vortons) {
	for i := range v.X {
		if s.Stretching == "reformulated" {
			v.Radius[i] = s.sources.Radius[i] / s.Core
		}
		v.W[i] = s.sources.Alpha[i].Mul(1 / v.Volume(i))
	}
}

// velocities sets velocities and gradients at vortons, and velocities at tracers.
func (s *VPM) velocities(t *Tracers) {
	n := len(s.sources.X)
	s.u, s.grad = par.Resize(s.u, n), par.Resize(s.grad, n)
	s.field.VelocityGradient(s.u, s.grad, s.sources.X, &s.sources)
	s.measured = s.field.Measured()
	s.drift = par.Resize(s.drift, len(t.X))
	if len(t.X) > 0 {
		s.field.Velocity(s.drift, t.X, &s.sources)
	}
}

// steepest returns the largest norm of a gradient at a vorton, in 1/s.
func (s *VPM) steepest() float64 {
	return math.Sqrt(par.Max(len(s.grad), 0, func(lo, hi int) (most float64) {
		for i := range s.grad[lo:hi] {
			g := &s.grad[lo+i]
			most = max(most, g.X.Dot(g.X)+g.Y.Dot(g.Y)+g.Z.Dot(g.Z))
		}
		return most
	}))
}

// change changes the vorticity, density and mixture of vortons for dt, apart from
// stretching.
func (s *VPM) change(f *Flow, gas *Gas, dt float64) {
	v := &f.Vortons
	if gas.Gravity != (vec.Vec3{}) {
		buoyancy(v, s.excess, gas, &s.grid, dt)
	}
	if s.Flame != nil {
		s.Flame.vortons(v, gas, dt)
	}
	rest := *gas
	if s.Diffusion == "cores" {
		s.growCores(v, gas.Viscosity, dt)
		rest.Viscosity = 0
	}
	diffuseExact(v, &rest, dt)
}

// growCores diffuses vorticity by cores that grow (Leonard, Vortex Methods for Flow
// Simulation, J. Comput. Phys. 37, 1980): the mean square distance of a core's vorticity
// from its middle grows by 6νt. It is 3σ² for Gauss cores, for which that is exact, and
// 3/2 σ² for algebraic ones.
func (s *VPM) growCores(v *Vortons, viscosity, dt float64) {
	if viscosity == 0 {
		return
	}
	rate := 4.
	if s.Kernel == "gauss" {
		rate = 2
	}
	grow := rate * viscosity * dt / (s.Core * s.Core)
	for i, r := range v.Radius {
		a := v.Strength(i)
		v.Radius[i] = math.Sqrt(float64(r*r) + grow)
		v.W[i] = a.Mul(1 / v.Volume(i))
	}
}
