package main

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"strconv"
	"strings"

	"breakwater/scenes"
	"breakwater/scenes/drawer"
	"breakwater/scenes/mesher"
	"breakwater/scenes/stage"
)

// drawCommand draws the frames of a scene, or volume files.
type drawCommand struct {
	Inputs []string `arg:"" name:"scene|files" help:"A shipped scene or a scene file, whose frames are drawn; or OpenVDB files of any program, in the order of their numbers: names, and patterns such as 'cache/smoke_*.vdb', smoke_{}.vdb or smoke_%04d.vdb. An argument is a file if it ends in .vdb or has a *, {} or %04d."`
	changes

	Scene       string            `group:"volumes" placeholder:"SCENE" help:"Scene of a gas in which the files take the place of that gas (default: a floor, with the look smoke, or fire if there are flames, and a camera that shows all files). --set changes keys of it, such as look.extinction=20."`
	Up          string            `group:"volumes" enum:",y,z" default:"" placeholder:"A" help:"Up axis of the files, y or z (default: z for files of Blender and Breakwater, and otherwise y)."`
	Unit        string            `group:"volumes" enum:",m,cm,mm" default:"" placeholder:"U" help:"Unit of length in the files: m, cm or mm (default: m)."`
	Floor       *float64          `group:"volumes" placeholder:"M" help:"Height of the floor in metres (default: the lowest point of all that is seen)."`
	Density     positive          `group:"volumes" placeholder:"N" help:"Factor of the density; look.extinction is of a density of 1 (default: 1)."`
	Flame       positive          `group:"volumes" placeholder:"N" help:"Factor of the flames (default: 1)."`
	Temperature []float64         `group:"volumes" placeholder:"K" help:"Temperatures in kelvin where the grid has 0 and where it has 1, such as 293,1900; 0,1 if it has kelvin (default: kelvin if a value is above 200, and otherwise 293,1900)."`
	Velocity    positive          `group:"volumes" placeholder:"N" help:"Factor of the velocity, which blurs what moves (default: 1, for units of length per second; no blur for fluids of Blender)."`
	Grids       map[string]string `group:"volumes" mapsep:"," placeholder:"Q=NAME" help:"Names of the grids of density, flame, temperature, fuel and velocity, such as density=soot,velocity=wind, where they have others than usual."`
	Voxel       positive          `group:"volumes" placeholder:"M" help:"Edge of the voxels that are drawn, in metres (default: as in the first file)."`

	Out    string      `short:"o" group:"run" placeholder:"DIR" help:"Folder for the output (default: renders/SCENE, or renders/NAME for files NAME_0001.vdb)."`
	Frames string      `group:"run" placeholder:"A-B" help:"Process only these frames, or the files with these numbers in their names: 10-20, 7, 10- or -20 (default: all)."`
	Frame  frameNumber `group:"run" placeholder:"N" help:"Draw only this frame."`
	Region region      `group:"run" placeholder:"X,Y,W,H" help:"Draw only this part of the picture of a scene: x and y of its upper left corner, width and height, in pixels of the whole picture."`
	commonFlags
}

// volumes reports whether arg names volume files, not a scene.
func volumes(arg string) bool {
	return mesher.Pattern(arg) || strings.EqualFold(filepath.Ext(arg), ".vdb")
}

