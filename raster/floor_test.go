package raster

import (
	"math"
	"testing"

	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/ground"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestOpenFloorIsFlat checks that the map of light is exactly even where
// nothing stands, whatever the sun's direction.
func TestOpenFloorIsFlat(t *testing.T) {
	tr := newTestTracer(nil, optics.Medium{Index: 1.333})
	m := ground.NewMap(vec.Box{Max: vec.Vec3{X: 2, Y: 1, Z: 1}}, 0, tr.sky.ToSun, 60)
	clear(m.Sun)
	tr.sunbeams(m, 1, samplePoint{x: 0.5, y: 0.5})
	tr.addOcclusion(m)
	for i, c := range m.Sun {
		if math.Abs(c.R-1) > 1e-6 || math.Abs(m.SkyVisibility[i]-1) > 1e-12 {
			t.Fatalf("cell %d gets %v of the sun, %g of the sky", i, c, m.SkyVisibility[i])
		}
	}
}

// TestCausticsKeepEnergy checks that waves move light about and make none.
func TestCausticsKeepEnergy(t *testing.T) {
	tr := newTestTracer(pool(testTank, 60, func(x, z float64) float64 {
		return 0.3 + 0.02*math.Sin(9*x)*math.Cos(8*z)
	}), optics.Medium{Index: 1.333})
	m := ground.NewMap(tr.shadowBounds(), 0, tr.sky.ToSun, 200)
	clear(m.Sun)
	tr.sunbeams(m, 1, samplePoint{x: 0.5, y: 0.5})
	sum, peak := 0.0, 0.0
	for _, c := range m.Sun {
		sum += c.G
		peak = max(peak, c.G)
	}
	if mean := sum / float64(len(m.Sun)); mean > 1 || mean < 0.85 {
		t.Errorf("the floor gets %.3f of the light, want a little less than all", mean)
	}
	if peak < 1.5 {
		t.Errorf("brightest cell %.2f: no caustics", peak)
	}
}

// TestShadow compares the shadow of a block with its geometry.
func TestShadow(t *testing.T) {
	v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 2, Z: 5}, Focal: 40}, Light: sky.Light{Azimuth: -90, Elevation: 45, Sun: 1, Sky: 1}, Width: 64, Height: 36, Quality: Good,
		Solids: []Solid{{Mesh: boxMesh(vec.Box{Min: vec.Vec3{X: -0.5, Z: -0.5}, Max: vec.Vec3{X: 0.5, Y: 1, Z: 0.5}})}}}
	for _, q := range []Quality{Draft, Good} {
		tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
		m := ground.NewMap(tr.shadowBounds(), 0, tr.sky.ToSun, 200)
		if q == Draft {
			tr.draftShadow(m)
		} else {
			clear(m.Sun)
			tr.sunbeams(m, 1, samplePoint{x: 0.5, y: 0.5})
		}
		// The sun stands over -x at 45°: the shadow ends 1 m behind the block.
		for _, c := range []struct{ x, z, want float64 }{{1.3, 0, 0}, {1.3, 0.4, 0}, {1.7, 0, 1}, {1.2, 0.7, 1}, {-0.7, 0, 1}} {
			if got, _ := m.At(c.x, c.z); math.Abs(got.G-c.want) > 1e-3 {
				t.Errorf("%s: the floor at (%g, %g) gets %g of the sun, want %g", q, c.x, c.z, got.G, c.want)
			}
		}
	}
}

