package vortex

import (
	"math"

	"breakwater/sim/biot"
	"breakwater/sim/classic/solids"
	"breakwater/sim/fft"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/remesh"
	"breakwater/sim/vec"
)

func init() {
	Solvers.Register(registry.Entry[Solver]{
		Name: "mesh", Doc: "vortex particles that are moved to the nodes of a lattice in each step: for smoke and flames of up to some million vortons",
		Cite: "Cottet and Koumoutsakos 2000",
		New: func(d registry.Decode) (Solver, error) {
			s := &Mesh{Conserve: true, Turn: 0.5, Keep: 1e-4, Most: 50_000_000, LongestStep: 1. / 30, Inertia: true, PressureError: 0.01}
			return s, d(s)
		},
	})
}

// Mesh is the vortex particle method with remeshing, also called vortex in cell (Cottet and
// Koumoutsakos, Vortex Methods: Theory and Practice, 2000, chapter 8). A part of a step:
//
//  1. Vortons are deposited at the nodes of a lattice, by M4′. The nodes that carry
//     vorticity, heat or a mixture are the new vortons.
//  2. Sources and bodies keep their heat and mixture at their nodes, and the eddies of sources gain speed. The velocity follows
//     from Poisson's equation in free space, and the vorticity becomes its curl, since
//     stretching and remeshing give it sources. Bodies are impenetrable by penalisation:
//     inside, the velocity becomes theirs, and the vorticity gets the curl of the difference.
//  3. Vortons and tracers move by the midpoint rule. At the middle they are deposited again
//     for the velocity and the rates of change there.
//  4. Vortons burn.
//
// If the gas expands, or fuel burns with air, then conduction, diffusion and burning take
// place at the nodes between 2 and 3, so that all heat of a part expands the gas in it. Beside
// bodies, conduction and diffusion take place there too.
//
// The result depends on no box: the lattice grows with the gas. It ends at the sides of a
// box if the user sets one. A step depends on the flow alone, and not on the steps before.
//
// Along axes that repeat, the lattice has a fixed length and copies of its nodes beyond both
// sides. If all axes repeat, the mean velocity is the wind.
type Mesh struct {
	Flame   *Flame  `toml:"-"` // nil if nothing burns
	Cell    float64 `toml:"-"` // distance of the nodes, m
	Repeats [3]bool `toml:"-"` // axes along which the flow repeats itself
	Period  vec.Box `toml:"-"` // the range that repeats; along other axes it has no effect

	Low         vec.Vec3 `toml:"low" unit:"m" doc:"Corner of the box beyond whose sides the gas is removed, with the smallest coordinates. With high the same, there is no box."`
	High        vec.Vec3 `toml:"high" unit:"m" doc:"The opposite corner. Smoke that rises without end needs a box."`
	Keep        float64  `toml:"keep" unit:"1" range:"[1e-5, 0.1]" doc:"Share of the largest vorticity, excess of temperature and fuel below which a node is empty. Rounding alone makes vorticity of 7e-6 of the largest."`
	Most        int      `toml:"most" range:"[1, 1000000000]" doc:"Number of nodes of the lattice at which the run stops."`
	Life        float64  `toml:"life" unit:"s" range:"[0, inf)" doc:"Age at which tracers are removed; 0 for never."`
	Turn        float64  `toml:"turn" unit:"1" range:"(0, 1]" doc:"Largest product of the length of a step and the vorticity."`
	LongestStep float64  `toml:"longest_step" unit:"s" range:"(0, 1]" doc:"Longest time step."`
	Expansion   bool     `toml:"expansion" recipe:"set" doc:"Whether gas takes more room as it is heated, and pushes away the gas around it."`

	Conserve bool `toml:"conserve" doc:"Whether fuel, burnt gas and heat keep their masses as they move and spread between hot and cold gas. Without, a fire of thin sheets burns several times the fuel that it gets. Gas needs expansion for it."`

	Inertia       bool    `toml:"inertia" doc:"Whether the pressure of gas with gas.variable_density has the part that accelerates the gas, as is exact. Without, it is the pressure of gas at rest, ∇p = ρg, and a step takes less time."`
	PressureError float64 `toml:"pressure_error" unit:"1" range:"(0, 0.1]" doc:"Error of the acceleration by the pressure at which its iteration ends, over that by gravity and by the motion, with inertia."`

	lattice    remesh.Lattice
	spaces     map[[3]int]*fft.Space
	node       [channels][]float32 // at the nodes
	rate       [rated][]float32    // of change at the nodes, 1/s
	u          remesh.Vector       // velocity at the nodes without the wind, m/s
	wall       remesh.Vector       // velocity that bodies add there
	dilatation []float32           // logarithm of the growth of volumes in a part
	volume     []float32           // of vortons over the volume of a cell
	room       []float32           // sum of volumes at the nodes
	wide       [2][]bool           // nodes that are full or near those, and room to find them
	grows      bool                // whether the dilatation and out are of the present part
	out        remesh.Vector       // velocity of the expansion, m/s
	carriers   remesh.Block        // nodes outside of which none carries heat or mixture
	cold       []float32           // excess of temperature before sources, K
	least      float32             // smallest excess of temperature of the flow, K
	most       float32             // largest excess, without the heat of the fuel and of what has burnt
	burntHeat  float32             // of gas that is all burnt, K
	fuelHeat   float32             // that fuel brings, K
	massed     [channels][]float32 // what vortons carry, by mass
	spare      []float32           // room to keep bounds
	ambient    float64             // temperature, K
	density    []float32           // at the nodes, over the density at 1 K
	steady     float64             // product of diffusivity and time over the square of an edge, for a steady stage
	open       []bool              // which sources give off gas
	given      []float32           // volume of gas that they give off in a part, over the volume of their nodes
	before     [channels][]float32 // what nodes carried before a part
	stage      [2][]float32        // of diffusion
	pressure   pressure            // of gas with a variable density

	x     []vec.Vec3          // of the vortons
	now   [channels][]float32 // what they carry
	half  [rated][]float32    // likewise in the middle of a part, and its changes there, 1/s
	v     [3][]float32        // their velocities without the wind, m/s
	index []int32             // their nodes

	along   [3][]float32 // velocities of tracers
	between []vec.Vec3   // places of tracers in the middle of a part
	warm    [1][]float32 // excess of temperature at tracers, K
	bouncer solids.Tracers
}

