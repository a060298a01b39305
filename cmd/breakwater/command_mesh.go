package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"breakwater/scenes/mesher"
	"breakwater/scenes/stage"
	"breakwater/sim/vec"
)

// meshCommand meshes the particles of a scene's run, or particle files.
type meshCommand struct {
	Inputs []string `arg:"" name:"scene|files" help:"A shipped scene or a scene file, whose particles are meshed; or particle files of any program: names, and patterns such as 'sim/fluid_*.vtk', fluid_{}.ply or fluid_%04d.npy. An argument is a file if it ends like one or has a *, {} or %04d."`
	changes

	Radius     positive  `group:"files" placeholder:"M" help:"Radius of the particles, half their distance at rest, in the files' unit (default: estimated)."`
	Format     []string  `short:"f" group:"files" placeholder:"F" help:"Mesh formats: ply, obj, vtp, glb and stl, with a file per frame; abc, usda, and pvd for ParaView, with one file of all frames (default: ply, or by the ending of --out)."`
	Attributes []string  `short:"a" group:"files" placeholder:"NAME" help:"Particle attributes to transfer to the vertices besides the velocity, or all (default: none)."`
	Interval   positive  `group:"files" placeholder:"S" help:"Simulated time between two files, which scales the velocities in archives (default: one frame of the film, 1/fps)."`
	Within     []float64 `group:"files" placeholder:"X" help:"Use only the particles in a box, given by its smallest and its largest x, y and z, such as 0,0,0,2,1,1."`
	Normals    bool      `group:"files" negatable:"" default:"true" help:"Write normals."`
	Quads      bool      `group:"files" help:"Join pairs of triangles to quads in ply, obj and vtp; a few triangles remain."`
	Velocity   bool      `group:"files" negatable:"" default:"true" help:"Write velocities, if the particles have them."`

	Method    string `group:"surface" placeholder:"NAME" help:"Surface method (see \"breakwater list 'surface methods'\"; default: sph)."`
	Cell      string `group:"surface" placeholder:"R" help:"Edge of the grid's cells, in particle radii."`
	Raw       bool   `group:"surface" help:"Write the surface as marching cubes find it, without tidying, smoothing and volume correction."`
	Smoothing string `group:"surface" placeholder:"N" help:"Smoothing passes; 0 leaves the surface as it is found."`
	Adaptive  string `group:"surface" placeholder:"R" help:"How far the surface may move to save triangles, in particle radii: 0.02 leaves a fifth of them and moves the surface by 0.007 on average."`
	Triangles string `group:"surface" placeholder:"N" help:"Largest number of triangles. Removed are those that change the surface least."`
	Strays    string `group:"surface" placeholder:"WHAT" help:"Isolated particles and tiny groups: keep, drop, or drops, which makes round drops of many sizes (default: keep)."`

	Out    string `short:"o" group:"run" placeholder:"DIR" help:"Folder for the output (default: renders/SCENE, or meshes for files); or a mesh file for one particle file, or an archive for all."`
	Frames string `group:"run" placeholder:"A-B" help:"Mesh only these frames, or the files with these numbers in their names: 10-20, 7, 10- or -20 (default: all)."`
	Memory string `group:"run" placeholder:"SIZE" help:"Memory limit for meshing files, such as 600MB or 2GB. Frames that would need more are refused before they start."`
	commonFlags
}

func (c *meshCommand) Run(con *console) error {
	if files, err := ofFiles(c.Inputs); err != nil {
		return err
	} else if files {
		return c.files(con)
	}
	if flag := firstGiven(map[string]bool{
		"--radius": c.Radius != 0, "--format": len(c.Format) > 0, "--attributes": len(c.Attributes) > 0, "--interval": c.Interval != 0, "--within": len(c.Within) > 0, "--no-normals": !c.Normals, "--quads": c.Quads,
		"--no-velocity": !c.Velocity, "--method": c.Method != "", "--cell": c.Cell != "", "--raw": c.Raw, "--smoothing": c.Smoothing != "",
		"--adaptive": c.Adaptive != "", "--triangles": c.Triangles != "", "--strays": c.Strays != "",
		"--memory": c.Memory != "",
	}); flag != "" {
		return usageError{fmt.Errorf("%s applies to particle files; the surface of a scene is set in its file", flag)}
	}
	return c.commonFlags.overScene(con, c.Inputs[0], c.changes, c.Out, c.Frames, "mesh", stage.Whitewater, stage.Mesh, stage.Export)
}

