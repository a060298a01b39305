package raster

import (
	"math"
	"slices"
	"testing"

	"breakwater/raster/camera"
	"breakwater/raster/coverage"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/vec"
)

func testWorld(n int) *scene {
	v := testView(n, 160, 90, Good)
	return newScene(v, optics.Medium{Index: 1.333})
}

// frameTank returns a camera that shows the tank.
func frameTank(tank vec.Box, width, height int) camera.Camera {
	return camera.FrameRound(tank, camera.Viewpoints[""], 40, 0, camera.Azimuth, width, height)
}

func testView(n, width, height int, q Quality) *View {
	tank := Tank{Box: testTank}
	return &View{
		Camera: frameTank(testTank, width, height), Light: sky.DefaultLight(), Width: width, Height: height,
		Quality: q, Tank: &tank, Liquid: splash(n),
	}
}

// visible returns the triangle of every pixel.
func visible(w *scene, p *coverage.Pass) []int32 {
	seen := make([]int32, p.Width*p.Height)
	for i := range seen {
		seen[i] = -1
	}
	p.Draw(len(w.tri), w.corners, func(tri int32, _ bool, x, y int) { seen[y*p.Width+x] = tri })
	return seen
}

// TestTilesHaveNoSeams draws with tiles of several sizes, the last a single
// one: the triangle of every pixel must be the same.
func TestTilesHaveNoSeams(t *testing.T) {
	w := testWorld(50)
	p := w.cameraPass(2)
	p.Tile = 512
	want := visible(w, p)
	for _, tile := range []int{16, 33, 100, coverage.DefaultTile} {
		p.Tile = tile
		for i, got := range visible(w, p) {
			if got != want[i] {
				t.Fatalf("tile %d: pixel (%d, %d) shows triangle %d, want %d", tile, i%p.Width, i/p.Width, got, want[i])
			}
		}
	}
}

// TestRasterAgreesWithRays compares fauxgl's hits with rays through the same pixels.
func TestRasterAgreesWithRays(t *testing.T) {
	w := testWorld(50)
	tr := newTracer(w)
	p := w.cameraPass(1)
	differ := 0
	for i, got := range visible(w, p) {
		d := w.pixelRay(i%p.Width, i/p.Width)
		want := tr.tree.Cast(w.lens.Eye, d, math.Inf(1))
		if got == want.Tri {
			continue
		}
		if got < 0 || want.Tri < 0 || math.Abs(w.intersectPlane(w.lens.Eye, d, got).T-want.T) > 1e-3 {
			differ++
		}
	}
	if n := p.Width * p.Height; differ > n/2000 { // rays graze silhouettes that the sampling misses
		t.Errorf("%d of %d pixels differ", differ, n)
	}
}

// TestCloseCamera puts the camera so near that triangles reach behind it.
func TestCloseCamera(t *testing.T) {
	v := testView(20, 64, 36, Good)
	v.Camera = camera.Camera{Eye: vec.Vec3{X: 0.4, Y: 0.75, Z: 0.5}, Target: vec.Vec3{X: 2, Y: 0.1, Z: 0.4}, Focal: 14}
	w := newScene(v, optics.Medium{Index: 1.333})
	tr := newTracer(w)
	p := w.cameraPass(1)
	miss := 0
	for i, got := range visible(w, p) {
		if want := tr.tree.Cast(w.lens.Eye, w.pixelRay(i%64, i/64), math.Inf(1)); (got < 0) != (want.Tri < 0) {
			miss++
		}
	}
	if miss > 3 {
		t.Errorf("%d pixels differ from rays", miss)
	}
}

// TestLayersGiveThickness checks the thickness of the liquid along rays
// against casts through all its faces.
func TestLayersGiveThickness(t *testing.T) {
	w := testWorld(40)
	b := w.fillBuffers()
	tr := newTracer(w)
	var worst []float64
	for y := 2; y < b.h; y += 5 {
		for x := 1; x < b.w; x += 5 {
			o, d := w.lens.Eye, w.pixelRay(x, y)
			want := 0.0
			for range 200 {
				h := tr.tree.Cast(o, d, math.Inf(1))
				if h.Tri < 0 {
					break
				}
				if flat, _ := w.normals(h.Tri, h.U, h.V); w.kind(h.Tri) == liquid && flat.Dot(d) > 0 {
					want += h.T
				}
				o = o.Add(d.Mul(h.T + 1e-6))
			}
			worst = append(worst, math.Abs(want-float64(b.thickness[y*b.w+x])))
		}
	}
	slices.Sort(worst)
	// A bar between the faces cuts the casts' way short, for a few rays.
	if e := worst[len(worst)*97/100]; e > 2e-3 {
		t.Errorf("97 %% of the pixels are right to %g m, want 0.002", e)
	}
}

func BenchmarkRasterize(b *testing.B) {
	v := testView(280, 1280, 720, Good)
	w := newScene(v, optics.Medium{Index: 1.333})
	p := w.cameraPass(2)
	seen := make([]int32, p.Width*p.Height)
	for range b.N {
		p.Draw(len(w.tri), w.corners, func(tri int32, _ bool, x, y int) { seen[y*p.Width+x] = tri })
	}
	s := b.Elapsed().Seconds() / float64(b.N) * 1e6
	b.ReportMetric(float64(len(w.tri))/s, "Mtri/s")
	b.ReportMetric(float64(len(seen))/s, "Mpixel/s")
}

// TestBarsOfOpenSides checks that an absent side has no edges but its neighbours' edges.
func TestBarsOfOpenSides(t *testing.T) {
	for _, c := range []struct {
		open [4]bool
		want int
	}{{[4]bool{}, 12}, {[4]bool{1: true}, 10}, {[4]bool{1: true, 3: true}, 7}, {[4]bool{true, true, true, true}, 0}} {
		all := bars(Tank{Box: testTank, Open: c.open}, 0.006)
		if len(all) != c.want {
			t.Errorf("open %v: %d bars, want %d", c.open, len(all), c.want)
		}
	}
}
