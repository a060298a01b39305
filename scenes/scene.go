// Package scenes reads scene files, checks them, and runs what they describe
// stage by stage: particles, meshes, frames, film.
package scenes

import (
	"math"

	"breakwater/raster"
	"breakwater/sim"
	"breakwater/sim/vec"
)

// Scene is a scene file, checked. Lengths are in metres, times in seconds.
type Scene struct {
	Name string `toml:"-"` // base name of the file: the prefix of every output
	Path string `toml:"-"` // where it was read; "" for a shipped scene

	Extends string `toml:"extends" doc:"A shipped scene or a file whose values hold where this file says nothing."`
	Title   string `toml:"title" doc:"One line that says what is seen."`

	Time    Time           `toml:"time" doc:"Length and speed of the film."`
	Liquid  Liquid         `toml:"liquid" doc:"The liquid and how finely it is resolved."`
	Fluid   []Block        `toml:"fluid" doc:"The blocks of liquid at the start. A scene has three dimensions; for a flow in a plane take a tank and blocks that are three to five spacings thick across the plane, and walls without friction."`
	Inflow  []Inflow       `toml:"inflow" doc:"Openings through which liquid comes in. Each is the mouth of a pipe with a closed end and a wall of one spacing, which stands in the tank. An opening may lie in a side of a box that does not move instead, as wide as the side or smaller: with position = [0, 0.1, 0.3] and direction = [1, 0, 0] in a tank that begins at x = 0. Its pipe is then outside and takes no room. So begins a channel, which ends at an open side of the box."`
	Outflow []Outflow      `toml:"outflow" doc:"Where liquid is taken away."`
	Gauge   []Gauge        `toml:"gauge" doc:"What is measured while the liquid moves, each in a file gauges/NAME.csv. A value between two steps is on the straight line between those at their ends; the steps are as they would be without gauges. An empty cell means that there is nothing to measure, as the velocity where no liquid is; the pressure there is 0. At the start pressures and forces are those that the first step finds. The last two columns are the frame up to which a row was made, and a mark of its fingerprint."`
	Wall    []Wall         `toml:"wall" doc:"What the liquid may not cross: the tank, obstacles."`
	Body    []Body         `toml:"body" doc:"Solids that float in the liquid or sink in it: it moves them, and they move it. They touch each other and the walls, and push the liquid out of where they start."`
	Solver  Variant        `toml:"solver" doc:"How the particles are moved."`
	Force   []Variant      `toml:"force" doc:"What acts on the liquid besides pressure, viscosity and gravity."`
	Search  Variant        `toml:"neighbor" doc:"How neighbours are found."`
	Surface Variant        `toml:"surface" doc:"How particles become a mesh."`
	Mesh    Mesh           `toml:"mesh" doc:"The mesh files."`
	Points  Points         `toml:"particles" doc:"Files of the particles for other programs, in the folder points. What runs go on from, in the folder particles, is always written. Particles in the pipe of an inflow are left out."`
	Volume  Volume         `toml:"volume" doc:"Files of the liquid as a volume, for smoke-like looks, motion blur, and remeshing elsewhere, in the folder volumes."`
	Picture Picture        `toml:"picture" doc:"The frames."`
	Camera  *Camera        `toml:"camera" doc:"Where the film is seen from, and how that moves; framed to show the whole tank if absent, or as far as it has neither eye nor target."`
	Light   raster.Light   `toml:"light" doc:"Sun, and sky or studio."`
	Look    Variant        `toml:"look" doc:"How the liquid looks. A liquid that is named has the look of that name if this says no kind."`
	Overlay raster.Overlay `toml:"overlay" doc:"What is written over the picture."`
	Video   Video          `toml:"video" doc:"The film."`

	root *node // what was read, with all that the scene extends below it
}

// defaults returns what holds where a scene file says nothing.
func defaults() *Scene {
	return &Scene{
		Time:    Time{Duration: 3, FPS: 30, Speed: 1},
		Liquid:  Liquid{Density: 1000, Viscosity: 1e-6, DynamicViscosity: 1e-3, ViscosityError: 1e-2, ContactAngle: 90, Gravity: vec.New(0, -9.81, 0)},
		Solver:  Variant{Kind: defaultKinds["solver"]},
		Search:  Variant{Kind: defaultKinds["neighbor"]},
		Surface: Variant{Kind: defaultKinds["surface"]},
		Mesh:    Mesh{Formats: []string{"obj"}},
		Volume:  Volume{Grids: []string{"density", "velocity"}, Voxel: 0.5},
		Picture: Picture{Size: [2]int{1280, 720}, Quality: raster.Good, Floor: raster.Slabs},
		Camera:  &Camera{Camera: raster.Camera{Focal: 40}, Lag: 0.6},
		Light:   raster.DefaultLight(),
		Look:    Variant{Kind: defaultKinds["look"]},
		Video:   Video{Formats: []string{"mp4"}, Encoder: "auto", CRF: 16},
	}
}

