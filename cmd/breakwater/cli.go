package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"breakwater/scenes"
	"breakwater/scenes/toml"
)

const about = `Breakwater simulates a liquid or a gas and films it: a scene file becomes particles, meshes, frames and a film.

The files lie in renders/SCENE or the folder given by --out. A command run again makes only files that are missing or were made with other settings.

Exit status: 0 if all is done, 1 if something failed, 2 if the command line is wrong, 3 if this machine lacks memory or a program, 4 if the scene has a fault or is unstable, 5 if the disk is full, 75 if the run was interrupted or its input is not made yet.`

// commands is the command line.
type commands struct {
	Render     renderCommand     `cmd:"" group:"make" help:"Make everything from a scene: particles, meshes, frames and film."`
	Sim        simCommand        `cmd:"" group:"make" help:"Simulate only: make the particles."`
	Whitewater whitewaterCommand `cmd:"" group:"make" help:"Whitewater only: make spray, foam, bubbles and mist from a scene's particles or from particle files of any program."`
	Mesh       meshCommand       `cmd:"" group:"make" help:"Mesh only: make the liquid's surface from a scene's particles or from particle files of any program."`
	Draw       drawCommand       `cmd:"" group:"make" help:"Draw only: make the frames from existing meshes, or pictures of smoke and flames from the volume files of any program."`
	Video      videoCommand      `cmd:"" group:"make" help:"Film only: make the film from existing frames or from PNG pictures of any program."`
	Wedge      wedgeCommand      `cmd:"" group:"make" help:"Make the variants of a scene that a wedge file lists, with tables and a contact sheet of all."`
	Farm       farmCommand       `cmd:"" group:"make" help:"Make a scene on many machines: divide its run into tasks for Slurm, Kubernetes, Deadline Cloud, Flamenco or a shell."`
	Export     exportCommand     `cmd:"" group:"make" help:"Write a script that opens a finished run in another program, with its look."`

	List   listCommand   `cmd:"" group:"look" help:"List the shipped scenes and the kinds, looks and formats that a scene can use."`
	Show   showCommand   `cmd:"" group:"look" help:"Print a shipped scene's file."`
	Check  checkCommand  `cmd:"" group:"look" help:"Read a scene without running it: report every fault at once, and what a run costs."`
	Info   infoCommand   `cmd:"" group:"look" help:"Describe a particle, mesh or manifest file."`
	Verify verifyCommand `cmd:"" group:"look" help:"Read all files of a run, finished or not, and name those that are damaged or missing, with remedies."`
	Figure figureCommand `cmd:"" group:"look" help:"Plot a figure for an article, with its numbers as CSV."`

	Validate validateCommand `cmd:"" group:"more" help:"Compare simulated flows with measurements and exact solutions: errors, goals and figures."`
	Bench    benchCommand    `cmd:"" group:"more" help:"Measure the speed of this machine: tables as Markdown or JSON."`
	Version  versionCommand  `cmd:"" group:"more" help:"Print the version."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version and exit."`
}

var groups = []kong.Group{
	{Key: "make", Title: "Make:"},
	{Key: "look", Title: "Look:"},
	{Key: "more", Title: "More:"},
	{Key: "scene", Title: "Change the scene:"},
	{Key: "files", Title: "Particle files:"},
	{Key: "surface", Title: "Surface of particle files:"},
	{Key: "liquid", Title: "Liquid of particle files:"},
	{Key: "volumes", Title: "Volume files:"},
	{Key: "pictures", Title: "Pictures:"},
	{Key: "bench", Title: "Measure:"},
	{Key: "run", Title: "Run:"},
	{Key: "output", Title: "Output:"},
}

// sceneArg names a scene.
type sceneArg struct {
	Scene string `arg:"" help:"A shipped scene (see \"breakwater list\") or the path of a scene file."`
}

// changes are the settings of a scene that the command line may override.
type changes struct {
	FPS     string   `name:"fps" group:"scene" placeholder:"N" help:"Frames per second of film."`
	Size    string   `group:"scene" placeholder:"WxH" help:"Width and height of the frames in pixels, such as 1280x720."`
	Quality string   `group:"scene" placeholder:"Q" help:"draft for a preview, good for the film, final for finer samples."`
	Spacing string   `group:"scene" placeholder:"M" help:"Distance of the particles at rest, in metres or with a unit, such as \"2 cm\". Half the spacing means eight times the particles."`
	Set     []string `name:"set" sep:"none" group:"scene" placeholder:"KEY=VALUE" help:"Value of any key of the scene, such as \"liquid.viscosity=0.1\" or \"fluid[2].max=[1, 1, 1]\". May be repeated. Of particle files, a key without its table, such as onset=0.1."`
}

// load reads a scene and changes it. A missing scene and an invalid change are errors of
// the command line; faults of a scene file are not.
func (c changes) load(scene string) (*scenes.Scene, error) {
	s, err := scenes.LoadWith(scene, scenes.Overrides{FPS: c.FPS, Size: c.Size, Quality: c.Quality, Spacing: c.Spacing, Set: c.Set})
	var faults toml.Faults
	var change scenes.ChangeError
	switch {
	case err == nil:
		return s, nil
	case errors.As(err, &change):
		return nil, usageError{change.Unwrap()}
	case errors.As(err, &faults):
		return nil, err
	}
	return nil, usageError{err}
}

// assignments returns the keys and values of --set for particle files, whose keys are in
// no table. The order is the command line's.
func (c changes) assignments() (list [][2]string, err error) {
	for _, text := range c.Set {
		key, value, ok := strings.Cut(text, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" || value == "" {
			return nil, fmt.Errorf("--set %q: expected KEY=VALUE", text)
		}
		list = append(list, [2]string{key, value})
	}
	return list, nil
}

// runFlags say how a run goes.
type runFlags struct {
	Out    string     `short:"o" group:"run" placeholder:"DIR" help:"Folder for the output (default: renders/SCENE); or the film's file, whose ending sets the format: .mp4, .webm, .avi, .png or .apng, .gif, .mov, .prores.mov or .mkv."`
	Frames frameRange `group:"run" placeholder:"A-B" help:"Process only these frames, counted from 1: 10-20, 7, 10- or -20 (default: all)."`
	commonFlags
}

// commonFlags are the flags of all commands that make files.
type commonFlags struct {
	Force   bool        `group:"run" help:"Make files again even if they exist and are intact."`
	Threads threadCount `group:"run" placeholder:"N" help:"Number of threads; it does not affect the results (default: one per processor)."`
	Quiet   bool        `short:"q" group:"output" xor:"tell" help:"Print errors only."`
	JSON    bool        `name:"json" group:"output" xor:"tell" help:"Print events on standard output, one JSON object per line."`
}

// frameRange is a flag as 10-20, 7, 10- or -20. A bound that is 0 is open.
type frameRange struct {
	first, last int
	one         bool // it was given by --frame
}

func (r *frameRange) UnmarshalText(text []byte) error {
	first, last, err := parseRange(string(text), 1)
	if err == nil {
		*r = frameRange{first: max(0, first), last: max(0, last)}
	}
	return err
}

// flag returns r with the flag that it was given by.
func (r frameRange) flag() string {
	if r.one {
		return "--frame " + r.String()
	}
	return "--frames " + r.String()
}

// String returns r as the flag has it, "" if all frames are meant.
func (r frameRange) String() string {
	switch {
	case r == frameRange{}:
		return ""
	case r.first == r.last:
		return strconv.Itoa(r.first)
	}
	bound := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return bound(r.first) + "-" + bound(r.last)
}
