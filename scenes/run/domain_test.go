package run

import (
	"encoding/csv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"breakwater/scenes/scenetest"
	"breakwater/sim/longtest"
)

// column returns a column of numbers of a table in the folder of a run.
func column(t *testing.T, file, name string) (list []float64) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(readText(t, file))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for k, title := range rows[0] {
		if title != name {
			continue
		}
		for _, row := range rows[1:] {
			x, err := strconv.ParseFloat(row[k], 64)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s has no column %q", file, name)
	}
	return list
}

// TestFlatHydrostatic checks the pressure of water at rest in two dimensions, beside a
// cylinder along z, and its force on a metre of the floor.
func TestFlatHydrostatic(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	simulated(t, `
[time]
duration = 1
fps = 20
[domain]
dim = 2
[liquid]
spacing = 0.025
viscosity = 1e-3
`+
		scenetest.Box("fluid", "[0, 0, 0]", "[0.4, 0.5, 0]")+
		scenetest.Box("fluid", "[0.6, 0, 0]", "[1, 0.5, 0]")+
		scenetest.Box("fluid", "[0.4, 0, 0]", "[0.6, 0.15, 0]")+
		scenetest.Box("fluid", "[0.4, 0.35, 0]", "[0.6, 0.5, 0]")+
		scenetest.Box("wall", "[0, 0, -0.3]", "[1, 1, 0.3]")+
		`[[wall]]
kind = "cylinder"
bottom = [0.5, 0.25, -1]
top = [0.5, 0.25, 1]
radius = 0.1
[[force]]
kind = "damping"
rate = 5
[[gauge]]
kind = "pressure"
name = "deep"
at = [0.2, 0.1, 0]
[[gauge]]
kind = "force"
name = "floor"
side = "y-"
`, dir, 0)
	const g, rho = 9.81, 1000
	const depth = 1*0.5 - 0.2*0.2 + math.Pi*0.01 // m: the area of liquid and cylinder, in a tank 1 m wide
	mean := func(file, name string) (sum float64) {
		list := column(t, filepath.Join(dir, "gauges", file), name)
		list = list[len(list)-5:]
		for _, x := range list {
			sum += x / float64(len(list))
		}
		return sum
	}
	if p, want := mean("deep.csv", "pressure_pa"), rho*g*(depth-0.1); math.Abs(p/want-1) > 0.03 {
		t.Errorf("the pressure is %g Pa, want %g", p, want)
	}
	// The floor bears the weight of the liquid and its buoyancy on the cylinder.
	if f, want := -mean("floor.csv", "force_y_n"), rho*g*depth; math.Abs(f/want-1) > 0.03 {
		t.Errorf("the force on the floor is %g N/m, want %g", f, want)
	}
}

// periodicScene is a flow in two dimensions over a step in a tank that repeats itself.
var periodicScene = `
[time]
duration = 0.2
fps = 30
[domain]
dim = 2
periodic = ["x"]
[liquid]
spacing = 0.025
` +
	scenetest.Box("fluid", "[0, 0, 0]", "[0.4, 0.3, 0]") + "velocity = [1, 0, 0]\n" +
	scenetest.Box("wall", "[0, 0, 0]", "[1, 1, 0]") +
	`[[wall]]
kind = "sphere"
center = [0.7, 0.05, 0]
radius = 0.1
[wall.motion]
amplitude = [0, 0.02, 0]
frequency = 2
[[gauge]]
kind = "velocity"
at = [0.05, 0.1, 0]
interval = 0.01
`