// Time is the scene's [time] table.
type Time struct {
	Duration float64 `toml:"duration" unit:"s" range:"(0, inf)" doc:"Length of the film."`
	FPS      float64 `toml:"fps" unit:"1/s" range:"[0.01, 1000]" doc:"Frames a second of film."`
	Speed    float64 `toml:"speed" unit:"1" range:"[1e-6, 100]" doc:"Simulated seconds a second of film: 0.5 is half speed."`
}

// Frames returns the number of frames. Frame n, from 1, shows the simulated
// time At(n).
func (t Time) Frames() int { return max(1, int(t.Duration*t.FPS+0.5)) }

// At returns the simulated time of frame n, in seconds; frame 1 is the start.
func (t Time) At(n int) float64 { return float64(n-1) / t.FPS * t.Speed }

// Liquid is the scene's [liquid] table.
type Liquid struct {
	Spacing          float64  `toml:"spacing" unit:"m" range:"(0, inf)" doc:"Distance of the particles at rest; half as much means eight times the particles."`
	Name             string   `toml:"name" oneof:"water seawater ethanol mercury milk blood oil glycerol honey lava" doc:"A liquid whose values hold where this table says nothing; see the liquids below."`
	Density          float64  `toml:"density" unit:"kg/m³" range:"[1, 1e5]" doc:"Rest density."`
	Viscosity        float64  `toml:"viscosity" unit:"m²/s" range:"[0, inf)" doc:"Kinematic viscosity: the dynamic one over the density."`
	DynamicViscosity float64  `toml:"dynamic_viscosity" unit:"Pa·s" range:"[0, inf)" doc:"Dynamic viscosity, in place of the kinematic one."`
	ViscosityError   float64  `toml:"viscosity_error" unit:"1" range:"(0, 1]" doc:"How far a thick liquid's step may leave what viscosity does to the velocities from what it should, relative to it."`
	SurfaceTension   float64  `toml:"surface_tension" unit:"N/m" range:"[0, inf)" doc:"Surface tension; it matters where the spacing is a few millimetres or less, and makes a step longer to compute. 0 leaves it out."`
	ContactAngle     float64  `toml:"contact_angle" unit:"deg" range:"[0, 180]" doc:"Angle between the surface and a wall, within the liquid, where there is surface tension: 0 wets, 180 beads."`
	Gravity          vec.Vec3 `toml:"gravity" unit:"m/s²" doc:"Acceleration of free fall."`
}

// Block is one [[fluid]] table: a shape filled with liquid at the start.
type Block struct {
	Shape    Variant  `toml:",inline"` // a variant of sim.Shapes: its kind and its keys
	Velocity vec.Vec3 `toml:"velocity" unit:"m/s" doc:"Velocity at the start."`
}

// Inflow is one [[inflow]] table.
type Inflow struct {
	Opening   Variant  `toml:",inline"` // a variant of sim.Openings: its kind and its keys
	Position  vec.Vec3 `toml:"position" unit:"m" doc:"Middle of the opening."`
	Direction vec.Vec3 `toml:"direction" unit:"1" doc:"Where the liquid flows, of any length; must be given."`
	Speed     float64  `toml:"speed" unit:"m/s" range:"(0, inf)" doc:"Mean speed over the opening: the volume that comes in is the opening's area times this."`
	Pipe      float64  `toml:"pipe" unit:"m" range:"[0, inf)" doc:"Length of the pipe behind the opening; 0 for the shortest, of four spacings and a half. An opening in a side of a tank has none."`
	Profile   string   `toml:"profile" oneof:"flat parabolic" doc:"Whether the speed is the same all over the opening, as it is if nothing is said, or falls from the middle to 0 at the edge, as in a long pipe."`
	Start     float64  `toml:"start" unit:"s" range:"[0, inf)" doc:"Simulated time at which the flow starts; the opening is closed before."`
	Stop      float64  `toml:"stop" unit:"s" range:"[0, inf)" doc:"Simulated time at which the flow stops and the opening is closed; 0 for never."`
}

// sim returns the inflow as a world has it.
func (in *Inflow) sim(opening sim.Opening) sim.Inflow {
	stop := in.Stop
	if stop == 0 {
		stop = math.Inf(1)
	}
	return sim.Inflow{
		Opening: opening, Position: in.Position, Direction: in.Direction, Speed: in.Speed,
		Pipe: in.Pipe, Parabolic: in.Profile == "parabolic", Start: in.Start, Stop: stop,
	}
}

// Outflow is one [[outflow]] table.
type Outflow struct {
	Region Variant `toml:",inline"` // a variant of sim.Regions: its kind and its keys
	Flow   float64 `toml:"flow" unit:"m³/s" range:"[0, inf)" doc:"The most that is taken, the deepest in the region first; 0 for all that gets there."`
}

