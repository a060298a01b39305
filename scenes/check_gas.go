package scenes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breakwater/raster"
	"breakwater/scenes/toml"
	"breakwater/sim/gauge"
	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

// gasParts builds the variants of a gas.
func (s *Scene) gasParts(f *builder, p *gasParts) {
	for i, v := range s.Vortex {
		x, _ := makeVariant(f, fmt.Sprintf("vortex[%d]", i), &vorticity.Distributions, v.Field)
		p.vortices = append(p.vortices, x)
	}
	region := func(key string, v toml.Variant) vortex.Region {
		x, ok := makeVariant(f, key, &shape.Shapes, v)
		if m, isMesh := x.(meshed); !ok || isMesh && !f.readMesh(key, v, m) {
			return nil
		}
		return x
	}
	for i, v := range s.Source {
		p.sources = append(p.sources, region(fmt.Sprintf("source[%d]", i), v.Region))
	}
	for i, v := range s.Smoke {
		p.smoke = append(p.smoke, region(fmt.Sprintf("smoke[%d]", i), v.Region))
	}
	if at := s.Solver.Node.Get("kind"); at != nil && !at.Broken() && !slices.Contains(vortex.Solvers.Names(), s.Solver.Kind) {
		f.Value(at, "%q moves liquids, and this scene has a gas; %s", s.Solver.Kind, toml.Expected(s.Solver.Kind, vortex.Solvers.Names()))
		return
	}
	p.solver, _ = makeVariant(f, "solver", &vortex.Solvers, s.Solver)
	technique, _ := makeVariant(f, "technique", &vortex.Techniques, s.Technique)
	switch x := p.solver.(type) {
	case *vortex.Gourlay:
		x.Technique, x.Flame, p.life = technique, s.Flame, x.Life
	case *vortex.VPM:
		x.Flame, p.life = s.Flame, x.Life
	case *vortex.Mesh:
		x.Flame, x.Cell, p.life = s.Flame, s.Gas.Cell, x.Life
		x.Period, x.Repeats = s.gasPeriod()
	}
	if n := s.root.Get("technique"); s.Solver.Kind != gasSolver && n != nil && !n.Broken() {
		f.Value(n, "the solver %q has a technique of its own; leave it out, or set solver.kind to gourlay", s.Solver.Kind)
	}
	p.ready = p.solver != nil && technique != nil
}

// gas reports the faults of a scene with a gas.
func (c *checker) gas() {
	root := c.scene.root
	for _, key := range liquidTables {
		if n := root.Get(key); n != nil {
			c.Report.Value(n, "is of a liquid, and this scene has a gas; %s", insteadOf(key))
		}
	}
	cell := root.Find("gas", "cell")
	if cell == nil && c.whole {
		c.missing("gas.cell", `is missing; expected the distance of the vortons, such as cell = "5 cm" under [gas]`)
	}
	if c.whole && root.Get("vortex").Empty() && root.Get("source").Empty() && root.Get("smoke").Empty() {
		c.missing("gas", "has nothing that moves or is seen; add a [[vortex]], a [[source]] or a [[smoke]] table with a kind")
	}
	if _, ok := c.look.(raster.GasLook); c.look != nil && !ok {
		c.Report.Value(root.Get("look").Or(root.Get("gas")), "the look %q shows a liquid; expected one of %s", c.scene.Look.Kind, strings.Join(gasLooks(), ", "))
	}
	if f := root.Find("camera", "follow"); f != nil && !f.Broken() && c.scene.Camera.Follow != "wall" {
		c.Report.Value(f, "a camera cannot follow a gas; expected follow = \"wall\", or leave it out")
	}
	if n := root.Find("particles", "attributes"); n != nil && !n.Broken() {
		c.Report.Value(n, "are of a liquid; the files of a gas always have all quantities of its particles: leave it out")
	}
	c.gasBodies()
	c.gasDomain()
	c.vortices()
	c.burning()
	if cell != nil && !cell.Broken() && !c.badValue("gas") {
		c.gasSizes()
		if !c.badValue("tracers") && !c.badValue("source") {
			c.gasRoom(cell)
		}
	}
	c.gasSteps()
	if c.parts.gas.ready && !c.badValue("gas") {
		var bad *vortex.SettingError
		if errors.As(c.parts.gas.solver.Check(&c.scene.Gas.Gas), &bad) {
			at := root.Find("solver", bad.Key).Or(root.Find("gas", bad.Key)).Or(root.Get("technique")).Or(root.Get("gas"))
			c.Report.Value(at, "%s", bad.Text)
		}
	}
	c.sourcesClear()
	c.gauges()
	c.gasGauges()
}

