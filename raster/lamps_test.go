package raster

import (
	"math"
	"sync/atomic"
	"testing"

	"breakwater/raster/ground"
	"breakwater/raster/march"
	"breakwater/raster/optics"
	"breakwater/sim/vec"
)

// sceneOfFlames returns a scene that flames light, and their bounds.
func sceneOfFlames(t *testing.T) (*scene, vec.Box) {
	t.Helper()
	look := defaultFire()
	gas := puff([march.Channels]float32{flameShare: 0.02, heatShare: 0.02 * 1900})
	v := above(look, gas, Good)
	cloud, err := march.New([]march.Leaf{look.leaf(&gas.Fields[0], 293), look.leaf(&gas.Fields[5], 293)}, gas.Edge)
	if err != nil {
		t.Fatal(err)
	}
	w := newScene(v, optics.Medium{Index: 1})
	w.illuminate(cloud, smokeLight{look.Color, 0}, nil)
	return w, cloud.Bounds()
}

// TestFarLamps compares the table of the light of flames far away with the light itself.
func TestFarLamps(t *testing.T) {
	w, bounds := sceneOfFlames(t)
	m := ground.NewMap(bounds, 0, w.sky.ToSun, 100)
	far := w.farLamps(m, nil)
	light := func(x, z float64) float64 { return w.lampLight(vec.New(x, w.epsilon, z), m.Normal, nil).Luminance() }
	edge, worst, points := 0.0, 0.0, 0
	for i := range 40 {
		for j := range 40 {
			x, z := -10+0.5*float64(i)+0.013, -10+0.5*float64(j)+0.017
			if u, v := (x-m.X)/m.Cell, (z-m.Z)/m.Cell; u >= 0 && v >= 0 && u < float64(m.W-1) && v < float64(m.H-1) {
				continue
			}
			want := light(x, z)
			edge, worst, points = max(edge, want), max(worst, math.Abs(far(x, z).Luminance()-want)), points+1
		}
	}
	if points < 1000 || edge == 0 || worst > 0.01*edge {
		t.Errorf("off by up to %g of %g at %d points", worst, edge, points)
	}
	if c := far(1e9, -1e9).Luminance(); c > 1e-6*edge {
		t.Errorf("%g infinitely far away", c)
	}
}

// TestFloorLamps compares the light of flames on the floor with the light of each cell. A small
// ball casts a shadow. Most cells are interpolated, and an error is at most about the light of a lamp.
func TestFloorLamps(t *testing.T) {
	w, bounds := sceneOfFlames(t)
	m := ground.NewMap(bounds, 0, w.sky.ToSun, 300)
	middle, radius := m.Point(m.W/3, m.H/3).Add(vec.New(0, 10*m.Cell, 0)), 5*m.Cell
	var asked atomic.Int64
	free := func(p, d vec.Vec3, far float64) bool {
		asked.Add(1)
		way := middle.Sub(p)
		return way.Sub(d.Mul(way.Dot(d))).Len() > radius
	}
	w.addLamps(m, free)
	rays := asked.Load()
	most, worst, sum, shaded := 0.0, 0.0, 0.0, 0
	for j := range m.H {
		for i := range m.W {
			p := m.Point(i, j).Add(m.Normal.Mul(w.epsilon))
			want, seen := w.lampsSeen(p, m.Normal, free)
			if seen != 1<<len(w.lamps)-1 {
				shaded++
			}
			most = max(most, want.Luminance())
			e := math.Abs(m.Lamps[j*m.W+i].Luminance() - want.Luminance())
			worst, sum = max(worst, e), sum+e
		}
	}
	cells := m.W * m.H
	mean := sum / float64(cells)
	if shaded < 50 || shaded > cells/2 || mean > 0.002*most || worst > 1.5*most/float64(len(w.lamps)) || rays > int64(cells*len(w.lamps)/2) {
		t.Errorf("%d of %d cells shaded, %d rays for %d lamps, off by %g in the mean and up to %g of %g", shaded, cells, rays, len(w.lamps), mean, worst, most)
	}
}