// Mesh is the scene's [mesh] table.
type Mesh struct {
	Formats []string `toml:"formats" doc:"Formats of the mesh files; obj is always written, since the frames are drawn from it. An archive, such as abc, is one file of all frames and is made from files of plymesh, or of vtp for pvd, which are written too; its velocities are those of the film, for motion blur. Bodies are objects by their names in obj, glb, abc and usda, where they are in each frame; for vtp and pvd they have files in bodies/, with their names, and numbers from 1 as body."`
	Quads   bool     `toml:"quads" doc:"Whether pairs of triangles are quads in the files of obj, plymesh and vtp; a few triangles are left. Frames are drawn from the same triangles."`
	Up      string   `toml:"up" oneof:"y z" doc:"The axis that is up in the files, whatever it is in those of other scenes; as the programs expect that read a format if nothing is said."`
	Unit    string   `toml:"unit" oneof:"m cm mm" doc:"The unit of length in the files; as the programs expect that read a format if nothing is said."`

	Keep string `toml:"keep" doc:"Which frames' files stay once the pictures are drawn from them and archives and volumes made: \"all\", as if nothing is said, \"none\", or as \"every 5th\", which has frames 1, 6, 11 and so on. Frames are meshed and drawn a batch at a time unless all stay or an archive is made of them, so that few are there at once. Another look or camera has them made again."`
	Gzip bool   `toml:"gzip" doc:"Whether each frame's files are compressed, to about a third if they are text, half if not: NAME_0001.obj.gz. Other programs read most of them once they are unpacked."`

	Attributes []string `toml:"attributes" doc:"Attributes of the vertices beside the velocity, in the formats that keep them: the means of those of the particles around. See the attributes below; other units of length do not change them."`
}

// Points is the scene's [particles] table.
type Points struct {
	Formats []string `toml:"formats" doc:"Formats of the files: csv, npz, ply and vtp are a file a frame, abc and usda one of all frames, and pvd lists the files of vtp, which are written too."`
	Up      string   `toml:"up" oneof:"y z" doc:"The axis that is up in the files; as the programs expect that read a format if nothing is said."`
	Unit    string   `toml:"unit" oneof:"m cm mm" doc:"The unit of length in the files, velocities included; as the programs expect that read a format if nothing is said."`

	Keep string `toml:"keep" doc:"Which frames have files: \"all\", as if nothing is said, \"none\", or as \"every 5th\", which has frames 1, 6, 11 and so on. Archives have all frames."`
	Gzip bool   `toml:"gzip" doc:"Whether each frame's files are compressed: NAME_0001.csv.gz, which pandas and NumPy read as it is."`

	Attributes []string `toml:"attributes" doc:"Attributes of the particles beside the velocity and the number, id. See the attributes below; other units of length do not change them."`
}

// Volume is the scene's [volume] table.
type Volume struct {
	Formats []string `toml:"formats" doc:"Formats of the files: vdb."`
	Grids   []string `toml:"grids" doc:"What is in them: density, from 0 to 1, the particles' density over that at rest; velocity; and surface, the signed distance to the mesh, as a level set."`
	Voxel   float64  `toml:"voxel" unit:"1" range:"[0.25, 8]" doc:"Edge of a voxel, in spacings; half as much means eight times the file."`
	Keep    string   `toml:"keep" doc:"Which frames have files: \"all\", as if nothing is said, \"none\", or as \"every 5th\", which has frames 1, 6, 11 and so on."`
	Up      string   `toml:"up" oneof:"y z" doc:"The axis that is up in the files; z, as Blender reads them, if nothing is said, while Houdini expects y."`
	Unit    string   `toml:"unit" oneof:"m cm mm" doc:"The unit of length in the files, velocities and distances included; metres if nothing is said."`
}

// Picture is the scene's [picture] table.
type Picture struct {
	Size    [2]int         `toml:"size" unit:"px" range:"[16, 16384]" doc:"Width and height."`
	Quality raster.Quality `toml:"quality" oneof:"draft good final" doc:"Trades time for finish: draft is a look, good the film, final the film with motion blur and more samples a pixel, at ten times the time of good."`
	Shutter float64        `toml:"shutter" unit:"deg" range:"[0, 360]" absent:"180 at final, else 0" doc:"How long the shutter is open, in degrees of the time from one frame to the next: what moves is blurred, but not the camera, nothing at draft, and no look that measures or draws lines."`
	Floor   raster.Paving  `toml:"floor" oneof:"slabs checker concrete gradient" doc:"What the floor is made of: grey slabs, squares, concrete, or nothing that shows, a seamless backdrop."`
	Rim     float64        `toml:"rim" unit:"m" range:"[0, inf)" doc:"How high the glass of the tank is drawn; its wall goes on above, unseen, and keeps what splashes. 0 is all of the wall."`
}

// Video is the scene's [video] table.
type Video struct {
	Formats []string `toml:"formats" doc:"Film formats; the film is made in each."`
	Encoder string   `toml:"encoder" oneof:"auto ffmpeg own" doc:"What makes an mp4: the x264 of an ffmpeg on the path, Breakwater itself, or auto, which is ffmpeg where it is found."`
	CRF     int      `toml:"crf" range:"[1, 51]" doc:"How coarse an mp4, mov or mkv is: 16 looks like the frames, 23 makes a much smaller film. It is the constant rate factor of x264, and near it if Breakwater encodes, to which less than 6 is 6."`
}
