package scenes

import (
	"math"

	"breakwater/scenes/toml"
	"breakwater/sim/vortex"
)

// Gas is the scene's [gas] table.
type Gas struct {
	vortex.Gas
	Cell float64 `toml:"cell" unit:"m" range:"(0, inf)" doc:"Distance of the vortons with which a vortex starts. The volume of each is a cube of this edge. Half the distance means eight times the vortons."`
}

// Vortex is one [[vortex]] table: vorticity at the start.
type Vortex struct {
	Field       toml.Variant `toml:",inline"` // a variant of vorticity.Distributions: its kind and its keys
	Temperature float64      `toml:"temperature" unit:"K" range:"(0, inf)" absent:"the ambient one" doc:"Temperature of its vortons."`
	Fuel        float64      `toml:"fuel" unit:"1" range:"[0, 1]" doc:"Mass fraction of fuel in its vortons and tracers."`
	Smoke       float64      `toml:"smoke" unit:"1" range:"[0, 1]" doc:"Mass fraction of smoke in its vortons. Unless it is 0, the core is filled with tracers: the part where the vorticity exceeds a tenth of the highest."`
}

// GasSource is one [[source]] table: a region that gives off particles.
type GasSource struct {
	Region      toml.Variant `toml:",inline"` // a variant of shape.Shapes: its kind and its keys
	Vortons     float64      `toml:"vortons" unit:"1/s" range:"[0, 1e6]" doc:"Vortons per simulated second, at random places. They bring heat, fuel and places for vorticity, but no vorticity."`
	Tracers     float64      `toml:"tracers" unit:"1/s" range:"[0, 1e6]" doc:"Tracers per simulated second, at random places. For an even stream make the source thicker than the gas flows in a step."`
	Radius      float64      `toml:"vorton_radius" unit:"m" range:"(0, inf)" absent:"of a ball with the volume of a cell" doc:"Radius of its vortons."`
	Temperature float64      `toml:"temperature" unit:"K" range:"(0, inf)" absent:"the ambient one" doc:"Temperature of its particles."`
	Fuel        float64      `toml:"fuel" unit:"1" range:"[0, 1]" doc:"Mass fraction of fuel, which is clear until it burns."`
	Burnt       float64      `toml:"burnt" recipe:"set" unit:"1" range:"[0, 1]" doc:"Mass fraction of gas that has burnt: of flame, or with flame.air above 0 of gas that burns no more."`
	Smoke       float64      `toml:"smoke" unit:"1" range:"[0, 1]" absent:"1 less the fuel and what has burnt" doc:"Mass fraction of smoke."`
	Flow        float64      `toml:"flow" recipe:"set" unit:"m³/s" range:"[0, inf)" doc:"Volume of gas that it gives off per simulated second, in the solver mesh with expansion."`
	Burner      bool         `toml:"burner" recipe:"set" doc:"Whether only the gas of flow has its temperature and mixture, as above a burner, a pool or wood: flow then sets the power of a fire. It may reach into walls, where it gives off nothing. Otherwise all gas in the region has them."`
	Stir        float64      `toml:"stir" recipe:"set" unit:"m/s" range:"[0, 100]" doc:"Speed of random eddies that stir the gas in the region, with the solver mesh: the root mean square of the velocity that they gain in the time in which they turn over. Without eddies, flames and plumes of few cells stay steady."`
	Eddies      float64      `toml:"eddies" recipe:"set" unit:"m" range:"(0, inf)" absent:"4 cells" doc:"Size of these eddies."`
	Start       float64      `toml:"start" unit:"s" range:"[0, inf)" doc:"Simulated time at which the source starts."`
	Stop        float64      `toml:"stop" unit:"s" range:"[0, inf)" doc:"Simulated time at which it stops; 0 for never."`
}

// SmokeBlock is one [[smoke]] table: a region that is filled with tracers at the start.
type SmokeBlock struct {
	Region toml.Variant `toml:",inline"` // a variant of shape.Shapes: its kind and its keys
	Fuel   float64      `toml:"fuel" unit:"1" range:"[0, 1]" doc:"Mass fraction of fuel, which is clear until it burns."`
	Smoke  float64      `toml:"smoke" unit:"1" range:"[0, 1]" absent:"1 less the fuel" doc:"Mass fraction of smoke."`
}

// Tracers is the scene's [tracers] table.
type Tracers struct {
	PerCell float64 `toml:"per_cell" unit:"1" range:"(0, 1e6]" doc:"Tracers in the volume of a cell, in vortices and blocks of smoke at the start."`
	Radius  float64 `toml:"radius" unit:"m" range:"(0, inf)" absent:"a tenth of the distance that per_cell gives" doc:"Radius with which tracers bounce off bodies."`
	Most    int     `toml:"most" range:"[1, 20000000]" absent:"no limit" doc:"Number of tracers above which the oldest are removed, where sources would make more."`
	Mass    float64 `toml:"mass" unit:"kg" range:"[0, inf)" absent:"of the gas for which a tracer stands" doc:"Mass of a tracer, which pushes free bodies."`
}

