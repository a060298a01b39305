package run

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"breakwater/scenes/scenetest"
	"breakwater/sim/longtest"
)

// ridingScene has a tank that turns and sways, a paddle with keyframes, a floating box, and
// gauges that ride on them.
var ridingScene = `
[time]
duration = 0.2
fps = 30
[liquid]
spacing = 0.04
` +
	scenetest.Box("fluid", "[0, 0, 0]", "[1, 0.32, 0.4]") +
	scenetest.Box("wall", "[0, 0, 0]", "[1, 0.8, 0.4]") +
	`name = "tank"
[wall.motion]
center = [0.5, 0, 0.2]
axis = [0, 0, 1]
swing = 5
frequency = 2
amplitude = [0.05, 0, 0]
` +
	scenetest.Box("wall", "[0.8, 0.4, 0]", "[0.9, 0.7, 0.4]") +
	`inside = false
[wall.motion]
times = [0, 0.1, 0.2]
positions = [[0, 0, 0], [0, -0.1, 0], [0, -0.05, 0]]
` +
	scenetest.Box("body", "[0.2, 0.32, 0.1]", "[0.4, 0.44, 0.3]") +
	`name = "boat"
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
	longtest.NotShort(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	whole, parts, still := t.TempDir(), t.TempDir(), t.TempDir()
	simulated(t, ridingScene, whole, 0)
	runtime.GOMAXPROCS(1)
	for last := 2; last <= 6; last++ {
		simulated(t, ridingScene, parts, last)
	}
	var rest []string
	for _, line := range strings.Split(ridingScene, "\n") {
		if !strings.HasPrefix(line, "on = ") {
			rest = append(rest, line)
		}
	}
	simulated(t, strings.Join(rest, "\n"), still, 0)
	for name, rows := range map[string]int{"face": 56, "wave": 6, "top": 6, "keel": 6, "wake": 56} {
		want := sameTable(t, whole, parts, name, rows)
		values := func(text string) (list []string) {
			for line := range strings.Lines(text) {
				list = append(list, strings.Split(line, ",")[:2]...)
			}
			return list
		}
		if slices.Equal(values(want), values(readText(t, still, "gauges", name+".csv"))) {
			t.Errorf("%s reads the same at rest:\n%s", name, want)
		}
	}
}
