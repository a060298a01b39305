package scenes

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breakwater/sim/vec"
)

// keyframesScene has keyframes of a wall and of the camera in the given lines.
func keyframesScene(motion, camera string) string {
	return `
[time]
duration = 0.2
[liquid]
spacing = 0.05
[[fluid]]
kind = "box"
max = [1, 0.3, 0.4]
[[wall]]
kind = "box"
max = [1, 1, 0.4]
[wall.motion]
center = [0.5, 0, 0.2]
axis = [0, 0, 1]
` + motion + `
[camera]
target = [0.5, 0.3, 0.2]
` + camera
}

const (
	motionText = "# of a shaking table\ntime_s, position_x_mm, angle_rad\n0,0,0\n0.05, 2.5, 0.01\r\n\n0.1,-2.5e0,0\n"
	cameraText = "\ufefftime_ms,eye_x_m,eye_y_m,eye_z_m,roll_deg\n0,1,2,3,0\n100,1.5,2,3,10\n"

	motionLines = "times = [0, 0.05, 0.1]\npositions = [[0, 0, 0], [0.0025, 0, 0], [-0.0025, 0, 0]]\nangles = [0, \"0.01 rad\", 0]\n"
	cameraLines = "[[camera.key]]\ntime = 0\neye = [1, 2, 3]\nroll = 0\n[[camera.key]]\ntime = 0.1\neye = [1.5, 2, 3]\nroll = 10\n"
	motionFile  = "keyframes = \"data/motion.csv\"\n"
	cameraFile  = "keyframes = \"data/camera.csv\"\n"
)

