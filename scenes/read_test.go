package scenes

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"breakwater/scenes/shipped"
	"breakwater/scenes/toml"
	"breakwater/sim/longtest"
)

// TestFaults reads files with faults and compares all messages. With -update it writes
// the messages as the expected ones.
func TestFaults(t *testing.T) {
	longtest.NotShort(t)
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

// TestFaultPlaces replaces values of shipped scenes by one that no setting takes and
// expects one fault, at that place, with that path. Each key of each kind of list is
// tested in the first two places that have it.
func TestFaultPlaces(t *testing.T) {
	longtest.NotShort(t)
	list := shipped.Scenes()
	if !longtest.On() {
		list = list[:3]
	}
	index := regexp.MustCompile(`\[\d+\]`)
	tested := map[string]int{}
	for _, x := range list {
		data, err := shipped.Source(x.Name)
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
		var f toml.Report
		root, _ := toml.Parse(&toml.Source{Name: x.Name + ".toml", Data: string(data)}, &f)
		if err := f.Err(); err != nil {
			t.Fatal(err)
		}
		var leaves func(n *toml.Node)
		leaves = func(n *toml.Node) {
			for _, c := range n.Items {
				leaves(c)
			}
			if n.Kind == toml.Table || n.Tables {
				return
			}
			key := index.ReplaceAllString(n.Path, "[]")
			if tested[key]++; tested[key] > 2 {
				return
			}
			const date = "1979-05-27"
			text := string(data[:n.At.Off]) + date + string(data[n.At.End:])
			_, err := Read(x.Name+".toml", []byte(text))
			var got toml.Faults
			if !errors.As(err, &got) || len(got) != 1 {
				t.Errorf("%s with a date for %s: %v", x.Name, n.Path, err)
				return
			}
			line, col, _ := n.Src.Place(n.At.Off)
			if g := got[0]; g.Line != line || g.Col != col || g.Key != n.Path || g.Mark != len(date) {
				t.Errorf("%s with a date for %s at %d:%d:\n%v", x.Name, n.Path, line, col, err)
			}
		}
		leaves(root)
		runtime.KeepAlive(built)
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
		if n := s.Solver.Node.Get(key); n == nil || n.Text != want {
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
	if err == nil || !strings.Contains(err.Error(), "fluid[1]: is 0.756 m wide along y, or 1 particle at a spacing of 0.5 m") {
		t.Errorf("got %v", err)
	}
}

func TestLoad(t *testing.T) {
	for name, want := range map[string]string{
		"dam-brake":    `no shipped scene is called "dam-brake"; did you mean "dam-break"? expected one of article-airfoil-wake, article-amd-box,`,
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
	data, err := shipped.Source("dam-break")
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
	if _, err := Read("x.toml", make([]byte, toml.MaxFile+1)); err == nil {
		t.Error("a file of any length is read")
	}
}