// TestOcclusion compares the sky's light on the floor under a hovering plate with the
// plate's form factor, also with a hole in it. It also looks up at the plate with an
// untraced ray.
func TestOcclusion(t *testing.T) {
	const high, half = 0.2, 0.5
	light := func(hole float64) *tracer {
		v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 2, Z: 5}, Focal: 40}, Light: sky.DefaultLight(), Width: 400, Height: 225, Quality: Good}
		for _, b := range [4][4]float64{{-half, -half, half, -hole}, {-half, hole, half, half}, {-half, -hole, -hole, hole}, {hole, -hole, half, hole}} {
			v.Solids = append(v.Solids, Solid{Mesh: boxMesh(vec.Box{Min: vec.Vec3{X: b[0], Y: high, Z: b[1]}, Max: vec.Vec3{X: b[2], Y: high + 0.01, Z: b[3]}})})
		}
		tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
		tr.lightFloor()
		return tr
	}
	// Of a square over its middle, by the side over the height.
	square := func(half float64) float64 {
		x := half / high
		return 4 / math.Pi * x / math.Sqrt(1+x*x) * math.Atan(x/math.Sqrt(1+x*x))
	}
	for _, hole := range [...]float64{0, 0.1} {
		tr := light(hole)
		_, open := tr.floor.Light.At(0, 0)
		if want := 1 - occlusionStrength*(square(half)-square(hole)); math.Abs(open-want) > 0.06 {
			t.Errorf("with a hole of %g m the floor's middle gets %.2f of the sky, want %.2f", 2*hole, open, want)
		}
		if _, open := tr.floor.Light.At(3*half, 0); open < 0.9 {
			t.Errorf("beside the plate the floor gets %.2f of the sky", open)
		}
		under := ray{o: vec.Vec3{X: 0.3, Y: 0.05, Z: 0.3}, d: vec.Vec3{Y: 1}, weight: 1}
		if got, want := tr.backdrop(under.o, under.d), tr.trace(under); got != want {
			t.Errorf("under the plate a ray that is not followed sees %v, and one that is %v", got, want)
		}
	}
}

// TestLightStaysInPlace lets the objects that throw shadows grow a little, as a splash
// does from frame to frame. The cells of the light on the floor must stay where they are,
// or shadows and caustics would flicker.
func TestLightStaysInPlace(t *testing.T) {
	toSun := vec.Vec3{X: 0.3, Y: 0.8, Z: 0.2}.Unit()
	first := ground.NewMap(testTank, 0, toSun, 300)
	sizes := 0
	for k := range 40 {
		m := ground.NewMap(testTank.Grow(0.005*float64(k)), 0, toSun, 300)
		if m.Cell != first.Cell {
			sizes++
			continue
		}
		for _, d := range [2]float64{(m.X - first.X) / m.Cell, (m.Z - first.Z) / m.Cell} {
			if math.Abs(d-math.Round(d)) > 1e-9 {
				t.Fatalf("grown by %g m: the cells move by %g of their size", 0.005*float64(k), d)
			}
		}
	}
	if sizes > 30 {
		t.Errorf("of 40 slow steps %d changed the size of the cells", sizes)
	}
}

// TestFinalLight compares the light on the floor at final with the light at good. The
// floor of a wavy pool has as much light, and sharper caustics. The shadow of a high
// object is softer than the shadow of a low one.
func TestFinalLight(t *testing.T) {
	longtest.NotShort(t)
	light := func(q Quality) (sum, peak float64) {
		v := &View{Camera: camera.Camera{Eye: vec.Vec3{X: 0.3, Y: 5, Z: 4}, Focal: 40}, Light: sky.DefaultLight(), Width: 400, Height: 225, Quality: q,
			Liquid: pool(testTank, 60, func(x, z float64) float64 { return 0.3 + 0.02*math.Sin(9*x)*math.Cos(8*z) })}
		tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
		tr.lightFloor()
		for _, c := range tr.floor.Light.Sun {
			sum, peak = sum+c.G/float64(len(tr.floor.Light.Sun)), max(peak, c.G)
		}
		return sum, peak
	}
	good, sharp := light(Good)
	final, sharper := light(Final)
	if math.Abs(final-good) > 0.01 {
		t.Errorf("%.3f of the light at final, %.3f at good", final, good)
	}
	if sharper < 1.02*sharp {
		t.Errorf("the brightest cell has %.2f at final, %.2f at good", sharper, sharp)
	}
	width := func(y float64) float64 { // of the shadow's edge
		v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 2, Z: 5}, Focal: 40}, Light: sky.Light{Elevation: 90, Sun: 1, Sky: 1}, Width: 600, Height: 338, Quality: Final,
			Solids: []Solid{{Mesh: boxMesh(vec.Box{Min: vec.Vec3{X: -0.5, Y: y, Z: -0.5}, Max: vec.Vec3{X: 0.5, Y: y + 0.1, Z: 0.5}})}}}
		tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
		tr.lightFloor()
		lo, hi := 1.0, 0.0
		for x := 0.3; x < 0.8; x += 0.001 {
			if c, _ := tr.floor.Light.At(x, 0); c.G > 0.1 && c.G < 0.9 {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		return hi - lo
	}
	v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 2, Z: 5}, Focal: 40}, Light: sky.DefaultLight(), Width: 300, Height: 169, Quality: Final}
	tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
	tr.lightFloor()
	for i, c := range tr.floor.Light.Sun {
		if math.Abs(c.R-1) > 1e-6 {
			t.Fatalf("in the open, cell %d gets %v of the sun", i, c)
		}
	}
	if low, high := width(0.1), width(3); high < 1.5*low {
		t.Errorf("the edge of a low shadow is %g m wide, of a high one %g m", low, high)
	}
}

