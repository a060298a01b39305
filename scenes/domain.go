package scenes

import (
	"slices"

	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/inflow"
	"breakwater/sim/kernel"
	"breakwater/sim/outflow"
	"breakwater/sim/period"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// Domain is the scene's [domain] table.
type Domain struct {
	Dim      int      `toml:"dim" range:"[2, 3]" doc:"Number of dimensions. With 2, the scene is the section of its blocks and solids by the plane z = 0, where all particles lie. Volumes, masses and forces are for one metre of depth. Free bodies turn about z. A box may have any extent along z that includes 0, such as min = [0, 0, 0] and max = [2, 1, 0]; all other positions and directions have z = 0. Particles are drawn and not meshed: the look is particles, and the camera faces the plane."`
	Periodic []string `toml:"periodic" oneof:"x y z" doc:"Axes along which the scene repeats itself, such as [\"x\"]. A particle that leaves the range on one side enters it on the other. A box that spans the range has no faces there. A gas needs the solver mesh, a range, and cells of which a multiple of 8 fit into it: for a plane flow, periodic = [\"z\"] and 8 cells."`
	Min      vec.Vec3 `toml:"min" unit:"m" absent:"of the first tank of a liquid" doc:"Lower corner of the range that repeats; its other coordinates have no effect."`
	Max      vec.Vec3 `toml:"max" unit:"m" absent:"of the first tank of a liquid" doc:"Upper corner of the range that repeats. Its sides are a whole number of spacings long, four or more."`
	Closed   bool     `toml:"closed" doc:"Whether the liquid fills the domain and has no surface. Its pressure may then have any sign, and is known up to a constant."`
}

// Flat reports whether the scene has two dimensions.
func (s *Scene) Flat() bool { return s.Domain.Dim == 2 }

// Meshless reports whether the scene has no surface to mesh: a gas, or a liquid of two
// dimensions.
func (s *Scene) Meshless() bool { return s.Gas != nil || s.Flat() }

// meshTables are the tables that need a surface or a volume.
var meshTables = []string{"surface", "mesh", "volume", "whitewater"}

// flatLook is the look of a scene of two dimensions that names none.
const flatLook = "particles"

// domainDefaults sets what two dimensions have instead of other defaults.
func (s *Scene) domainDefaults() {
	if n := s.root.Find("domain", "dim"); n != nil && n.Text == "2" {
		s.Look.Kind = flatLook
	}
}

// completeDomain drops what two dimensions do not have.
func (s *Scene) completeDomain() {
	if s.Flat() {
		s.Mesh.Formats = nil
	}
}

// kernel returns the kernel of particles d apart.
func (s *Scene) kernel(d float64) kernel.Kernel {
	return kernel.NewCubicSpline(s.Domain.Dim, kernel.Support(d))
}

// emptyWorld returns a world without walls and particles, for particles d apart.
func (s *Scene) emptyWorld(d float64) *sim.World {
	if s.Flat() {
		return sim.New2D(d, s.Liquid.Density)
	}
	return sim.New(d, s.Liquid.Density)
}

// ParticleVolume returns the volume of a particle for particles d apart, m³; in two
// dimensions for one metre of depth.
func (s *Scene) ParticleVolume(d float64) float64 {
	if s.Flat() {
		return d * d
	}
	return d * d * d
}

// volumeOf returns the volume of a box, m³. A box without depth, as in two dimensions,
// counts as one metre deep.
func volumeOf(b vec.Box) float64 {
	if !b.IsEmpty() && b.Min.Z == b.Max.Z {
		b.Min.Z, b.Max.Z = 0, 1
	}
	return b.Volume()
}

// edges returns the lengths of a box along the axes of the scene, m.
func (s *Scene) edges(b vec.Box) []float64 {
	size := b.Size().Array()
	return size[:s.Domain.Dim]
}

// axisNames are the names of the axes.
var axisNames = [3]string{"x", "y", "z"}

// section is a block in two dimensions: its section by the plane z = 0.
type section struct{ shape.Shape }

// Bounds implements Shape.
func (f section) Bounds() vec.Box {
	b := f.Shape.Bounds()
	b.Min.Z, b.Max.Z = 0, 0
	return b
}

// Contains implements Shape.
func (f section) Contains(x vec.Vec3) bool {
	x.Z = 0
	return f.Shape.Contains(x)
}

// meetsPlane reports whether a box has points with z = 0.
func meetsPlane(b vec.Box) bool { return b.Min.Z <= 0 && b.Max.Z >= 0 }

// missesPlane is the fault of a shape without a section.
const missesPlane = "does not meet the plane z = 0, and the scene has two dimensions; move it there"

// sectionOf returns the section of a block, nil after a fault.
func (f *builder) sectionOf(at *toml.Node, x shape.Shape) shape.Shape {
	if !f.flat || x == nil {
		return x
	}
	if !meetsPlane(x.Bounds()) {
		f.Value(at, "%s", missesPlane)
		return nil
	}
	if b, ok := x.(*shape.Box); ok { // whose lattice is fitted
		flat := *b
		flat.Min.Z, flat.Max.Z = 0, 0
		return &flat
	}
	return section{x}
}

// flatWall returns a wall of two dimensions: its section by the plane z = 0, or nil after
// a fault.
func (f *builder) flatWall(at *toml.Node, wall boundary.Boundary) boundary.Boundary {
	x, err := boundary.Section(wall)
	if err != nil {
		f.Value(at, "%v", err)
		return nil
	}
	return x
}

// slit returns the opening of an inflow as the scene has it: in two dimensions its section by the
// plane z = 0. A direction out of the plane is reported with the directions of other tables.
func (f *builder) slit(x inflow.Opening, direction vec.Vec3) inflow.Opening {
	if !f.flat || x == nil {
		return x
	}
	flat, err := inflow.Section(x, direction)
	if err != nil {
		return nil
	}
	return flat
}

// flatRegion returns the region of an outflow in two dimensions.
func flatRegion(r boundary.Region) boundary.Region {
	if b, ok := r.(*outflow.Box); ok && b != nil {
		whole := *b
		whole.Min.Z, whole.Max.Z = -boundary.Endless, boundary.Endless
		return &whole
	}
	return r
}

// period returns the range in which the scene repeats itself, and whether it is known. It
// is the range of the domain, or else of the first tank.
func (s *Scene) period(walls []boundary.Boundary) (p period.Period, ok bool) {
	d := &s.Domain
	if len(d.Periodic) == 0 {
		return p, true
	}
	p.X, p.Y, p.Z = slices.Contains(d.Periodic, "x"), slices.Contains(d.Periodic, "y"), slices.Contains(d.Periodic, "z")
	at := s.root.Get("domain")
	if at.Get("min") != nil && at.Get("max") != nil {
		p.Min, p.Max = d.Min, d.Max
		return p, true
	}
	for _, w := range walls {
		if w == nil {
			continue
		}
		shape, _ := body.Unwrap(w)
		if b, is := shape.(*boundary.Box); is && b.Inside {
			p.Min, p.Max = b.Min, b.Max
			return p, true
		}
	}
	return period.Period{}, false
}

// openPeriodic takes away the faces of boxes across the range in which the scene repeats
// itself.
func (s *Scene) openPeriodic(walls []boundary.Boundary) {
	p, ok := s.period(walls)
	if !ok || !p.Any() {
		return
	}
	slack := float64(periodSlack * s.Liquid.Spacing)
	for _, w := range walls {
		if w == nil {
			continue
		}
		shape, _ := body.Unwrap(w)
		b, is := shape.(*boundary.Box)
		if !is {
			continue
		}
		for axis := range 3 {
			if on, lo, hi := p.Side(axis); on && b.Min.Array()[axis] <= lo+slack && b.Max.Array()[axis] >= hi-slack {
				b.Repeat(axis)
			}
		}
	}
}

// periodSlack is how far, in spacings, a number may be off: more than rounding in a
// scene's numbers may cause.
const periodSlack = 1e-6
