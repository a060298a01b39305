package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"breakwater/raster"
	"breakwater/scenes"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

// story is what a run of two stages reports.
var story = []stage.Event{
	{Stage: stage.Sim, Frames: 1000, Kept: 10, Message: "sim   12 files after the last frame: removed"},
	{Stage: stage.Sim, Frame: 11, Frames: 1000, Time: 12.3, Particles: 1_000_000, Substeps: 12, UnderWay: true},
	{Stage: stage.Sim, Frame: 11, Frames: 1000, Time: 12.4, Particles: 1_000_000, Substeps: 40, Kept: 10, Made: 1, Seconds: 60, ETA: 59000},
	{Stage: stage.Sim, Frame: 1000, Frames: 1000, Time: 99.9, Particles: 1_000_000, Kept: 10, Made: 990, Seconds: 60},
	{Stage: stage.Sim, Frame: 1000, Frames: 1000, Kept: 10, Made: 990, Seconds: 59000, Done: true},
	{Stage: stage.Mesh, File: "a folder/ParticleData_Fluid_of_a_long_name_1000.vtk", Frame: 1000, Frames: 1001, Particles: 1_000_000, Made: 1, Seconds: 60, ETA: 59000},
	{Stage: stage.Export, What: "points as csv", Frame: 1000, Frames: 1000, Made: 1000, Seconds: 60, Done: true},
	{Stage: stage.Film, What: "wave.mp4", Frame: 1000, Frames: 1000, Kept: 1000, Done: true},
}

const (
	storySim  = "sim   kept 10 frames, made 990 in 16h23m20s\n"
	storyFile = "mesh  file 1000/1001, a folder/ParticleData_Fluid_of_a_long_name_1000.vtk, 1000000 particles, 16h23m20s left\n"
	storyEnd  = "export made 1000 frames of points as csv in 1m0s\nvideo kept all 1000 frames of wave.mp4\n"
)