// gasGauges reports gauges that measure liquids alone, and their keys.
func (c *checker) gasGauges() {
	names := namesOf(&gauge.Gauges, func(g gauge.Gauge) bool { _, ok := g.(gauge.OfGas); return ok })
	for i, g := range c.parts.gauges {
		at := c.scene.Gauge[i].What.Node
		if _, ok := g.(gauge.OfGas); g != nil && !ok {
			c.Report.Value(at.Get("kind").Or(at), "the gauge %q measures a liquid; expected one of %s", c.scene.Gauge[i].What.Kind, strings.Join(names, ", "))
		}
		if x, ok := g.(*gauge.Jerk); ok && x.Of == "vortons" && c.remeshes() {
			c.Report.Value(at.Get("of").Or(at), "the vortons are new in each step here, so they have no jerk; expected of = \"tracers\"")
		}
		c.noKeys(at, []string{"radius", "side"}, "has no effect in a gas; leave it out")
	}
}

// remeshes reports whether each step replaces the vortons of the step before by new ones.
func (c *checker) remeshes() bool {
	switch x := c.parts.gas.solver.(type) {
	case *vortex.Mesh:
		return true
	case *vortex.Gourlay:
		pic, ok := x.Technique.(*vortex.PIC)
		return ok && !pic.Keep
	}
	return false
}

// insteadOf says what a gas has in place of a table of a liquid.
func insteadOf(table string) string {
	switch table {
	case "fluid":
		return "expected [[vortex]], [[source]] or [[smoke]]"
	case "inflow":
		return "expected [[source]]"
	case "surface", "mesh":
		return "a gas has no surface: leave it out"
	case "neighbor":
		return "expected [technique]"
	}
	return "leave it out"
}

// noGas reports tables of a gas in a scene of a liquid.
func (c *checker) noGas() {
	for _, key := range gasTables {
		if n := c.scene.root.Get(key); n != nil && c.whole {
			c.Report.Value(n, "is of a gas, and this scene has a liquid; expected a [gas] table in place of [liquid], or leave it out")
		}
	}
	if _, ok := c.look.(raster.GasLook); ok {
		c.Report.Value(c.scene.root.Get("look"), "the look %q shows a gas, and this scene has a liquid; expected another look", c.scene.Look.Kind)
	}
	for i := range c.scene.Wall {
		c.noKeys(c.scene.Wall[i].Shape.Node, heatKeys, "is for solids in a gas; leave it out")
	}
	for i := range c.scene.Body {
		c.noKeys(c.scene.Body[i].Shape.Node, heatKeys, "is for solids in a gas; leave it out")
	}
}

// noKeys reports keys of a table that have no effect in this scene.
func (c *checker) noKeys(at *toml.Node, keys []string, text string) {
	for _, key := range keys {
		if n := at.Get(key); n != nil && !n.Broken() {
			c.Report.Value(n, "%s", text)
		}
	}
}

// gasLooks returns the names of the looks that draw a gas.
func gasLooks() []string {
	return namesOf(&raster.Looks, func(l raster.Look) bool { _, ok := l.(raster.GasLook); return ok })
}

// gasBodies checks the solids in a gas.
func (c *checker) gasBodies() {
	c.bodyNames()
	const still = "has no effect in a gas; leave it out"
	for i, w := range c.parts.walls {
		at := c.scene.Wall[i].Shape.Node
		c.noKeys(at, []string{"friction", "model"}, still)
		if w == nil {
			continue
		}
		if _, err := gasWall(w); err != nil {
			c.Report.Value(at, "%v", err)
			c.parts.walls[i] = nil
		}
	}
	for i, b := range c.parts.bodies {
		at := c.scene.Body[i].Shape.Node
		c.noKeys(at, []string{"friction", "joint"}, still)
		if b == nil {
			continue
		}
		if _, err := solidOf(b.Boundary); err != nil {
			c.Report.Value(at, "%v", err)
			c.parts.bodies[i] = nil
			continue
		}
		if n := c.scene.root.Find("gas", "cell"); n != nil && !n.Broken() {
			c.bodyClear(i, c.scene.Gas.Cell)
		}
		// The push of the gas in a step stops all gas in the body, so lighter bodies would be
		// thrown to and fro.
		const denser = 5
		if _, mesh := c.parts.gas.solver.(*vortex.Mesh); mesh && b.Free.Mass < denser*c.scene.Gas.Density*b.Free.Volume() {
			c.Report.Value(at.Get("density").Or(at.Get("mass")).Or(at), "the solver mesh moves bodies that are at least %d times as dense as the gas: %.3g kg/m³, or %.3g kg", denser, denser*c.scene.Gas.Density, denser*c.scene.Gas.Density*b.Free.Volume())
		}
	}
}

