package raster

import (
	"math"
	"testing"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// furnace puts v into a world in which light of 1 comes from everywhere, with
// no sun, and a floor so far below that it is lost in it.
func furnace(v *View, water optics.Medium) *tracer {
	v.Floor = -1e7
	tr := newTracer(newScene(v, water))
	tr.sky = sky.Even(tr.sky.ToSun)
	tr.floor.Sky = tr.sky
	tr.floor.Direct, tr.floor.Ambient = color.RGB{}, tr.floor.Paving.Mean().Each(func(x float64) float64 { return 1 / x })
	tr.liquidLight = tr.clear
	return tr
}

// TestFurnace draws clear water with drops and sheets, and bodies of white metal and
// glass in it. The light comes evenly from everywhere. No light may be lost or made, so
// nothing may be visible.
func TestFurnace(t *testing.T) {
	for _, q := range []Quality{Good, Final} {
		v := testView(60, 96, 54, q)
		v.Tank = nil
		for _, s := range []Substance{Metal, Glass} {
			m := &mesh.Mesh{}
			ball(m, vec.Vec3{X: 0.5, Y: 0.7, Z: 0.3}, 0.2, 24, func(vec.Vec3) float64 { return 1 })
			if s == Glass {
				m = boxMesh(vec.Box{Min: vec.Vec3{X: 1.2, Y: 0.9, Z: 0.1}, Max: vec.Vec3{X: 1.5, Y: 1.1, Z: 0.4}})
			}
			v.Solids = append(v.Solids, Solid{Mesh: m, Material: Material{s, vec.Vec3{X: 1, Y: 1, Z: 1}}})
		}
		tr := furnace(v, optics.Medium{Index: 1.333})
		for i, c := range tr.render() {
			if max(math.Abs(c.R-1), math.Abs(c.G-1), math.Abs(c.B-1)) > 1e-3 {
				t.Fatalf("%s: pixel (%d, %d) is %v, want 1", q, i%96, i/96, c)
			}
		}
	}
}

// TestMatteFurnace has a white matte ball there.
func TestMatteFurnace(t *testing.T) {
	v := testView(10, 48, 27, Good)
	v.Tank, v.Liquid = nil, &mesh.Mesh{}
	ball(v.Liquid, vec.Vec3{X: 1, Y: 0.5, Z: 0.5}, 0.4, 24, func(vec.Vec3) float64 { return 1 })
	tr := furnace(v, optics.Medium{Index: 1})
	tr.shadeOpaque(func(r ray, h bvh.Hit) color.RGB { return tr.diffuse(r, h, color.New(1, 1, 1)) })
	for i, c := range tr.render() {
		if math.Abs(c.G-1) > 2e-3 {
			t.Fatalf("pixel (%d, %d) is %v, want 1", i%48, i/48, c)
		}
	}
}

// TestAbsorptionOnSlantedPaths compares the light left after crossing a slab at known
// angles with its path inside, thick/cos t.
func TestAbsorptionOnSlantedPaths(t *testing.T) {
	const n, thick = 1.333, 0.7
	sigma := color.New(1.1, 0.6, 0.2)
	for _, a := range []float64{0, 0.3, 0.7, 1.1, 1.3} {
		d := vec.Vec3{X: math.Sin(a), Y: -math.Cos(a)}
		left := func(sigma color.RGB) color.RGB {
			v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 5, Z: 4}, Focal: 40}, Light: sky.DefaultLight(), Width: 64, Height: 36, Quality: Good, Liquid: slab(thick)}
			tr := furnace(v, optics.Medium{Index: n, Sigma: sigma})
			o := vec.Vec3{X: -3.9 + 0.2*a, Y: 1.8, Z: 0.2}
			h := tr.tree.Cast(o, d, 100)
			in := tr.liquidHit(ray{o: o, d: d}, h)
			r := ray{o: in.p.Sub(in.ng.Mul(tr.epsilon)), d: in.refracted, inLiquid: true, weight: 1}
			return tr.liquidHit(r, tr.tree.Cast(r.o, r.d, 100)).transmittance
		}
		way := thick / math.Sqrt(1-math.Pow(math.Sin(a)/n, 2))
		got := left(sigma)
		for k, s := range [3]float64{sigma.R, sigma.G, sigma.B} {
			if want := math.Exp(-s * way); math.Abs([3]float64{got.R, got.G, got.B}[k]-want) > 1e-4 {
				t.Errorf("%g rad: %v is left after %g m, want %g of channel %d", a, got, way, want, k)
			}
		}
	}
}

// TestSunOnASlope compares the light on a matte ball with the cosine to the sun. It also
// checks that no light reaches the far side or the ball's own shadow, where it could leak
// in at the borders of triangles.
func TestSunOnASlope(t *testing.T) {
	m := &mesh.Mesh{}
	c := vec.Vec3{Y: 2}
	ball(m, c, 0.5, 64, func(vec.Vec3) float64 { return 1 })
	roof := boxMesh(vec.Box{Min: vec.Vec3{X: -9, Y: 6, Z: -9}, Max: vec.Vec3{X: 9, Y: 6.1, Z: 9}})
	for _, shaded := range []bool{false, true} {
		v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 5, Z: 4}, Focal: 40}, Light: sky.Light{Azimuth: 20, Elevation: 60, Sun: 1, Sky: 1}, Width: 64, Height: 36, Quality: Good,
			Solids: []Solid{{Mesh: m}}}
		if shaded {
			v.Solids = append(v.Solids, Solid{Mesh: roof})
		}
		tr := newTracer(newScene(v, optics.Medium{Index: 1}))
		tr.sky.Ambience = sky.Harmonics{}
		beam := tr.sky.Sun()
		for i := range 4000 {
			// Points of a spiral over the ball (Vogel 1979).
			y := 1 - 2*(float64(i)+0.5)/4000
			sin, cos := math.Sincos(2.399963 * float64(i))
			n := vec.Vec3{X: math.Sqrt(1-y*y) * cos, Y: y, Z: math.Sqrt(1-y*y) * sin}
			o := c.Add(n.Mul(2))
			h := tr.tree.Cast(o, n.Neg(), 3)
			if tr.kind(h.Tri) != solid || h.T > 1.6 {
				if shaded && h.Tri >= 0 { // the roof is before it
					continue
				}
				t.Fatalf("a ray to the ball along %v meets triangle %d at %g m", n.Neg(), h.Tri, h.T)
			}
			got := tr.diffuse(ray{o: o, d: n.Neg(), weight: 1}, h, color.New(1, 1, 1))
			want := beam.Scale(max(0, n.Dot(tr.sky.ToSun)))
			if shaded {
				want = color.RGB{}
			}
			if math.Abs(got.G-want.G) > 0.03*beam.G {
				t.Fatalf("facing %v, shaded %v: got %v, want %v", n, shaded, got, want)
			}
		}
	}
}
