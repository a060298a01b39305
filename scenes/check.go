package scenes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breakwater/out"
	"breakwater/out/film"
	"breakwater/raster"
	"breakwater/raster/overlay"
	"breakwater/scenes/memory"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/force"
	"breakwater/sim/gauge"
	"breakwater/sim/inflow"
	"breakwater/sim/initial"
	"breakwater/sim/neighbor"
	"breakwater/sim/outflow"
	"breakwater/sim/registry"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/surface"
)

// Limits of a run.
const (
	maxParticles = 50e6  // more than most machines have memory for
	maxFrames    = 100e3 // an hour of film at 30 frames per second
	maxPixels    = 64e6  // 8K, twice over
	leastAcross  = 3     // particles across a block: fewer have no inside
)

// parts are the variants that a scene names, built. A block, a wall or a
// body that could not be built is nil.
type parts struct {
	shapes   []shape.Shape
	fields   []initial.Field // of the shapes; nil for a uniform velocity
	inflows  []inflow.Opening
	outflows []boundary.Region
	gauges   []gauge.Gauge
	walls    []boundary.Boundary
	bodies   []*body.Body
	forces   []force.Force
	solver   sim.Solver
	finder   neighbor.Finder
	surface  surface.Method
	gas      gasParts
	look     raster.Look

	recipes map[string]*stage.Recipe // the settings of each variant, by its key

	known *initialLiquid // of the shapes, once it is known
}

// in returns p with the walls of w, which include the bodies.
func (p parts) in(w *sim.World) *parts {
	p.walls, p.bodies = w.Walls, nil
	return &p
}

// parts builds every variant and reports faults in their settings.
func (s *Scene) parts(report *toml.Report) *parts {
	f := &builder{Report: report, flat: s.Flat() && s.Gas == nil, recipes: map[string]*stage.Recipe{}}
	p := &parts{recipes: f.recipes}
	for i, b := range s.Fluid {
		key := fmt.Sprintf("fluid[%d]", i)
		x, _ := makeVariant(f, key, &shape.Shapes, b.Shape)
		if m, ok := x.(meshed); ok && !f.readMesh(key, b.Shape, m) {
			x = nil
		}
		x = f.sectionOf(b.Shape.Node, x)
		field := s.field(f, toml.Join(key, velocityField), &b)
		p.fields = append(p.fields, field)
		x = cutBy(x, field)
		p.shapes = append(p.shapes, x)
	}
	for i, in := range s.Inflow {
		x, _ := makeVariant(f, fmt.Sprintf("inflow[%d]", i), &inflow.Openings, in.Opening)
		p.inflows = append(p.inflows, f.slit(x, in.Direction))
	}
	for i, o := range s.Outflow {
		x, _ := makeVariant(f, fmt.Sprintf("outflow[%d]", i), &outflow.Regions, o.Region)
		if f.flat {
			x = flatRegion(x)
		}
		p.outflows = append(p.outflows, x)
	}
	for i, g := range s.Gauge {
		x, _ := makeVariant(f, fmt.Sprintf("gauge[%d]", i), &gauge.Gauges, g.What)
		p.gauges = append(p.gauges, x)
	}
	for i := range s.Wall {
		p.walls = append(p.walls, s.Wall[i].wall(f, fmt.Sprintf("wall[%d]", i)))
	}
	if s.Gas == nil {
		s.openPeriodic(p.walls)
	}
	for i := range s.Body {
		p.bodies = append(p.bodies, s.Body[i].body(f, fmt.Sprintf("body[%d]", i)))
	}
	s.join(report, p.bodies)
	for i, w := range s.Force {
		x, _ := makeVariant(f, fmt.Sprintf("force[%d]", i), &force.Forces, w)
		p.forces = append(p.forces, x)
	}
	if s.Gas != nil {
		s.gasParts(f, &p.gas)
	} else {
		p.solver = liquidSolver(f, s.Solver)
	}
	p.finder, _ = makeVariant(f, "neighbor", &neighbor.Finders, s.Search)
	p.surface, _ = makeVariant(f, "surface", &surface.Methods, s.Surface)
	p.look, _ = makeVariant(f, "look", &raster.Looks, s.Look)
	return p
}

// liquidSolver builds the solver of a liquid, nil if it cannot.
func liquidSolver(f *builder, v toml.Variant) sim.Solver {
	if slices.Contains(vortex.Solvers.Names(), v.Kind) {
		f.Value(v.Node.Get("kind"), "%q moves gases, and this scene has a liquid; %s", v.Kind, toml.Expected(v.Kind, sim.Solvers.Names()))
		return nil
	}
	x, _ := makeVariant(f, "solver", &sim.Solvers, v)
	return x
}

