package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"breakwater/scenes"
	"breakwater/scenes/estimate"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/scenes/wedge"
	"breakwater/sim/num"
)

type wedgeCommand struct {
	File string `arg:"" help:"Path of a wedge file: a scene, and keys with the values that vary (see docs/WEDGES.md)."`
	changes
	Check bool          `group:"run" help:"Make nothing; only check all variants and print what each costs."`
	Trial time.Duration `group:"run" default:"5s" placeholder:"TIME" help:"Processor time for the rehearsal of each variant, from which the costs are extrapolated; 0 for none (default: 5s)."`
	runFlags
}

func (c *wedgeCommand) Run(con *console) error {
	setThreads(c.Threads)
	if c.Trial < 0 {
		return usageError{fmt.Errorf("--trial %v: expected a time such as 30s, or 0 for no rehearsal", c.Trial)}
	}
	if err := folderName(c.Out, "a folder with a folder for each variant"); err != nil {
		return err
	}
	p, err := wedge.Read(c.File)
	if err != nil {
		return err
	}
	list, err := p.Variants(scenes.Overrides{FPS: c.FPS, Size: c.Size, Quality: c.Quality, Spacing: c.Spacing, Set: c.Set})
	if err != nil {
		return err
	}
	to := con.stderr
	if c.Check {
		to = con.stdout
	} else if c.Quiet || c.JSON {
		to = io.Discard
	}
	if err := c.costs(con, to, p, list); err != nil || c.Check {
		return err
	}
	if c.Out == "" {
		c.Out = filepath.Join("renders", p.Name)
	}
	show := newReporter(c.Quiet, c.JSON, con.stdout, con.stderr)
	begin := func(v *wedge.Variant) {
		show.report(stage.Event{Message: fmt.Sprintf("variant %d of %d, %s: %s", v.Number, len(list), v, filepath.Join(c.Out, v.Name))})
	}
	err = p.Run(con.ctx, list, wedge.Options{Out: c.Out, First: c.Frames.first, Last: c.Frames.last, Force: c.Force}, begin, show.report)
	show.stop()
	var outside *run.RangeError
	var stopped *stage.Interrupted
	switch {
	case errors.As(err, &outside):
		return usageError{fmt.Errorf("%s: %w", c.Frames.flag(), err)}
	case errors.As(err, &stopped):
		return fmt.Errorf("%w\nTo continue, run the same command again", err)
	case err == nil && !c.Quiet && !c.JSON:
		fmt.Fprintf(con.stderr, "All in %s\n", c.Out)
	}
	return err
}

// costs writes a table of what the variants need. A variant that does not fit is an
// error.
func (c *wedgeCommand) costs(con *console, to io.Writer, p *wedge.Plan, list []*wedge.Variant) error {
	w := newCostTable(to, p)
	for _, v := range list {
		b, err := v.Scene.Plan()
		if err != nil {
			return fmt.Errorf("variant %d (%s): %w", v.Number, v, err)
		}
		var r *estimate.Rehearsal
		if c.Trial > 0 {
			if r, err = estimate.Rehearse(v.Scene, con.ctx, estimate.Effort{Seconds: c.Trial.Seconds()}); err != nil {
				return err
			}
		}
		e := estimate.Of(v.Scene, b, r)
		if err := estimate.Fits(v.Scene, &e); err != nil {
			return fmt.Errorf("variant %d (%s): %w", v.Number, v, err)
		}
		w.add(v, e.Particles, e.Memory, e.Disk(), e.Seconds())
	}
	return w.end()
}

// costTable is a table of what the variants of a wedge cost.
type costTable struct {
	w             *tabwriter.Writer
	disk, seconds float64 // of all
}

func newCostTable(to io.Writer, p *wedge.Plan) *costTable {
	t := &costTable{w: tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)}
	head := slices.Concat([]string{"variant"}, p.Keys(), []string{"particles", "frames", "memory", "disk", "time"})
	fmt.Fprintln(t.w, strings.Join(head, "\t"))
	return t
}

// add adds the row of a variant, with bytes of memory and disk, and seconds, 0 if unknown.
func (t *costTable) add(v *wedge.Variant, particles int, memory, disk int64, seconds float64) {
	t.disk, t.seconds = t.disk+float64(disk), t.seconds+seconds
	time := "-"
	if seconds > 0 {
		time = span(seconds)
	}
	row := slices.Concat([]string{fmt.Sprint(v.Number)}, v.Labels,
		[]string{fmt.Sprint(particles), fmt.Sprint(v.Scene.Time.Frames()), num.Bytes(float64(memory)), num.Bytes(float64(disk)), time})
	fmt.Fprintln(t.w, strings.Join(row, "\t"))
}

func (t *costTable) end() error {
	all := num.Bytes(t.disk)
	if t.seconds > 0 {
		all += ", " + span(t.seconds)
	}
	fmt.Fprintf(t.w, "all: %s\n", all)
	return t.w.Flush()
}
