package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/pairsum"
)

type benchCommand struct {
	Scene string `arg:"" optional:"" help:"Scene for stages, phases, size and threads (default: dam-break for stages, bench-cube for the others)."`

	Table     []string    `group:"bench" placeholder:"T,.." default:"all" enum:"all,stages,phases,size,threads,walls,bodies,liquids,vortex,gas" help:"Tables to make: stages of a film, phases of a solver step, speed by size, speed by threads, cost of walls, of bodies, and of viscosity and surface tension, sums over vortex particles, and steps of a gas on a lattice (default: all, some minutes)."`
	Frames    int         `type:"count" group:"bench" placeholder:"N" help:"Number of frames for stages and phases, from the first (default: all of the scene)."`
	Size      string      `group:"bench" placeholder:"WxH" help:"Width and height of the frames for stages, in pixels (default: from the scene)."`
	Spacing   string      `group:"bench" placeholder:"M" help:"Particle spacing for stages, phases and threads, in metres or with a unit (default: from the scene)."`
	Particles []int       `group:"bench" placeholder:"N,.." help:"Approximate numbers of particles for the rows of size (default: 10000,30000,100000,300000,1000000,2000000), exact ones for vortex and approximate ones for gas (default: 1000,10000,100000), and the largest number for walls, bodies and liquids, at least 4000 (default: 100000, bodies 500000)."`
	Steps     int         `type:"count" group:"bench" placeholder:"N" help:"Solver steps measured per row of size, threads, walls, bodies and liquids, after a warm-up (default: 20)."`
	Threads   threadCount `group:"run" placeholder:"N" help:"Number of threads, and the largest number for the table threads (default: one per processor)."`
	Quiet     bool        `short:"q" group:"output" help:"Show no progress."`
	JSON      bool        `name:"json" group:"output" help:"Print the tables as JSON, one object per line."`
}

// benches are the tables in the order of docs/PERFORMANCE.md. Each has the scene that
// it is made on by default, if it is made on one, and the flags that it heeds.
var benches = []struct {
	name, scene string
	flags       []string
	run         func(*bench, *scenes.Scene) (*table, error)
}{
	{"stages", "dam-break", []string{"--frames", "--size", "--spacing"}, (*bench).stages},
	{"phases", "bench-cube", []string{"--frames", "--spacing"}, (*bench).phases},
	{"size", "bench-cube", []string{"--particles", "--steps"}, (*bench).size},
	{"threads", "bench-cube", []string{"--steps", "--spacing"}, (*bench).threads},
	{"walls", "", []string{"--particles", "--steps"}, (*bench).walls},
	{"bodies", "", []string{"--particles", "--steps"}, (*bench).bodies},
	{"liquids", "", []string{"--particles", "--steps"}, (*bench).liquids},
	{"vortex", "", []string{"--particles"}, (*bench).vortex},
	{"gas", "", []string{"--particles"}, (*bench).gas},
}

// Run makes the tables and prints each when it is done, so that those before
// an interruption are there.
func (c *benchCommand) Run(con *console) error {
	if err := c.check(); err != nil {
		return usageError{err}
	}
	setThreads(c.Threads)
	if c.Steps == 0 {
		c.Steps = 20
	}
	b := &bench{con, c}
	// All scenes first: a fault in one of them is better known now.
	var todo []func() (*table, error)
	for _, x := range benches {
		if !c.wants(x.name) {
			continue
		}
		if x.scene == "" {
			todo = append(todo, func() (*table, error) { return x.run(b, nil) })
			continue
		}
		name := x.scene
		if c.Scene != "" {
			name = c.Scene
		}
		change := changes{Size: c.Size}
		if slices.Contains(x.flags, "--spacing") {
			change.Spacing = c.Spacing
		}
		s, err := change.load(name)
		if err != nil {
			return err
		}
		if n := s.Time.Frames(); slices.Contains(x.flags, "--frames") && (c.Frames == 1 || c.Frames > n) {
			return usageError{fmt.Errorf("--frames %d: expected 2 to %d for %s", c.Frames, n, s.Name)}
		}
		todo = append(todo, func() (*table, error) { return x.run(b, s) })
	}
	if err := machineTable().write(con.stdout, c.JSON); err != nil {
		return err
	}
	for _, make := range todo {
		t, err := make()
		var stopped *stage.Interrupted
		switch {
		case con.ctx.Err() != nil, errors.As(err, &stopped):
			return errors.New("interrupted; the tables above are complete")
		case err != nil:
			return err
		}
		if err := t.write(con.stdout, c.JSON); err != nil {
			return err
		}
	}
	return nil
}

// wants reports whether the user asked for the table.
func (c *benchCommand) wants(table string) bool {
	return slices.Contains(c.Table, "all") || slices.Contains(c.Table, table)
}

// check reports numbers that make no sense, and flags that none of the tables uses.
func (c *benchCommand) check() error {
	for _, n := range c.Particles {
		if n < 1 {
			return fmt.Errorf("--particles %d: expected 1 or more", n)
		}
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--frames", c.Frames != 0}, {"--size", c.Size != ""}, {"--spacing", c.Spacing != ""},
		{"--particles", len(c.Particles) > 0}, {"--steps", c.Steps != 0},
	} {
		var heed []string
		heeded := false
		for _, x := range benches {
			if slices.Contains(x.flags, flag.name) {
				heed = append(heed, x.name)
				heeded = heeded || c.wants(x.name)
			}
		}
		if flag.given && !heeded {
			return fmt.Errorf("%s applies to the tables %s: add one to --table or leave it out", flag.name, strings.Join(heed, ", "))
		}
	}
	return nil
}

// machineTable describes the machine of the measurements.
func machineTable() *table {
	return &table{
		Name: "machine", Title: "This machine", Columns: []string{"processor", "logical cores", "threads", "instructions", "program"},
		Rows: [][]any{{machine(), runtime.NumCPU(), runtime.GOMAXPROCS(0), pairsum.Level(), version()}},
	}
}
