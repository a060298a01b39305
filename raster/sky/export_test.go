package sky

import (
	"bytes"
	"math"
	"testing"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

func TestSurroundings(t *testing.T) {
	for _, kind := range []Surroundings{Studio, Clear} {
		l := DefaultLight()
		l.Kind = kind
		var b bytes.Buffer
		if err := l.WriteSurroundings(&b, 256, 128, "a comment"); err != nil {
			t.Fatal(err)
		}
		m, err := readHDR(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		p, s := &Panorama{hdrImage: *m}, New(l, color.RGB{})
		off, mean := 0.0, 0.0
		const n = 500
		for i := range n {
			y := (float64(i) + 0.5) / n // evenly over the upper half
			sin, cos := math.Sincos(2.4 * float64(i))
			d := vec.Vec3{X: cos * math.Sqrt(1-y*y), Y: y, Z: sin * math.Sqrt(1-y*y)}
			want := s.domeRadiance(d).Luminance()
			off, mean = off+math.Abs(p.at(d).Luminance()-want)/n, mean+want/n
		}
		if off > 0.03*mean { // most of it at the panels' edges
			t.Errorf("%s: off by %g of %g", kind, off, mean)
		}
		toSun, e, _ := l.Sunlight()
		if math.Abs(toSun.Len()-1) > 1e-12 || e.X < e.Z || e.Z <= 0 {
			t.Errorf("%s: the sun is at %v and gives %v", kind, toSun, e)
		}
	}
}

// Every look is a material elsewhere too, with light that it throws back or
// lets pass, or gives.
