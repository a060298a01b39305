package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"breakwater/out"
	"breakwater/scenes/parcels"
	"breakwater/scenes/stage"
	"breakwater/sim/vec"
)

// whitewaterCommand makes the whitewater of a scene from its particles, or the whitewater of
// particle files.
type whitewaterCommand struct {
	Inputs []string `arg:"" name:"scene|files" help:"A shipped scene or a scene file, whose particles are used; or particle files of any program, in the order of their numbers: names, and patterns such as 'sim/fluid_*.vtk', fluid_{}.ply or fluid_%04d.npy."`
	changes

	Radius   positive `group:"files" placeholder:"M" help:"Radius of the particles in metres, half their distance at rest, instead of --spacing (default: estimated)."`
	Interval positive `group:"files" placeholder:"S" help:"Simulated time between two files (default: 1/fps, with 24 files per second)."`
	Format   []string `short:"f" group:"files" placeholder:"F" help:"Formats: csv, npz, ply, vtp, and vdb for volumes, with a file per frame; abc, usda, and pvd for ParaView, with one file of all frames (default: vtp)."`

	Expand int `group:"files" placeholder:"N" help:"Largest number of points for a parcel in csv, npz, ply, vtp, abc and usda: they share its count and lie about its place (default: 1)."`

	Walls   []string  `group:"liquid" placeholder:"FILE" help:"Closed meshes of the walls as OBJ, PLY or STL, in the axes and the unit of the particles. A mesh that has most of the particles in it is a tank, any other a solid. A pattern names the meshes of a wall that moves, one per particle file."`
	Box     []float64 `group:"liquid" placeholder:"X" help:"Box that the liquid is in, given by its smallest and its largest x, y and z in the files, such as 0,0,0,2,1,1."`
	Up      string    `group:"liquid" enum:",y,z" default:"" placeholder:"A" help:"Up axis of the files, y or z (default: y)."`
	Unit    string    `group:"liquid" enum:",m,cm,mm" default:"" placeholder:"U" help:"Unit of length in the files: m, cm or mm (default: m)."`
	Gravity string    `group:"liquid" placeholder:"X,Y,Z" help:"Acceleration of gravity in m/s², in the axes of the files (default: 9.81 downwards)."`

	Out    string `short:"o" group:"run" placeholder:"DIR" help:"Folder for the output (default: renders/SCENE, or whitewater for files)."`
	Frames string `group:"run" placeholder:"A-B" help:"Process only these frames, or the files with these numbers in their names: 10-20, 7, 10- or -20 (default: all)."`
	Memory string `group:"run" placeholder:"SIZE" help:"Memory limit for particle files, such as 600MB or 2GB. A run that would need more is refused."`
	commonFlags
}

func (c *whitewaterCommand) Run(con *console) error {
	if files, err := ofFiles(c.Inputs); err != nil {
		return err
	} else if files {
		return c.files(con)
	}
	if flag := firstGiven(map[string]bool{
		"--radius": c.Radius != 0, "--interval": c.Interval != 0, "--format": len(c.Format) > 0, "--expand": c.Expand != 0, "--memory": c.Memory != "", "--walls": len(c.Walls) > 0,
		"--box": len(c.Box) > 0, "--up": c.Up != "", "--unit": c.Unit != "", "--gravity": c.Gravity != "",
	}); flag != "" {
		return usageError{fmt.Errorf("%s applies to particle files; the whitewater of a scene is set in its file", flag)}
	}
	return c.commonFlags.overScene(con, c.Inputs[0], c.changes, c.Out, c.Frames, "whitewater", stage.Whitewater)
}

// files makes the whitewater of particle files.
func (c *whitewaterCommand) files(con *console) error {
	opt, err := c.options()
	if err != nil {
		return usageError{err}
	}
	return c.overFiles(con, "whitewater", opt.Out, func(report func(stage.Event)) error { return parcels.Run(con.ctx, opt, report) })
}

// options returns the options of whitewater of particle files.
func (c *whitewaterCommand) options() (opt parcels.Options, err error) {
	if flag := firstGiven(map[string]bool{"--size": c.Size != "", "--quality": c.Quality != ""}); flag != "" {
		return opt, fmt.Errorf("%s applies to scenes", flag)
	}
	opt = parcels.Options{
		Files: c.Inputs, First: -1, Last: -1, Walls: c.Walls, Out: c.Out, Formats: c.Format, Interval: float64(c.Interval), Expand: c.Expand, Force: c.Force,
	}
	if opt.Out == "" {
		opt.Out = "whitewater"
	} else if err := folderName(opt.Out, "a folder"); err != nil {
		return opt, err
	}
	if c.FPS != "" {
		if opt.FPS, err = strconv.ParseFloat(c.FPS, 64); err != nil || opt.FPS == 0 {
			return opt, fmt.Errorf("--fps: %q is not a number of frames per second", c.FPS)
		}
	}
	if c.Frames != "" {
		if opt.First, opt.Last, err = parseRange(c.Frames, 0); err != nil {
			return opt, fmt.Errorf("--frames: %w", err)
		}
	}
	if c.Memory != "" {
		if opt.Memory, err = bytesOf(c.Memory); err != nil {
			return opt, fmt.Errorf("--memory: %w", err)
		}
	}
	if b := c.Box; len(b) > 0 {
		if len(b) != 6 || !(b[0] < b[3] && b[1] < b[4] && b[2] < b[5]) {
			return opt, errors.New("--box: expected six numbers, the smallest x, y and z and the largest")
		}
		opt.Box = &vec.Box{Min: vec.New(b[0], b[1], b[2]), Max: vec.New(b[3], b[4], b[5])}
	}
	opt.Axes = out.Axes{ZUp: c.Up == "z", Unit: map[string]float64{"cm": 0.01, "mm": 0.001}[c.Unit]}
	set := func(key, value string) { opt.Settings = append(opt.Settings, parcels.Setting{Key: key, Value: value}) }
	if c.Radius != 0 && c.Spacing != "" {
		return opt, errors.New("--radius and --spacing both give the size of the particles; use one of them")
	}
	if c.Radius != 0 {
		set("spacing", strconv.FormatFloat(2*float64(c.Radius), 'g', -1, 64))
	}
	if c.Spacing != "" {
		set("spacing", c.Spacing)
	}
	if c.Gravity != "" {
		set("gravity", c.Gravity)
	}
	given := len(opt.Settings)
	list, err := c.assignments()
	for _, a := range list {
		if slices.ContainsFunc(opt.Settings[:given], func(s parcels.Setting) bool { return s.Key == a[0] }) {
			return opt, fmt.Errorf("--set %s: the key has a flag of its own, which is given too", a[0])
		}
		set(a[0], a[1])
	}
	return opt, err
}
