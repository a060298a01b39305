package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"text/tabwriter"
	"time"

	"breakwater/scenes"
	"breakwater/scenes/farm"
	"breakwater/scenes/toml"
	"breakwater/scenes/wedge"
	"breakwater/sim/num"
)

// farmCommand divides a run among machines.
type farmCommand struct {
	Plan   farmPlan   `cmd:"" help:"Divide the run of a scene into tasks, and print what they cost."`
	Submit farmSubmit `cmd:"" help:"Hand all tasks of a plan to its engine."`
	Status farmStatus `cmd:"" help:"Print which tasks are done, run, failed and wait, from the files."`
	Retry  farmRetry  `cmd:"" help:"Hand the tasks that are missing to the engine again."`
	Cancel farmCancel `cmd:"" help:"End all tasks."`
	Task   farmTask   `cmd:"" help:"Run one task, as an engine does."`
}

// farmFolder names the folder of a run that has a plan.
type farmFolder struct {
	Dir string `arg:"" help:"Folder of the run, with the plan in it."`
}

type farmPlan struct {
	Scene string `arg:"" optional:"" help:"A shipped scene (see \"breakwater list\") or the path of a scene file; none with --wedge."`
	changes
	Wedge    string        `group:"run" placeholder:"FILE" help:"Plan all variants of a wedge file (see docs/WEDGES.md), side by side; those with the same particles simulate once."`
	Out      string        `short:"o" group:"run" placeholder:"DIR" help:"Folder for the output, on a disk that all machines share (default: renders/SCENE)."`
	Engine   string        `group:"run" enum:"${engines}" default:"shell" help:"What distributes the tasks: ${enum}; shell is this machine."`
	Segments int           `group:"run" type:"count" placeholder:"N" help:"Tasks that the simulation is divided into, one after the other (default: of at least a minute each, and at most 20)."`
	Chunk    int           `group:"run" type:"count" placeholder:"N" help:"Frames that a task meshes and draws (default: as many as take one to ten minutes)."`
	CPUs     int           `name:"cpus" group:"run" type:"count" placeholder:"N" help:"Number of processors of a task (default: as many as this machine has)."`
	Trial    time.Duration `group:"run" default:"20s" placeholder:"TIME" help:"Processor time for the rehearsal of each film, that times and memory are extrapolated from; 0 for none (default: 20s)."`
}

func (c *farmPlan) Run(con *console) error {
	if c.Trial < 0 {
		return usageError{fmt.Errorf("--trial %v: expected a time such as 30s, or 0 for no rehearsal", c.Trial)}
	}
	if (c.Scene == "") == (c.Wedge == "") {
		return usageError{errors.New("expected a scene, or --wedge and a wedge file")}
	}
	if err := folderName(c.Out, "a folder"); err != nil {
		return err
	}
	name, films, err := c.films()
	if err != nil {
		return err
	}
	for i := range films {
		in := &films[i]
		b, err := in.Scene.Plan()
		if err != nil {
			return err
		}
		var r *scenes.Rehearsal
		if c.Trial > 0 {
			if r, err = in.Scene.Rehearse(con.ctx, scenes.Effort{Seconds: c.Trial.Seconds()}); err != nil {
				return err
			}
		}
		in.Estimate = in.Scene.Estimate(b, r)
	}
	p, err := farm.New(name, films, farm.Options{Engine: c.Engine, Segments: c.Segments, Chunk: c.Chunk, CPUs: c.CPUs})
	if err != nil {
		return err
	}
	out := cmp.Or(c.Out, filepath.Join("renders", name))
	script, err := p.Write(out)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(con.stdout, 0, 0, 2, ' ', 0)
	what := toml.Count(p.Frames(), "frame")
	if c.Wedge != "" {
		what = toml.Count(len(films), "variant") + " with " + what
	}
	row(w, p.Name, "%s as %d tasks in %s", what, len(p.Tasks), out)
	row(w, "task", "%d processors, about %s of memory", p.CPUs, num.Bytes(float64(p.Memory)))
	row(w, "disk", "about %s", num.Bytes(float64(p.Disk)))
	if cost := p.Cost(); cost.Work > 0 {
		row(w, "time", "at least %s, the longest chain of tasks, on %s like this one; %s on one", span(cost.Path), toml.Count(cost.Nodes, "machine"), span(cost.Work))
		row(w, "work", "%.2g node hours, %.2g core hours", cost.Work/3600, cost.Work/3600*float64(p.CPUs))
	}
	row(w, "submit", "breakwater farm submit %s, or bash %s", quoted(out), quoted(script))
	return w.Flush()
}

