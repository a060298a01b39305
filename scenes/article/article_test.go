package article

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"breakwater/raster/figure"
	"breakwater/sim/longtest"
	"breakwater/sim/registry"
)

var look = flag.String("look", "", "write the pictures into this folder")

// made are the figures that figures has made.
var made = map[bool]map[string]*figure.Plot{}

// figures are this package's, but for those that simulate if only quick ones are
// wanted.
func figures(t *testing.T, quick bool) map[string]*figure.Plot {
	t.Helper()
	if all, ok := made[quick]; ok {
		return all
	}
	all := map[string]*figure.Plot{}
	for _, e := range figure.Figures.Entries() {
		f, err := e.New(registry.None)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := f.(drawing); !ok && quick {
			continue
		}
		if _, ok := f.(figure.OfRun); ok {
			continue
		}
		if all[e.Name], err = f.Plot(nil); err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
	}
	made[quick] = all
	return all
}

// TestDrawings checks all figures, those that simulate too unless in a hurry: texts
// on the page and clear of each other, files well formed, captions that LaTeX reads.
func TestDrawings(t *testing.T) {
	longtest.NotShort(t)
	for name, p := range figures(t, !longtest.On()) {
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if *look != "" {
			f, err := os.Create(filepath.Join(*look, name+".png"))
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Page().WritePNG(f, 150); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
	}
}
