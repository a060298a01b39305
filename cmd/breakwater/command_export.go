package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"breakwater/scenes/run"
)

// exportCommand writes scripts that open a run in other programs.
type exportCommand struct {
	Blender  blenderCommand  `cmd:"" name:"blender-script" help:"Write NAME_blender.py, which opens the run in Blender: liquid with velocities, materials, solids, camera, light, frame rate."`
	Houdini  houdiniCommand  `cmd:"" name:"houdini-script" help:"Write NAME_houdini.py, which does the same in Houdini."`
	ParaView paraviewCommand `cmd:"" name:"paraview-script" help:"Write NAME_paraview.py, which does the same in ParaView."`
}

type blenderCommand struct{ scriptFlags }

func (c *blenderCommand) Run(con *console) error { return c.write(con, "blender") }

type houdiniCommand struct{ scriptFlags }

func (c *houdiniCommand) Run(con *console) error { return c.write(con, "houdini") }

type paraviewCommand struct{ scriptFlags }

func (c *paraviewCommand) Run(con *console) error { return c.write(con, "paraview") }

// scriptFlags are the flags of each export command: the flags of the run.
type scriptFlags struct {
	sceneArg
	changes
	Out    string     `short:"o" group:"run" placeholder:"DIR" help:"Folder of the run (default: renders/SCENE)."`
	Frames frameRange `group:"run" placeholder:"A-B" help:"Process only these frames, counted from 1: 10-20, 7, 10- or -20 (default: all)."`
	Quiet  bool       `short:"q" group:"output" help:"Print errors only."`
}

func (c *scriptFlags) write(con *console, program string) error {
	if err := folderName(c.Out, "the folder of the run"); err != nil {
		return err
	}
	s, err := c.load(c.Scene)
	if err != nil {
		return err
	}
	opt := run.Options{Out: c.Out, First: c.Frames.first, Last: c.Frames.last}
	name, notices, err := run.Script(s, opt, program)
	var outside *run.RangeError
	var lacks *run.NotMade
	switch {
	case errors.As(err, &outside):
		return usageError{fmt.Errorf("%s: %w", c.Frames.flag(), err)}
	case errors.As(err, &lacks):
		again := stageFlags{sceneArg: c.sceneArg, changes: c.changes, runFlags: runFlags{Out: c.Out, Frames: c.Frames}}
		return fmt.Errorf("%w: %s", err, again.again(string(lacks.Stage)))
	case err != nil || c.Quiet:
		return err
	}
	for _, n := range notices {
		fmt.Fprintf(con.stderr, "Note: %s\n", n)
	}
	_, err = fmt.Fprintln(con.stdout, filepath.Join(opt.Folder(s), filepath.FromSlash(name)))
	return err
}
