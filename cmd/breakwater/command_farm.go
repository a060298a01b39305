package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"syscall"
	"text/tabwriter"
	"time"

	"breakwater/scenes"
	"breakwater/scenes/estimate"
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

// planFlags say how a run is divided.
type planFlags struct {
	changes
	Wedge    string         `group:"run" placeholder:"FILE" help:"Plan all variants of a wedge file (see docs/WEDGES.md), side by side; those with the same particles simulate once."`
	Out      string         `short:"o" group:"run" placeholder:"DIR" help:"Folder for the output, on a disk that all machines share (default: renders/SCENE)."`
	Engine   string         `group:"run" enum:"${engines}," default:"" placeholder:"NAME" help:"What distributes the tasks: ${engines}; shell, the default, is this machine."`
	Segments int            `group:"run" type:"count" placeholder:"N" help:"Tasks that the simulation is divided into, one after the other (default: of at least a minute each, and at most 20)."`
	Chunk    int            `group:"run" type:"count" placeholder:"N" help:"Frames that a task meshes and draws (default: as many as take one to ten minutes)."`
	CPUs     int            `name:"cpus" group:"run" type:"count" placeholder:"N" help:"Number of processors of a task (default: as many as this machine has)."`
	Trial    *time.Duration `group:"run" placeholder:"TIME" help:"Processor time for the rehearsal of each film, that times and memory are extrapolated from; 0 for none (default: 20s). Without this flag, a plan of the same films in the folder keeps what it has measured."`
}

// given reports whether there are any of the flags.
func (f *planFlags) given() bool { return !reflect.ValueOf(*f).IsZero() }

type farmPlan struct {
	Scene string `arg:"" optional:"" help:"A shipped scene (see \"breakwater list\") or the path of a scene file; none with --wedge."`
	planFlags
}

func (c *farmPlan) Run(con *console) error {
	out, script, err := c.plan(con, c.Scene)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.stdout, "To submit it: breakwater farm submit %s, or bash %s\n", quoted(out), quoted(script))
	return err
}

// plan writes a plan and prints what it costs. It returns the folder of the run and the script
// that submits all tasks.
func (c *planFlags) plan(con *console, scene string) (out, script string, err error) {
	if c.Trial != nil && *c.Trial < 0 {
		return "", "", usageError{fmt.Errorf("--trial %v: expected a time such as 30s, or 0 for no rehearsal", *c.Trial)}
	}
	if (scene == "") == (c.Wedge == "") {
		return "", "", usageError{errors.New("expected a scene, or --wedge and a wedge file")}
	}
	if err := folderName(c.Out, "a folder"); err != nil {
		return "", "", err
	}
	var in farm.Inputs
	var w *wedge.Plan
	var list []*wedge.Variant
	if c.Wedge == "" {
		s, err := c.load(scene)
		if err != nil {
			return "", "", err
		}
		in.Name, in.Films = s.Name, []farm.Input{{Scene: s}}
	} else {
		if w, err = wedge.Read(c.Wedge); err != nil {
			return "", "", err
		}
		if list, err = w.Variants(scenes.Overrides{FPS: c.FPS, Size: c.Size, Quality: c.Quality, Spacing: c.Spacing, Set: c.Set}); err != nil {
			return "", "", err
		}
		in.Name, in.Summary = w.Name, w.Summary(list)
		for _, v := range list {
			in.Films = append(in.Films, farm.Input{Scene: v.Scene, Folder: v.Name})
		}
	}
	out = cmp.Or(c.Out, filepath.Join("renders", in.Name))
	if err := c.measure(con, out, in.Films); err != nil {
		return "", "", err
	}
	p, err := farm.New(in, farm.Options{Engine: cmp.Or(c.Engine, "shell"), Segments: c.Segments, Chunk: c.Chunk, CPUs: c.CPUs})
	if err != nil {
		return "", "", err
	}
	if script, err = p.Write(out); err != nil {
		return "", "", err
	}
	what := toml.Count(p.Frames(), "frame")
	if w != nil {
		what = toml.Count(len(list), "variant") + " with " + what
		if err := variantTable(con.stdout, w, list, in.Films); err != nil {
			return "", "", err
		}
	}
	t := tabwriter.NewWriter(con.stdout, 0, 0, 2, ' ', 0)
	row(t, p.Name, "%s as %d tasks in %s", what, len(p.Tasks), out)
	row(t, "task", "%d processors, about %s of memory", p.CPUs, num.Bytes(float64(p.Memory)))
	row(t, "disk", "about %s", num.Bytes(float64(p.Disk)))
	if cost := p.Cost(); cost.Work > 0 {
		row(t, "time", "at least %s, the longest chain of tasks, on %s like this one; %s on one", span(cost.Path), toml.Count(cost.Nodes, "machine"), span(cost.Work))
		row(t, "work", "%.2g node hours, %.2g core hours", cost.Work/3600, cost.Work/3600*float64(p.CPUs))
	}
	return out, script, t.Flush()
}

// measure finds what the films cost: by a rehearsal, or from the plan in the folder, if it is
// of the same films, so that the same plan has the same bytes.
func (c *planFlags) measure(con *console, out string, films []farm.Input) error {
	effort := 20 * time.Second
	if c.Trial != nil {
		effort = *c.Trial
	}
	for i := range films {
		in := &films[i]
		if c.Trial == nil && farm.Measured(out, in) {
			continue
		}
		b, err := in.Scene.Plan()
		if err != nil {
			return err
		}
		var r *estimate.Rehearsal
		if effort > 0 {
			if r, err = estimate.Rehearse(in.Scene, con.ctx, estimate.Effort{Seconds: effort.Seconds()}); err != nil {
				return err
			}
		}
		e := estimate.Of(in.Scene, b, r)
		in.Costs = farm.CostsOf(&e)
	}
	return nil
}

// variantTable prints what the variants of a wedge cost.
func variantTable(to io.Writer, p *wedge.Plan, list []*wedge.Variant, films []farm.Input) error {
	w := newCostTable(to, p)
	for i, v := range list {
		c := films[i].Costs
		w.add(v, c.Particles, c.Memory, c.Disk, c.Seconds())
	}
	return w.end()
}

type farmSubmit struct {
	Target string `arg:"" optional:"" name:"run" help:"Folder of a run, with the plan in it; or a scene to plan first, by the flags of farm plan; none with --wedge."`
	planFlags
	Options []string `arg:"" optional:"" passthrough:"" help:"What the engine's own command takes, after --, such as -- --partition=cpu."`
}

func (c *farmSubmit) Run(con *console) error {
	if c.Wedge != "" && c.Target != "" { // after --
		c.Options, c.Target = append([]string{c.Target}, c.Options...), ""
	}
	var script string
	if info, err := os.Stat(c.Target); err == nil && info.IsDir() {
		if c.given() {
			return usageError{fmt.Errorf("%s is the folder of a run: its plan is made, and flags of farm plan would not change it", c.Target)}
		}
		p, err := farm.Read(c.Target)
		if err != nil {
			return usageError{err}
		}
		if script, err = p.WriteScript(c.Target, p.Tasks); err != nil {
			return err
		}
	} else if _, script, err = c.plan(con, c.Target); err != nil {
		return err
	}
	return runScript(con, script, c.Options)
}

type farmRetry struct {
	farmFolder
	Options []string `arg:"" optional:"" passthrough:"" help:"What the engine's own command takes, after --, such as -- --partition=cpu."`
}

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
	IDs       []string `arg:"" name:"id" help:"Name of the task, as farm status shows it; or several, of which --index-from chooses one."`
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