// vortices checks that vortices have sizes that make sense.
func (c *checker) vortices() {
	for i, d := range c.parts.gas.vortices {
		r, ok := d.(*vorticity.Ring)
		if !ok {
			continue
		}
		at := c.scene.Vortex[i].Field.Node
		switch least := r.Radius - r.WaveHeight; {
		case r.Core >= r.Radius:
			c.Report.Value(at.Get("core").Or(at), "a core of %s m leaves no hole in a ring with a radius of %s m; expected less than the radius", registry.Number(r.Core), registry.Number(r.Radius))
		case r.Core >= least:
			c.Report.Value(at.Get("wave_height").Or(at), "a core of %s m leaves no hole in a ring whose smallest radius is %.4g m; expected less than %.4g m", registry.Number(r.Core), least, r.Radius-r.Core)
		case r.Waves > 0 && r.WaveHeight == 0:
			c.Report.Value(at.Get("waves").Or(at), "has no effect with a wave_height of 0; set wave_height, or leave waves out")
		case r.WaveHeight > 0 && r.Waves == 0:
			c.Report.Value(at.Get("wave_height").Or(at), "has no effect without waves; set waves, or leave wave_height out")
		}
	}
	for i, d := range c.parts.gas.vortices {
		at := c.scene.Vortex[i].Field.Node
		if d == nil {
			continue
		}
		for key, v := range directions(d) {
			if v == (vec.Vec3{}) {
				c.Report.Value(at.Get(key).Or(at), "has no direction; expected a vector other than [0, 0, 0]")
			}
		}
		if c.scene.Gas.Cell > 0 && d.Bounds().Volume()/num.Pow(c.scene.Gas.Cell, 3) < 1 {
			c.Report.Value(at, "is smaller than a cell of %s m; expected a larger vortex, or gas.cell %.2g m or less", registry.Number(c.scene.Gas.Cell), math.Cbrt(d.Bounds().Volume()))
		}
	}
}

// directions returns the directions of a distribution by their keys.
func directions(d vorticity.Distribution) map[string]vec.Vec3 {
	switch x := d.(type) {
	case *vorticity.Ring:
		return map[string]vec.Vec3{"axis": x.Axis}
	case *vorticity.Ball:
		return map[string]vec.Vec3{"axis": x.Axis}
	case *vorticity.JetRing:
		return map[string]vec.Vec3{"axis": x.Axis}
	case *vorticity.Tube:
		return map[string]vec.Vec3{"axis": x.Axis}
	case *vorticity.Sheet:
		return map[string]vec.Vec3{"normal": x.Normal, "along": x.Along}
	}
	return nil
}

