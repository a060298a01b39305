package wedge

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
)

func TestModes(t *testing.T) {
	values := func(text string) (list []string) {
		t.Helper()
		p, err := parse("w.toml", "scene = \"dam-break\"\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Count {
			var labels []string
			for _, v := range p.at(i) {
				labels = append(labels, v.label)
			}
			list = append(list, strings.Join(labels, " "))
		}
		return list
	}
	grid := values("[vary]\nliquid.viscosity = [1, 2]\n\"fluid[1].max\" = [[1, 1, 1], [2, 2, 2]]\nlook.kind = [\"milk\"]\n")
	if got := strings.Join(grid, "; "); got != "1 [1, 1, 1] milk; 1 [2, 2, 2] milk; 2 [1, 1, 1] milk; 2 [2, 2, 2] milk" {
		t.Errorf("grid: %s", got)
	}
	list := values("mode = \"list\"\n[vary.liquid]\nspacing = [\"2 cm\", \"3 cm\"]\nviscosity = [1, 2]\n")
	if got := strings.Join(list, "; "); got != "2 cm 1; 3 cm 2" {
		t.Errorf("list: %s", got)
	}
	const random = "mode = \"random\"\ncount = 200\n[vary]\na = { from = 0.01, to = 100, scale = \"log\" }\nb = [1, 2]\n"
	drawn := values(random)
	for i, v := range values(random) {
		if v != drawn[i] {
			t.Fatal("the same seed gives other values")
		}
	}
	below, ones := 0, 0
	for _, v := range drawn {
		a, b, _ := strings.Cut(v, " ")
		if strings.HasPrefix(a, "0.") {
			below++
		}
		if b == "1" {
			ones++
		}
	}
	if below < 75 || below > 125 || ones < 75 || ones > 125 { // half of 200, and 3.5 standard deviations
		t.Errorf("%d of 200 lie in the lower half of the logarithmic range, and %d are the first value", below, ones)
	}
	if other := values("seed = 2\n" + random); other[0] == drawn[0] && other[1] == drawn[1] {
		t.Error("another seed gives the same values")
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"[vary]\na = [1]\n":                                                             "scene is missing",
		"scene = \"dam-break\"\n":                                                       "[vary] is missing",
		"scene = \"dam-break\"\n[vary]\n":                                               "[vary] is empty",
		"scene = \"dam-break\"\nmood = 1\n[vary]\na = [1]\n":                            "mood: unknown key",
		"scene = \"dam-break\"\n[vary]\na = 1\n":                                        "w.toml:3:5: vary.a: expected a list of values",
		"scene = \"dam-break\"\n[vary]\na = []\n":                                       "expected a list of values",
		"scene = \"dam-break\"\n[vary]\na = { from = 1, to = 2 }\n":                     "for the mode random",
		"scene = \"dam-break\"\nmode = \"random\"\n[vary]\na = [1]\n":                   "count is missing",
		"scene = \"dam-break\"\nmode = \"random\"\ncount = 1\n[vary]\na = { to = 2 }\n": "both ends",
		"scene = \"dam-break\"\nmode = \"list\"\n[vary]\na = [1]\nb = [1, 2]\n":         "a has 1 values and b has 2",
		"scene = \"dam-break\"\n[vary]\na = [" + strings.Repeat("1,", 40) + "]\nb = [" + strings.Repeat("1,", 40) + "]\n": "more than 1000 variants",
	} {
		_, err := parse("w.toml", text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: got %v, want %q", text, err, want)
		}
	}
	p, err := parse("w.toml", "scene = \"dam-break\"\n[vary]\nliquid.viscosity = [1, -1]\nliquid.spacing = [\"9 cm\", \"2 s\"]\n")
	if err != nil {
		t.Fatal(err)
	}
	p.Frame = 1000
	_, err = p.Variants(scenes.Overrides{})
	for _, want := range []string{
		"w.toml: variant 2 (liquid.viscosity=1, liquid.spacing=\"2 s\"): liquid.spacing: ",
		"w.toml: frame: variant 1 (liquid.viscosity=1, liquid.spacing=\"9 cm\") has 90 frames, and the contact sheet asks for frame 1000",
		"w.toml: variant 3 (liquid.viscosity=-1, liquid.spacing=\"9 cm\"): liquid.viscosity: -1 is out of range",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestFolderNames(t *testing.T) {
	for want, values := range map[string][]string{
		"003_max=111_a=x": {"max=[1, 1, 1]", "a=x"},
		"003_file=..b":    {"file=../b"},
	} {
		if got := folderName(3, 3, values); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := folderName(1, 1, []string{strings.Repeat("a", 300)}); len(got) != 60 {
		t.Errorf("%d characters", len(got))
	}
}

// TestRun makes four variants, of which two pairs differ in the camera alone. Their files
// are the same as in runs of their own, and the pairs share their particles.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	const scene = "[time]\nduration = 0.1\nfps = 20\n[liquid]\nspacing = 0.1\n[[fluid]]\nkind = \"box\"\nmax = [0.5, 0.5, 0.5]\n[[wall]]\nkind = \"box\"\nmax = [1, 1, 0.5]\n" +
		"[picture]\nsize = [64, 36]\nquality = \"draft\"\n[video]\nformats = []\n[camera]\neye = [0.5, 1, 4]\ntarget = [0.5, 0.4, 0]\n[[gauge]]\nkind = \"volume\"\nname = \"left\"\nmax = [0.5, 1, 0.5]\ninterval = 0.05\n"
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("box.toml", scene)
	p, err := Read(write("wedge.toml", "scene = \"box.toml\"\n[vary]\nliquid.viscosity = [0.001, 1]\ncamera.focal = [30, 60]\n"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.Variants(scenes.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	simulated := 0
	report := func(e stage.Event) {
		if e.Stage == stage.Sim && e.Done {
			simulated += e.Made
		}
	}
	opt := Options{Out: filepath.Join(dir, "out")}
	begun := 0
	runAll := func() {
		t.Helper()
		if err := p.Run(context.Background(), list, opt, func(*Variant) { begun++ }, report); err != nil {
			t.Fatal(err)
		}
	}
	runAll()
	if simulated != 2*list[0].Scene.Time.Frames() || begun != 4 {
		t.Errorf("%d frames were simulated in %d variants", simulated, begun)
	}
	alone := filepath.Join(dir, "alone")
	if err := run.Run(context.Background(), list[3].Scene, run.Options{Out: alone}, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stats.csv", "gauges/left.csv", "frames/box_0002.png", "mesh/box_0002.obj", "particles/box_0002.ply"} {
		want, err := os.ReadFile(filepath.Join(alone, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(opt.Out, list[3].Name, name)); err != nil || string(got) != string(want) {
			t.Errorf("%s is not the file of a run of its own (%v)", name, err)
		}
	}
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(opt.Out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if got := read("variants.csv"); !strings.HasPrefix(got, "variant,folder,liquid.viscosity,camera.focal\n1,1_viscosity=0.001_focal=30,0.001,30\n") {
		t.Errorf("variants.csv:\n%s", got)
	}
	if got := read("stats.csv"); strings.Count(got, "\n") != 1+4*list[0].Scene.Time.Frames() || !strings.HasPrefix(got, "variant,frame,time_s,") || strings.Contains(got, "fingerprint") {
		t.Errorf("stats.csv:\n%s", got)
	}
	if got := read("gauges/left.csv"); !strings.HasPrefix(got, "variant,time_s,") || !strings.Contains(got, "\n4,0.05,") {
		t.Errorf("gauges/left.csv:\n%s", got)
	}
	sheet, err := os.Open(filepath.Join(opt.Out, "contact-sheet.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer sheet.Close()
	if c, err := png.DecodeConfig(sheet); err != nil || c.Width < 900 || c.Height < 500 {
		t.Errorf("a contact sheet of %d × %d, %v", c.Width, c.Height, err)
	}
	simulated = 0
	if runAll(); simulated != 0 {
		t.Errorf("a second run simulated %d frames", simulated)
	}
	opt.Force = true
	if runAll(); simulated != 2*list[0].Scene.Time.Frames() {
		t.Errorf("a forced run simulated %d frames", simulated)
	}
}

// FuzzParse checks that no text makes parse panic, and that what it takes gives variants
// whose values can be written.
func FuzzParse(f *testing.F) {
	f.Add("scene = \"dam-break\"\n[vary]\nliquid.viscosity = [1, 2]\n\"fluid[1].max\" = [[1, 1, 1], [2, 2, 2]]\n")
	f.Add("scene = \"x\"\nmode = \"random\"\ncount = 3\nseed = 4\n[vary]\na = { from = 0.01, to = 100, scale = \"log\" }\nb = [{ c = \"\\u0001\" }]\n")
	f.Add("mode = \"list\"\n[vary.a.b]\nc = [true, 'd', 1979-05-27]\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parse("w.toml", text)
		if err != nil {
			return
		}
		for i := range min(p.Count, 10) {
			for k, v := range p.at(i) {
				var own toml.Report
				if _, ok := toml.Parse(&toml.Source{Data: "x = " + v.text}, &own); !ok {
					t.Errorf("%s has the value %s", p.vary[k].key, v.text)
				}
			}
		}
	})
}
