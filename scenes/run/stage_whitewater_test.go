package run

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"breakwater/scenes/stage"
)

// breakingScene is a small dam break that makes drops and bubbles. {} are settings of
// its whitewater.
const breakingScene = `
[time]
duration = 0.5
fps = 20
[liquid]
spacing = 0.05
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.4, 0.8, 0.2]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [0.8, 2, 0.2]
[picture]
size = [64, 36]
quality = "draft"
[video]
formats = ["gif"]
[whitewater]
onset = "0.1 m/s"
group = 3
{}
`

// runBreaking runs stages of breakingScene with settings of its whitewater, and returns
// how many frames each stage has made.
func runBreaking(t *testing.T, dir, settings string, stages ...stage.Name) map[stage.Name]int {
	t.Helper()
	return mustRun(t, "breaking.toml", strings.Replace(breakingScene, "{}", settings, 1), dir, stages...)
}

// contents returns the files of a folder of a run by their names.
func contents(t *testing.T, dir, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(data)
	}
	return files
}

func equalContents(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s has other bytes", what, name)
		}
	}
}

// Whitewater is made again for settings of its own alone, and nothing before it is.
// Files made again, from any frame and with any number of threads, have the same bytes.
func TestWhitewaterStage(t *testing.T) {
	dir := t.TempDir()
	const frames = 10
	if made := runBreaking(t, dir, ""); made[stage.Whitewater] != frames || made[stage.Draw] != frames {
		t.Fatalf("made %v, want %d frames of each", made, frames)
	}
	want := contents(t, dir, whitewaterFolder)
	if len(want) != 2*frames {
		t.Fatalf("%d files, want %d", len(want), 2*frames)
	}
	if a, b := len(want["breaking_0001.parcels"]), len(want["breaking_0010.parcels"]); b <= a {
		t.Errorf("the last state has %d bytes and the first %d: nothing breaks", b, a)
	}
	airborne := ""
	for n := range frames {
		airborne += want["breaking_00"+string("01"[(n+1)/10])+string('0'+rune((n+1)%10))+".airborne"]
	}
	if !strings.Contains(airborne, "\x00\x00") {
		t.Error("no particle is shown as spray")
	}
	table, err := os.ReadFile(filepath.Join(dir, whitewaterTable))
	if err != nil {
		t.Fatal(err)
	}

	if made := runBreaking(t, dir, ""); made[stage.Whitewater]+made[stage.Mesh]+made[stage.Draw] != 0 {
		t.Errorf("a second run made %v", made)
	}

	for _, name := range []string{"breaking_0005.parcels", "breaking_0006.airborne", "breaking_0009.parcels"} {
		if err := os.Remove(filepath.Join(dir, whitewaterFolder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, whitewaterTable)); err != nil {
		t.Fatal(err)
	}
	made := runBreaking(t, dir, "")
	if made[stage.Sim]+made[stage.Mesh]+made[stage.Draw] != 0 {
		t.Errorf("lost whitewater made %v again", made)
	}
	equalContents(t, "resumed", contents(t, dir, whitewaterFolder), want)
	again, err := os.ReadFile(filepath.Join(dir, whitewaterTable))
	if err != nil || string(again) != string(table) {
		t.Errorf("the table was made again with other bytes: %v", err)
	}

	// Another life of foam changes neither particles nor meshes.
	made = runBreaking(t, dir, "foam_life = 0.5")
	if made[stage.Whitewater] != frames || made[stage.Sim]+made[stage.Mesh] != 0 || made[stage.Draw] != frames {
		t.Errorf("another life of foam made %v", made)
	}
	// Without spray, the meshes have all particles.
	made = runBreaking(t, dir, "spray = 0")
	if made[stage.Sim] != 0 || made[stage.Mesh] != frames {
		t.Errorf("without spray, made %v", made)
	}

	old := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(old)
	runBreaking(t, dir, "", stage.Whitewater)
	equalContents(t, "one thread", contents(t, dir, whitewaterFolder), want)
}
