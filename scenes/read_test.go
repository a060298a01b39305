package scenes

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"breakwater/sim/longtest"
)

// TestFaults reads files with faults and compares all that is said of them.
// With -update it writes what is said as what is expected.
func TestFaults(t *testing.T) {
	files, err := filepath.Glob("testdata/faults/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Read(filepath.ToSlash(file), data)
		if err == nil {
			t.Errorf("%s: no fault was found", file)
			continue
		}
		got := err.Error() + "\n"
		golden := strings.TrimSuffix(file, ".toml") + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
	}
}

// TestFaultPlaces replaces each value of each shipped scene by one that no
// setting takes and expects one fault, at that place, with that path.
func TestFaultPlaces(t *testing.T) {
	list := Shipped()
	if !longtest.On() {
		list = list[:3]
	}
	for _, x := range list {
		if x.Name == "article-moved-box" {
			continue // whose many keyframes are all alike
		}
		data, err := Source(x.Name)
		if err != nil {
			t.Fatal(err)
		}
		// Its walls are made once, as long as they are in use.
		s, err := Load(x.Name)
		if err != nil {
			t.Fatal(err)
		}
		built, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		var f faults
		root, _ := parse(&source{name: x.Name + ".toml", data: string(data)}, &f)
		if err := f.err(); err != nil {
			t.Fatal(err)
		}
		var leaves func(n *node)
		leaves = func(n *node) {
			for _, c := range n.items {
				leaves(c)
			}
			if n.kind == tableNode || n.tables {
				return
			}
			const date = "1979-05-27"
			text := string(data[:n.at.off]) + date + string(data[n.at.end:])
			_, err := Read(x.Name+".toml", []byte(text))
			var got Faults
			if !errors.As(err, &got) || len(got) != 1 {
				t.Errorf("%s with a date for %s: %v", x.Name, n.path, err)
				return
			}
			line, col, _ := n.src.place(n.at.off)
			if g := got[0]; g.Line != line || g.Col != col || g.Key != n.path || g.mark != len(date) {
				t.Errorf("%s with a date for %s at %d:%d:\n%v", x.Name, n.path, line, col, err)
			}
		}
		leaves(root)
		runtime.KeepAlive(built)
	}
}

// TestTOML compares what is taken for TOML with go-toml's own decoder.
func TestTOML(t *testing.T) {
	for _, text := range []string{
		"", "a = 1", "a.b = 1\na.c = 2", "a.b = 1\n[a]", "a.b = 1\n[a.c]", "[a.b]\n[a]\nc = 1", "[a.b]\n[a]\nb.c = 1", "[a]\n[a]", "[a]\nb = 1\n[a.b]",
		"[[a]]\n[[a]]\n[a.b]", "[[a]]\n[a]", "[a]\n[[a]]", "a = []\n[[a]]", "a = {}\n[a.b]", "a = {b = 1, b = 2}", "a = {b.c = 1, b.d = 2}",
		"a = {b = {}, b.c = 1}", "a = 1\na.b = 2", "a = [1, 2,\n # c\n]", "a = [[1], [], {b = []}]", "\"a b\" = 'c'", "a = 1 b = 2", "a = ", "= 1",
		"a = 01", "a = 1_0", "a = 1__0", "a = .5", "a = 1.", "a = 1e", "a = +inf", "a = 0x_1", "a = 0xfF", "a = \"\\u12\"", "a = \"\"\"x\n\"\"\"", "[a", "[[a]",
	} {
		var f faults
		_, _ = parse(&source{name: "x.toml", data: text}, &f)
		var v map[string]any
		theirs := toml.Unmarshal([]byte(text), &v)
		if ours := f.err(); (ours == nil) != (theirs == nil) {
			t.Errorf("%q: here %v, by go-toml %v", text, ours, theirs)
		}
	}
}

func TestExtends(t *testing.T) {
	s, err := Load("testdata/extends/child.toml")
	if err != nil {
		t.Fatal(err)
	}
	dam, err := Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "child" || s.Title != dam.Title || s.Liquid != dam.Liquid {
		t.Errorf("the child has name %q, title %q, liquid %v", s.Name, s.Title, s.Liquid)
	}
	if want := (Time{Duration: 2, FPS: 60, Speed: dam.Time.Speed}); s.Time != want {
		t.Errorf("time %v, want one key of the child, one of its parent, one of the shipped scene: %v", s.Time, want)
	}
	if len(s.Fluid) != 1 || s.Fluid[0].Shape.Kind != "sphere" {
		t.Errorf("fluid %v, want the parent's list alone", s.Fluid)
	}
	for key, want := range map[string]string{"cfl": "0.2", "max_error": "1e-3"} {
		if n := s.Solver.node.get(key); n == nil || n.text != want {
			t.Errorf("solver.%s is %v, want %s", key, n, want)
		}
	}
	if _, err := s.Build(); err != nil {
		t.Error(err)
	}

	_, err = Load("testdata/extends/loop-a.toml")
	if err == nil || !strings.Contains(err.Error(), "loop-b.toml:1:11: extends: ./loop-a.toml extends itself") {
		t.Errorf("a loop gives %v", err)
	}
	// Another kind takes nothing over from the old table.
	_, err = Read("testdata/extends/x.toml", []byte("extends = \"base.toml\"\n[[fluid]]\nkind = \"box\"\nradius = 1\n"))
	if err == nil || !strings.Contains(err.Error(), "fluid[1].radius: unknown key") {
		t.Errorf("a key of another kind gives %v", err)
	}
}

