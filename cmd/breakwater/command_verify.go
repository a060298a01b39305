package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"breakwater/scenes"
	"breakwater/scenes/farm"
	"breakwater/scenes/run"
	"breakwater/scenes/toml"
	"breakwater/sim/num"
)

type verifyCommand struct {
	Folder string     `arg:"" help:"Folder of a run, finished or not."`
	Frames frameRange `group:"run" placeholder:"A-B" help:"Verify only these frames, and the files of all frames: 10-20, 7, 10- or -20 (default: all)."`
	Quick  bool       `group:"run" help:"Read only files whose size or modification time differs from the record. Damage that leaves both alone is not found."`
	Redo   bool       `group:"run" help:"Make again what is damaged or missing, and nothing else, and name each file that is made."`
	Scene  string     `group:"run" placeholder:"SCENE" help:"The scene of the run, for --redo, with the flags that it was made with (default: of the folder's plan, if it has one)."`
	changes
	Threads threadCount `group:"run" placeholder:"N" help:"Number of threads; it does not affect the results (default: one per processor)."`
	JSON    bool        `name:"json" group:"output" help:"Print events on standard output, one JSON object per line: progress, faults, and the result."`
}

// unfinished is the error of a run that is not finished, and has no fault so far.
type unfinished struct{ folder string }

func (e *unfinished) Error() string {
	return fmt.Sprintf("%s has no manifest, so the run is not finished; to finish it, run the scene again", e.folder)
}

func (c *verifyCommand) Run(con *console) error {
	setThreads(c.Threads)
	if info, err := os.Stat(c.Folder); err != nil || !info.IsDir() {
		return usageError{fmt.Errorf("%s: expected the folder of a run", c.Folder)}
	}
	var scene *scenes.Scene
	if c.Redo {
		var err error
		if scene, err = c.scene(); err != nil {
			return err
		}
	}
	opt := run.VerifyOptions{First: c.Frames.first, Last: c.Frames.last, Quick: c.Quick}
	events := encoder(con.stdout)
	if c.JSON {
		opt.Progress = func(files, of int) {
			if files*20/of != (files-1)*20/of {
				_ = events.Encode(progress{files, of})
			}
		}
	}
	v, err := run.Verify(con.ctx, c.Folder, opt)
	if err != nil {
		return err
	}
	if v.Files == 0 && len(v.Faults) == 0 {
		return usageError{fmt.Errorf("%s has no files of a run", c.Folder)}
	}
	if c.Redo && v.Bad() > 0 {
		if v, err = c.redo(con, scene, v); err != nil {
			return err
		}
	}
	bad := v.Bad()
	if c.JSON {
		err = verifyEvents(events, v)
	} else {
		err = verifyTable(con.stdout, v)
	}
	switch {
	case err != nil:
		return err
	case bad > 0:
		return fmt.Errorf("%s: %s", c.Folder, toml.Count(bad, "fault"))
	case !v.Finished:
		return &unfinished{c.Folder}
	}
	return nil
}

// scene returns the scene of the run.
func (c *verifyCommand) scene() (*scenes.Scene, error) {
	if c.Scene != "" {
		return c.load(c.Scene)
	}
	s, err := farm.Planned(c.Folder)
	if s == nil && err == nil {
		return nil, usageError{fmt.Errorf("--redo: %s has no plan of a farm: name the scene that it was made from by --scene", c.Folder)}
	}
	return s, err
}

// redo makes again what has faults, prints the faults and the names of the files that are made, and
// verifies the folder again.
func (c *verifyCommand) redo(con *console, scene *scenes.Scene, v *run.Verified) (*run.Verified, error) {
	events := encoder(con.stdout)
	for _, f := range v.Faults {
		var err error
		if c.JSON {
			err = events.Encode(f)
		} else {
			_, err = fmt.Fprintln(con.stdout, f.Text)
		}
		if err != nil {
			return nil, err
		}
	}
	show := newReporter(c.JSON, false, con.stdout, con.stderr)
	made, err := run.Redo(con.ctx, scene, c.Folder, v.Faults, show.report)
	show.stop()
	if err != nil {
		return nil, err
	}
	for _, name := range made {
		if c.JSON {
			err = events.Encode(remade{name})
		} else {
			_, err = fmt.Fprintf(con.stdout, "made again %s\n", name)
		}
		if err != nil {
			return nil, err
		}
	}
	return run.Verify(con.ctx, c.Folder, run.VerifyOptions{First: c.Frames.first, Last: c.Frames.last, Quick: true})
}

// remade is the event of a file that is made again.
type remade struct {
	File string `json:"made"`
}

// progress is the event of files that are verified.
type progress struct {
	Files int `json:"verified"`
	Of    int `json:"of"`
}

// verifyEvents writes the faults and the result.
func verifyEvents(events *json.Encoder, v *run.Verified) error {
	for _, f := range v.Faults {
		if err := events.Encode(f); err != nil {
			return err
		}
	}
	return events.Encode(struct {
		*run.Verified
		Bad  int  `json:"faults"`
		Done bool `json:"done"`
	}{v, v.Bad(), true})
}

// verifyTable writes the faults with their remedies, and how many there are.
func verifyTable(to io.Writer, v *run.Verified) error {
	count := map[run.FaultKind]int{}
	for _, f := range v.Faults {
		count[f.Kind]++
		if _, err := fmt.Fprintf(to, "%s\n  remedy: %s\n", f.Text, f.Remedy); err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	row(w, "verified", "%s, %s", toml.Count(v.Files, "file"), num.Bytes(float64(v.Bytes)))
	row(w, "faults", "%d damaged, %d missing, %d rows missing", count[run.FileDamaged], count[run.FileMissing], count[run.RowMissing])
	if n := count[run.FileExtra]; n > 0 {
		row(w, "extra", "%s without a record", toml.Count(n, "file"))
	}
	if v.Finished {
		row(w, "run", "finished, %s", toml.Count(v.Frames, "frame"))
	}
	return w.Flush()
}
