package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"breakwater/scenes"
	"breakwater/sim"
)

type benchCommand struct {
	Scene   string `arg:"" optional:"" default:"dam-break" help:"A scene (default: ${default})."`
	Frames  int    `default:"12" placeholder:"N" help:"Frames to make, from the first (default: ${default})."`
	Size    string `default:"1280x720" placeholder:"WxH" help:"Width and height of the frames in pixels (default: ${default})."`
	Spacing string `placeholder:"M" help:"Distance of the particles at rest, in metres or with a unit (default: 4 cm for the dam break, else the scene's)."`
	Threads int    `placeholder:"N" help:"Threads to run on (default: one a processor)."`
}

// Run makes the first frames of a scene in a folder for the time being and
// tells how fast each stage was.
func (c *benchCommand) Run(con *console) error {
	if err := setThreads(c.Threads); err != nil {
		return err
	}
	if c.Scene == "dam-break" && c.Spacing == "" {
		c.Spacing = "4 cm"
	}
	s, err := changes{Size: c.Size, Spacing: c.Spacing}.load(c.Scene)
	if err != nil {
		return err
	}
	if c.Frames < 2 || c.Frames > s.Time.Frames() {
		return usageError{fmt.Errorf("--frames %d: expected 2 to %d", c.Frames, s.Time.Frames())}
	}
	folder, err := os.MkdirTemp("", "breakwater-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)

	work := map[scenes.Stage]*totals{}
	show := newReporter(false, false, con.stdout, con.stderr)
	err = scenes.Run(con.ctx, s, scenes.Options{Out: folder, Last: c.Frames}, func(e scenes.Event) {
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
		return err
	}

	fmt.Fprintf(con.stdout, "%s, %s, %d threads\n", version(), machine(), runtime.GOMAXPROCS(0))
	fmt.Fprintf(con.stdout, "%s, spacing %g m, %d particles, %s pixels, frames 1-%d\n\n",
		s.Name, s.Liquid.Spacing, work[scenes.SimStage].most, c.Size, c.Frames)
	w := tabwriter.NewWriter(con.stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "stage\tseconds\tframes/s\tparticles/s\tMtriangles/s\tMpixels/s\t")
	for _, stage := range scenes.Stages() {
		t := work[stage]
		pixels := 0.
		if stage == scenes.DrawStage || stage == scenes.FilmStage {
			pixels = t.frames * float64(s.Picture.Size[0]*s.Picture.Size[1])
		}
		fmt.Fprintf(w, "%s\t%.2f\t%s\t%s\t%s\t%s\t\n", stage, t.seconds,
			rate(t.frames, t.seconds), rate(t.particles, t.seconds), rate(t.triangles/1e6, t.seconds), rate(pixels/1e6, t.seconds))
	}
	fmt.Fprintf(w, "\n")
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(con.stdout, "In sim a particle counts once a step of the solver, elsewhere once a frame.")
	fmt.Fprintln(con.stdout)

	t := work[scenes.SimStage]
	fmt.Fprintln(w, "phase of a step\tseconds\tms/step\tparticles/s\t")
	for p, seconds := range t.phases {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%s\t\n", sim.Phase(p), seconds, 1e3*seconds/t.steps, rate(t.particles, seconds))
	}
	return w.Flush()
}

// totals sums up what a stage did.
type totals struct {
	frames    float64
	most      int     // particles
	seconds   float64 // of all frames
	particles float64 // once a step, or once a frame where there are none
	triangles float64
	steps     float64                // of the solver
	phases    [sim.NumPhases]float64 // seconds of each of the solver's
}

func (t *totals) add(e scenes.Event) {
	if e.Done || e.UnderWay || e.Frame == 0 {
		return
	}
	t.frames++
	t.most = max(t.most, e.Particles)
	t.seconds += e.Seconds
	t.triangles += float64(e.Triangles)
	if e.Stage == scenes.SimStage {
		t.particles += float64(e.Particles) * float64(e.Substeps)
		t.steps += float64(e.Substeps)
		for p, s := range e.Phases {
			t.phases[p] += s
		}
	} else {
		t.particles += float64(e.Particles)
	}
}

// rate writes n a second to three digits.
func rate(n, seconds float64) string {
	if n == 0 {
		return "-"
	}
	x := n / seconds
	return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(x)))), 64)
}

// machine names the processor, as far as the system says.
func machine() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
