package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"breakwater/scenes/farm"
	"breakwater/scenes/toml"
)

type farmStatus struct {
	farmFolder
	Watch    bool          `group:"run" help:"Look again from time to time, until all is done, or no task can go on; then exit with the status of the first that failed."`
	Interval time.Duration `group:"run" default:"5s" placeholder:"TIME" help:"Time between two looks of --watch (default: 5s)."`
	JSON     bool          `name:"json" group:"output" help:"Print the tasks as JSON; with --watch, a line for each, and another when it changes."`
}

func (c *farmStatus) Run(con *console) error {
	if c.Interval <= 0 {
		return usageError{fmt.Errorf("--interval %v: expected a time such as 10s", c.Interval)}
	}
	p, list, err := c.status()
	switch {
	case err != nil:
		return err
	case c.Watch && c.JSON:
		return c.watch(con, p, list, changedTasks(con.stdout))
	case c.Watch:
		width := 0
		if isTerminal(con.stdout) {
			width = columns(con.stdout)
		}
		return c.watch(con, p, list, redrawn(con.stdout, width))
	case c.JSON:
		p.Progress(list) // predicts when tasks end
		enc := json.NewEncoder(con.stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(list)
	}
	return statusTable(con.stdout, p, list)
}

// watch shows the status of the tasks from time to time, until none can go on.
func (c *farmStatus) watch(con *console, p *farm.Plan, list []farm.Status, show func(p *farm.Plan, list []farm.Status) error) error {
	for {
		if err := show(p, list); err != nil {
			return err
		}
		if !farm.GoesOn(list) {
			return failedTask(list)
		}
		select {
		case <-con.ctx.Done():
			return con.ctx.Err()
		case <-time.After(c.Interval):
		}
		var err error
		if p, list, err = c.status(); err != nil {
			return err
		}
	}
}

// failedTask returns an error with the exit status of the first task that failed, nil if all
// are done.
func failedTask(list []farm.Status) error {
	for _, s := range list {
		if s.Condition == farm.Failed {
			return statusError{s.Mark.Exit, fmt.Errorf("%s failed on %s with exit status %d: %s", s.ID, s.Mark.Host, s.Mark.Exit, s.Mark.Error)}
		}
	}
	return nil
}

// changedTasks returns a function that prints the tasks that have changed since its last call,
// one JSON object per line.
func changedTasks(to io.Writer) func(*farm.Plan, []farm.Status) error {
	last := map[string]string{}
	return func(_ *farm.Plan, list []farm.Status) error {
		for _, s := range list {
			text, err := json.Marshal(s)
			if err != nil {
				return err
			}
			if last[s.ID] == string(text) {
				continue
			}
			last[s.ID] = string(text)
			if _, err := fmt.Fprintf(to, "%s\n", text); err != nil {
				return err
			}
		}
		return nil
	}
}

// redrawn returns a function that prints the status if it has changed since its last call: on a
// terminal of some columns in its place, elsewhere, where there are 0, below it.
func redrawn(to io.Writer, columns int) func(*farm.Plan, []farm.Status) error {
	var last, lastKept string
	return func(p *farm.Plan, list []farm.Status) error {
		var b bytes.Buffer
		if err := statusTable(&b, p, list); err != nil {
			return err
		}
		text := b.String()
		kept := withoutEnd(text)
		if text == last || columns == 0 && kept == lastKept {
			return nil
		}
		between := ""
		switch {
		case last != "" && columns > 0: // up to its first line, and clear what follows
			rows := 0
			for line := range strings.Lines(last) {
				rows += max(1, (utf8.RuneCountInString(line)-1+columns-1)/columns) // long lines take several
			}
			between = fmt.Sprintf("\x1b[%dA\x1b[J", rows)
		case last != "":
			between = "\n"
		}
		last, lastKept = text, kept
		_, err := io.WriteString(to, between+text)
		return err
	}
}

// withoutEnd returns a status without the line that changes with the clock.
func withoutEnd(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "ends ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// statusTable prints how many frames and tasks are done, run, failed and wait, when all is done,
// and which tasks run and failed.
func statusTable(to io.Writer, p *farm.Plan, list []farm.Status) error {
	count := map[farm.Condition]int{}
	for _, s := range list {
		count[s.Condition]++
	}
	g := p.Progress(list)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	row(w, p.Name, "%d of %d frames are made, %d run, %d failed, %d wait", g.Made, g.Frames, g.Running, g.Failed, g.Later)
	row(w, "tasks", "%d are done, %d run, %d failed, %d wait", count[farm.Done], count[farm.Running], count[farm.Failed], count[farm.Waiting])
	if g.Work > 0 {
		row(w, "left", "at least %s, %.2g node hours", span(g.Path), g.Work/3600)
	}
	if g.Ends > 0 {
		row(w, "ends", "in about %s, at %s, with %s at a time", span(g.Ends), time.Now().Add(time.Duration(g.Ends*float64(time.Second))).Format("15:04 on 2 January"), toml.Count(g.AtOnce, "task"))
	}
	for _, s := range list {
		switch s.Condition {
		case farm.Running:
			row(w, s.ID, "runs on %s, %d frames left", s.Mark.Host, s.Lacks)
		case farm.Failed:
			text, _, _ := strings.Cut(s.Mark.Error, "\n")
			row(w, s.ID, "failed on %s with exit status %d: %s", s.Mark.Host, s.Mark.Exit, text)
		}
	}
	return w.Flush()
}