// TestCausticsAreSteady lets a wave go by in steps of 2 ms of water, each time in other
// triangles, as meshes of a film have them. Drops fly ever farther and so widen the light
// map. The floor under the water must change from frame to frame little more than the
// waves change it: by far less than caustics are bright.
func TestCausticsAreSteady(t *testing.T) {
	longtest.NotShort(t)
	const frames = 6
	for _, c := range []struct {
		quality Quality
		most    float64 // root mean square of the change, of the open's light
	}{{Good, 0.004}, {Final, 0.004}} { // 0.016 with cells that move with the objects that throw shadows
		var last []float64
		change, contrast := 0., 0.
		for k := range frames {
			m := pool(testTank, 70+3*k, func(x, z float64) float64 {
				return 0.3 + 0.01*math.Sin(9*x-0.02*float64(k))*math.Cos(8*z)
			})
			ball(m, vec.Vec3{X: 2.2 + 0.07*float64(k), Y: 0.6, Z: 0.5}, 0.02, 12, func(vec.Vec3) float64 { return 1 })
			v := &View{Camera: camera.Camera{Eye: vec.Vec3{X: 0.3, Y: 5, Z: 4}, Focal: 40}, Light: sky.DefaultLight(), Width: 400, Height: 225, Quality: c.quality, Liquid: m}
			tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
			tr.lightFloor()
			var now []float64
			for x := 0.4; x < 1.6; x += 0.01 {
				for z := 0.3; z < 0.7; z += 0.01 {
					sun, _ := tr.floor.Light.At(x, z)
					now = append(now, sun.G)
				}
			}
			mean := 0.
			for _, g := range now {
				mean += g / float64(len(now))
			}
			for i, g := range now {
				contrast += (g - mean) * (g - mean) / float64(len(now)*frames)
				if last != nil {
					change += (g - last[i]) * (g - last[i]) / float64(len(now)*(frames-1))
				}
			}
			last = now
		}
		if math.Sqrt(change) > c.most {
			t.Errorf("%s: the light on the floor changes by %.3f from frame to frame, want at most %.3f", c.quality, math.Sqrt(change), c.most)
		}
		if math.Sqrt(contrast) < 15*c.most {
			t.Errorf("%s: caustics have a contrast of %.3f", c.quality, math.Sqrt(contrast))
		}
	}
}