// films returns the films to plan, without their costs, and the name of all.
func (c *farmPlan) films() (name string, films []farm.Input, err error) {
	if c.Wedge == "" {
		s, err := c.load(c.Scene)
		if err != nil {
			return "", nil, err
		}
		return s.Name, []farm.Input{{Scene: s}}, nil
	}
	w, err := wedge.Read(c.Wedge)
	if err != nil {
		return "", nil, err
	}
	list, err := w.Variants(scenes.Overrides{FPS: c.FPS, Size: c.Size, Quality: c.Quality, Spacing: c.Spacing, Set: c.Set})
	for _, v := range list {
		films = append(films, farm.Input{Scene: v.Scene, Folder: v.Name})
	}
	return w.Name, films, err
}

type farmSubmit struct {
	farmFolder
	Options []string `arg:"" optional:"" passthrough:"" help:"What the engine's own command takes, after --, such as -- --partition=cpu."`
}

func (c *farmSubmit) Run(con *console) error {
	p, err := farm.Read(c.Dir)
	if err != nil {
		return usageError{err}
	}
	script, err := p.WriteScript(c.Dir, p.Tasks)
	if err != nil {
		return err
	}
	return runScript(con, script, c.Options)
}

type farmRetry farmSubmit

func (c *farmRetry) Run(con *console) error {
	p, list, err := c.status()
	if err != nil {
		return err
	}
	tasks := farm.Missing(list)
	if len(tasks) == 0 {
		fmt.Fprintln(con.stderr, "Nothing is missing that does not run.")
		return nil
	}
	script, err := p.WriteScript(c.Dir, tasks)
	if err != nil {
		return err
	}
	return runScript(con, script, c.Options)
}

// runScript runs a script of a plan. The command exits with its status.
func runScript(con *console, script string, options []string) error {
	if len(options) > 0 && options[0] == "--" {
		options = options[1:]
	}
	cmd := exec.CommandContext(con.ctx, "bash", append([]string{script}, options...)...)
	cmd.Stdout, cmd.Stderr = con.stdout, con.stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it ends its tasks
	cmd.WaitDelay = time.Minute
	err := cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() > 0 {
		return statusError{ended.ExitCode(), fmt.Errorf("%s ended with exit status %d", script, ended.ExitCode())}
	}
	return err
}

// statusError is the error of a program that ended with an exit status of its own.
type statusError struct {
	code int
	error
}

// status reads the plan and the status of its tasks.
func (c *farmFolder) status() (*farm.Plan, []farm.Status, error) {
	p, err := farm.Read(c.Dir)
	if err != nil {
		return nil, nil, usageError{err}
	}
	list, err := p.Status(c.Dir)
	return p, list, err
}

type farmCancel struct{ farmFolder }

func (c *farmCancel) Run(con *console) error {
	p, err := farm.Read(c.Dir)
	if err != nil {
		return usageError{err}
	}
	command, err := p.Cancel()
	if err != nil {
		return usageError{err}
	}
	cmd := exec.CommandContext(con.ctx, "bash", "-c", command)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.Dir, con.stdout, con.stderr
	return cmd.Run()
}

type farmTask struct {
	farmFolder
	IDs       []string `arg:"" name:"id" help:"Name of the task, as farm/plan.json has it; or several, of which --index-from chooses one."`
	IndexFrom string   `name:"index-from" group:"run" placeholder:"VARIABLE" help:"Environment variable that says which task to run, counted from 0, such as JOB_COMPLETION_INDEX."`
	OpenJD    bool     `name:"openjd" group:"output" xor:"tell" help:"Print progress on standard output as programs of Open Job Description read it."`
	commonFlags
}

func (c *farmTask) Run(con *console) error {
	p, err := farm.Read(c.Dir)
	if err != nil {
		return usageError{err}
	}
	id, err := c.id()
	if err != nil {
		return usageError{err}
	}
	task, err := p.Task(id)
	if err != nil {
		return usageError{err}
	}
	setThreads(c.Threads)
	show := newReporter(c.Quiet, c.JSON, con.stdout, con.stderr)
	if c.OpenJD {
		show = &openJD{w: con.stdout, first: task.First, now: time.Now}
	}
	defer show.stop()
	end, err := farm.Begin(c.Dir, task.ID)
	if err != nil {
		return err
	}
	err = p.Run(con.ctx, c.Dir, task, show.report)
	if o, ok := show.(*openJD); ok && err != nil {
		o.failed(err)
	}
	return errors.Join(err, end(exitCode(err), err))
}

// id returns the name of the task to run.
func (c *farmTask) id() (string, error) {
	i := 0
	switch text := os.Getenv(c.IndexFrom); {
	case c.IndexFrom == "" && len(c.IDs) > 1:
		return "", errors.New("several tasks: expected one, or --index-from and a variable that chooses one")
	case c.IndexFrom != "":
		var err error
		if i, err = strconv.Atoi(text); err != nil || i < 0 || i >= len(c.IDs) {
			return "", fmt.Errorf("--index-from: the variable %s is %q; expected a number from 0 to %d", c.IndexFrom, text, len(c.IDs)-1)
		}
	}
	return c.IDs[i], nil
}
