package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"breakwater/out/store"
	"breakwater/scenes/validate"
	"breakwater/sim"
	"breakwater/sim/registry"
)

type validateCommand struct {
	Case []string `arg:"" optional:"" help:"Cases (see \"breakwater list\"; default: all)."`

	Quick   bool        `group:"bench" help:"Run coarsely, for seconds per case, with goals of its own."`
	Solver  string      `group:"bench" placeholder:"NAME" help:"Solver of the liquid with its default settings, for the cases that take one (see \"breakwater list\"; default: isph). Without names of cases, all of these run."`
	Out     string      `short:"o" group:"run" placeholder:"DIR" default:"renders/validate" help:"Folder for a figure per case, with its numbers as CSV (default: renders/validate)."`
	Threads threadCount `group:"run" placeholder:"N" help:"Number of threads; it does not affect the results (default: one per processor)."`
	Quiet   bool        `short:"q" group:"output" help:"Show no progress."`
	JSON    bool        `name:"json" group:"output" help:"Print a JSON object per case, one per line."`
}

// Help is shown by --help.
func (validateCommand) Help() string {
	return `Exit status: 0 if every goal is met, 1 if a goal is missed; its row then says so.`
}

// Run runs the cases and prints each when it is done. A missed goal fails the
// command, after all cases have run.
func (c *validateCommand) Run(con *console) error {
	setThreads(c.Threads)
	if err := folderName(c.Out, "a folder"); err != nil {
		return err
	}
	names, err := c.names()
	if err != nil {
		return usageError{err}
	}
	cases := make([]validate.Case, len(names))
	for i, name := range names {
		var err error
		if cases[i], err = validate.Cases.New(name, registry.None); err != nil {
			return usageError{err}
		}
	}
	dir, err := store.OpenDir(c.Out)
	if err != nil {
		return err
	}
	defer dir.Close()
	missed, all := 0, 0
	for i, name := range names {
		begun := time.Now()
		r, err := cases[i](&validate.Run{Ctx: con.ctx, Quick: c.Quick, Solver: c.Solver, Tell: c.teller(con.stderr, name)})
		if err != nil {
			if con.ctx.Err() != nil {
				return errors.New("interrupted; the cases above are complete")
			}
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := dir.Write(name+".csv", r.Plot.WriteCSV); err != nil {
			return err
		}
		if err := dir.Write(name+".png", r.Plot.WritePNG); err != nil {
			return err
		}
		if err := c.print(con.stdout, name, r, time.Since(begun)); err != nil {
			return err
		}
		for _, m := range r.Measures {
			if !math.IsInf(m.Goal, 1) {
				all++
			}
			if !m.Met() {
				missed++
			}
		}
	}
	if !c.Quiet {
		fmt.Fprintf(con.stderr, "figures and their numbers in %s\n", c.Out)
	}
	if missed > 0 {
		return fmt.Errorf("%d of %d goals missed", missed, all)
	}
	return nil
}

// names returns the names of the cases to run.
func (c *validateCommand) names() ([]string, error) {
	if c.Solver == "" {
		if len(c.Case) == 0 {
			return validate.Cases.Names(), nil
		}
		return c.Case, nil
	}
	if _, err := sim.Solvers.New(c.Solver, registry.None); err != nil {
		return nil, fmt.Errorf("--solver %s: %w", c.Solver, err)
	}
	takes := slices.DeleteFunc(validate.Cases.Names(), func(name string) bool { return !validate.TakesSolver(name) })
	for _, name := range c.Case {
		if slices.Contains(validate.Cases.Names(), name) && !slices.Contains(takes, name) {
			return nil, fmt.Errorf("--solver %s: the case %s has a solver of its own; drop --solver, or choose from %s", c.Solver, name, strings.Join(takes, ", "))
		}
	}
	if len(c.Case) > 0 {
		return c.Case, nil
	}
	return takes, nil
}

// teller returns a function that shows how far a case is, on a terminal.
func (c *validateCommand) teller(w io.Writer, name string) func(float64) {
	if c.Quiet || c.JSON || !isTerminal(w) {
		return nil
	}
	reported := time.Now()
	return func(done float64) {
		if now := time.Now(); now.Sub(reported) > time.Second/5 {
			reported = now
			fmt.Fprintf(w, "\r%s %3.0f %%\r", name, 100*done)
		}
	}
}

// print writes a case as a section of Markdown, or as a line of JSON.
func (c *validateCommand) print(w io.Writer, name string, r *validate.Result, took time.Duration) error {
	entries := validate.Cases.Entries()
	e := entries[slices.IndexFunc(entries, func(e registry.Entry[validate.Case]) bool { return e.Name == name })]
	if c.JSON {
		type measure struct {
			Name  string   `json:"name"`
			Unit  string   `json:"unit,omitempty"`
			Got   *float64 `json:"simulated,omitempty"`
			Want  *float64 `json:"expected,omitempty"`
			Error *float64 `json:"error,omitempty"`
			Goal  *float64 `json:"goal,omitempty"`
			Met   bool     `json:"met"`
		}
		line := struct {
			Case      string    `json:"case"`
			Doc       string    `json:"about"`
			Cite      string    `json:"cite,omitempty"`
			Solver    string    `json:"solver,omitempty"`
			Quick     bool      `json:"quick"`
			Particles int       `json:"particles"`
			Spacing   float64   `json:"spacing"`
			Steps     int       `json:"steps"`
			Seconds   float64   `json:"seconds"`
			Measures  []measure `json:"measures"`
		}{name, e.Doc, e.Cite, c.Solver, c.Quick, r.Particles, r.Spacing, r.Steps, took.Seconds(), nil}
		finite := func(x float64) *float64 {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil
			}
			return &x
		}
		for _, m := range r.Measures {
			line.Measures = append(line.Measures, measure{m.Name, m.Unit, finite(m.Got), finite(m.Want), finite(m.Error), finite(m.Goal), m.Met()})
		}
		return json.NewEncoder(w).Encode(line)
	}
	var b strings.Builder
	cite := ""
	if e.Cite != "" {
		cite = " (" + e.Cite + ")"
	}
	solver := ""
	if c.Solver != "" {
		solver = ", solver " + c.Solver
	}
	fmt.Fprintf(&b, "## %s: %s%s%s\n\n%s particles %.3g m apart, %s steps, %.1f s\n\n",
		name, e.Doc, cite, solver, thousands(r.Particles), r.Spacing, thousands(r.Steps), took.Seconds())
	t := tabwriter.NewWriter(&b, 0, 0, 1, ' ', tabwriter.Debug)
	fmt.Fprintln(t, "| quantity\t simulated\t expected\t error\t goal\t\t")
	fmt.Fprintln(t, "|"+strings.Repeat("---\t", 6))
	for _, m := range r.Measures {
		goal, verdict := "–", ""
		if !math.IsInf(m.Goal, 1) {
			goal, verdict = asPercent(m.Goal), "met"
		}
		if !m.Met() {
			verdict = "MISSED"
		}
		fmt.Fprintf(t, "| %s\t %s\t %s\t %s\t %s\t %s\t\n", m.Name, withUnit(m.Got, m.Unit), withUnit(m.Want, m.Unit), asPercent(m.Error), goal, verdict)
	}
	t.Flush()
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// withUnit writes x to four digits with its unit, or "–" for NaN.
func withUnit(x float64, unit string) string {
	if math.IsNaN(x) {
		return "–"
	}
	return strings.TrimSpace(strconv.FormatFloat(x, 'g', 4, 64) + " " + unit)
}

func asPercent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return strconv.FormatFloat(100*x, 'g', 3, 64) + " %"
}
