// Package scenes reads scene files, checks them and builds what they describe. Package
// estimate says what a run of it needs, run runs it, shipped has the scenes that come with
// the program, and convert turns whitewater into what is written and drawn. Below it,
// scenery says how solids are drawn, meshfile reads their files, and memory says what a run
// takes.
//
//	scene.go, liquids.go           the settings of a scene and their defaults
//	read.go, override.go           files and flags into a Scene
//	wall.go, body.go, joint.go     tables of solids
//	keyframes.go                   files of keyframes of walls and the camera
//	velocity_field.go              velocities of blocks at the start
//	sources.go, gauges.go          tables of inflows, outflows and gauges, and their checks
//	domain.go, check_domain.go     two dimensions, and scenes that repeat themselves
//	gas.go, build_gas.go, check_gas.go   a gas in place of the liquid
//	camera.go, environment.go      tables of the picture
//	keep.go, attributes.go, formats.go   the files that are made
//	variant.go                     variants by their kinds, and their files
//	check*.go, steps.go            the faults of a scene
//	warnings_gas.go, unseen.go     settings that give poor results
//	build.go, frame.go             a scene made ready to simulate, mesh and draw
//	notes.go                       notes on what is not quite as asked for
//	layout.go, material.go         things drawn beside the liquid
//	export.go, freeze.go           what other programs and machines get
//	trial_spacing.go               the spacings of trial runs
//	cache_keys.go                  fingerprints of particles, meshes and pictures
package scenes