func TestLines(t *testing.T) {
	var b bytes.Buffer
	now := time.Unix(1000, 0)
	l := &lines{w: &b, now: func() time.Time { now = now.Add(time.Second); return now }}
	for _, e := range story {
		l.report(e)
	}
	want := "sim   12 files after the last frame: removed\n" +
		"sim   frame 11/1000, t = 12.300 s, 1000000 particles, 12 substeps\n" + storySim + storyFile + storyEnd
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestBars looks at what stays on a terminal of 80 columns.
func TestBars(t *testing.T) {
	var b bytes.Buffer
	r := &bars{w: &b, columns: func() int { return 80 }}
	for _, e := range story {
		r.report(e)
	}
	r.stop()
	control := regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	var left strings.Builder
	for line := range strings.Lines(b.String()) {
		for _, drawn := range strings.Split(strings.TrimSuffix(line, "\n"), "\r") {
			if n := utf8.RuneCountInString(control.ReplaceAllString(drawn, "")); n > 79 {
				t.Errorf("%d columns: %q", n, drawn)
			}
		}
		left.WriteString(control.ReplaceAllString(line[strings.LastIndex(line, "\r")+1:], ""))
	}
	if want := story[0].Message + "\n" + storySim + storyEnd; left.String() != want {
		t.Errorf("on the screen stays\n%swant\n%s", left.String(), want)
	}
	if !strings.Contains(b.String(), "…me_1000.vtk, 16h23m20s left") {
		t.Error("the bar does not show the time left")
	}
}

// TestNarrowBars looks at a terminal of few columns: no line may reach its edge,
// where it would wrap.
func TestNarrowBars(t *testing.T) {
	control := regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	for _, columns := range []int{1, 10, 30, 79} {
		var b bytes.Buffer
		r := &bars{w: &b, columns: func() int { return columns }}
		for _, e := range story[1:4] {
			r.report(e)
		}
		shown := b.String()
		r.stop()
		for _, drawn := range strings.Split(shown, "\r") {
			if n := utf8.RuneCountInString(control.ReplaceAllString(drawn, "")); n >= max(2, columns) {
				t.Errorf("%d columns: %q has %d", columns, drawn, n)
			}
		}
		if columns > 10 && !strings.Contains(shown, "1% sim 11/1000") {
			t.Errorf("%d columns: %q", columns, shown)
		}
		if strings.Contains(b.String(), "\n") {
			t.Errorf("%d columns: a line is left: %q", columns, b.String())
		}
	}
}

// signalWriter says when each line comes.
type signalWriter chan string

func (w signalWriter) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

// TestRepeatedEvents has a stage that reports nothing for long: its last event comes again
// until there is a new one.
func TestRepeatedEvents(t *testing.T) {
	lines := make(signalWriter)
	v := newEvents(lines, time.Millisecond)
	defer func() {
		go func() { // who may be writing
			for range lines {
			}
		}()
		v.stop()
	}()
	for _, made := range []int{3, 4} {
		go v.report(stage.Event{Stage: stage.Draw, Frame: made, Made: made, Message: "once", Done: made == 4})
		for said := false; ; {
			var e stage.Event
			if err := json.Unmarshal([]byte(<-lines), &e); err != nil {
				t.Fatal(err)
			}
			switch {
			case e.Made != made && !said:
			case e.Made != made || e.UnderWay == (e.Message != "") || e.UnderWay && e.Done:
				t.Fatalf("%+v", e)
			case e.Message != "":
				said = true
				continue
			}
			if said {
				break
			}
		}
	}
}

// TestEventsInAllStages has events repeated in each stage of a run, where 20 s without any
// would be too long for an engine, and a hundred microseconds are for this test.
func TestEventsInAllStages(t *testing.T) {
	if silence > 20*time.Second {
		t.Errorf("there may be no event for %v", silence)
	}
	s, err := scenes.Load(everything(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Override(scenes.Overrides{Set: []string{"whitewater.spray=1"}}); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	v := newEvents(&text, 100*time.Microsecond)
	err = run.Run(context.Background(), s, run.Options{Out: t.TempDir()}, v.report)
	v.stop()
	if err != nil {
		t.Fatal(err)
	}
	repeated := map[stage.Name]int{}
	var last stage.Event
	for line := range strings.Lines(text.String()) {
		var e stage.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.UnderWay && e.Stage == last.Stage && e.Made == last.Made {
			repeated[e.Stage]++
		}
		last = e
	}
	for _, name := range stage.All() {
		if repeated[name] == 0 {
			t.Errorf("%s: no event is repeated: %v", name, repeated)
		}
	}
}

func init() {
	raster.Looks.Add("slow", "a fault: a picture takes a minute", "none", func() raster.Look { return slow{} })
}

// slow is a look whose pictures take a minute, of a clock that tests have.
type slow struct{}

func (slow) Draw(v *raster.View) (*image.RGBA, error) {
	time.Sleep(time.Minute)
	return image.NewRGBA(image.Rect(0, 0, v.Width, v.Height)), nil
}

// timedWriter notes when each line comes.
type timedWriter struct {
	at []time.Time
	bytes.Buffer
}

func (w *timedWriter) Write(b []byte) (int, error) {
	w.at = append(w.at, time.Now())
	return w.Buffer.Write(b)
}

// TestSlowPicture draws pictures that take a minute each: there is an event at least every
// 20 s.
func TestSlowPicture(t *testing.T) {
	out := t.TempDir()
	do(t, "render", tiny, "--out", out, "--stages=sim,mesh")
	s, err := scenes.Load(tiny)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Override(scenes.Overrides{Set: []string{`look.kind="slow"`}}); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) { // whose clock goes on when all wait
		begun := time.Now()
		w := &timedWriter{at: []time.Time{begun}}
		v := newEvents(w, silence)
		err := run.Run(t.Context(), s, run.Options{Out: out, Stages: []stage.Name{stage.Draw}, First: 1, Last: 2}, v.report)
		v.stop()
		if took := time.Since(begun); err != nil || took < time.Minute {
			t.Fatalf("drawn in %v: %v", took, err)
		}
		w.at = append(w.at, time.Now())
		for i := 1; i < len(w.at); i++ {
			if d := w.at[i].Sub(w.at[i-1]); d > 20*time.Second {
				t.Errorf("no event for %v:\n%s", d, &w.Buffer)
			}
		}
		if n := strings.Count(w.String(), `"under_way":true`); n < 3 {
			t.Errorf("%d events while pictures are drawn:\n%s", n, &w.Buffer)
		}
	})
}

// fullWriter takes nothing, as a full disk.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestLostOutput ends in an error where standard output takes nothing.
func TestLostOutput(t *testing.T) {
	longtest.NotShort(t)
	for _, args := range [][]string{
		{"render", tiny, "--frames", "1", "--out", t.TempDir(), "--json"}, {"list"}, {"version"}, {"--help"}, {"check", tiny},
	} {
		var stderr bytes.Buffer
		if code := execute(context.Background(), args, fullWriter{}, &stderr); code != exitDisk || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%v: exit %d, %s", args, code, &stderr)
		}
	}
}

// TestErrorEvents checks that an error that ends a run with --json becomes an event, and
// text on stderr as well.
func TestErrorEvents(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"render", "missing.toml"}, exitUsage, "missing.toml"},
		{[]string{"render", tiny, "--fsp", "3"}, exitUsage, "did you mean"},
		{[]string{"render", tiny, "--fps", ""}, exitUsage, "--fps is empty"},
		{[]string{"draw", tiny, "--out", t.TempDir()}, exitAgain, "breakwater mesh"},
		{[]string{"mesh", "nothing_*.csv"}, exitUsage, "no file matches"},
	} {
		code, stdout, stderr := call(t, append(c.args, "--json")...)
		last := stdout[strings.LastIndex(strings.TrimSuffix(stdout, "\n"), "\n")+1:]
		var e struct {
			Error string
			Exit  int
		}
		if err := json.Unmarshal([]byte(last), &e); err != nil || code != c.code || e.Exit != code || !strings.Contains(e.Error, c.says) || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit %d, event %q, %v\n%s", c.args, code, last, err, stderr)
		}
	}
	if _, stdout, _ := call(t, "info", "--json", "missing.obj"); stdout != "" {
		t.Errorf("info prints no events, but printed %q", stdout)
	}
}