// Channels are what nodes and vortons carry: vorticity in 1/s, the excess of temperature in
// K, and mass fractions.
const (
	vorticityX = iota
	vorticityY
	vorticityZ
	heatExcess
	fuelShare
	flameShare
	smokeShare
	channels
)

// rated is the number of channels that have rates at the nodes. The others change by burning
// alone.
const rated = heatExcess + 1

// latticeMargin is how many nodes the lattice has around all vortons at least: a part of a
// step moves them by at most farthestMove nodes, and they are deposited at two more.
const (
	farthestMove  = 4
	latticeMargin = fft.Border + farthestMove + 3
)

// latticeGrowth are the nodes by which the lattice grows along each axis. It has few sizes, and
// those that fft.NewSpace takes.
var latticeGrowth = [3]int{fft.Lanes / 2, fft.Lanes / 2, fft.Lanes}

// Check implements Solver.
func (s *Mesh) Check(*Gas) error {
	if s.Low != s.High && !(s.Low.X < s.High.X && s.Low.Y < s.High.Y && s.Low.Z < s.High.Z) {
		return &SettingError{"high", "expected larger coordinates than those of low"}
	}
	return s.checkPeriod()
}

// MaxDt implements Solver.
func (s *Mesh) MaxDt(*Flow) float64 { return s.LongestStep }

// FillsSources implements filler.
func (s *Mesh) FillsSources() {}

// Step implements Solver.
func (s *Mesh) Step(f *Flow, gas *Gas, dt float64) (info StepInfo, err error) {
	s.ambient = gas.Temperature
	s.pressure.of = remesh.Lattice{} // a step depends on the flow alone
	s.load(&f.Vortons, gas)
	s.bounds(f, gas)
	sums := make([]push, len(f.Bodies))
	for left, n := dt, 0; left > 0; n++ {
		s.fit(s.extent(f))
		if s.lattice.Len() > s.Most {
			return info, &TooLarge{s.lattice.N, f.Time}
		}
		if s.lattice.Len() == 0 { // all is outside the box
			s.x = s.x[:0]
			break
		}
		s.lattice.Home(s.x)
		s.lattice.Home(f.Tracers.X)
		s.toNodes(s.x, s.now[:])
		switch {
		case !s.splits():
			s.levelHeat(f.Sources)
		case !s.conserves():
			s.limit()
		}
		if s.grows = false; s.Expansion {
			s.cold = append(s.cold[:0], s.node[heatExcess]...)
		}
		s.carryAt(f)
		before := s.holdsBefore(gas)
		s.sources(f, gas, f.Time+dt-left)
		info.Ledger.supply(s.holdsBefore(gas).sub(before))
		if n == 0 {
			s.stir(f, dt)
		}
		s.velocity()
		s.project()
		if !s.splits() {
			s.penalise(f.Bodies, gas, sums)
		}
		h := s.longest(gas)
		if info.Parts++; n == 0 {
			info.Longest = h
		}
		h = left / max(1, math.Ceil(left/h-1e-9))
		if n+1 >= mostParts {
			h = left
		}
		if s.splits() {
			h = s.react(f, gas, h, sums, &info.Ledger)
			s.penalise(f.Bodies, gas, sums)
		} else {
			s.atBodies(f.Bodies, gas, h, sums)
			if s.spreads(f.Bodies) {
				s.diffuse(gas, h)
			}
		}
		if len(f.Bodies) > 0 {
			s.velocity()
		}
		if s.Expansion {
			before = s.holdsGrown(gas)
		}
		s.remesh()
		s.move(f, gas, h)
		now := s.holdsMoved(gas)
		info.Ledger.leave(before.sub(now))
		info.Ledger.Fuel.Present, info.Ledger.Heat.Present = now.fuel, now.heat
		if left -= h; left < 1e-9*dt {
			left = 0
		}
	}
	s.lattice.Home(s.x)
	s.store(f, gas, dt)
	f.age(s.Life, dt)
	s.clip(f)
	if s.Flame != nil && s.Flame.Air == 0 {
		s.Flame.tracers(&f.Tracers, dt)
	}
	bounceTracers(&f.Tracers, &s.bouncer, f.Bodies, sums)
	s.lattice.Home(f.Tracers.X)
	for k, b := range f.Bodies {
		b.take(sums[k])
		info.Hits += b.Hits
	}
	if err := f.sound(&info, "shorter steps by solver.longest_step or solver.turn, or slower vortices and sources"); err != nil {
		return info, err
	}
	f.moveBodies(nil, gas, nil, dt)
	f.Time += dt
	return info, nil
}