import (
	"math"

	"breakwater/raster"
	"breakwater/raster/camera"
	"breakwater/raster/overlay"
	"breakwater/raster/sky"
	"breakwater/raster/texture"
	"breakwater/scenes/toml"
	"breakwater/sim/inflow"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// Scene is a scene file, checked. Lengths are in metres, times in seconds.
type Scene struct {
	Name string `toml:"-"` // base name of the file: the prefix of every output
	Path string `toml:"-"` // where it was read; "" for a shipped scene

	Extends string `toml:"extends" doc:"Shipped scene or file that supplies the values which this file does not give."`
	Title   string `toml:"title" doc:"One line that describes the scene."`

	Time       Time            `toml:"time" doc:"Length and speed of the film."`
	Liquid     Liquid          `toml:"liquid" doc:"The liquid and its resolution."`
	Domain     Domain          `toml:"domain" doc:"Dimensions of the scene, and how it repeats itself."`
	Gas        *Gas            `toml:"gas" doc:"A gas in place of the liquid. Vortex particles, called vortons, move it, and tracers show it; see GAS.md."`
	Vortex     []Vortex        `toml:"vortex" doc:"Vorticity of a gas at the start."`
	Source     []GasSource     `toml:"source" doc:"Regions that give off gas: heat, fuel and smoke."`
	Smoke      []SmokeBlock    `toml:"smoke" doc:"Regions of a gas that have tracers at the start."`
	Tracers    Tracers         `toml:"tracers" doc:"The particles that drift with a gas and show it."`
	Flame      *vortex.Flame   `toml:"flame" doc:"Combustion of the fuel in a gas. The table alone, without a key, lights it."`
	Technique  toml.Variant    `toml:"technique" doc:"How the solver gourlay computes the velocity of a gas from its vorticity."`
	Fluid      []Block         `toml:"fluid" doc:"The blocks of liquid at the start. The particles of a box have its volume within 0.5 %; where its edges are not whole numbers of spacings, the lattice is strained to fit. There is no liquid in the place of solid walls and of bodies, nor beyond tanks that are not boxes: a block that reaches out of a cylinder, sphere, polytope or mesh fills it up to the block's top. Beside walls that are round or slope, solver isph spreads the particles evenly before the first step. For a plane flow, see the table [domain]."`
	Inflow     []Inflow        `toml:"inflow" doc:"Openings through which liquid enters. Each is the mouth of a pipe with a closed end and a wall one spacing thick, which stands in the tank. An opening may instead lie in a side of a fixed box, as wide as the side or smaller. An example is position = [0, 0.1, 0.3] and direction = [1, 0, 0] in a tank that begins at x = 0. Its pipe is then outside the tank. A channel begins with such an opening and ends at an open side of the box."`
	Outflow    []Outflow       `toml:"outflow" doc:"Regions where liquid is removed."`
	Gauge      []Gauge         `toml:"gauge" doc:"Measurements during the simulation, each in a file gauges/NAME.csv. Values between two time steps are interpolated linearly; gauges do not change the steps. An empty cell means that there is nothing to measure, such as a velocity where there is no liquid. A pressure there is 0. The row of the start has the pressures and forces of the first step. The last two columns are the frame up to which a row was made and a mark of its fingerprint."`
	Wall       []Wall          `toml:"wall" doc:"Solids that the liquid cannot cross: the tank and obstacles."`
	Body       []Body          `toml:"body" doc:"Solids that float or sink in the liquid. The liquid moves them, and they move the liquid. They touch each other and the walls. Liquid in the place of a body is removed at the start."`
	Solver     toml.Variant    `toml:"solver" doc:"The method that moves the particles of a liquid or a gas."`
	Force      []toml.Variant  `toml:"force" doc:"Forces on the liquid besides pressure, viscosity and gravity."`
	Search     toml.Variant    `toml:"neighbor" doc:"The method that finds neighbours."`
	Whitewater *Whitewater     `toml:"whitewater" doc:"Spray, foam, bubbles and mist. The table alone, without a key, adds them."`
	Surface    toml.Variant    `toml:"surface" doc:"The method that makes a mesh of the particles."`
	Mesh       Mesh            `toml:"mesh" doc:"The mesh files."`
	Points     Points          `toml:"particles" doc:"Particle files for other programs, in the folder points. The cache in the folder particles, from which runs resume, is always written. Particles in the pipe of an inflow are left out."`
	Volume     Volume          `toml:"volume" doc:"The liquid or the gas as volume files in the folder volumes: for smoke-like looks, motion blur, and remeshing in other programs."`
	Picture    Picture         `toml:"picture" doc:"The frames."`
	Camera     *Camera         `toml:"camera" doc:"Position and motion of the camera. Where eye and target are not given, the camera is framed to show the whole tank."`
	Light      sky.Light       `toml:"light" doc:"Sun, and sky or studio."`
	Look       toml.Variant    `toml:"look" doc:"Appearance of the liquid. If kind is not given, a named liquid has the look of that name."`
	Overlay    overlay.Overlay `toml:"overlay" doc:"Text and scale drawn over the picture."`
	Video      Video           `toml:"video" doc:"The film."`

	// Shown is the box that the camera and the floor are laid out for, whose bottom is the
	// floor, where something else than the scene's own gas is drawn; nil for the scene's own.
	Shown *vec.Box `toml:"-"`

	root *toml.Node // what was read, with all that the scene extends below it

	keyFiles []keyFile       // of walls and the camera
	keyed    map[string]bool // which of a camera's settings its file of keyframes has; nil without a file
}

// defaults returns what holds where a scene file says nothing.
func defaults() *Scene {
	return &Scene{
		Time:       Time{Duration: 3, FPS: 30, Speed: 1},
		Liquid:     Liquid{Density: 1000, Viscosity: 1e-6, DynamicViscosity: 1e-3, ViscosityError: 1e-2, ContactAngle: 90, Gravity: vec.New(0, -9.81, 0)},
		Domain:     Domain{Dim: 3},
		Gas:        defaultGas(),
		Tracers:    Tracers{PerCell: 8},
		Flame:      defaultFlame(),
		Technique:  toml.Variant{Kind: defaultKinds["technique"]},
		Solver:     toml.Variant{Kind: defaultKinds["solver"]},
		Search:     toml.Variant{Kind: defaultKinds["neighbor"]},
		Surface:    toml.Variant{Kind: defaultKinds["surface"]},
		Mesh:       Mesh{Formats: []string{"obj"}},
		Whitewater: defaultWhitewater(),
		Volume:     Volume{Grids: []string{"density", "velocity"}, Voxel: 0.5},
		Picture:    Picture{Size: [2]int{1280, 720}, Quality: raster.Good, Floor: texture.Slabs},
		Camera:     &Camera{Camera: camera.Camera{Focal: 40}, Lag: 0.6},
		Light:      sky.DefaultLight(),
		Look:       toml.Variant{Kind: defaultKinds["look"]},
		Video:      Video{Formats: []string{"mp4"}, Encoder: "auto", CRF: 16},
	}
}

// Time is the scene's [time] table.
type Time struct {
	Duration float64 `toml:"duration" unit:"s" range:"(0, inf)" doc:"Length of the film, rounded to whole frames. Each frame is shown for 1/fps, and the first one shows the start. So the last one shows the simulated time (duration − 1/fps) × speed."`
	End      float64 `toml:"end" unit:"s" range:"[0, inf)" doc:"Simulated time that the last frame shows, in place of the duration, which then is end/speed + 1/fps. It is rounded to whole frames. 0 is for a film with a duration."`
	FPS      float64 `toml:"fps" unit:"1/s" range:"[0.01, 1000]" doc:"Frames per second of film."`
	Speed    float64 `toml:"speed" unit:"1" range:"[1e-6, 100]" doc:"Simulated seconds per second of film: 0.5 is half speed."`
}

// Frames returns the number of frames. Frame n, from 1, shows the simulated
// time At(n).
func (t Time) Frames() int { return max(1, int(float64(t.Duration*t.FPS)+0.5)) }

// At returns the simulated time of frame n, in seconds; frame 1 is the start.
func (t Time) At(n int) float64 { return float64(float64(n-1) / t.FPS * t.Speed) }

// Liquid is the scene's [liquid] table.
type Liquid struct {
	Spacing          float64  `toml:"spacing" unit:"m" range:"(0, inf)" doc:"Distance of the particles at rest. Half the spacing means eight times the particles."`
	Name             string   `toml:"name" oneof:"water seawater ethanol mercury milk blood oil glycerol honey lava" doc:"Liquid that supplies the values which this table does not give; the liquids are listed below."`
	Density          float64  `toml:"density" unit:"kg/m³" range:"[1, 1e5]" doc:"Rest density."`
	Viscosity        float64  `toml:"viscosity" unit:"m²/s" range:"[0, inf)" doc:"Kinematic viscosity: the dynamic viscosity divided by the density."`
	DynamicViscosity float64  `toml:"dynamic_viscosity" unit:"Pa·s" range:"[0, inf)" doc:"Dynamic viscosity, instead of the kinematic one."`
	ViscosityError   float64  `toml:"viscosity_error" unit:"1" range:"(0, 1]" doc:"Relative tolerance of the implicit viscosity solve."`
	SurfaceTension   float64  `toml:"surface_tension" unit:"N/m" range:"[0, inf)" doc:"Surface tension. It matters at spacings of a few millimetres or less, and makes each step slower. 0 turns it off."`
	ContactAngle     float64  `toml:"contact_angle" unit:"deg" range:"[0, 180]" doc:"Contact angle between the surface and a wall, measured inside the liquid, if there is surface tension: 0 wets, 180 beads."`
	Gravity          vec.Vec3 `toml:"gravity" unit:"m/s²" doc:"Gravitational acceleration."`
}

// Block is one [[fluid]] table: a shape filled with liquid at the start.
type Block struct {
	Shape    toml.Variant `toml:",inline"` // a variant of shape.Shapes: its kind and its keys
	Velocity vec.Vec3     `toml:"velocity" unit:"m/s" doc:"Velocity at the start."`
	Field    toml.Variant `toml:"velocity_field" recipe:"set" doc:"Velocity at the start that differs from place to place, which is added to velocity; see [fluid.velocity_field]."`
}

// Inflow is one [[inflow]] table.
type Inflow struct {
	Opening   toml.Variant `toml:",inline"` // a variant of inflow.Openings: its kind and its keys
	Position  vec.Vec3     `toml:"position" unit:"m" doc:"Centre of the opening."`
	Direction vec.Vec3     `toml:"direction" unit:"1" doc:"Direction of the flow, of any length. Required."`
	Speed     float64      `toml:"speed" unit:"m/s" range:"(0, inf)" doc:"Mean speed over the opening. The volume flow is this times the area of the opening."`
	Pipe      float64      `toml:"pipe" unit:"m" range:"[0, inf)" doc:"Length of the pipe behind the opening. 0 makes the shortest possible, four and a half spacings. An opening in a side of a tank has no pipe inside the tank."`
	Profile   string       `toml:"profile" oneof:"flat parabolic" doc:"Velocity profile over the opening: uniform, which is the default, or falling from the middle to 0 at the edge, as in a long pipe."`
	Start     float64      `toml:"start" unit:"s" range:"[0, inf)" doc:"Simulated time at which the flow starts. Before, the opening is closed."`
	Stop      float64      `toml:"stop" unit:"s" range:"[0, inf)" doc:"Simulated time at which the flow stops and the opening closes; 0 for never."`
}

// sim returns the inflow as a world has it.
func (in *Inflow) sim(opening inflow.Opening) inflow.Inflow {
	stop := in.Stop
	if stop == 0 {
		stop = math.Inf(1)
	}
	return inflow.Inflow{
		Opening: opening, Position: in.Position, Direction: in.Direction, Speed: in.Speed,
		Pipe: in.Pipe, Parabolic: in.Profile == "parabolic", Start: in.Start, Stop: stop,
	}
}

// Outflow is one [[outflow]] table.
type Outflow struct {
	Region toml.Variant `toml:",inline"` // a variant of outflow.Regions: its kind and its keys
	Flow   float64      `toml:"flow" unit:"m³/s" range:"[0, inf)" doc:"Largest volume flow that is removed, the deepest liquid first; 0 removes everything that enters the region."`
}

// Mesh is the scene's [mesh] table.
type Mesh struct {
	Formats []string `toml:"formats" doc:"Formats of the mesh files; [] writes none. The frames are drawn from the surface cache, which every run writes. An archive, such as abc, is one file of all frames. pvd lists the vtp files, which are written too, and an archive with attributes is made from plymesh files, which are written too. Its velocities are in metres per second of film, for motion blur. In obj, glb, abc and usda, bodies are named objects at their place in each frame. For vtp and pvd they have files in bodies/, with their names, and with numbers from 1 as the array body."`
	Quads   bool     `toml:"quads" doc:"Whether to join pairs of triangles to quads in obj, plymesh and vtp files; a few triangles remain. Frames are drawn from the same triangles."`
	Up      string   `toml:"up" oneof:"y z" doc:"Up axis of the files. By default the axis that programs reading the format expect."`
	Unit    string   `toml:"unit" oneof:"m cm mm" doc:"Unit of length in the files. By default the unit that programs reading the format expect."`

	Keep string `toml:"keep" doc:"Frames whose files, and surface cache, are kept once the pictures are drawn and the archives and volumes made: \"all\", which is the default, \"none\", or for example \"every 5th\", which keeps frames 1, 6, 11 and so on. Unless all files are kept or an archive needs them, frames are meshed and drawn in batches, so that few files exist at once. A change of look or camera makes them again."`
	Gzip bool   `toml:"gzip" doc:"Whether to compress each frame's files, as NAME_0001.obj.gz: text to about a third, other files to about half. Most programs need them unpacked first. The surface cache is not compressed."`

	Attributes []string `toml:"attributes" doc:"Vertex attributes besides the velocity, in formats that support them. Each is the mean over the particles nearby. The attributes are listed below; the unit of length does not change them. With [whitewater] there are two more: foam, the share of the surface that foam covers, and foam_depth, the thickness of the air in it, in the unit of length of the file."`
}

// Points is the scene's [particles] table.
type Points struct {
	Formats []string `toml:"formats" doc:"Formats of the files. csv, npz, ply and vtp have one file per frame; abc and usda have one file of all frames. pvd lists the vtp files, which are written too."`
	Up      string   `toml:"up" oneof:"y z" doc:"Up axis of the files. By default the axis that programs reading the format expect."`
	Unit    string   `toml:"unit" oneof:"m cm mm" doc:"Unit of length in the files, also in velocities. By default the unit that programs reading the format expect."`

	Keep string `toml:"keep" doc:"Frames that have files: \"all\", which is the default, \"none\", or for example \"every 5th\", which has frames 1, 6, 11 and so on. Archives have all frames."`
	Gzip bool   `toml:"gzip" doc:"Whether to compress each frame's files, as NAME_0001.csv.gz, which pandas and NumPy read directly."`

	Attributes []string `toml:"attributes" doc:"Particle attributes besides the velocity and the number, id. The attributes are listed below; the unit of length does not change them."`
}

// Volume is the scene's [volume] table.
type Volume struct {
	Formats []string `toml:"formats" doc:"Formats of the files: vdb."`
	Grids   []string `toml:"grids" absent:"density and velocity; of a gas also temperature, and flame if there is a flame" doc:"Grids in the files. Of a liquid: density, the particles' density relative to rest, from 0 to 1; velocity; and surface, the signed distance to the mesh, as a level set. Of a gas: density, flame and fuel, the share of the space that smoke, flames and fuel fill; temperature in kelvin; and velocity, or vel with the name that Houdini expects."`
	Voxel   float64  `toml:"voxel" unit:"1" range:"[0.25, 8]" doc:"Edge of a voxel, in spacings of the liquid or in cells of the gas. Half the edge means eight times the file size."`
	Keep    string   `toml:"keep" doc:"Frames that have files: \"all\", which is the default, \"none\", or for example \"every 5th\", which has frames 1, 6, 11 and so on."`
	Up      string   `toml:"up" oneof:"y z" doc:"Up axis of the files. The default is z, as Blender reads them; Houdini expects y."`
	Unit    string   `toml:"unit" oneof:"m cm mm" doc:"Unit of length in the files, also in velocities and distances. The default is metres."`
}

// Picture is the scene's [picture] table.
type Picture struct {
	Size    [2]int         `toml:"size" unit:"px" range:"[16, 16384]" doc:"Width and height."`
	Quality raster.Quality `toml:"quality" oneof:"draft good final" doc:"Trade-off between time and finish: draft is a preview, good is for the film. final takes more samples per pixel, follows more surfaces, and moves the caustics with the shutter open, at several times the time of good."`
	Shutter float64        `toml:"shutter" unit:"deg" range:"[0, 360]" absent:"180, or 0 at draft" doc:"Time that the shutter is open, in degrees of the time between two frames. Moving things are blurred; 0 keeps them sharp. The motion of the camera causes no blur, nor is there any in draft quality or in looks that measure or draw lines."`
	Floor   texture.Paving `toml:"floor" oneof:"slabs checker concrete planks gradient black" doc:"Material of the floor: grey slabs, a checkerboard, concrete, oak boards, or a seamless backdrop, grey or black, without a visible floor."`
	Rim     float64        `toml:"rim" unit:"m" range:"[0, inf)" doc:"Height up to which the glass of the tank is drawn. The wall goes on invisibly above and holds back splashes. 0 draws all of it."`
}

// Video is the scene's [video] table.
type Video struct {
	Formats []string `toml:"formats" doc:"Film formats. The film is made in each of them."`
	Encoder string   `toml:"encoder" oneof:"auto ffmpeg own" doc:"Encoder of mp4: x264 of an ffmpeg on the path, Breakwater's own, or auto, which uses ffmpeg if it is found."`
	CRF     int      `toml:"crf" range:"[1, 51]" doc:"Compression of mp4, mov and mkv: 16 looks like the frames, 23 makes a much smaller film. It is the constant rate factor of x264. Breakwater's own encoder approximates it and treats values below 6 as 6."`
}