// checker looks for faults in a scene whose values are valid one by one. Checks that
// depend on a value that was already reported are left out.
type checker struct {
	*toml.Report
	*parts
	scene *Scene
	whole bool // nothing of the file was skipped, so absent keys are truly missing
	draft bool // what the scene needs is not known yet, since changes follow
}

// machine returns the memory that a run may have, and who bounds it; 0 for any.
func (c *checker) machine() (have int64, who string) {
	if c.draft {
		return 0, ""
	}
	return memory.Machine()
}

// check reports everything that keeps s from being run.
// Of a draft, to which changes follow, it does not ask whether the machine has enough memory.
func (s *Scene) check(f *toml.Report, whole, draft bool) {
	c := &checker{Report: f, parts: s.parts(f), scene: s, whole: whole, draft: draft}
	c.title()
	c.time()
	c.wallNames()
	c.picture()
	c.formats()
	c.keep()
	if s.Gas != nil {
		c.gas()
	} else {
		c.noGas()
		c.liquidScene()
	}
	c.materials()
	c.blur()
	c.letters()
	c.light()
	c.camera()
}

// liquidScene reports the faults of the liquid, its walls and its bodies.
func (c *checker) liquidScene() {
	s, whole := c.scene, c.whole
	c.liquid()
	c.domain()
	c.velocityFields()
	c.whitewater()
	spacing := s.root.Find("liquid", "spacing")
	if spacing == nil && whole {
		c.missing("liquid.spacing", `is missing; expected the spacing of the particles, such as spacing = "3 cm" under [liquid]`)
	}
	if whole && s.root.Get("fluid").Empty() && s.root.Get("inflow").Empty() {
		c.missing("fluid", "is missing; a scene needs liquid: add a [[fluid]] table with a kind, such as \"box\" with its min and max, or an [[inflow]]")
	}
	if whole && s.root.Get("wall").Empty() && s.Liquid.Gravity != (vec.Vec3{}) {
		c.missing("wall", "is missing; the liquid would fall for ever: add a [[wall]] table with a kind, such as \"box\" with its min and max")
	}
	known := spacing != nil && !spacing.Bad
	if known {
		c.walls(s.Liquid.Spacing)
		c.bodies(s.Liquid.Spacing)
	}
	c.blocks(s.Liquid.Spacing, known)
	c.inflows(s.Liquid.Spacing, known)
	c.gauges()
	if known {
		c.room(s.Liquid.Spacing)
		c.places(s.Liquid.Spacing)
		c.full()
		c.motions()
		c.steps()
		c.suits()
	}
}

// missing reports that the scene lacks the value at path, at the head of the
// table that should hold it if there is one.
func (c *checker) missing(path, text string) {
	keys := strings.Split(path, ".")
	root := c.scene.root
	if t := root.Find(keys[:len(keys)-1]...); t != nil && t != root {
		c.At(t.Src, t.At, path, "%s", text)
		return
	}
	c.List = append(c.List, toml.Fault{File: root.Src.Name, Key: path, Text: text})
}

// badValue reports whether the value at the path was given and reported.
func (c *checker) badValue(keys ...string) bool {
	n := c.scene.root.Find(keys...)
	return n != nil && n.Broken()
}

func (c *checker) time() {
	if c.badValue("time") {
		return
	}
	t := c.scene.Time
	if end, duration := c.scene.root.Find("time", "end"), c.scene.root.Find("time", "duration"); end != nil && duration != nil {
		c.Report.Value(end, "the duration of the film is given too%s, and each determines the other; remove one of them", lineOf(end, duration))
		return
	}
	if n := t.Duration * t.FPS; n > maxFrames {
		at := c.scene.root.Find("time", "end").Or(c.scene.root.Find("time", "duration"))
		if at == nil {
			at = c.scene.root.Find("time", "fps")
		}
		c.Report.Value(at, "%s s at %s frames per second are %.0f frames; expected at most %.0f: shorten the film", registry.Number(t.Duration), registry.Number(t.FPS), n, float64(maxFrames))
	}
}