func TestOverlayKinds(t *testing.T) {
	tree := func(text string) *node {
		var f faults
		root, ok := parse(&source{data: text}, &f)
		if !ok {
			t.Fatal(f.err())
		}
		return root
	}
	under := tree("[solver]\nkind = \"a\"\nx = 1\n[look]\ny = 1\n")
	over := overlay(under, tree("[solver]\nkind = \"b\"\n[look]\nkind = \"water\"\n"))
	if over.find("solver", "x") != nil {
		t.Error("a table of another kind keeps the old kind's keys")
	}
	if over.find("look", "y") == nil {
		t.Error("naming the default kind drops the keys that were set for it")
	}
	if under.find("solver", "kind").text != "a" {
		t.Error("overlay changed the tree below")
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		text, unit string
		want       float64
	}{
		{"7 cm", "m", 0.07}, {"2.2 cm", "m", 0.022}, {"2.2e-1 mm", "m", 0.00022}, {"7cm", "m", 0.07}, {"0.3", "m", 0.3}, {"35 mm", "mm", 35}, {"3.5 cm", "mm", 35}, {"1e3 mm", "m", 1}, {"-2 km", "m", -2000},
		{"18 km/h", "m/s", 5}, {"1 L", "m³", 0.001}, {"1 cSt", "m²/s", 1e-6}, {"0.1 %", "1", 0.001}, {"24 fps", "1/s", 24}, {"90 °", "deg", 90},
		{"1 g/cm³", "kg/m³", 1000}, {"2 min", "s", 120}, {"981 cm/s^2", "m/s²", 9.81}, {"12", "px", 12},
	} {
		if got, err := quantity(c.text, c.unit); err != nil || got != c.want {
			t.Errorf("%q in %s is %v, %v; want %v", c.text, c.unit, got, err, c.want)
		}
	}
	if got, err := quantity("3.141592653589793 rad", "deg"); err != nil || math.Abs(got-180) > 1e-12 {
		t.Errorf("π rad is %v deg, %v", got, err)
	}
	for _, c := range []struct{ text, unit, want string }{
		{"2 kg", "m", `"2 kg" is a mass, not a length`}, {"2 smoots", "m", "unknown unit"}, {"two", "m", "is not a number"},
		{"", "m", "is not a number"}, {"1e999 m", "m", "is not finite"}, {"1e99999999999 m", "m", "out of all proportion"}, {"2 m", "px", "where none can be"}, {"1 2", "m", "unknown unit"},
	} {
		if _, err := quantity(c.text, c.unit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in %s: %v, want %q", c.text, c.unit, err, c.want)
		}
	}
}

func TestOverride(t *testing.T) {
	s, err := Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Override(Overrides{FPS: "50", Size: "320x180", Quality: "draft", Spacing: "6 cm"}); err != nil {
		t.Fatal(err)
	}
	if s.Time.FPS != 50 || s.Picture.Size != [2]int{320, 180} || s.Picture.Quality != "draft" || s.Liquid.Spacing != 0.06 || s.Time.Speed != 0.7 {
		t.Errorf("got %+v %+v %+v", s.Time, s.Picture, s.Liquid)
	}
	before := *s
	err = s.Override(Overrides{FPS: "fast", Size: "8x180", Quality: "best", Spacing: "2 s"})
	const want = `--fps: "fast" is not a number; expected a number in 1/s, from 0.01 to 1000, or a string with a number and a unit, one of 1/s, Hz, fps
--spacing: "2 s" is a time, not a length; expected a number in m, above 0, or a string with a number and a unit, one of m, cm, mm, km
--size: 8 is out of range; expected a whole number in px, from 16 to 16384
--quality: "best" is not known; expected one of draft, good, final`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if s.Time != before.Time || s.Liquid != before.Liquid || s.root != before.root {
		t.Error("an override that fails changes the scene")
	}
	// A flag can be at odds with what the file has.
	err = s.Override(Overrides{Spacing: "50 cm"})
	if err == nil || !strings.Contains(err.Error(), "fluid[1]: is 0.756 m across in y, 1 particle at a spacing of 0.5 m") {
		t.Errorf("got %v", err)
	}
}

func TestLoad(t *testing.T) {
	for name, want := range map[string]string{
		"dam-brake":    `no shipped scene is called "dam-brake"; did you mean "dam-break"? expected one of article-amd-box, article-ball,`,
		"nowhere.toml": "nowhere.toml: no such file",
		"testdata":     `no shipped scene is called "testdata"`,
	} {
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	folder := filepath.Join(t.TempDir(), "x.toml")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("a folder: %v", err)
	}
	data, err := Source("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a%d.toml", "a\nb.toml", "a:b.toml", "a\\b.toml", "a .toml", " a.toml", "a..toml", "../..toml", ".toml", "..a.toml", "-x.toml", "a\"b.toml", "\xff.toml", strings.Repeat("x", 65) + ".toml", strings.Repeat("水", 64) + "水.toml"} {
		if _, err := Read(name, data); err == nil || !strings.Contains(err.Error(), "so rename the file") {
			t.Errorf("a scene called %q: %v", name, err)
		}
	}
	s, err := Read("dir/mine.toml", append([]byte("\ufeff"), data...))
	if err != nil || s.Name != "mine" || s.Path != "dir/mine.toml" {
		t.Errorf("a file with a byte order mark: %v, %v", s, err)
	}
	if _, err := Read("x.toml", make([]byte, maxFile+1)); err == nil {
		t.Error("a file of any length is read")
	}
}
