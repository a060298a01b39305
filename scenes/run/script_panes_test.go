package run

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/programs"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// vesselScene has a tank that turns, in a round one, in one with walls of wood.
const vesselScene = `
[time]
duration = 0.375
fps = 8
[liquid]
spacing = 0.1
[[fluid]]
kind = "box"
min = [0.1, 0.1, 0.1]
max = [0.5, 0.4, 0.5]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [0.6, 0.6, 0.6]
[wall.motion]
axis = [0, 0, 1]
center = [0.3, 0, 0.3]
turn = 40
[[wall]]
kind = "cylinder"
inside = true
bottom = [0.3, -0.6, 0.3]
top = [0.3, 1.2, 0.3]
radius = 0.9
[[wall]]
kind = "sphere"
inside = true
material = "wood"
center = [0.3, 0.3, 0.3]
radius = 1.4
[solver]
kind = "wcsph"
[mesh]
formats = ["obj"]
[picture]
size = [64, 36]
`

// TestScriptVessels checks that the panes of tanks of all shapes are exported, as thin
// glass or walls. In each frame they are where the picture has them. The long tests
// check this in each program too.
func TestScriptVessels(t *testing.T) {
	longtest.NotShort(t)
	s := mustRead(t, vesselScene)
	s.Name = "shot"
	opt := Options{Out: t.TempDir(), Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh}}
	if err := Run(context.Background(), s, opt, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	b := mustBuild(t, mustRead(t, vesselScene))
	const frames = 3
	// want returns the boxes of the panes in frame n: those that stand first.
	want := func(n int) (list []vec.Box) {
		_, vessels, _ := b.At(s.Time.At(n))
		for _, v := range vessels {
			list = append(list, v.Panes.Bounds())
		}
		return list
	}
	const gap = 3e-3 // m, to the liquid
	name, _, err := Script(s, opt, "blender")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(opt.Out, name))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte(`SHOT = json.loads(r"""`))
	text, _, _ = bytes.Cut(text, []byte(`"""`))
	var shot staging
	if err := json.Unmarshal(text, &shot); err != nil {
		t.Fatal(err)
	}
	panes := slices.DeleteFunc(shot.Solids, func(f solidFile) bool { return f.Tint == nil })
	if len(panes) != 3 || len(shot.Frames) != frames {
		t.Fatalf("%d panes in %d frames", len(panes), len(shot.Frames))
	}
	for i, p := range panes {
		if wood := i == 1; p.Walled != wood || wood != (p.Looks.Kind == "gloss" && p.Looks.Color != *p.Tint) {
			t.Errorf("%s: walled is %t, of %+v", p.Name, p.Walled, p.Looks)
		}
		obj, err := os.ReadFile(filepath.Join(opt.Out, p.File))
		if err != nil {
			t.Fatal(err)
		}
		var points []vec.Vec3
		for line := range strings.Lines(string(obj)) {
			if rest, ok := strings.CutPrefix(line, "v "); ok {
				v := vec.Vec3{}
				for k, x := range strings.Fields(rest) {
					if err := json.Unmarshal([]byte(x), [3]*float64{&v.X, &v.Y, &v.Z}[k]); err != nil {
						t.Fatal(err)
					}
				}
				points = append(points, v)
			}
		}
		for n := 1; n <= frames; n++ {
			got := vec.Empty()
			for _, v := range points {
				if len(p.Moves) > 0 {
					m := p.Moves[n-1]
					v = vecOf(m.Axes[0]).Mul(v.X).Add(vecOf(m.Axes[1]).Mul(v.Y)).Add(vecOf(m.Axes[2]).Mul(v.Z)).Add(vecOf(m.Origin))
				}
				got = got.Include(v)
			}
			if box := want(n)[i]; !sameBox(got, box, gap) {
				t.Errorf("frame %d: %s is at %v, want %v", n, p.Name, got, box)
			}
		}
	}
	if !longtest.On() {
		return
	}
	for program, command := range map[string][]string{
		"blender":  {"blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python", "SCRIPT", "--python", "testdata/scripts/seen_in_blender.py", "--"},
		"paraview": {"pvpython", "testdata/scripts/seen_in_paraview.py", "SCRIPT"},
		"houdini":  {"pvpython", "testdata/scripts/seen_in_houdini.py", "SCRIPT"},
	} {
		t.Run(program, func(t *testing.T) {
			for k, g := range programs.Seen[scriptSees](t, runScript(t, s, opt, program, append(command, "[[0, 0, 0]]")...))[:frames] {
				for i, p := range panes {
					o := g.Objects[p.Name]
					got, box := vec.Box{Min: vecOf(o.Min), Max: vecOf(o.Max)}, want(k + 1)[i]
					if o.Vertices == 0 || !sameBox(got, box, gap) {
						t.Errorf("frame %d: %s is at %v, want %v", k+1, p.Name, got, box)
					}
					if !(o.Volume < 0) {
						t.Errorf("frame %d: %s faces out: %g m³", k+1, p.Name, o.Volume)
					}
					if program == "blender" && (!slices.Contains(o.Nodes, "BSDF_TRANSPARENT") || slices.Contains(o.Nodes, "BSDF_PRINCIPLED") != p.Walled) {
						t.Errorf("%s is not of thin glass, or walls from inside: %v", p.Name, o.Nodes)
					}
				}
			}
		})
	}
}

func vecOf(t triple) vec.Vec3 { return vec.New(t[0], t[1], t[2]) }

func sameBox(a, b vec.Box, most float64) bool {
	off := func(a, b vec.Vec3) float64 {
		d := a.Sub(b)
		return max(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z))
	}
	return off(a.Min, b.Min) <= most && off(a.Max, b.Max) <= most
}