func (c *drawCommand) Run(con *console) error {
	if c.Frame > 0 && c.Frames != "" {
		return usageError{errors.New("--frame and --frames: give only one of them")}
	}
	for _, in := range c.Inputs {
		if !volumes(in) && len(c.Inputs) > 1 {
			return usageError{fmt.Errorf("%s is not a volume file; a scene must be the only argument", in)}
		}
	}
	if volumes(c.Inputs[0]) {
		return c.files(con)
	}
	if flag := firstGiven(map[string]bool{
		"--scene": c.Scene != "", "--up": c.Up != "", "--unit": c.Unit != "", "--floor": c.Floor != nil, "--density": c.Density != 0, "--flame": c.Flame != 0,
		"--temperature": len(c.Temperature) > 0, "--velocity": c.Velocity != 0, "--grids": len(c.Grids) > 0, "--voxel": c.Voxel != 0,
	}); flag != "" {
		return usageError{fmt.Errorf("%s applies to volume files; the picture of a scene is set in its file", flag)}
	}
	flags := stageFlags{sceneArg: sceneArg{c.Inputs[0]}, changes: c.changes, runFlags: runFlags{Out: c.Out, commonFlags: c.commonFlags}}
	if c.Frames != "" {
		if err := flags.Frames.UnmarshalText([]byte(c.Frames)); err != nil {
			return usageError{fmt.Errorf("--frames: %w", err)}
		}
	}
	if c.Frame > 0 {
		flags.Frames = frameRange{first: int(c.Frame), last: int(c.Frame), one: true}
	}
	return flags.makeOf(con, "draw", image.Rectangle(c.Region), stage.Draw)
}

// files draws volume files.
func (c *drawCommand) files(con *console) error {
	opt, err := c.options()
	if err != nil {
		return usageError{err}
	}
	folder := ""
	err = c.overFiles(con, "draw", opt.Out, func(report func(stage.Event)) (err error) {
		folder, err = drawer.Run(con.ctx, opt, report)
		return err
	})
	if err == nil && opt.Out == "" && !c.Quiet && !c.JSON {
		fmt.Fprintf(con.stderr, "All in %s\n", folder)
	}
	return err
}

// options returns the options of pictures of volume files.
func (c *drawCommand) options() (opt drawer.Options, err error) {
	if c.Spacing != "" || !image.Rectangle(c.Region).Empty() {
		return opt, errors.New("--spacing and --region apply to scenes")
	}
	one := func(x positive) float64 { return cmp.Or(float64(x), 1) }
	opt = drawer.Options{
		Files: c.Inputs, First: -1, Last: -1, Scene: c.Scene, Grids: c.Grids, Up: c.Up, Unit: map[string]float64{"cm": 0.01, "mm": 0.001}[c.Unit],
		Overrides: scenes.Overrides{FPS: c.FPS, Size: c.Size, Quality: c.Quality, Set: c.Set},
		Scale:     drawer.Scale{Density: one(c.Density), Flame: one(c.Flame), Velocity: float64(c.Velocity)},
		Floor:     c.Floor, Voxel: float64(c.Voxel), Out: c.Out, Force: c.Force,
	}
	if t := c.Temperature; len(t) > 0 {
		if len(t) != 2 || !(t[0] >= 0 && t[1] > t[0]) {
			return opt, errors.New("--temperature: expected two temperatures in kelvin, of the values 0 and 1, such as 293,1900")
		}
		opt.Scale.Cold, opt.Scale.Hot = t[0], t[1]
	}
	if c.Out != "" {
		if err := folderName(c.Out, "a folder"); err != nil {
			return opt, err
		}
	}
	switch {
	case c.Frame > 0:
		opt.First, opt.Last = int(c.Frame), int(c.Frame)
	case c.Frames != "":
		if opt.First, opt.Last, err = parseRange(c.Frames, 0); err != nil {
			return opt, fmt.Errorf("--frames: %w", err)
		}
	}
	return opt, nil
}

// region is a flag as 100,50,320,180: a part of a picture.
type region image.Rectangle

func (r *region) UnmarshalText(text []byte) error {
	var v [4]int
	parts := strings.Split(string(text), ",")
	for i := range parts {
		n, err := strconv.Atoi(strings.TrimSpace(parts[i]))
		if len(parts) != 4 || err != nil || n < 0 || i >= 2 && n < 1 || n > 1e6 {
			return fmt.Errorf("%q is not a region of a picture: give the upper left corner, width and height in pixels, such as 100,50,320,180", text)
		}
		v[i] = n
	}
	*r = region(image.Rect(v[0], v[1], v[0]+v[2], v[1]+v[3]))
	return nil
}
