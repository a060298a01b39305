package run

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out"
	"breakwater/out/programs"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// parcelsSeen is a program's whitewater of a frame: all of it, or of the kind with a name.
type parcelsSeen struct {
	Frame          int
	Name, Material string
	Nodes          []string
	X, V           []triple
	Radius         []float64
	ID             []uint32
	Kind           []float64
	Count          []float64
	Grids          []string
	Fault          string
}

// compare compares the whitewater of a kind, −1 for all, with the whitewater of the frame. turn puts
// vectors into our axes.
func (p *parcelsSeen) compare(t *testing.T, f *out.Frame, kind int, turn func(triple) vec.Vec3) {
	t.Helper()
	n := f.Index
	k := 0
	for i, x := range f.Particles.X {
		if kind >= 0 && f.Fields[1].Scalar[i] != float64(kind) {
			continue
		}
		if k >= len(p.X) {
			t.Fatalf("frame %d: %d parcels of %s", n, len(p.X), p.Name)
		}
		v := f.Particles.V[i].Mul(parcelSpeed)
		if turn(p.X[k]).Sub(x).Len() > 1e-6 || turn(p.V[k]).Sub(v).Len() > 1e-6 || math.Abs(p.Radius[k]-f.Fields[0].Scalar[i]/2) > 1e-6*f.Fields[0].Scalar[i] || p.ID[k] != f.Particles.ID[i] {
			t.Fatalf("frame %d, %s: parcel %d is at %v with %v, radius %g, id %d; want %v with %v, %g, %d",
				n, p.Name, k, turn(p.X[k]), turn(p.V[k]), p.Radius[k], p.ID[k], x, v, f.Fields[0].Scalar[i]/2, f.Particles.ID[i])
		}
		if kind < 0 && p.Kind[k] != f.Fields[1].Scalar[i] || p.Count != nil && p.Count[k] != f.Fields[2].Scalar[i] {
			t.Fatalf("frame %d: parcel %d is of kind %v", n, k, p.Kind[k])
		}
		k++
	}
	if k != len(p.X) {
		t.Errorf("frame %d: %d parcels of %s, want %d", n, len(p.X), p.Name, k)
	}
}

// gathered returns the parcels of which p shows up to eight drops each, near the first one
// and of the same cross-section together.
func (p *parcelsSeen) gathered(t *testing.T, f *out.Frame, spread float64) *parcelsSeen {
	t.Helper()
	kind := float64(slices.Index(out.ParcelKinds, p.Name))
	one := &parcelsSeen{Frame: p.Frame, Name: p.Name}
	at := 0
	for i, count := range f.Fields[2].Scalar {
		if f.Fields[1].Scalar[i] != kind {
			continue
		}
		count = max(1, count)
		shown := int(min(8, count))
		if at+shown > len(p.X) {
			t.Fatalf("frame %d: %d drops of %s", p.Frame, len(p.X), p.Name)
		}
		area := 0.
		for k := at; k < at+shown; k++ {
			area += p.Radius[k] * p.Radius[k]
			off := vecOf(p.X[k]).Sub(vecOf(p.X[at]))
			if far := max(math.Abs(off.X), math.Abs(off.Y), math.Abs(off.Z)); far > spread || k > at && far == 0 || p.V[k] != p.V[at] {
				t.Fatalf("frame %d: a drop of %s is %v from its parcel", p.Frame, p.Name, off)
			}
		}
		one.X, one.V, one.ID = append(one.X, p.X[at]), append(one.V, p.V[at]), append(one.ID, p.ID[at])
		one.Radius = append(one.Radius, float64(float32(math.Sqrt(area/count))))
		at += shown
	}
	if at != len(p.X) {
		t.Errorf("frame %d: %d drops of %s, want %d", p.Frame, len(p.X), p.Name, at)
	}
	return one
}

// parcelSpeed is how fast the film of the test is: it has half the speed of nature.
const parcelSpeed = 0.5

