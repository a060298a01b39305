package run

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/stage"
)

// ridingScene has a tank that turns and sways, a paddle with keyframes, a floating box, and
// gauges that ride on them.
const ridingScene = `
[time]
duration = 0.2
fps = 30
[liquid]
spacing = 0.04
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [1, 0.32, 0.4]
[[wall]]
kind = "box"
name = "tank"
min = [0, 0, 0]
max = [1, 0.8, 0.4]
[wall.motion]
center = [0.5, 0, 0.2]
axis = [0, 0, 1]
swing = 5
frequency = 2
amplitude = [0.05, 0, 0]
[[wall]]
kind = "box"
min = [0.8, 0.4, 0]
max = [0.9, 0.7, 0.4]
inside = false
[wall.motion]
times = [0, 0.1, 0.2]
positions = [[0, 0, 0], [0, -0.1, 0], [0, -0.05, 0]]
[[body]]
kind = "box"
name = "boat"
min = [0.2, 0.32, 0.1]
max = [0.4, 0.44, 0.3]
density = 400
[[gauge]]
kind = "pressure"
name = "face"
at = [1, 0.1, 0.2]
on = "tank"
interval = 0.003
[[gauge]]
kind = "level"
name = "wave"
from = [0.6, 0, 0.2]
to = [0.6, 0.7, 0.2]
on = "tank"
[[gauge]]
kind = "front"
name = "top"
from = [0.85, 0, 0.2]
direction = [0, 1, 0]
on = "wall2"
[[gauge]]
kind = "pressure"
name = "keel"
at = [0.3, 0.32, 0.2]
on = "boat"
[[gauge]]
kind = "velocity"
name = "wake"
at = [0.45, 0.25, 0.2]
on = "boat"
interval = 0.003
`

// TestRidingResumes runs a scene at once on two threads, and on one thread with a stop
// after each frame. The files are the same, and they differ from the files of gauges at rest.
func TestRidingResumes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	run := func(text, dir string, last int) {
		t.Helper()
		s, err := scenes.Read("riding.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(context.Background(), s, Options{Out: dir, Stages: []stage.Name{stage.Sim}, Last: last}, func(stage.Event) {}); err != nil {
			t.Fatal(err)
		}
	}
	whole, parts, still := t.TempDir(), t.TempDir(), t.TempDir()
	run(ridingScene, whole, 0)
	runtime.GOMAXPROCS(1)
	for last := 2; last <= 6; last++ {
		run(ridingScene, parts, last)
	}
	var rest []string
	for _, line := range strings.Split(ridingScene, "\n") {
		if !strings.HasPrefix(line, "on = ") {
			rest = append(rest, line)
		}
	}
	run(strings.Join(rest, "\n"), still, 0)
	for name, rows := range map[string]int{"face": 56, "wave": 6, "top": 6, "keel": 6, "wake": 56} {
		read := func(dir string) string {
			t.Helper()
			text, err := os.ReadFile(filepath.Join(dir, "gauges", name+".csv"))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		want := read(whole)
		if got := read(parts); got != want {
			t.Errorf("%s: after stops it is\n%s\nwant\n%s", name, got, want)
		}
		if n := strings.Count(want, "\n") - 1; n != rows {
			t.Errorf("%s has %d rows, want %d:\n%s", name, n, rows, want)
		}
		values := func(text string) (list []string) {
			for _, line := range strings.Split(text, "\n") {
				list = append(list, strings.Split(line, ",")[:2]...)
			}
			return list
		}
		if strings.Join(values(want[:len(want)-1]), " ") == strings.Join(values(strings.TrimSuffix(read(still), "\n")), " ") {
			t.Errorf("%s reads the same at rest:\n%s", name, want)
		}
	}
}
