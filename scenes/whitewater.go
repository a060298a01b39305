package scenes

import (
	"slices"

	"breakwater/out"
	"breakwater/scenes/stage"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/particle"
	"breakwater/sim/whitewater"
)

// Whitewater is the scene's [whitewater] table.
type Whitewater struct {
	whitewater.Settings

	Formats []string `toml:"formats" doc:"Formats of files with the parcels of whitewater, in the folder whitewater, as for [particles]. Each parcel has its number id, velocity, width (the diameter of a drop or bubble as it is drawn, m: they appear and vanish by growing and shrinking), count (how many it stands for), kind (0 spray, 1 foam, 2 bubble, 3 mist) and age (s). Archives are NAME_whitewater.abc and so on."`
	Volumes []string `toml:"volumes" doc:"Grids of vdb files in the folder whitewater: the extinction of spray, foam, bubbles and mist in 1/m, and the velocity. Their voxels have the size volume.voxel."`
	Expand  int      `toml:"expand" range:"[1, 1000]" doc:"Largest number of points that these files and archives have for a parcel. A parcel of many drops or bubbles becomes as many points, up to this, about its place, and each has its share of the count. With enough of them every point is one drop or bubble."`
	Up      string   `toml:"up" oneof:"y z" doc:"Up axis of these files. By default the axis that programs reading the format expect."`
	Unit    string   `toml:"unit" oneof:"m cm mm" doc:"Unit of length in these files. By default the unit that programs reading the format expect."`
	Keep    string   `toml:"keep" doc:"Frames that have these files: \"all\", which is the default, \"none\", or for example \"every 5th\", which has frames 1, 6, 11 and so on. Archives have all frames."`
	Gzip    bool     `toml:"gzip" doc:"Whether to compress each frame's files, as NAME_0001.csv.gz."`
}

// defaultWhitewater returns the whitewater of an empty [whitewater] table.
func defaultWhitewater() *Whitewater {
	return &Whitewater{Settings: whitewater.DefaultSettings(), Expand: 1}
}

// Axes returns the axes of the files of a format.
func (w *Whitewater) Axes(format any) out.Axes { return axes(format, w.Up, w.Unit) }

// WhitewaterOf returns the whitewater of s, of which b was built, without any parcels, or
// nil if the scene has none. It moves the walls of b.
func (s *Scene) WhitewaterOf(b *Built) (*whitewater.Whitewater, error) {
	if s.Whitewater == nil {
		return nil, nil
	}
	w := b.World
	around := s.whitewaterScene()
	around.Place = func(t float64, free []particle.Body) error {
		for _, wall := range w.Walls {
			wall.Move(t)
		}
		return w.PlaceBodies(free)
	}
	for _, wall := range w.Walls {
		if moves(wall) {
			around.Bodies = append(around.Bodies, wall)
		} else {
			around.Walls = append(around.Walls, bareWall(wall))
		}
	}
	for _, pipe := range w.Pipes() {
		around.Walls = append(around.Walls, pipe)
	}
	for _, o := range w.Outflows {
		around.Outside = append(around.Outside, o.Region)
	}
	return whitewater.New(s.Whitewater.Settings, around)
}

// whitewaterScene returns the surroundings of whitewater, without walls.
func (s *Scene) whitewaterScene() whitewater.Scene {
	around := whitewater.Scene{
		Spacing: s.Liquid.Spacing, Rho0: s.Liquid.Density, Viscosity: s.Liquid.Viscosity, SurfaceTension: s.Liquid.SurfaceTension,
		Gravity: s.Liquid.Gravity,
	}
	if around.SurfaceTension == 0 { // which the simulation leaves out, not nature
		around.SurfaceTension = waterTension
	}
	return around
}

// BreakupTime returns the time in which threads of the liquid as thick as the spacing break into drops, s.
func (s *Scene) BreakupTime() float64 {
	around := s.whitewaterScene()
	return around.BreakupTime()
}

// withoutAir says why the whitewater has no air, in words, if the liquid is nowhere faster
// than the given speed, m/s.
func (s *Scene) withoutAir(fastest float64) (list []string) {
	if s.Whitewater == nil {
		return nil
	}
	if why := whitewater.NoAir(s.Whitewater.Settings, s.whitewaterScene(), fastest); why != "" {
		list = append(list, "[whitewater] makes neither bubbles nor foam: "+why)
	}
	return list
}

// waterTension is the surface tension of a liquid that gives none, N/m.
const waterTension = 0.0728

// bareWall returns the wall itself of one that stands still. Its kind says whether it is
// convex, which saves distances.
func bareWall(wall boundary.Boundary) boundary.Boundary {
	if x, ok := wall.(*body.Body); ok {
		return x.Boundary
	}
	return wall
}

// moves reports whether a wall is ever elsewhere than at the start.
func moves(wall boundary.Boundary) bool {
	x, ok := wall.(*body.Body)
	return ok && (x.Free != nil || !x.Motion.Still())
}

// Free removes from p, particles at time t, those that have not left the nozzles.
func (b *Built) Free(p *particle.Set, t float64) {
	if len(b.World.Inflows) == 0 {
		return
	}
	var inside []int32
	for i, id := range p.ID {
		if b.World.InBuffer(id, t) {
			inside = append(inside, int32(i))
		}
	}
	p.Remove(inside)
}

// whitewaterRecipes list the settings of the particles that are shown as spray, and of the
// parcels.
func (s *Scene) whitewaterRecipes() (airborne, parcels *stage.Recipe) {
	w := s.Whitewater
	airborne, parcels = &stage.Recipe{}, &stage.Recipe{}
	airborne.Add("version", whitewaterVersion)
	airborne.Add("spray", w.Spray)
	airborne.Add("group", w.Group)
	airborne.Add("seed", w.Seed)
	airborne.Add("strays", slices.Contains(w.Sources, "strays"))
	parcels.Add("version", whitewaterVersion)
	parcels.Add("settings", w.Settings)
	return airborne, parcels
}

// whitewaterFormats returns the formats of files with parcels.
func (s *Scene) whitewaterFormats() []string {
	if s.Whitewater == nil {
		return nil
	}
	return s.Whitewater.Formats
}

// whitewater reports the faults of the whitewater.
func (c *checker) whitewater() {
	w := c.scene.Whitewater
	if w == nil {
		return
	}
	at := c.scene.root.Find("whitewater")
	c.names("source of whitewater", whitewater.Sources.Names(), "whitewater", "sources")
	for _, fault := range w.Faults() {
		if fault.Key == "sources" {
			continue // named above, each at its place
		}
		n := at.Get(fault.Key)
		if n == nil {
			n = at
		}
		if !n.Broken() {
			c.Report.Value(n, "%s", fault.What)
		}
	}
}
