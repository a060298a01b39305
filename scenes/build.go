package scenes

import (
	"math"
	"slices"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/raster/camera"
	"breakwater/raster/sky"
	"breakwater/scenes/scenery"
	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	_ "breakwater/sim/classic" // its solvers
	"breakwater/sim/gauge"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/surface"
)

// Built is a scene made ready to run.
type Built struct {
	World     *sim.World // filled, with its walls ready, at time 0
	Solver    sim.Solver
	Flow      *vortex.Flow   // of a gas, at time 0; nil for a liquid
	GasSolver vortex.Solver  // likewise
	Meters    []*gauge.Meter // of the scene's gauges
	Start     int            // particles at the start; in a plan, about how many

	Surface surface.Method
	Solids  []surface.Wall // the walls, for Surface

	Look     raster.Look
	Light    sky.Light
	Camera   camera.Camera // of the first frame: the scene's, or one that shows the whole tank
	Floor    float64       // height of the floor, m
	Ground   vec.Box       // the extent of the floor's layout
	Warnings []string      // settings that give poor results and parts that the picture will not show, in words

	Notes []string // what is as well as it can be, but not quite as asked for, in words

	Formats Formats // of the files that are made

	Fastest float64 // highest speed to expect, m/s
	Most    int     // particles at the start and from inflows

	scenery.Set
	Afloat   []out.Object // the bodies, about their centres of mass
	Material out.Material // of the liquid
	Shot     *shot
	parts    *parts
}

// Build makes everything that s describes. The error is of type Faults.
func (s *Scene) Build() (*Built, error) { return s.build(math.MaxInt) }

// Plan is Build for an estimate of a run. It does not make the particles of blocks of
// liquid if they may be more than a few, but counts them. It takes little time and
// memory, whatever the spacing.
func (s *Scene) Plan() (*Built, error) { return s.build(planPlaces) }

// planPlaces is how many places a plan looks at for particles, in all blocks
// and for all walls.
const planPlaces = 400_000

// build is Build if the blocks have at most most places for particles, each of which is
// tested against each wall, and otherwise Plan.
func (s *Scene) build(most int) (*Built, error) {
	var f toml.Report
	p := s.parts(&f)
	if err := f.Err(); err != nil {
		return nil, err
	}
	var b *Built
	var err error
	if s.Gas != nil {
		b, err = s.buildGas(p)
	} else {
		b, err = s.buildLiquid(p, most)
	}
	if err != nil {
		return nil, err
	}
	b.Notes = append(s.lengthNotes(), b.Notes...)
	w := b.World
	l := s.layout(p)
	b.Floor, b.Ground = l.Floor, l.Shown
	if b.Formats, err = s.formats(); err != nil {
		return nil, err
	}
	if b.Light, err = s.light(); err != nil {
		return nil, err
	}
	style := s.style()
	tanked := false // whether there is a tank already
	for i, wall := range p.walls {
		b.Solids = append(b.Solids, s.solid(wall))
		if s.Wall[i].Hidden {
			continue
		}
		x, drawn := style.Of(wall)
		if !drawn {
			x, drawn = l.Plane(p.walls, i)
		}
		if x.Tank != nil && tanked {
			shape, _ := body.Unwrap(wall)
			x.Vessel, x.Tank = style.BoxVessel(shape.(*boundary.Box), false), nil
		}
		tanked = tanked || x.Tank != nil
		if err := x.Paint(s.Wall[i].Finish, s.Wall[i].Shape, wall); err != nil {
			return nil, err
		}
		if drawn {
			b.Add(x)
		}
	}
	if b.Tank != nil {
		b.Ground = b.Tank.Box
	}
	b.Material = scenery.Liquid(b.Look)
	taken := []string{b.Material.Name}
	for i, free := range w.FreeBodies() {
		b.Solids = append(b.Solids, s.solid(free))
		x, _ := style.Of(free)
		if err := x.Paint(s.Body[i].Finish, s.Body[i].Shape, free); err != nil {
			return nil, err
		}
		if !s.Body[i].Hidden {
			b.Moving = append(b.Moving, x)
		}
		o := out.Object{Name: s.BodyName(i), Mesh: about(x.Mesh, free.Motion.Center)}
		taken = x.Materials(&o, taken)
		b.Afloat = append(b.Afloat, o)
	}
	for _, n := range w.Nozzles() {
		if !n.Flush {
			b.Obstacles = append(b.Obstacles, pipe(n, w.Spacing))
		}
	}
	for _, pipe := range w.Pipes() {
		b.Solids = append(b.Solids, pipe)
	}
	b.Shot = s.shot(l)
	b.Camera = b.Shot.At(0)
	b.Warnings = append(s.unseen(p, l, b.Shot), s.withoutAir(b.Fastest)...)
	if s.Gas != nil {
		b.Warnings = append(b.Warnings, s.gasWarnings(b)...)
	} else {
		b.Warnings = append(b.Warnings, s.domainWarnings(p)...)
	}
	return b, nil
}

