package run

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"breakwater/out/programs"
	"breakwater/scenes"
	"breakwater/sim/longtest"
)

// A floor that a low camera sees at a grazing angle, with the sun low behind
// it, is about as bright in ParaView as in the picture. Lit from the camera's
// direction it had a quarter of the picture's levels.
func TestScriptFloor(t *testing.T) {
	longtest.Only(t)
	s, err := scenes.Read("shot.toml", []byte(fullTankScene+`
[light]
kind = "hills"
azimuth = 200
elevation = 14
[camera]
eye = [0.2, 0.15, 1.9]
target = [0.2, 0.2, 0.2]
focal = 39
`))
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Out: t.TempDir()}
	ran(t, s, opt)
	f, err := os.Open(filepath.Join(opt.Out, "frames", "shot_0001.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	b := picture.Bounds()
	want := 0.0
	for y := b.Max.Y - 4; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			red, green, blue, _ := picture.At(x, y).RGBA()
			want += float64(red+green+blue) / 3 / 257
		}
	}
	want /= float64(4 * b.Dx())
	seen := programs.Seen[struct{ Floor float64 }](t, runScript(t, s, opt, "paraview", "pvpython", "testdata/scripts/floor_in_paraview.py", "SCRIPT"))
	if len(seen) != 1 {
		t.Fatalf("%d answers", len(seen))
	}
	t.Logf("the floor has a level of %.0f of 255 in ParaView, and of %.0f in the picture", seen[0].Floor, want)
	if got := seen[0].Floor; !(got > 0.5*want && got < 1.5*want) {
		t.Errorf("the floor has a level of %.0f of 255 in ParaView, and of %.0f in the picture", got, want)
	}
}