// inFolder writes files by their names, and returns the folder.
func inFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestKeyframeFiles reads keyframes from files, also in a scene that extends another. The
// motions and all fingerprints are the same as of keyframes in the scene. They change with a
// value in the file, and remain when the scene is frozen.
func TestKeyframeFiles(t *testing.T) {
	folder := inFolder(t, map[string]string{
		"here.toml":            keyframesScene(motionLines, cameraLines),
		"files.toml":           keyframesScene(motionFile, cameraFile),
		"below/extending.toml": "extends = \"../files.toml\"\n",
		"key.toml":             "extends = \"files.toml\"\n" + cameraLines,
		"data/motion.csv":      motionText, "data/camera.csv": cameraText,
	})
	load := func(name string) *Scene {
		t.Helper()
		s, err := Load(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	here := load("here.toml")
	want := keysOf(t, here)
	if m := here.Wall[0].Motion; len(m.Times) != 3 || m.Positions[1] != (vec.Vec3{X: 0.0025}) {
		t.Fatalf("the motion in the scene is %+v", m)
	}
	var s *Scene
	for _, name := range []string{"files.toml", "below/extending.toml", "key.toml"} {
		s = load(name)
		m := s.Wall[0].Motion
		m.Keyframes = ""
		if !reflect.DeepEqual(m, here.Wall[0].Motion) {
			t.Errorf("%s: the motion is %+v, want %+v", name, m, here.Wall[0].Motion)
		}
		if !reflect.DeepEqual(keysOf(t, s), want) {
			t.Errorf("%s: the fingerprints differ from the fingerprints with keyframes in the scene", name)
		}
	}
	s = load("files.toml")
	if err := s.Override(Overrides{FPS: "30"}); err != nil || !reflect.DeepEqual(keysOf(t, s), want) {
		t.Errorf("with a flag: %v", err)
	}
	again, err := Load(frozen(t, s, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(keysOf(t, again), want) {
		t.Error("the frozen scene differs")
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("data/camera.csv", strings.Replace(cameraText, "1.5", "1.6", 1))
	turned := keysOf(t, load("files.toml"))
	if !reflect.DeepEqual(turned.Particles, want.Particles) || reflect.DeepEqual(turned.Pictures, want.Pictures) {
		t.Error("another file of the camera must change the pictures alone")
	}
	write("data/motion.csv", strings.Replace(motionText, "2.5,", "2.6,", 1))
	if moved := keysOf(t, load("files.toml")); moved.Particles[2] == want.Particles[2] {
		t.Error("another file of the wall does not change the particles")
	}
	if err := os.RemoveAll(filepath.Join(folder, "data")); err != nil {
		t.Fatal(err)
	}
	if again := keysOf(t, s); !reflect.DeepEqual(again, want) {
		t.Error("a scene that is read needs its files again")
	}
	if _, err := Load(filepath.Join(folder, "files.toml")); err == nil {
		t.Error("no fault without the files")
	}
}

// TestKeyframeFaults reads files of keyframes that have faults. Each is at its line and
// column.
func TestKeyframeFaults(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       []string
	}{
		{"motion", "", []string{"1:1: wall[1].motion.keyframes: the table is empty; expected a first line such as time_s,position_x_m,position_y_m,position_z_m,angle_deg"}},
		{"motion", "time_s;angle_deg\n0;1\n", []string{"1:1: wall[1].motion.keyframes: the cells are not separated by commas"}},
		{"motion", "time,position_x_kg,width_m,angle_deg,angle_deg\n", []string{
			`1:1: wall[1].motion.keyframes: "time" has no unit of time; expected time_s, time_ms, time_min`,
			`1:6: wall[1].motion.keyframes: "position_x_kg" has no unit of length; expected position_x_m, position_x_cm, position_x_mm, position_x_km`,
			`1:20: wall[1].motion.keyframes: unknown column "width_m"; expected one of time_s`,
			`1:38: wall[1].motion.keyframes: there are two columns angle; remove one`,
		}},
		{"motion", "angle_deg\n1\n", []string{"1:1: wall[1].motion.keyframes: there is no column time_s"}},
		{"motion", "time_s\n1\n2\n", []string{"1:1: wall[1].motion.keyframes: there are times without values; add columns such as position_x_m"}},
		{"motion", "time_s,angle_deg\n1,2\n", []string{"1:1: wall[1].motion.keyframes: there is one keyframe or none; expected two or more rows"}},
		{"motion", "time_s,angle_deg\n0,1\n1,\n2\n1.5,NaN\n  1.5, 1e999\n0.5,0\n", []string{
			`3:3: wall[1].motion.keyframes: "" is not a finite number; expected a number for angle`,
			"4:1: wall[1].motion.keyframes: expected 2 cells as in the first line, and found 1",
			`5:5: wall[1].motion.keyframes: "NaN" is not a finite number`,
			"6:3: wall[1].motion.keyframes: 1.5 is not after the row before, at 1.5; put the rows in order of time",
			`6:8: wall[1].motion.keyframes: "1e999" is not a finite number`,
			"7:1: wall[1].motion.keyframes: 0.5 is not after the row before, at 1.5",
		}},
		{"camera", "time_s,eye_x_m,eye_z_m\n0,1,2\n1,2,3\n", []string{"1:1: camera.keyframes: eye lacks a coordinate; add the column eye_y_m"}},
		{"camera", "time_s,focal_mm\n0,40\n-1,40\n1,0.1\n2,50\n", []string{
			"3:1: camera.keyframes: -1 s is out of range",
			"4:3: camera.keyframes: 0.1 mm is out of range; expected 8 to 400 for focal",
		}},
	} {
		files := map[string]string{"scene.toml": keyframesScene(motionFile, cameraFile), "data/motion.csv": motionText, "data/camera.csv": cameraText}
		files["data/"+c.file+".csv"] = c.text
		folder := inFolder(t, files)
		_, err := Load(filepath.Join(folder, "scene.toml"))
		if err == nil {
			t.Errorf("%q has no fault", c.text)
			continue
		}
		faults, _ := err.(interface{ Error() string })
		prefix := filepath.Join(folder, "data", c.file+".csv") + ":"
		var got []string
		for _, line := range strings.Split(faults.Error(), "\n") {
			if strings.HasPrefix(line, prefix) {
				got = append(got, strings.TrimPrefix(line, prefix))
			} else if strings.Contains(line, ": ") && !strings.HasPrefix(line, " ") {
				t.Errorf("%q: another fault: %s", c.text, line)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%q: got the faults\n%s\nwant\n%s", c.text, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			continue
		}
		for i, want := range c.want {
			if !strings.HasPrefix(got[i], want) {
				t.Errorf("%q: got %s\nwant %s", c.text, got[i], want)
			}
		}
	}
}