func (c *checker) picture() {
	size := c.scene.root.Find("picture", "size")
	if size == nil || size.Broken() {
		return
	}
	w, h := c.scene.Picture.Size[0], c.scene.Picture.Size[1]
	pixels := c.scene.Pixels()
	have, who := c.machine()
	switch {
	case pixels > maxPixels:
		c.Report.Value(size, "%d × %d are %.0f megapixels; expected at most %.0f", w, h, pixels/1e6, float64(maxPixels)/1e6)
	case have > 0 && memory.LeastPicture(pixels) > float64(have):
		c.Report.Value(size, "%d × %d pixels need about %.3g GB of memory, but %s %.3g GB: use fewer than %.2g megapixels",
			w, h, memory.LeastPicture(pixels)/1e9, who, float64(have)/1e9, pixels/1e6*float64(have)/memory.LeastPicture(pixels)/1.1)
	}
}

// letters checks that the font has all letters of the overlay.
func (c *checker) letters() {
	at := c.scene.root.Find("overlay", "title")
	if at == nil || at.Bad {
		return
	}
	if list := overlay.Missing(c.scene.Overlay.Title); len(list) > 0 {
		var names []string
		for _, r := range list {
			names = append(names, strconv.QuoteRune(r))
		}
		c.Report.Value(at, "the font has no letter for %s; expected one line of Latin, Greek or Cyrillic letters", strings.Join(names, ", "))
	}
}

// blur checks that a look which blurs nothing is not asked to.
func (c *checker) blur() {
	if c.look == nil || !raster.Sharp(c.look) {
		return
	}
	for _, key := range [2][2]string{{"picture", "shutter"}, {"camera", "aperture"}} {
		at := c.scene.root.Find(key[0], key[1])
		if at == nil || at.Bad || key[0] == "picture" && c.scene.Picture.Shutter == 0 || key[0] == "camera" && c.scene.Camera.Aperture == 0 {
			continue
		}
		c.Report.Value(at, "has no effect, since the look %q has no motion blur; leave it out, or choose another look", c.scene.Look.Kind)
	}
}

func (c *checker) formats() {
	archives := func(part out.Part) []string {
		return namesOf(&out.Archives, func(a out.Archive) bool { return a.Holds()&part != 0 })
	}
	meshes := slices.Concat(namesOf(&out.Formats, func(f out.PerFrame) bool { return f.Needs()&out.NeedsMesh != 0 }), archives(out.NeedsMesh))
	slices.Sort(meshes)
	c.names("mesh format", meshes, "mesh", "formats")
	points := slices.Concat(out.PointFormats.Names(), archives(out.NeedsParticles))
	slices.Sort(points)
	c.names("particle file format", points, "particles", "formats")
	c.names("particle file format", points, "whitewater", "formats")
	c.names("grid", out.ParcelGrids, "whitewater", "volumes")
	c.attributes()
	volumes := namesOf(&out.Formats, func(f out.PerFrame) bool { return f.Needs()&out.NeedsVolume != 0 })
	c.names("volume format", volumes, "volume", "formats")
	grids := c.scene.volumeGrids()
	c.names("grid", grids, "volume", "grids")
	if n := c.scene.root.Find("volume", "grids"); n != nil && !n.Broken() && len(n.Items) == 0 {
		c.Report.Value(n, "is empty; expected one or more of %s", strings.Join(grids, ", "))
	}
	c.names("film format", film.Formats.Names(), "video", "formats")
}

// namesOf returns the names of the variants that fit.
func namesOf[T any](set *registry.Set[T], fit func(T) bool) (names []string) {
	for e, x := range set.Defaults() {
		if fit(x) {
			names = append(names, e.Name)
		}
	}
	return names
}

// names checks a list of names against the known ones.
func (c *checker) names(what string, known []string, path ...string) {
	n := c.scene.root.Find(path...)
	if n == nil || n.Broken() {
		return
	}
	for i, x := range n.Items {
		if !slices.Contains(known, x.Text) {
			c.Report.Value(x, "unknown %s %q; %s", what, x.Text, toml.Expected(x.Text, known))
		} else if slices.ContainsFunc(n.Items[:i], func(y *toml.Node) bool { return y.Text == x.Text }) {
			c.Report.Value(x, "%q appears twice; remove one", x.Text)
		}
	}
}

// lineOf names the line of n for a message about at: " (line 12)", with the
// file where it is another.
func lineOf(at, n *toml.Node) string {
	line, _, _ := n.Src.Place(n.At.Off)
	if n.Src != at.Src {
		return fmt.Sprintf(" (%s line %d)", n.Src.Name, line)
	}
	return fmt.Sprintf(" (line %d)", line)
}

// point returns x as a scene file has it, to the millimetre of a metre.
func point(x vec.Vec3) string { return fmt.Sprintf("[%.4g, %.4g, %.4g]", x.X, x.Y, x.Z) }
