package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"breakwater/scenes/drawer"
	"breakwater/scenes/mesher"
	"breakwater/scenes/parcels"
	"breakwater/scenes/stage"
)

// ofFiles reports whether the arguments of a command that takes a scene or particle
// files are files.
func ofFiles(inputs []string) (bool, error) {
	for _, in := range inputs {
		if !mesher.Files(in) && len(inputs) > 1 {
			return false, usageError{fmt.Errorf("%s is not a particle file; a scene must be the only argument", in)}
		}
	}
	return mesher.Files(inputs[0]), nil
}

// overScene runs stages of a scene for such a command.
func (f commonFlags) overScene(con *console, scene string, c changes, out, frames, command string, stages ...stage.Name) error {
	flags := stageFlags{sceneArg: sceneArg{scene}, changes: c, runFlags: runFlags{Out: out, commonFlags: f}}
	if frames != "" {
		if err := flags.Frames.UnmarshalText([]byte(frames)); err != nil {
			return usageError{fmt.Errorf("--frames: %w", err)}
		}
	}
	return flags.make(con, command, stages...)
}

// overFiles has such a command work over files, and says where its output is unless out
// is "".
func (f commonFlags) overFiles(con *console, command, out string, work func(report func(stage.Event)) error) error {
	setThreads(f.Threads)
	show := newReporter(f.Quiet, f.JSON, con.stdout, con.stderr)
	err := work(show.report)
	show.stop()
	var stopped *stage.Interrupted
	switch {
	case errors.As(err, new(mesher.UsageError)), errors.As(err, new(parcels.UsageError)), errors.As(err, new(drawer.UsageError)):
		return usageError{err}
	case errors.As(err, &stopped):
		return fmt.Errorf("%s: %w\nTo continue, run the same command again", command, err)
	case err != nil:
		return fmt.Errorf("%s: %w", command, err)
	case !f.Quiet && !f.JSON && out != "":
		fmt.Fprintf(con.stderr, "All in %s\n", filepath.Clean(out))
	}
	return nil
}