// firstGiven returns the first, by name, of the flags that are given.
func firstGiven(flags map[string]bool) string {
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		if flags[name] {
			return name
		}
	}
	return ""
}

// files meshes particle files.
func (c *meshCommand) files(con *console) error {
	if flag := firstGiven(map[string]bool{"--size": c.Size != "", "--quality": c.Quality != "", "--spacing": c.Spacing != ""}); flag != "" {
		return usageError{fmt.Errorf("%s applies to scenes; for files, --radius gives the size of the particles", flag)}
	}
	opt := mesher.Options{
		Files: c.Inputs, First: -1, Last: -1, Radius: float64(c.Radius), Method: c.Method, Out: c.Out, Formats: c.Format,
		Flat: !c.Normals, Still: !c.Velocity, Quads: c.Quads, Attributes: c.Attributes, Interval: float64(c.Interval), Force: c.Force,
	}
	if c.FPS != "" {
		var err error
		if opt.FPS, err = strconv.ParseFloat(c.FPS, 64); err != nil || opt.FPS == 0 {
			return usageError{fmt.Errorf("--fps: %q is not a number of frames per second", c.FPS)}
		}
	}
	if w := c.Within; len(w) > 0 {
		if len(w) != 6 || !(w[0] < w[3] && w[1] < w[4] && w[2] < w[5]) {
			return usageError{fmt.Errorf("--within: expected six numbers, the smallest x, y and z and the largest")}
		}
		opt.Within = &vec.Box{Min: vec.New(w[0], w[1], w[2]), Max: vec.New(w[3], w[4], w[5])}
	}
	if opt.Out == "" {
		opt.Out = "meshes"
	}
	var err error
	if c.Frames != "" {
		if opt.First, opt.Last, err = parseRange(c.Frames, 0); err != nil {
			return usageError{fmt.Errorf("--frames: %w", err)}
		}
	}
	if c.Memory != "" {
		if opt.Memory, err = bytesOf(c.Memory); err != nil {
			return usageError{fmt.Errorf("--memory: %w", err)}
		}
	}
	if c.Raw {
		opt.Settings = append(opt.Settings, mesher.Raw...)
	}
	for _, s := range []mesher.Setting{{Key: "cell", Value: c.Cell}, {Key: "smoothing", Value: c.Smoothing}, {Key: "adaptive", Value: c.Adaptive}, {Key: "triangles", Value: c.Triangles}, {Key: "strays", Value: c.Strays}} {
		if s.Value != "" {
			opt.Settings = append(opt.Settings, s)
		}
	}
	list, err := c.assignments()
	if err != nil {
		return usageError{err}
	}
	for _, a := range list {
		opt.Settings = append(opt.Settings, mesher.Setting{Key: a[0], Value: a[1]})
	}

	return c.overFiles(con, "mesh", opt.Out, func(report func(stage.Event)) error { return mesher.Run(con.ctx, opt, report) })
}

// bytesOf reads a size in memory: 600MB, 2 GiB, 1.5G or bytes.
func bytesOf(text string) (int64, error) {
	s := strings.ToLower(strings.TrimSpace(text))
	unit := 1.
	s = strings.TrimSuffix(s, "b")
	thousand := 1000.
	if strings.HasSuffix(s, "i") {
		s, thousand = strings.TrimSuffix(s, "i"), 1024
	}
	for k, prefix := range []string{"k", "m", "g", "t"} {
		if rest, ok := strings.CutSuffix(s, prefix); ok {
			s = rest
			for range k + 1 {
				unit *= thousand
			}
			break
		}
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(x > 0) || x*unit > 1e15 {
		return 0, fmt.Errorf("%q is not a size; give one such as 600MB or 2GB", text)
	}
	return int64(x * unit), nil
}
