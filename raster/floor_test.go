package raster

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestFloorIsFiltered compares the floor's colour over an area with the mean
// of many points of it.
func TestFloorIsFiltered(t *testing.T) {
	for _, p := range Pavings {
		g := &ground{slab: 0.5, paving: p}
		for _, f := range []float64{0.03, 0.2, 1.3} {
			const n = 400
			var sum rgb
			for i := range n {
				for j := range n {
					x := 0.31 + f*((float64(i)+0.5)/n-0.5)
					z := 0.47 + f*((float64(j)+0.5)/n-0.5)
					sum = sum.add(g.albedo(x, z, 0, 0))
				}
			}
			want, got := sum.scale(1.0/(n*n)), g.albedo(0.31, 0.47, f, f)
			if d := math.Abs(got.G - want.G); d > 0.04*want.G { // slabs differ by 3.5 %, blotches by as much
				t.Errorf("%s over %g m: got %g, want %g", p, f, got.G, want.G)
			}
		}
		far, mean := g.albedo(0.31, 0.47, 400, 400), p.mean()
		if d := math.Abs(far.G - mean.G); d > 0.02*mean.G {
			t.Errorf("%s from far away: got %g, want %g", p, far.G, mean.G)
		}
	}
	if j := joint(0.37, 1); math.Abs(j-jointWidth) > 1e-12 {
		t.Errorf("joints cover %g of a slab, want %g", j, jointWidth)
	}
}

func TestNice(t *testing.T) {
	for _, c := range [][2]float64{{0.4, 0.5}, {0.13, 0.1}, {7.5, 10}, {1, 1}, {2.9, 2}, {3.3, 5}} {
		if got := nice(c[0]); math.Abs(got-c[1]) > 1e-12*c[1] {
			t.Errorf("nice(%g) = %g, want %g", c[0], got, c[1])
		}
	}
}

// TestOpenFloorIsFlat checks that the map of light is exactly even where
// nothing stands, whatever the sun's direction.
func TestOpenFloorIsFlat(t *testing.T) {
	tr := newTestTracer(nil, medium{index: 1.333})
	m := newLightmap(vec.Box{Max: vec.Vec3{X: 2, Y: 1, Z: 1}}, 0, tr.sky.toSun, 60)
	tr.sunbeams(m)
	tr.occlude(m)
	for i, c := range m.sun {
		if math.Abs(c.R-1) > 1e-6 || math.Abs(m.open[i]-1) > 1e-12 {
			t.Fatalf("cell %d gets %v of the sun, %g of the sky", i, c, m.open[i])
		}
	}
}

// TestCausticsKeepEnergy checks that waves move light about and make none.
func TestCausticsKeepEnergy(t *testing.T) {
	tr := newTestTracer(pool(testTank, 60, func(x, z float64) float64 {
		return 0.3 + 0.02*math.Sin(9*x)*math.Cos(8*z)
	}), medium{index: 1.333})
	m := newLightmap(tr.shaded(), 0, tr.sky.toSun, 200)
	tr.sunbeams(m)
	sum, peak := 0.0, 0.0
	for _, c := range m.sun {
		sum += c.G
		peak = max(peak, c.G)
	}
	if mean := sum / float64(len(m.sun)); mean > 1 || mean < 0.85 {
		t.Errorf("the floor gets %.3f of the light, want a little less than all", mean)
	}
	if peak < 1.5 {
		t.Errorf("brightest cell %.2f: no caustics", peak)
	}
}

// TestShadow compares the shadow of a block with its geometry.
func TestShadow(t *testing.T) {
	v := &View{Camera: Camera{Eye: vec.Vec3{Y: 2, Z: 5}, Focal: 40}, Light: Light{Azimuth: -90, Elevation: 45, Sun: 1, Sky: 1}, Width: 64, Height: 36, Quality: Good,
		Solids: []Solid{{Mesh: boxMesh(vec.Box{Min: vec.Vec3{X: -0.5, Z: -0.5}, Max: vec.Vec3{X: 0.5, Y: 1, Z: 0.5}})}}}
	for _, q := range []Quality{Draft, Good} {
		tr := newTracer(newWorld(v, medium{index: 1.333}))
		m := newLightmap(tr.shaded(), 0, tr.sky.toSun, 200)
		if q == Draft {
			tr.shadow(m)
		} else {
			tr.sunbeams(m)
		}
		// The sun stands over -x at 45°: the shadow ends 1 m behind the block.
		for _, c := range []struct{ x, z, want float64 }{{1.3, 0, 0}, {1.3, 0.4, 0}, {1.7, 0, 1}, {1.2, 0.7, 1}, {-0.7, 0, 1}} {
			if got, _ := m.at(c.x, c.z); math.Abs(got.G-c.want) > 1e-3 {
				t.Errorf("%s: the floor at (%g, %g) gets %g of the sun, want %g", q, c.x, c.z, got.G, c.want)
			}
		}
	}
}