// Heat is what the gas needs to know of the heat of a solid.
type Heat struct {
	Temperature  float64 `toml:"temperature" unit:"K" range:"(0, inf)" absent:"the ambient one" doc:"In a gas: temperature at the start."`
	HeatCapacity float64 `toml:"heat_capacity" unit:"J/K" range:"[0, inf)" doc:"In a gas: heat capacity of the whole solid; 0 keeps its temperature."`
	Conductance  float64 `toml:"conductance" unit:"W/m²/K" range:"[0, inf)" doc:"In a gas: rate of heat to a vorton in contact, per cross-section and difference of temperatures."`
}

// heatKeys are the keys of Heat.
var heatKeys = []string{"temperature", "heat_capacity", "conductance"}

// defaultGas returns the gas of a [gas] table with nothing in it.
func defaultGas() *Gas {
	g := &Gas{Gas: vortex.Air()}
	g.Gravity.Y = -9.81
	return g
}

// defaultFlame returns the flame of an empty [flame] table: a mixture that burns as soon
// as it is there.
func defaultFlame() *vortex.Flame {
	return &vortex.Flame{Activation: 300, Rate: 2, SmokeTemperature: 2000, SmokeRate: 5, Heat: 5e7}
}

// gasDefaults sets what a gas has instead of the defaults of a liquid.
func (s *Scene) gasDefaults() {
	if s.root.Get("gas") != nil {
		s.Solver.Kind, s.Look.Kind = gasSolver, gasLook
	}
}

// eddyCells is the size of the eddies of a source that gives none, in cells.
const eddyCells = 4

// The solver and the look of a gas that names none.
const (
	gasSolver = "gourlay"
	gasLook   = "tracers"
)

// gasTables are the tables that only a gas has, and liquidTables those that it cannot have.
var (
	gasTables    = []string{"vortex", "source", "smoke", "tracers", "flame", "technique"}
	liquidTables = []string{"liquid", "fluid", "inflow", "outflow", "force", "neighbor", "whitewater", "surface", "mesh"}
)

// completeGas drops the tables of a gas that the scene lacks, and derives what it leaves
// out.
func (s *Scene) completeGas() {
	if s.root.Get("flame") == nil {
		s.Flame = nil
	}
	if s.root.Get("gas") == nil {
		s.Gas = nil
		return
	}
	s.Mesh.Formats = nil // a gas has no surface
	if s.root.Find("volume", "grids") == nil {
		s.Volume.Grids = []string{"density", "temperature", "velocity"}
		if s.Flame != nil {
			s.Volume.Grids = append(s.Volume.Grids, "flame")
		}
	}
	g := s.Gas
	cube := g.Cell * g.Cell * g.Cell
	if s.Tracers.Radius == 0 {
		s.Tracers.Radius = s.TracerSpacing() / 10
	}
	if s.root.Find("tracers", "mass") == nil {
		s.Tracers.Mass = g.Density * cube / s.Tracers.PerCell
	}
	for i := range s.Vortex {
		ambient(&s.Vortex[i].Temperature, g)
	}
	for i := range s.Source {
		x := &s.Source[i]
		ambient(&x.Temperature, g)
		smokeOf(x.Region.Node, &x.Smoke, x.Fuel+x.Burnt)
		if x.Radius == 0 {
			x.Radius = vortex.BallRadius(cube)
		}
		if x.Eddies == 0 && x.Stir > 0 {
			x.Eddies = eddyCells * g.Cell
		}
		if x.Stop == 0 {
			x.Stop = math.Inf(1)
		}
	}
	for i := range s.Smoke {
		smokeOf(s.Smoke[i].Region.Node, &s.Smoke[i].Smoke, s.Smoke[i].Fuel)
	}
	for i := range s.Wall {
		ambient(&s.Wall[i].Temperature, g)
	}
	for i := range s.Body {
		ambient(&s.Body[i].Temperature, g)
	}
}

// ambient sets a temperature that is not given.
func ambient(t *float64, g *Gas) {
	if *t == 0 {
		*t = g.Temperature
	}
}

// smokeOf sets a mass fraction of smoke that is not given, beside the others.
func smokeOf(n *toml.Node, smoke *float64, others float64) {
	if n.Get("smoke") == nil {
		*smoke = max(0, 1-others)
	}
}

// SpacingNode returns where s sets the spacing of the particles or the size of a gas's cells.
func (s *Scene) SpacingNode() *toml.Node {
	return s.root.Find("liquid", "spacing").Or(s.root.Find("gas", "cell"))
}

// Spacing returns the distance of the particles of a liquid, or the cell of a gas, in m.
func (s *Scene) Spacing() float64 {
	if s.Gas != nil {
		return s.Gas.Cell
	}
	return s.Liquid.Spacing
}

// RestDensity returns the density of the liquid or of the ambient gas, in kg/m³.
func (s *Scene) RestDensity() float64 {
	if s.Gas != nil {
		return s.Gas.Density
	}
	return s.Liquid.Density
}
