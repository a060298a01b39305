package main

import (
	"fmt"
	"os"

	"breakwater/scenes"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
)

// bench makes the tables of a benchCommand.
type bench struct {
	con *console
	*benchCommand
}

// reporter shows progress on stderr.
func (b *bench) reporter() reporter { return newReporter(b.Quiet, false, nil, b.con.stderr) }

// say announces the next measurement.
func (b *bench) say(format string, args ...any) {
	if !b.Quiet {
		fmt.Fprintf(b.con.stderr, format+"\n", args...)
	}
}

// command is the command line that makes a table again.
func (b *bench) command(table string, flags ...string) string {
	s := "breakwater bench"
	if b.Scene != "" {
		s += " " + quoted(b.Scene)
	}
	s += " --table " + table
	for i := 0; i < len(flags); i += 2 {
		if flags[i+1] != "" {
			s += " --" + flags[i] + " " + quoted(flags[i+1])
		}
	}
	return s
}

// given returns n for a flag, "" if it is not given.
func given(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// stages makes a film in a temporary folder and reports the speed of each stage.
func (b *bench) stages(s *scenes.Scene) (*table, error) {
	folder, err := os.MkdirTemp("", "breakwater-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	work := map[stage.Name]*totals{}
	show := b.reporter()
	err = run.Run(b.con.ctx, s, run.Options{Out: folder, Last: b.Frames}, func(e stage.Event) {
		show.report(e)
		t := work[e.Stage]
		if t == nil {
			t = &totals{}
			work[e.Stage] = t
		}
		t.add(e)
	})
	show.stop()
	if err != nil {
		return nil, err
	}
	sim := work[stage.Sim]
	t := &table{
		Name: "stages", Title: "The stages of a film", Command: b.command("stages", "frames", given(b.Frames), "size", b.Size, "spacing", b.Spacing),
		About: fmt.Sprintf("%s, %s particles %g m apart, %s steps, %.0f frames of %d × %d pixels at %s. In sim a particle counts once per step, in other stages once per frame.",
			s.Name, thousands(sim.most), s.Liquid.Spacing, thousands(int(sim.steps)), sim.frames, s.Picture.Size[0], s.Picture.Size[1], s.Picture.Quality),
		Columns: []string{"stage", "s", "frames/s", "Mparticles/s", "Mtriangles/s", "Mpixels/s"},
	}
	all := 0.
	for _, st := range stage.All() {
		x, ran := work[st]
		if !ran || x.frames == 0 {
			continue // a film without archives has nothing to export
		}
		pixels := 0.
		if st == stage.Draw || st == stage.Film {
			pixels = x.frames * float64(s.Picture.Size[0]*s.Picture.Size[1])
		}
		all += x.seconds
		t.Rows = append(t.Rows, []any{string(st), x.seconds, rate(x.frames, x.seconds),
			rate(x.particles/1e6, x.seconds), rate(x.triangles/1e6, x.seconds), rate(pixels/1e6, x.seconds)})
	}
	t.Rows = append(t.Rows, []any{"**all**", all, rate(sim.frames, all), none, none, none})
	return t, nil
}

// totals sums up what a stage did.
type totals struct {
	frames    float64
	most      int     // particles
	seconds   float64 // of all frames
	particles float64 // counted once per step, or once per frame in stages without steps
	triangles float64
	steps     float64 // of the solver
}

func (t *totals) add(e stage.Event) {
	if e.Done {
		t.seconds = e.Seconds // what was written last counts too
	}
	if e.Done || e.UnderWay || e.Frame == 0 {
		return
	}
	t.frames++
	t.most = max(t.most, e.Particles)
	t.triangles += float64(e.Triangles)
	if e.Stage == stage.Sim {
		t.particles += float64(float64(e.Particles) * float64(e.Substeps))
		t.steps += float64(e.Substeps)
	} else {
		t.particles += float64(e.Particles)
	}
}