// buildLiquid makes a liquid ready to run; see build.
func (s *Scene) buildLiquid(p *parts, most int) (*Built, error) {
	var f toml.Report
	w := s.world(p)
	w.FillFor(p.solver)
	counted, fill := 0, w.Fill
	if most < math.MaxInt && p.places(s, w) > float64(most) {
		each := max(1, most/len(p.shapes)/max(1, len(w.Walls)))
		fill = func(block shape.Shape, _ vec.Vec3) int {
			n := w.Places(block, each)
			counted += n
			return n
		}
	}
	var counts []int
	for i, block := range p.shapes {
		before := w.Len()
		n := fill(block, s.Fluid[i].Velocity)
		counts = append(counts, n)
		p.setVelocities(s, i, w, before)
		if n == 0 {
			f.Value(s.Fluid[i].Shape.Node, "holds no particle outside walls and other blocks; make it larger or move it")
		}
	}
	if len(f.List) == 0 {
		if err := w.Init(); err != nil {
			f.List = append(f.List, toml.Fault{File: s.root.Src.Name, Text: err.Error()})
		}
	}
	if err := f.Err(); err != nil {
		return nil, err
	}

	b := &Built{Notes: append(p.cutNotes(), s.fillNotes(p, w, counts, counted > 0)...), parts: p, World: w, Meters: s.meters(p), Solver: p.solver, Surface: p.surface, Look: p.look}
	for _, m := range b.Meters {
		w.Observers = append(w.Observers, m)
	}
	d := s.Liquid.Spacing
	b.Start = counted + w.Len()
	if counted > 0 { // the world lacks the particles from which it expects a speed
		w.Speed = s.motion(p).fastest
	}
	b.Fastest, b.Most = w.Speed, b.Start+int(p.incoming(s)/s.ParticleVolume(d))
	return b, nil
}

// places returns how often Fill asks a wall of w about a place for a particle.
func (p *parts) places(s *Scene, w *sim.World) (n float64) {
	for _, shape := range p.shapes {
		n += volumeOf(shape.Bounds())
	}
	d := s.Liquid.Spacing
	return n / s.ParticleVolume(d) * float64(max(1, len(w.Walls)))
}

// world returns the world that s describes, without its blocks of liquid.
func (s *Scene) world(p *parts) *sim.World {
	w := s.emptyWorld(s.Liquid.Spacing)
	w.Period, _ = s.period(p.walls)
	w.Closed = s.Domain.Closed
	w.Viscosity, w.Gravity = s.Liquid.Viscosity, s.Liquid.Gravity
	w.ViscosityError, w.SurfaceTension, w.ContactAngle = s.Liquid.ViscosityError, s.Liquid.SurfaceTension, s.Liquid.ContactAngle
	w.Finder, w.Walls, w.Forces = p.finder, slices.Clone(p.walls), p.forces
	for _, b := range p.bodies {
		if b != nil {
			w.Walls = append(w.Walls, b)
		}
	}
	w.Inflows, w.Outflows = s.sources(p)
	return w
}
