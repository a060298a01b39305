package main

import (
	"errors"
	"strconv"

	"github.com/alecthomas/kong"

	"breakwater/scenes"
	"breakwater/scenes/toml"
)

const about = `Breakwater simulates a liquid and films it: a scene file becomes particles, triangle meshes, frames and a film.

What is made lies in renders/SCENE or the folder given by --out. A command run again makes only what is missing or was made with other settings.

Exit status: 0 if all is done, 1 if something failed (a fault in a scene file too) or was interrupted, 2 if the command line is wrong.`

// commands is the command line.
type commands struct {
	Render renderCommand `cmd:"" group:"make" help:"Make all of a scene: particles, meshes, frames and film."`
	Sim    simCommand    `cmd:"" group:"make" help:"Simulate only: make the particles."`
	Mesh   meshCommand   `cmd:"" group:"make" help:"Mesh only: make the liquid's surface, from a scene's particles or from particle files of any program."`
	Draw   drawCommand   `cmd:"" group:"make" help:"Draw only: make the frames from meshes that are there."`
	Video  videoCommand  `cmd:"" group:"make" help:"Film only: make the film from frames that are there, or from PNG pictures of any program."`
	Export exportCommand `cmd:"" group:"make" help:"Write a script that opens a finished run in another program as it was drawn."`

	List   listCommand   `cmd:"" group:"look" help:"List the shipped scenes, and what a scene file can choose from."`
	Show   showCommand   `cmd:"" group:"look" help:"Print a shipped scene's file."`
	Check  checkCommand  `cmd:"" group:"look" help:"Read a scene without running it: every fault at once, and what it would cost."`
	Info   infoCommand   `cmd:"" group:"look" help:"Say what a particle, mesh or manifest file holds; check all files of a run."`
	Figure figureCommand `cmd:"" group:"look" help:"Plot a figure for an article, with its numbers as CSV."`

	Validate validateCommand `cmd:"" group:"more" help:"Compare flows with measurements and exact solutions: errors and goals, with figures."`
	Bench    benchCommand    `cmd:"" group:"more" help:"Measure this machine: tables of how fast films are made, as Markdown or JSON."`
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
	{Key: "pictures", Title: "Pictures:"},
	{Key: "bench", Title: "Measure:"},
	{Key: "run", Title: "Run:"},
	{Key: "tell", Title: "Tell:"},
}

// sceneArg names a scene.
type sceneArg struct {
	Scene string `arg:"" help:"A shipped scene (see \"breakwater list\") or the path of a scene file."`
}

// changes are the settings of a scene that the command line may override.
type changes struct {
	FPS     string `name:"fps" group:"scene" placeholder:"N" help:"Frames a second of film."`
	Size    string `group:"scene" placeholder:"WxH" help:"Width and height of the frames in pixels, as 1280x720."`
	Quality string `group:"scene" placeholder:"Q" help:"draft for a look, good for the film, final with motion blur."`
	Spacing string `group:"scene" placeholder:"M" help:"Distance of the particles at rest, in metres or as \"2 cm\"; half as much means eight times the particles."`
}

// load reads a scene and changes it. A scene that is not there and a change
// that does not fit are faults of the command line; those of a scene file are
// not.
func (c changes) load(scene string) (*scenes.Scene, error) {
	s, err := scenes.Load(scene)
	var faults toml.Faults
	switch {
	case errors.As(err, &faults):
		return nil, err
	case err != nil:
		return nil, usageError{err}
	}
	if err := s.Override(scenes.Overrides{FPS: c.FPS, Size: c.Size, Quality: c.Quality, Spacing: c.Spacing}); err != nil {
		return nil, usageError{err}
	}
	return s, nil
}

// runFlags say how a run goes.
type runFlags struct {
	Out    string     `short:"o" group:"run" placeholder:"DIR" help:"Folder for all that is made (default: renders/SCENE); or, where a film is made, the film, in the format that its name ends in: .mp4, .webm, .avi, .png or .apng, .gif, .mov, .prores.mov or .mkv."`
	Frames frameRange `group:"run" placeholder:"A-B" help:"Only these frames, from 1: 10-20, 7, 10- or -20 (default: all)."`
	commonFlags
}

// commonFlags are those of all that is made.
type commonFlags struct {
	Force   bool        `group:"run" help:"Make again what is there and intact."`
	Threads threadCount `group:"run" placeholder:"N" help:"Threads to run on; the results are the same for any number (default: one a processor)."`
	Quiet   bool        `short:"q" group:"tell" xor:"tell" help:"Print errors only."`
	JSON    bool        `name:"json" group:"tell" xor:"tell" help:"Print events, one JSON object a line, on standard output."`
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
