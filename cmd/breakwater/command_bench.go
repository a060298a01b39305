package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"

	"breakwater/scenes"
)

type benchCommand struct {
	Frames  int    `default:"12" placeholder:"N" help:"Frames to make, from the first (default: ${default})."`
	Size    string `default:"1280x720" placeholder:"WxH" help:"Width and height of the frames in pixels (default: ${default})."`
	Spacing string `default:"4 cm" placeholder:"M" help:"Distance of the particles at rest, in metres or with a unit (default: ${default})."`
	Threads int    `placeholder:"N" help:"Threads to run on (default: one a processor)."`
}

// Run makes the first frames of the shipped dam break in a folder for the time
// being and tells how fast each stage was.
func (c *benchCommand) Run(con *console) error {
	if err := setThreads(c.Threads); err != nil {
		return err
	}
	s, err := changes{Size: c.Size, Spacing: c.Spacing}.load("dam-break")
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
	fmt.Fprintf(con.stdout, "dam-break, spacing %g m, %d particles, %s pixels, frames 1-%d\n\n",
		s.Liquid.Spacing, work[scenes.SimStage].most, c.Size, c.Frames)
	w := tabwriter.NewWriter(con.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "stage\tseconds\tframes/s\twork\t\t")
	pixels := float64(s.Picture.Size[0]*s.Picture.Size[1]) / 1e6
	for _, stage := range scenes.Stages() {
		t := work[stage]
		rate, unit := t.pixels(pixels)/t.seconds, "Mpixels/s"
		switch stage {
		case scenes.SimStage:
			rate, unit = t.steps/t.seconds/1e3, "thousand particle steps/s"
		case scenes.MeshStage:
			rate, unit = t.triangles/t.seconds/1e6, "Mtriangles/s"
		}
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.4g\t%s\t\n", stage, t.seconds, float64(t.frames)/t.seconds, rate, unit)
	}
	return w.Flush()
}

// totals sums up what a stage did.
type totals struct {
	frames    int
	most      int     // particles
	seconds   float64 // of all frames
	steps     float64 // particles moved by a step, all together
	triangles float64
}

func (t *totals) add(e scenes.Event) {
	if e.Done || e.UnderWay || e.Frame == 0 {
		return
	}
	t.frames++
	t.most = max(t.most, e.Particles)
	t.seconds += e.Seconds
	t.steps += float64(e.Particles) * float64(e.Substeps)
	t.triangles += float64(e.Triangles)
}

func (t *totals) pixels(frame float64) float64 { return frame * float64(t.frames) }

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
