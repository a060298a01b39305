package march

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// filaments is a ball of smoke with filaments, 80 voxels across.
func filaments() []Leaf {
	const half = 40
	var list []Leaf
	for x := -half / Side; x < half/Side; x++ {
		for y := -half / Side; y < half/Side; y++ {
			for z := -half / Side; z < half/Side; z++ {
				l := Leaf{At: [3]int32{int32(x * Side), int32(y * Side), int32(z * Side)}}
				some := false
				for n := range Count {
					p := vec.New(float64(x*Side+n>>6), float64(y*Side+n>>3&7), float64(z*Side+n&7))
					r := p.Len() / half
					wave := math.Sin(0.9*p.X+2*math.Sin(0.3*p.Y)) + math.Sin(0.7*p.Y+2*math.Sin(0.4*p.Z)) + math.Sin(0.8*p.Z)
					if s := 0.5 - r*r + 0.5*wave; r < 1 && s > 0 {
						l.Extinction[n] = float32(20 * s)
						some = true
					}
				}
				if some {
					list = append(list, l)
				}
			}
		}
	}
	return list
}

// directions are some to the sun: along axes, between them, and at any angle.
var directions = []vec.Vec3{{X: 1}, {Y: -1}, {Z: 1}, {X: 1, Y: 1, Z: 1}, {X: -1, Z: 1}, {X: 0.5, Y: 0.7, Z: -0.4}, {X: -0.9, Y: 0.2, Z: 0.1}}

// TestSunlightByPlanes compares the sunlight of rays that end at planes with the sunlight of
// rays through all smoke, in thin smoke and in thick. Where the smoke changes from one voxel to
// the next, light may be off by more in single voxels of the thick one.
func TestSunlightByPlanes(t *testing.T) {
	longtest.NotShort(t)
	edges := []float64{0.01}
	if longtest.On() {
		edges = []float64{0.002, 0.01, 0.05}
	}
	for _, edge := range edges {
		c := build(t, filaments(), edge)
		for _, to := range directions {
			l := studio()
			l.ToSun = to.Unit()
			l.Effort.Planes = false
			exact := c.sunlight(l)
			l.Effort.Planes = true
			got := c.sunlight(l)
			var square, most, n float64
			for i := range got {
				for m, share := range got[i] {
					if exact[i][m] == 0 && share == 0 {
						continue
					}
					e := math.Abs(float64(share - exact[i][m]))
					square, most, n = square+e*e, max(most, e), n+1
				}
			}
			rms := math.Sqrt(square / n)
			t.Logf("voxels of %g m, sun at %v: rms %.5f, most %.4f", edge, to, rms, most)
			if rms > 0.012 || most > 0.25 {
				t.Errorf("voxels of %g m, sun at %v: the share of the sun's light is wrong by %.4f (rms) and up to %.3f", edge, to, rms, most)
			}
		}
	}
}

// TestSunlightOfSparseSmoke has two leaves so far apart that planes between them would take far longer
// than rays from the few voxels: the light must be exact.
func TestSunlightOfSparseSmoke(t *testing.T) {
	leaf := func(x int32) (l Leaf) {
		l.At = [3]int32{x, x, -x}
		for n := range l.Extinction {
			l.Extinction[n] = 5
		}
		return l
	}
	c := build(t, []Leaf{leaf(0), leaf(800)}, 0.01)
	l := studio()
	got := c.sunlight(l)
	l.Effort.Planes = false
	if exact := c.sunlight(l); !slices.Equal(got, exact) {
		t.Error("the light is not exact")
	}
}

func BenchmarkSunlight(b *testing.B) {
	c, err := New(filaments(), 0.01)
	if err != nil {
		b.Fatal(err)
	}
	voxels := 0.
	for i := range c.at {
		for _, s := range c.sigma[i] {
			if s > 0 {
				voxels++
			}
		}
	}
	for _, planes := range []bool{false, true} {
		name := "exact"
		if planes {
			name = "planes"
		}
		b.Run(name, func(b *testing.B) {
			l := studio()
			l.Effort.Planes = planes
			for b.Loop() {
				c.sunlight(l)
			}
			b.ReportMetric(voxels*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mvoxels/s")
		})
	}
}