// The programs show the whitewater of each frame: the parcels of each kind with their
// numbers, velocities and radii, from files in each format, and mist as a volume.
func TestScriptParcels(t *testing.T) {
	longtest.NotShort(t)
	opt := Options{Out: t.TempDir(), Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Export}}
	open := func(t *testing.T, settings string) *runner {
		t.Helper()
		text := strings.NewReplacer("{}", settings, "duration = 0.5\nfps = 20", "duration = 1.1\nfps = 6\nspeed = 0.5").Replace(breakingScene)
		s, err := scenes.Read("shot.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return ran(t, s, opt)
	}
	script := func(t *testing.T, r *runner, program string, wants ...string) string {
		t.Helper()
		name, notices, err := Script(r.scene, opt, program)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(opt.Out, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !bytes.Contains(text, []byte(want)) && !strings.Contains(strings.Join(notices, "\n"), want) {
				t.Errorf("neither the script nor the notices %q have %s", notices, want)
			}
		}
		return filepath.Join(opt.Out, name)
	}
	frame := func(t *testing.T, r *runner, n int) *out.Frame {
		t.Helper()
		f, err := r.parcelFrame(n)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	zUp := func(v triple) vec.Vec3 { return vec.New(v[0], v[2], -v[1]) }

	r := open(t, "")
	script(t, r, "blender", `"whitewater":null`, `add formats = ["ply"] under [whitewater]`)
	last := r.scene.Time.Frames()
	if f := frame(t, r, last); f.Particles.Len() < 100 {
		t.Fatalf("%d parcels in the last frame", f.Particles.Len())
	}
	for _, c := range [][2]string{
		{`formats = ["ply"]`, `"shot_0001.ply"`}, {`formats = ["npz"]`, `"shot_0001.npz"`},
		{"formats = [\"vtp\", \"pvd\"]\nup = \"z\"\nunit = \"cm\"", `"shot_0001.vtp"`}, {"formats = [\"csv\"]\ngzip = true", `"shot_0001.csv.gz"`},
	} {
		r := open(t, c[0])
		path := script(t, r, "houdini", c[1])
		if !longtest.On() {
			continue
		}
		seen := programs.Seen[parcelsSeen](t, programs.Run(t, nil, "pvpython", "testdata/scripts/parcels_in_houdini.py", path))
		if len(seen) != 4*last {
			t.Fatalf("%s: Houdini is asked for %d frames and kinds", c[0], len(seen))
		}
		for i, g := range seen {
			if g.Name != out.ParcelKinds[i%4] || g.Frame != 1+i/4 {
				t.Fatalf("%s of frame %d at %d", g.Name, g.Frame, i)
			}
			g.compare(t, frame(t, r, g.Frame), i%4, vecOf)
		}
	}
	r = open(t, "formats = [\"ply\"]\nkeep = \"every 2nd\"\nunit = \"mm\"")
	script(t, r, "houdini", `"files":["shot_0001.ply","","shot_0003.ply"`, "have no files of whitewater")
	if !longtest.On() {
		return
	}
	r = open(t, `formats = ["npz", "ply"]`)
	t.Run("paraview", func(t *testing.T) {
		path := script(t, r, "paraview")
		seen := programs.Seen[parcelsSeen](t, programs.Run(t, []string{"DISPLAY=" + display(t)}, "pvpython", "testdata/scripts/parcels_in_paraview.py", path))
		if len(seen) != last {
			t.Fatalf("%d frames", len(seen))
		}
		for i, g := range seen {
			g.compare(t, frame(t, r, i+1), -1, vecOf)
			if g.Material != "Point Gaussian by radius, coloured by kind" {
				t.Errorf("shown as %s", g.Material)
			}
		}
	})
	want := map[string]string{"spray": "BSDF_GLASS", "foam": "BSDF_DIFFUSE", "bubbles": "BSDF_GLASS", "mist": "BSDF_DIFFUSE"}
	inBlender := func(t *testing.T, r *runner) []parcelsSeen {
		return programs.Seen[parcelsSeen](t, programs.Run(t, nil, "blender", "-b", "--factory-startup", "--python-exit-code", "1",
			"--python", script(t, r, "blender"), "--python", "testdata/scripts/parcels_in_blender.py"))
	}
	t.Run("blender", func(t *testing.T) {
		parcels := 0
		for _, g := range inBlender(t, r) {
			f := frame(t, r, g.Frame)
			seen := &g
			if g.Name != "mist" {
				seen = g.gathered(t, f, 0.3*r.scene.Liquid.Spacing+1e-6)
			}
			seen.compare(t, f, slices.Index(out.ParcelKinds, g.Name), zUp)
			parcels += len(seen.X)
			if g.Material != "shot "+g.Name || !slices.Contains(g.Nodes, want[g.Name]) {
				t.Errorf("%s is of %s, %v", g.Name, g.Material, g.Nodes)
			}
		}
		all := 0
		for n := range last {
			all += frame(t, r, n+1).Particles.Len()
		}
		if parcels != all { // Blender may show nothing for no points
			t.Errorf("%d parcels in all frames, want %d", parcels, all)
		}
	})
	t.Run("blender, volume", func(t *testing.T) {
		r := open(t, `volumes = ["mist", "velocity"]`)
		volumes := 0
		for _, g := range inBlender(t, r) {
			if volumes++; g.Name != "mist" || g.Fault != "" || !slices.Equal(g.Grids, []string{"mist", "velocity"}) || !slices.Contains(g.Nodes, "PRINCIPLED_VOLUME") {
				t.Errorf("%s is %v of %v, %s", g.Name, g.Grids, g.Nodes, g.Fault)
			}
		}
		if volumes != last {
			t.Errorf("%d frames of mist as a volume", volumes)
		}
	})
}
