package run

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/particles"
	"breakwater/out/programs"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// foamSeen is a program's foam on the liquid, and how bright it draws the liquid with it and
// without.
type foamSeen struct {
	Frame        int
	Foam         []float64
	Name         string
	White, Clear float64
	Vorticity    [][3]float64 // in Blender, as it was read
}

// The programs have the foam of each vertex, and draw the liquid whiter where it is.
func TestScriptFoam(t *testing.T) {
	longtest.Only(t)
	settings := "air = 8\ndetail = 40\nformats = [\"ply\"]\n[mesh]\nformats = [\"plymesh\"]\nattributes = [\"foam\", \"vorticity\"]\n[look]\nkind = \"lava\"\n"
	text := strings.NewReplacer("{}", settings, "duration = 0.5\nfps = 20", "duration = 1.2\nfps = 10").Replace(breakingScene)
	s, err := scenes.Read("shot.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Out: t.TempDir(), Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Export}}
	r := ran(t, s, opt)
	last := s.Time.Frames()
	file, _ := r.liquidFile(last)
	frame, err := r.readFrame(file)
	if err != nil {
		t.Fatal(err)
	}
	bubbles, err := r.grains(last, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := foamOn(frame.Mesh, bubbles, []string{scenes.FoamCover})[0].Scalar
	if slices.Max(want) < 0.1 {
		t.Fatalf("the most foam at a vertex is %g", slices.Max(want))
	}
	for program, command := range map[string][]string{
		"blender":  {"blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python", "SCRIPT", "--python", "testdata/scripts/foam_in_blender.py"},
		"paraview": {"pvpython", "testdata/scripts/foam_in_paraview.py", "SCRIPT"},
		"houdini":  {"pvpython", "testdata/scripts/foam_in_houdini.py", "SCRIPT"},
	} {
		t.Run(program, func(t *testing.T) {
			seen := programs.Seen[foamSeen](t, runScript(t, s, opt, program, command...))
			if len(seen) != 1 || seen[0].Frame != last || len(seen[0].Foam) != len(want) {
				t.Fatalf("%d answers", len(seen))
			}
			g := seen[0]
			for i, f := range g.Foam {
				if math.Abs(f-want[i]) > 1e-3 {
					t.Fatalf("vertex %d has a foam of %g, want %g", i, f, want[i])
				}
			}
			spin := slices.IndexFunc(frame.Fields, func(f particles.Field) bool { return f.Name == "vorticity" })
			for i, v := range g.Vorticity {
				want := frame.Fields[spin].Vector[i] // z up there
				if vec.New(v[0], v[1], v[2]).Sub(vec.New(want.X, -want.Z, want.Y)).Len() > 1e-3*max(1, want.Len()) {
					t.Fatalf("vertex %d has a vorticity of %v, want %v", i, v, want)
				}
			}
			if program == "blender" && len(g.Vorticity) != len(want) {
				t.Errorf("%d vertices have a vorticity", len(g.Vorticity))
			}
			t.Logf("brightness %.4g with foam, %.4g without", g.White, g.Clear)
			if !(g.White > 1.02*g.Clear) {
				t.Errorf("the liquid is as bright with foam, %g, as without, %g", g.White, g.Clear)
			}
			if colored := map[string]string{"paraview": "foam", "houdini": "Cd"}[program]; g.Name != colored {
				t.Errorf("coloured by %q", g.Name)
			}
		})
	}
}

// runScript runs a command of a program, of which SCRIPT is the path of the script of the scene.
func runScript(t *testing.T, s *scenes.Scene, opt Options, program string, command ...string) string {
	t.Helper()
	name, _, err := Script(s, opt, program)
	if err != nil {
		t.Fatal(err)
	}
	var env []string
	if program == "paraview" {
		env = []string{"DISPLAY=" + display(t)}
	}
	args := slices.Clone(command[1:])
	args[slices.Index(args, "SCRIPT")] = filepath.Join(opt.Out, name)
	return programs.Run(t, env, command[0], args...)
}