// TestGlassBall lets the sun shine straight down through a ball of glass. The floor lies
// in its focus, n R/2(n−1) below its centre (Hecht 2017, §6.1). The light that its shadow
// lacks is in the spot under it.
func TestGlassBall(t *testing.T) {
	const radius = 0.2
	m := &mesh.Mesh{}
	ball(m, vec.Vec3{Y: optics.GlassIndex * radius / (2 * (optics.GlassIndex - 1))}, radius, 96, func(vec.Vec3) float64 { return 1 })
	s := Solid{Mesh: m, Material: Material{Substance: Glass, Color: vec.Vec3{X: 1, Y: 1, Z: 1}}}
	v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 1, Z: 3}, Focal: 40}, Light: sky.Light{Elevation: 90, Sun: 1, Sky: 1}, Width: 800, Height: 450, Quality: Good, Solids: []Solid{s}}
	tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
	tr.lightFloor()
	l := tr.floor.Light
	sum, spot := 0., 0.
	for j := range l.H {
		for i := range l.W {
			p, g := l.Point(i, j), l.Sun[j*l.W+i].G*l.Cell*l.Cell
			if r := math.Hypot(p.X, p.Z); r < 1.3*radius {
				sum += g
				if r < radius/4 {
					spot += g
				}
			}
		}
	}
	// Both faces mirror the rays at the same angle; the reflected light of the outer rays
	// misses the spot.
	area, mirrored := math.Pi*radius*radius, 0.
	for b := 0.0005; b < 1; b += 0.001 {
		r, _ := optics.Fresnel(math.Sqrt(1-b*b), 1/optics.GlassIndex)
		mirrored += 2 * b * 0.001 * (1 - (1-r)*(1-r))
	}
	if want := 1.3*1.3*area - mirrored*area; math.Abs(sum-want) > 0.03*want {
		t.Errorf("under the ball is light of %.4f m², want %.4f", sum, want)
	}
	if spot /= area; spot < 0.4 {
		t.Errorf("%.3f of the light that meets the ball is in the spot", spot)
	}
	if dark, _ := l.At(0.6*radius, 0); dark.G > 0.3 {
		t.Errorf("%.3f of the light beside the spot", dark.G)
	}
}

// TestOcclusionOnSolids compares the sky's light in the middle of the bottom of a
// round pit with its form factor, and that on its rim, where nothing is in the
// way.
func TestOcclusionOnSolids(t *testing.T) {
	const radius, deep, wide, sides, thick = 0.2, 0.3, 0.5, 48, 0.1
	m := &mesh.Mesh{Pos: []vec.Vec3{{Y: 1}, {Y: 1 - thick}}}
	rings := [][2]float64{{radius, 1}, {radius, 1 + deep}, {wide, 1 + deep}, {wide, 1 - thick}}
	for _, p := range rings {
		for k := range sides {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
			m.Pos = append(m.Pos, vec.Vec3{X: p[0] * cos, Y: p[1], Z: p[0] * sin})
		}
	}
	at := func(ring, k int) int32 { return int32(2 + ring*sides + k%sides) }
	for k := range sides {
		m.Tri = append(m.Tri, [3]int32{0, at(0, k+1), at(0, k)}, [3]int32{1, at(3, k), at(3, k+1)})
		for r := range len(rings) - 1 {
			m.Tri = append(m.Tri, [3]int32{at(r, k), at(r, k+1), at(r+1, k)}, [3]int32{at(r, k+1), at(r+1, k+1), at(r+1, k)})
		}
	}
	v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 3, Z: 2}, Target: vec.Vec3{Y: 1}, Focal: 40}, Light: sky.DefaultLight(), Width: 64, Height: 36, Quality: Good, Solids: []Solid{{Mesh: m}}}
	v.Light.Sun = 0
	tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
	see := func(x float64) float64 {
		r := ray{o: vec.Vec3{X: x, Y: 2, Z: 1e-3}, d: vec.Vec3{Y: -1}, weight: 1}
		return tr.trace(r).G / tr.irradiance(vec.Vec3{Y: 1}, color.RGB{}, 1).G / Matte.Material().Color.Y
	}
	seen := radius * radius / (radius*radius + deep*deep)
	if got, want := see(1e-3), 1-occlusionStrength*(1-seen); math.Abs(got-want) > 0.04 {
		t.Errorf("the bottom of a pit gets %.2f of the sky, want %.2f", got, want)
	}
	if got := see((radius + wide) / 2); got < 0.9 {
		t.Errorf("its rim gets %.2f of the sky", got)
	}
}