// TestPeriodicSceneResumes checks that a scene of two dimensions that repeats itself has
// the same files for any number of threads, and after a stop.
func TestPeriodicSceneResumes(t *testing.T) {
	longtest.NotShort(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want map[string]string
	for k, threads := range append(longtest.Threads(), 2) {
		runtime.GOMAXPROCS(threads)
		dir := t.TempDir()
		if k == len(longtest.Threads()) {
			simulated(t, periodicScene, dir, 3)
		}
		simulated(t, periodicScene, dir, 0)
		got := filesBelow(t, dir, "particles", "gauges")
		if want == nil {
			want = got
		}
		if len(got) != 7 || !maps.Equal(got, want) {
			t.Errorf("run %d, with %d threads, has other files than the first", k+1, threads)
		}
	}
}

// TestFlatDraws checks that a scene of two dimensions makes particles and pictures, and no
// meshes.
func TestFlatDraws(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	s := mustRead(t, periodicScene+"[picture]\nsize = [64, 36]\nquality = \"draft\"\n[particles]\nformats = [\"csv\"]\n")
	r := ran(t, s, Options{Out: dir, Last: 2, PerFrame: true})
	for _, name := range []string{"frames/x_0002.png", "points/x_0002.csv"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "surface", "*")); len(files) > 0 {
		t.Errorf("there are surfaces: %v", files)
	}
	if c := r.built.Camera; c.Eye.X != c.Target.X || c.Eye.Z <= 0 {
		t.Errorf("the camera at %v looks at %v, and does not face the plane", c.Eye, c.Target)
	}
}

// floatingScene has a raft, a disc on the floor, and a box that turns about a hinge.
var floatingScene = `
[time]
duration = 1.5
fps = 20
[domain]
dim = 2
[liquid]
spacing = 0.02
viscosity = 1e-4
` +
	scenetest.Box("fluid", "[0, 0, 0]", "[1.2, 0.3, 0]") +
	scenetest.Box("wall", "[0, 0, 0]", "[1.2, 1, 0]") +
	`[[force]]
kind = "damping"
rate = 4
` +
	scenetest.Box("body", "[0.2, 0.2, 0]", "[0.5, 0.4, 0]") + "density = 500\n" +
	`[[body]]
kind = "cylinder"
bottom = [0.9, 0.08, -1]
top = [0.9, 0.08, 1]
radius = 0.08
density = 2000
angular_velocity = [0, 0, 90]
` +
	scenetest.Box("body", "[0.6, 0.6, 0]", "[0.75, 0.65, 0]") + "mass = 3\n" +
	`[body.joint]
kind = "hinge"
point = [0.6, 0.625, 0]
axis = [0, 0, 1]
[[gauge]]
kind = "body"
name = "raft"
[[gauge]]
kind = "body"
body = 2
name = "disc"
[[gauge]]
kind = "body"
body = 3
name = "flap"
interval = 0.01
`

// TestFlatBodies checks free bodies in two dimensions: the draught of a raft, a disc that
// rolls without slip, the fall of a body about its hinge, and a run that is stopped.
func TestFlatBodies(t *testing.T) {
	longtest.Only(t)
	dir, parts := t.TempDir(), t.TempDir()
	simulated(t, floatingScene, dir, 0)
	simulated(t, floatingScene, parts, 7)
	simulated(t, floatingScene, parts, 0)
	if want := filesBelow(t, dir, "particles", "gauges"); !maps.Equal(filesBelow(t, parts, "particles", "gauges"), want) {
		t.Error("the files differ after a stop")
	}
	gauge := func(body, name string) []float64 {
		return column(t, filepath.Join(dir, "gauges", body+".csv"), name)
	}
	last := func(list []float64) float64 { return list[len(list)-1] }
	if v := last(gauge("raft", "submerged_m3")); math.Abs(v/0.03-1) > 0.1 {
		t.Errorf("the raft is %g m² deep in the water, want half of 0.06", v)
	}
	if y := last(gauge("disc", "position_y_m")); math.Abs(y-0.08) > 0.001 {
		t.Errorf("the disc is at y = %g m, want 0.08", y)
	}
	for k, turn := range gauge("disc", "turn_z_rad_s")[20:] {
		if v := gauge("disc", "velocity_x_m_s")[20+k]; math.Abs(v+float64(0.08*turn)) > 0.002 {
			t.Errorf("the disc moves at %g m/s and turns at %g rad/s", v, turn)
		}
	}
	// A bar of length l and height b about a point b/2 from its corners begins to fall with
	// the angular acceleration g (l/2)/(l²/4 + (l² + b²)/12).
	const l, b, g = 0.15, 0.05, 9.81
	want := -g * l / 2 / (l*l/4 + (l*l+b*b)/12) * 0.01
	if turn := gauge("flap", "turn_z_rad_s")[1]; math.Abs(turn/want-1) > 0.01 {
		t.Errorf("the flap turns at %g rad/s after 0.01 s, want %g", turn, want)
	}
}
