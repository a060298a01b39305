package raster

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/raster/camera"
	"breakwater/raster/grains"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// whitewater returns n parcels around the splash of testTank. They are a curtain of spray
// and mist over its right half, a plume of bubbles under it, and patches of foam.
func whitewater(n int) *grains.Parcels {
	rng := rand.New(rand.NewPCG(1, 2))
	p := &grains.Parcels{Spacing: 0.02}
	add := func(k grains.Kind, x, v vec.Vec3, r, count float64) {
		p.X, p.V = append(p.X, x), append(p.V, v)
		p.Radius, p.Count = append(p.Radius, float32(r)), append(p.Count, float32(count))
		p.ID, p.Kind = append(p.ID, uint64(len(p.ID))), append(p.Kind, k)
	}
	radius := func(least, most float64) float64 { // number ∝ r⁻²
		return 1 / (1/least + rng.Float64()*(1/most-1/least))
	}
	const family = 60
	for range n * 6 / 10 / family {
		// A drop that has burst: thrown up from the bank, and drawn out by drag.
		z, time := 0.05+0.9*rng.Float64(), 0.05+0.5*rng.Float64()
		v := vec.Vec3{X: -1.2*rng.Float64() - 0.2, Y: 2.4 + 0.9*rng.NormFloat64(), Z: 0.2 * rng.NormFloat64()}
		start := vec.Vec3{X: 1.75 + 0.12*rng.NormFloat64(), Y: 0.5, Z: z}
		for range family {
			t := time * (1 + 0.06*rng.NormFloat64())
			x := start.Add(v.Mul(t)).Add(vec.Vec3{Y: -4.9 * t * t}).Add(vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Mul(0.02 * t))
			if x.Y < 0.33 || x.X < 0.02 || x.X > 1.98 || x.Z < 0.02 || x.Z > 0.98 {
				continue
			}
			r := radius(3e-4, 3e-3)
			count := 1.0
			if r < 8e-4 {
				count = 3
			}
			add(grains.Spray, x, v.Add(vec.Vec3{Y: -9.8 * t}), r, count)
		}
	}
	for range n / 20 {
		x := vec.Vec3{X: 1.45 + 0.16*rng.NormFloat64(), Y: 0.62 + 0.1*rng.NormFloat64(), Z: 0.5 + 0.25*rng.NormFloat64()}
		add(grains.Mist, x, vec.Vec3{}, 5e-5, 4e3)
	}
	for range n * 3 / 20 {
		deep := 0.2 * rng.Float64()
		x := vec.Vec3{X: 1.2 + (0.05+0.5*deep)*rng.NormFloat64(), Y: 0.22 - deep, Z: 0.5 + 0.2*rng.NormFloat64()}
		if x.Z > 0.01 && x.Z < 0.99 && x.Y > 0.01 {
			add(grains.Bubble, x, vec.Vec3{}, radius(3e-4, 2e-3), 1)
		}
	}
	var patches [7]float64
	for k := range patches {
		patches[k] = 0.15 + 0.7*rng.Float64()
	}
	for range n / 5 {
		a, far := 2*math.Pi*rng.Float64(), 0.12*math.Sqrt(rng.Float64())
		k := rng.IntN(7)
		x := vec.Vec3{X: 0.3 + 0.13*float64(k) + far*math.Sin(a), Z: patches[k] + far*math.Cos(a)}
		if math.Sin(31*x.X+9*math.Sin(23*x.Z))*math.Sin(29*x.Z) < -0.2 { // holes
			continue
		}
		x.Y = splashHeight(x.X, x.Z)
		add(grains.Foam, x, vec.Vec3{}, radius(5e-4, 3e-3), 1)
	}
	return p
}

// TestCloudFurnace puts spray, mist and bubbles in light that comes evenly from everywhere:
// they do not show, nor do they through the water.
func TestCloudFurnace(t *testing.T) {
	longtest.NotShort(t)
	for _, q := range []Quality{Good, Final} {
		v := testView(60, 96, 54, q)
		v.Tank, v.Grains = nil, whitewater(20_000)
		tr := furnace(v, optics.Medium{Index: 1.333})
		tr.lightClouds()
		if tr.spray == nil || tr.bubbles == nil {
			t.Fatal("no clouds")
		}
		for i, c := range tr.render() {
			if max(math.Abs(c.R-1), math.Abs(c.G-1), math.Abs(c.B-1)) > 0.01 {
				t.Fatalf("%s: pixel (%d, %d) is %v, want 1", q, i%96, i/96, c)
			}
		}
	}
}

// TestCloudShadow hangs a level sheet of spray over the floor. The sun's light under it is
// what the sheet lets through, and the same on a matte block.
func TestCloudShadow(t *testing.T) {
	const depth, n = 0.8, 40_000
	rng := rand.New(rand.NewPCG(3, 4))
	p := &grains.Parcels{Spacing: 0.04}
	const r, wide = 5e-4, 3.0
	for i := range n {
		p.X = append(p.X, vec.Vec3{X: wide * (rng.Float64() - 0.5), Y: 0.5 + 0.1*rng.Float64(), Z: wide * (rng.Float64() - 0.5)})
		p.ID = append(p.ID, uint64(i))
		p.Radius, p.Count = append(p.Radius, r), append(p.Count, depth*wide*wide/(n*math.Pi*r*r))
	}
	p.V, p.Kind = make([]vec.Vec3, n), make([]grains.Kind, n)
	v := &View{
		Camera: camera.Camera{Eye: vec.Vec3{Y: 5, Z: 4}, Focal: 40}, Light: sky.Light{Kind: sky.Studio, Azimuth: 20, Elevation: 89, Sun: 1, Sky: 1},
		Width: 64, Height: 36, Quality: Good, Grains: p,
		Ground: &vec.Box{Min: vec.Vec3{X: -1, Z: -1}, Max: vec.Vec3{X: 1, Y: 1, Z: 1}},
	}
	tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
	tr.lightClouds()
	tr.lightFloor()
	g := phases(1.333, false)[1].Moment(1)
	want := math.Exp(-(1 - g*g) * depth)
	sum := 0.0
	for k := range 100 {
		sun, _ := tr.floor.Light.At(0.1*float64(k%10)-0.5, 0.1*float64(k/10)-0.5)
		sum += sun.G / 100
	}
	if math.Abs(sum-want) > 0.03 {
		t.Errorf("%.3f of the sun's light is on the floor, want %.3f", sum, want)
	}
	if got := tr.sunTransmittance(vec.Vec3{Y: 0.2}, 0).G; math.Abs(got-want) > 0.1 {
		t.Errorf("%.3f of the sun's light is under the spray, want %.3f", got, want)
	}
	if got := tr.sunTransmittance(vec.Vec3{Y: 0.8}, 0).G; got != 1 {
		t.Errorf("%.3f of the sun's light is over the spray, want all", got)
	}
}
