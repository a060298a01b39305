package run

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/out"
	"breakwater/out/programs"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// volumeScene is fire with volumes.
func volumeScene(t *testing.T, settings string) *scenes.Scene {
	t.Helper()
	text := strings.NewReplacer("SOLVER", "gourlay", "voxel = 0.3\n", settings, "size = [64, 36]", "size = [160, 90]").Replace(fire)
	s, err := scenes.Read("fire.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// gasSees is what volumeScript prints of a grid.
type gasSees struct {
	Name, Class      string
	Sum, Least, Most float64 // of the voxels with values
	Middle           [3]float64
	Background       any
}

const volumeScript = `
import json, sys
try:
    import pyopenvdb
except ImportError:
    print("NO OPENVDB")
    sys.exit()
for g in pyopenvdb.readAll(sys.argv[1])[0]:
    total, least, most, middle, edge = 0.0, 1e30, -1e30, [0.0] * 3, g.transform.voxelSize()[0]
    for item in g.citerOnValues():
        v = item.value if isinstance(item.value, float) else item.value[2]
        total, least, most = total + v, min(least, v), max(most, v)
        at = g.transform.indexToWorld(item.min)
        middle = [m + v * x for m, x in zip(middle, at)]
    print("SEEN " + json.dumps({"name": g.name, "class": g.gridClass, "sum": total * edge**3, "least": least, "most": most,
        "middle": [m * edge**3 for m in middle], "background": g.background}))
`

// OpenVDB's own library finds in a volume the smoke, the flames and the fuel of the tracers, at
// their places, with temperatures in kelvin and the velocity.
func TestGasVolumes(t *testing.T) {
	dir := t.TempDir()
	s := volumeScene(t, "grids = [\"vel\", \"density\", \"flame\", \"temperature\", \"fuel\"]\n")
	opt := Options{Out: dir, Stages: []stage.Name{stage.Sim, stage.Export}}
	r := ran(t, s, opt)
	n := s.Time.Frames()
	f, err := r.freeParticles(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	f = f.In(out.Axes{ZUp: true})
	each := math.Pow(s.TracerSpacing(), 3)
	held := map[string]float64{}
	var middle vec.Vec3
	for _, field := range f.Fields {
		for i, v := range field.Scalar {
			held[field.Name] += v * each
			if field.Name == "smoke" {
				middle = middle.Add(f.Particles.X[i].Mul(v * each))
			}
		}
	}
	held["density"] = held["smoke"]
	path := filepath.Join(dir, r.volumeFiles(n)[0].name)
	output := programs.OpenVDB(t, "-c", volumeScript, path)
	grids := programs.Seen[gasSees](t, output)
	if len(grids) != 5 {
		t.Fatalf("%d grids: %s", len(grids), output)
	}
	for _, g := range grids {
		switch g.Name {
		case "density", "flame", "fuel":
			if want := held[g.Name]; !(want > 0) || math.Abs(g.Sum/want-1) > 1e-6 || g.Class != "fog volume" {
				t.Errorf("%s: %.9g m³, want %.9g", g.Name, g.Sum, want)
			}
			if off := vec.New(g.Middle[0], g.Middle[1], g.Middle[2]).Sub(middle).Len(); g.Name == "density" && off > 1e-6*g.Sum {
				t.Errorf("the smoke is %g m off", off/g.Sum)
			}
		case "temperature":
			if !(g.Least > 280 && g.Most > 400 && g.Most < 3000) || g.Background != 293. {
				t.Errorf("temperatures from %g to %g K around %v", g.Least, g.Most, g.Background)
			}
		case "vel":
			low, high := math.Inf(1), math.Inf(-1)
			for _, v := range f.Particles.V {
				low, high = min(low, v.Z), max(high, v.Z)
			}
			if g.Least < low || g.Most > high || g.Most < high/2 {
				t.Errorf("upward velocities from %g to %g m/s; of the tracers from %g to %g", g.Least, g.Most, low, high)
			}
		default:
			t.Errorf("a grid %s", g.Name)
		}
	}
	if says := programs.Run(t, nil, "vdb_print", "-m", path); !strings.Contains(says, "contravariant relative") || !strings.Contains(says, "density") {
		t.Errorf("vdb_print says %s", says)
	}
}

// A volume of a gas is made again with other voxels or grids, and not otherwise. Without
// tracers it has its grids, which are empty.
func TestGasVolumesAgain(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	run := func(settings string) (made int) {
		t.Helper()
		opt := Options{Out: dir, Last: 2, Stages: []stage.Name{stage.Sim, stage.Export}}
		if err := Run(context.Background(), volumeScene(t, settings), opt, func(e stage.Event) {
			if e.Stage == stage.Export && e.Done && strings.Contains(e.What, "vdb") {
				made += e.Made
			}
		}); err != nil {
			t.Fatal(err)
		}
		return made
	}
	for _, of := range []struct {
		settings string
		made     int
	}{{"voxel = 1\n", 2}, {"voxel = 1\n", 0}, {"voxel = 0.5\n", 2}, {"voxel = 0.5\ngrids = [\"density\", \"temperature\", \"velocity\", \"flame\"]\n", 0}, {"grids = [\"fuel\"]\n", 2}} {
		if made := run(of.settings); made != of.made {
			t.Errorf("%q made %d files, want %d", of.settings, made, of.made)
		}
	}
	s := volumeScene(t, "")
	r := &runner{scene: s}
	v := r.gasVolume(&out.Frame{Particles: &particle.Set{}}, 1)
	if text, _ := json.Marshal(s.Volume.Grids); len(v.Grids) != 4 || string(text) != `["density","temperature","velocity","flame"]` {
		t.Errorf("%d grids of %s", len(v.Grids), text)
	}
}

// Scripts show tracers as points as wide as the distance of tracers at the start.
func TestGasScript(t *testing.T) {
	opt := Options{Out: t.TempDir(), Last: 1, Stages: []stage.Name{stage.Sim}}
	s := volumeScene(t, "")
	if err := Run(context.Background(), s, opt, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	name, _, err := Script(s, opt, "blender")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(opt.Out, name))
	if want := `"radius":0.025,`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("the script lacks %s: %v", want, err)
	}
}
