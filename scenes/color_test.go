package scenes

import (
	"fmt"
	stdcolor "image/color"
	"math"
	"strings"
	"testing"

	"breakwater/raster"
	"breakwater/raster/color"
	"breakwater/scenes/toml"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestColors reads colours in hexadecimal and as numbers. Numbers of surface colours are
// linear; numbers of line colours are as in the picture.
func TestColors(t *testing.T) {
	const scene = "[liquid]\nspacing = \"6 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 0.5]\n[[wall]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n"
	for _, c := range []struct {
		text string
		want vec.Vec3
	}{
		{`color = "#cc1a00"`, vec.New(color.Linear(0.8), color.Linear(26./255), 0)},
		{`color = "#FFFFFF"`, vec.New(1, 1, 1)},
		{`color = [0.5, 0.25, 1]`, vec.New(0.5, 0.25, 1)},
	} {
		s := mustRead(t, scene+c.text)
		if got := s.Wall[0].Color; got.Sub(c.want).Len() > 1e-12 {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
	lines := mustRead(t, scene+"[look]\nkind = \"toon\"\ncolor = \"#336699\"\n")
	f := &toml.Report{}
	if p := lines.parts(f); !strings.Contains(fmt.Sprintf("%+v", p.look), "Color:[0.2, 0.4, 0.6]") && !strings.Contains(fmt.Sprintf("%+v", p.look), "0.2 0.4") {
		t.Errorf("the look is %+v", p.look)
	}
	for _, text := range []string{`color = "red"`, `color = "#12345"`, `color = "#12345g"`, `color = "#+12345"`, `color = "cc1a1aff"`} {
		_, err := Read("x.toml", []byte(scene+text))
		if err == nil || !strings.Contains(err.Error(), `x.toml:11:9: wall[1].color`) || !strings.Contains(err.Error(), "#rrggbb") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Read("x.toml", []byte(scene+"[look]\nkind = \"water\"\ncolor = \"#00ffff\"\n")); err == nil || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("water that lets no red through: %v", err)
	}
}

// TestColorOfBody draws a matte ball: its colour in the light of the studio is
// about the one that the scene says.
func TestColorOfBody(t *testing.T) {
	longtest.NotShort(t)
	for _, want := range []stdcolor.RGBA{{0xcc, 0x1a, 0x1a, 255}, {0x1a, 0x60, 0xcc, 255}, {0x80, 0x80, 0x80, 255}, {0x2e, 0x8b, 0x57, 255}} {
		s := mustRead(t, fmt.Sprintf("[picture]\nsize = [96, 96]\nquality = \"draft\"\n[liquid]\nspacing = \"6 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [0.3, 0.2, 0.3]\n"+
			"[[wall]]\nkind = \"plane\"\n[[wall]]\nkind = \"sphere\"\ncenter = [2, 1, 0]\nradius = 0.8\ncolor = \"#%02x%02x%02x\"\n[camera]\neye = [3, 1.6, 4]\ntarget = [2, 1, 0]\nfocal = 60\n", want.R, want.G, want.B))
		b := mustBuild(t, s)
		v := raster.View{Camera: b.Camera, Light: b.Light, Width: 96, Height: 96, Quality: raster.Draft, Floor: b.Floor, Ground: &b.Ground}
		v.Tank, v.Vessels, v.Solids = b.At(0)
		img, err := b.Look.Draw(&v)
		if err != nil {
			t.Fatal(err)
		}
		// All of the ball: its lit side and its side in the shade.
		var sum [3]float64
		n := 0.
		for y := range 96 {
			for x := range 96 {
				if dx, dy := float64(x)-47.5, float64(y)-47.5; dx*dx+dy*dy < 20*20 {
					c := img.RGBAAt(x, y)
					sum[0], sum[1], sum[2], n = sum[0]+float64(c.R), sum[1]+float64(c.G), sum[2]+float64(c.B), n+1
				}
			}
		}
		for i, w := range [3]uint8{want.R, want.G, want.B} {
			if got := sum[i] / n; math.Abs(got-float64(w)) > 42 {
				t.Errorf("%v is drawn as %.0f %.0f %.0f", want, sum[0]/n, sum[1]/n, sum[2]/n)
				break
			}
		}
	}
}
