package film

import (
	"image"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
	"breakwater/sim/longtest"
)

// On a file system that fills up, no film leaves a part.
func TestFilmsOnFullDisk(t *testing.T) {
	longtest.Only(t)
	d, err := store.OpenDir(outtest.SmallDisk(t))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Write("old", outtest.Text(strings.Repeat("x", 200<<10))); err != nil {
		t.Fatal(err)
	}
	for name, m := range movies(t) {
		info := testFilm
		info.Width, info.Height, info.Frames = 640, 360, 12
		err := d.WriteFile(name, func(f *store.File) error {
			return m.Encode(t.Context(), f, info, func(i int) (image.Image, error) { return outtest.Noise(uint32(i), info.Width, info.Height), nil })
		})
		outtest.WantFull(t, err, filepath.Join(d.Path(), name))
	}
	if got := outtest.Files(t, d); len(got) != 1 {
		t.Errorf("left %v", got)
	}
}
