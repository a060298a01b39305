package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"breakwater/scenes"
)

// stageFlags are what every command that makes something takes.
type stageFlags struct {
	sceneArg
	changes
	runFlags
}

type renderCommand struct{ stageFlags }

func (c *renderCommand) Run(con *console) error { return c.make(con, "render") }

type simCommand struct{ stageFlags }

func (c *simCommand) Run(con *console) error { return c.make(con, "sim", scenes.SimStage) }

type drawCommand struct{ stageFlags }

func (c *drawCommand) Run(con *console) error { return c.make(con, "draw", scenes.DrawStage) }

type videoCommand struct{ stageFlags }

func (c *videoCommand) Run(con *console) error { return c.make(con, "video", scenes.FilmStage) }

// make runs stages of a scene, all if none is given.
func (c *stageFlags) make(con *console, command string, stages ...scenes.Stage) error {
	if err := setThreads(c.Threads); err != nil {
		return err
	}
	s, err := c.load(c.Scene)
	if err != nil {
		return err
	}
	opt := scenes.Options{Out: c.Out, Stages: stages, First: c.Frames.first, Last: c.Frames.last, Force: c.Force}
	show := newReporter(c.Quiet, c.JSON, con.stdout, con.stderr)
	err = scenes.Run(con.ctx, s, opt, show.report)
	show.stop()

	var outside *scenes.RangeError
	var stopped *scenes.Interrupted
	var lacks *scenes.NotMade
	switch {
	case errors.As(err, &outside):
		return usageError{fmt.Errorf("--frames %s: %w", c.Frames, err)}
	case errors.As(err, &stopped):
		return fmt.Errorf("%w\nTo go on, run: %s", err, c.again(command))
	case errors.As(err, &lacks):
		return fmt.Errorf("%w: %s", err, c.again(string(lacks.Stage)))
	case err == nil && !c.Quiet && !c.JSON:
		fmt.Fprintf(con.stderr, "All in %s\n", opt.Folder(s))
	}
	return err
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

// setThreads sets the number of threads of the program; 0 leaves it at one a
// processor.
func setThreads(n int) error {
	switch {
	case n < 0 || n > 1024:
		return usageError{fmt.Errorf("--threads %d: expected 1 to 1024", n)}
	case n > 0:
		runtime.GOMAXPROCS(n)
	}
	return nil
}