// VelocityAt implements Solver.
func (s *Mesh) VelocityAt(f *Flow, gas *Gas, x vec.Vec3) vec.Vec3 {
	if s.Repeats != [3]bool{} {
		return s.latticeVelocity(f, gas, x)
	}
	v := &f.Vortons
	src := biot.Sources{X: v.X, Alpha: make([]vec.Vec3, v.Len()), Radius: make([]float64, v.Len())}
	for i := range v.X {
		src.Alpha[i], src.Radius[i] = v.Strength(i), s.Cell
	}
	var u [1]vec.Vec3
	biot.Velocity(u[:], []vec.Vec3{x}, &src, biot.Gauss)
	return u[0].Add(gas.Wind)
}

// load takes the vortons of a flow, with the room of their places.
func (s *Mesh) load(v *Vortons, gas *Gas) {
	n := v.Len()
	s.x = v.X
	for c := range s.now {
		s.now[c] = par.Resize(s.now[c], n)
	}
	s.volume = par.Resize(s.volume, n)
	cube := s.Cell * s.Cell * s.Cell
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			share := v.Volume(i) / cube
			if math.Abs(share-1) < 1e-5 { // after the rounding of files
				share = 1
			}
			s.volume[i] = float32(share)
			for a, w := range v.W[i].Array() {
				s.now[a][i] = float32(w * share)
			}
			s.now[heatExcess][i] = float32((gas.TemperatureOf(v.Density[i]) - gas.Temperature) * share)
			s.now[fuelShare][i] = float32(v.Mix.Fuel[i] * share)
			s.now[flameShare][i] = float32(v.Mix.Flame[i] * share)
			s.now[smokeShare][i] = float32(v.Mix.Smoke[i] * share)
		}
	})
}

// store gives the flow its vortons after a step of dt.
func (s *Mesh) store(f *Flow, gas *Gas, dt float64) {
	v, n := &f.Vortons, len(s.x)
	radius := BallRadius(s.Cell * s.Cell * s.Cell)
	*v = Vortons{
		ID: par.Resize(v.ID, n), X: s.x, V: par.Resize(v.V, n), W: par.Resize(v.W, n), Radius: par.Resize(v.Radius, n),
		Density: par.Resize(v.Density, n), Age: par.Resize(v.Age, n),
		Mix: Mixture{par.Resize(v.Mix.Fuel, n), par.Resize(v.Mix.Flame, n), par.Resize(v.Mix.Smoke, n)},
	}
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v.ID[i], v.Radius[i], v.Age[i] = uint32(i), radius, 0
			if s.Expansion && s.volume[i] != 1 {
				v.Radius[i] = BallRadius(s.Cell * s.Cell * s.Cell * float64(s.volume[i]))
				for c := range s.now {
					s.now[c][i] /= s.volume[i]
				}
			}
			v.V[i] = vec.New(float64(s.v[0][i]), float64(s.v[1][i]), float64(s.v[2][i])).Add(gas.Wind)
			v.W[i] = vec.New(float64(s.now[0][i]), float64(s.now[1][i]), float64(s.now[2][i]))
			v.Density[i] = gas.DensityOf(gas.above(s.now[heatExcess][i]))
			v.Mix.Fuel[i], v.Mix.Flame[i], v.Mix.Smoke[i] = float64(s.now[fuelShare][i]), float64(s.now[flameShare][i]), float64(s.now[smokeShare][i])
		}
	})
}