// burning checks that fuel has a flame, and a flame fuel.
func (c *checker) burning() {
	var fuel *toml.Node
	known := true // what fuel there is
	see := func(at *toml.Node, x float64) {
		if n := at.Get("fuel"); n != nil && n.Broken() {
			known = false
		} else if x > 0 && fuel == nil {
			fuel = n
		}
	}
	mixed := func(at *toml.Node, fuel, smoke float64) {
		if n := at.Get("smoke"); n != nil && !n.Broken() && fuel+smoke > 1+1e-9 {
			c.Report.Value(n, "the mass fractions of fuel and smoke add up to %s; expected 1 or less", registry.Number(fuel+smoke))
		}
	}
	for _, x := range c.scene.Vortex {
		see(x.Field.Node, x.Fuel)
		mixed(x.Field.Node, x.Fuel, x.Smoke)
	}
	for i := range c.scene.Source {
		x := &c.scene.Source[i]
		at := x.Region.Node
		bad := func(key string) bool { n := at.Get(key); return n != nil && n.Broken() }
		see(at, x.Fuel)
		if n := at.Get("burnt"); n == nil {
			mixed(at, x.Fuel, x.Smoke)
		} else if all := x.Fuel + x.Burnt + x.Smoke; !n.Broken() && !bad("fuel") && !bad("smoke") && all > 1+1e-9 {
			c.Report.Value(n, "the mass fractions of fuel, smoke and what has burnt add up to %s; expected 1 or less", registry.Number(all))
		}
		mesh, fills := c.parts.gas.solver.(*vortex.Mesh)
		if n := at.Get("flow"); n != nil && !n.Broken() && c.parts.gas.solver != nil && !(fills && mesh.Expansion) {
			c.Report.Value(n, "needs gas that expands: set solver.kind to mesh and solver.expansion to true, or leave it out")
		}
		if n := at.Get("burner"); n != nil && !n.Broken() && x.Burner && !bad("flow") && c.whole && x.Flow == 0 {
			c.Report.Value(n, "gives off no gas; add its flow in m³/s, such as flow = 0.003, or leave it out")
		}
		if n := at.Get("stir"); n != nil && !n.Broken() && c.parts.gas.solver != nil && !fills {
			c.Report.Value(n, "is for the solver mesh; set solver.kind to mesh, or leave it out")
		}
		if n := at.Get("eddies"); n != nil && !n.Broken() && !bad("stir") && c.whole {
			switch least := 2 * c.scene.Gas.Cell; {
			case x.Stir == 0:
				c.Report.Value(n, "has no effect without their speed; add it, such as stir = 0.5, or leave it out")
			case x.Eddies < least:
				c.Report.Value(n, "is less than two cells; expected %s m or more", registry.Number(least))
			}
		}
		if n := at.Get("vortons"); fills && n != nil && !n.Broken() {
			c.Report.Value(n, "has no effect with the solver mesh, which fills the source; leave it out")
		}
		// The kind of a solver with a fault is not known: it may fill the source.
		filled := (fills || c.parts.gas.solver == nil) && (x.Fuel > 0 || at.Get("temperature") != nil)
		if x.Vortons == 0 && x.Tracers == 0 && c.whole && !bad("vortons") && !bad("tracers") && !filled {
			c.Report.Value(at, "gives off nothing; add a line such as tracers = 1000, per second")
		}
		if n := at.Get("stop"); n != nil && !n.Broken() && x.Stop <= x.Start {
			c.Report.Value(n, "the source stops at %s s, before it starts at %s s; expected a later time, or 0 for never", registry.Number(x.Stop), registry.Number(x.Start))
		}
	}
	for _, x := range c.scene.Smoke {
		see(x.Region.Node, x.Fuel)
		mixed(x.Region.Node, x.Fuel, x.Smoke)
	}
	flame := c.scene.root.Get("flame")
	for _, key := range []string{"air", "soot"} {
		n := flame.Get(key)
		if _, mesh := c.parts.gas.solver.(*vortex.Mesh); n != nil && !n.Broken() && c.parts.gas.solver != nil && !mesh {
			c.Report.Value(n, "is for the solver mesh, in which fuel meets air; set solver.kind to mesh, or leave it out")
		}
	}
	switch {
	case fuel != nil && flame == nil && c.whole:
		c.Report.Value(fuel, "nothing burns this fuel; add a [flame] table, or leave fuel out")
	case fuel == nil && flame != nil && known && c.whole:
		c.Report.Value(flame, "there is no fuel to burn; add fuel to a [[source]] or a [[vortex]], or leave [flame] out")
	}
}

// gasSteps checks the number of steps.
func (c *checker) gasSteps() {
	if c.parts.gas.solver == nil || c.badValue("time") {
		return
	}
	steps, most := c.scene.Time.At(c.scene.Time.Frames())/c.parts.gas.solver.MaxDt(&vortex.Flow{}), c.scene.maxSteps()
	if steps > most {
		c.Report.Value(c.scene.root.Find("solver", "longest_step").Or(c.scene.root.Get("gas")), "takes %.2g steps for this film; expected at most %.2g: make it %.2g times as long, or shorten the film", steps, most, steps/most)
	}
}

// sourcesClear checks that no source or block of smoke is in a wall.
func (c *checker) sourcesClear() {
	side := sideFor((len(c.scene.Source) + len(c.scene.Smoke)) * len(c.parts.walls))
	for i, r := range c.parts.gas.sources {
		x := &c.scene.Source[i]
		// A burner gives off nothing in walls; with a fault at the key, it may be one.
		if n := x.Region.Node.Get("burner"); r != nil && !x.Burner && (n == nil || !n.Broken()) {
			c.clear(x.Region.Node, r.(shape.Shape), r.Bounds(), side, false)
		}
	}
	for i, r := range c.parts.gas.smoke {
		if r != nil {
			c.clear(c.scene.Smoke[i].Region.Node, r.(shape.Shape), r.Bounds(), side, false)
		}
	}
}
