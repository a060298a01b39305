package main

import (
	"errors"
	"fmt"
	"image"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"breakwater/out/film"
	"breakwater/scenes"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
)

// stageFlags are what every command that makes something takes.
type stageFlags struct {
	sceneArg
	changes
	runFlags
	shareFlags `kong:"-"`
}

// shareFlags are for runs that are a part of a larger one.
type shareFlags struct {
	Stages   []string      `group:"run" placeholder:"S" help:"Run only these stages: sim, whitewater, mesh, export, draw, video (default: all)."`
	PerFrame bool          `group:"run" help:"Make files per frame only: no archives of all frames, no tables and no manifest."`
	Wait     time.Duration `group:"run" placeholder:"TIME" help:"How long to wait, such as 10m, while another process makes files that are needed and no more of them appear (default: do not wait)."`
}

type renderCommand struct {
	stageFlags
	shareFlags
}

func (c *renderCommand) Run(con *console) error {
	var stages []stage.Name
	for _, name := range c.Stages {
		if !slices.Contains(stage.All(), stage.Name(name)) {
			return usageError{fmt.Errorf("--stages: there is no stage %q; the stages are %s", name, stageNames())}
		}
		stages = append(stages, stage.Name(name))
	}
	if c.Wait < 0 {
		return usageError{fmt.Errorf("--wait %v: expected a time such as 10m", c.Wait)}
	}
	c.stageFlags.shareFlags = c.shareFlags
	return c.make(con, "render", stages...)
}

func stageNames() string {
	var names []string
	for _, s := range stage.All() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

type simCommand struct{ stageFlags }

func (c *simCommand) Run(con *console) error { return c.make(con, "sim", stage.Sim) }

// make runs stages of a scene, all if none is given.
func (c *stageFlags) make(con *console, command string, stages ...stage.Name) error {
	return c.makeOf(con, command, image.Rectangle{}, stages...)
}

// makeOf runs stages that draw a part of the pictures, all if it is empty.
func (c *stageFlags) makeOf(con *console, command string, part image.Rectangle, stages ...stage.Name) error {
	setThreads(c.Threads)
	s, err := c.load(c.Scene)
	if err != nil {
		return err
	}
	if err := hasWork(s, command); err != nil {
		return usageError{fmt.Errorf("%s: %w", c.Scene, err)}
	}
	film := ""
	if isFilm(c.Out) {
		if len(stages) > 0 && !slices.Contains(stages, stage.Film) {
			return usageError{fmt.Errorf("--out %s: %s does not make a film; name a folder", c.Out, command)}
		}
		film, c.Out = c.Out, ""
	} else if err := folderName(c.Out, "a folder, or a film whose name ends in "+filmEnds()); err != nil {
		return err
	}
	opt := run.Options{Out: c.Out, Film: film, Stages: stages, First: c.Frames.first, Last: c.Frames.last, Force: c.Force, PerFrame: c.PerFrame, Wait: c.Wait, Region: part}
	show := newReporter(c.Quiet, c.JSON, con.stdout, con.stderr)
	err = run.Run(con.ctx, s, opt, show.report)
	show.stop()

	var outside *run.RangeError
	var beyond *run.RegionError
	var stopped *stage.Interrupted
	var lacks *run.NotMade
	switch {
	case errors.As(err, &outside):
		return usageError{fmt.Errorf("%s: %w", c.Frames.flag(), err)}
	case errors.As(err, &beyond):
		return usageError{fmt.Errorf("--region: %w", err)}
	case errors.As(err, &stopped):
		if film != "" {
			c.Out = film
		}
		return fmt.Errorf("%w\nTo continue, run: %s", err, c.again(command))
	case errors.As(err, &lacks) && !lacks.Contested:
		return fmt.Errorf("%w: %s", err, c.again(string(lacks.Stage)))
	case err == nil && !c.Quiet && !c.JSON:
		fmt.Fprintf(con.stderr, "All in %s\n", opt.Folder(s))
		if film != "" {
			fmt.Fprintf(con.stderr, "Film in %s\n", film)
		}
	}
	return err
}

// hasWork returns an error if a command has nothing to make of the scene.
func hasWork(s *scenes.Scene, command string) error {
	switch {
	case command == "whitewater" && s.Whitewater == nil:
		return errors.New("the scene has no whitewater: add the table [whitewater] to it")
	case command == "mesh" && s.Gas != nil && len(s.Points.Formats) == 0 && len(s.Volume.Formats) == 0:
		return errors.New("the scene is of a gas, which has no meshes, and it asks for no files for other programs, such as volume.formats = [\"vdb\"]")
	}
	return nil
}

// isFilm reports whether --out names a film and not a folder.
func isFilm(path string) bool {
	info, err := os.Stat(path)
	return film.FormatOf(path) != "" && (err != nil || !info.IsDir())
}

// again returns the command line that runs another command on the same scene
// with the same settings.
func (c *stageFlags) again(command string) string {
	words := []string{"breakwater", command, c.Scene}
	for _, f := range []struct{ name, value string }{
		{"out", c.Out}, {"frames", c.Frames.String()}, {"fps", c.FPS}, {"size", c.Size}, {"quality", c.Quality}, {"spacing", c.Spacing},
	} {
		if f.value != "" {
			words = append(words, "--"+f.name+"="+f.value)
		}
	}
	if command == "render" && len(c.Stages) > 0 {
		words = append(words, "--stages="+strings.Join(c.Stages, ","))
	}
	if command == "render" && c.PerFrame {
		words = append(words, "--per-frame")
	}
	for _, assignment := range c.Set {
		words = append(words, "--set="+assignment)
	}
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ")
}

// quoted returns a word as a shell takes it.
func quoted(w string) string {
	if strings.ContainsAny(w, " \t\n\"'\\$`&|;<>()*?#~!") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}

// setThreads sets the number of threads of the program; 0, the default, leaves it at one
// per processor.
func setThreads(n threadCount) {
	if n > 0 {
		runtime.GOMAXPROCS(int(n))
	}
}
