package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/vec"
)

// TestWallImagesBearWeight holds that a pressure that grows downward bears the same
// weight beside an upright wall as inside, and that a constant one bears nothing.
func TestWallImagesBearWeight(t *testing.T) {
	const d, side = 0.1, 1.
	w := tank(t, d, vec.New(side, side, side), side)
	p := mustArrange(t, w)
	w.findWallImages(p)
	a := make([]Vec4, w.Len())
	press := func(k func(x vec.Vec3) float64) {
		for i, x := range w.X {
			p.At[i].S = float32(k(x))
		}
		p.each(func(b, _, _ int) { p.pressureAccel(b, a) })
	}
	press(func(vec.Vec3) float64 { return 1 })
	for i, v := range a {
		if got := vec3(v).Len(); got > 0.06/d {
			t.Fatalf("a constant pressure moves a particle at %v by %v", w.X[i], v)
		}
	}
	press(func(x vec.Vec3) float64 { return side - x.Y })
	for i, x := range w.X {
		if x.Y < 3*d || x.Y > side-3*d {
			continue
		}
		edges := 0
		for _, near := range []float64{x.X, side - x.X, x.Z, side - x.Z} {
			if near < d {
				edges++
			}
		}
		least := []float64{0.98, 0.98, 0.88}[edges] // where two walls meet, images of images lack
		if got := float64(a[i].Y); got < least || got > 1.06 {
			t.Errorf("at %v, beside %d walls, the pressure bears %.3f of the weight", x, edges, got)
		}
	}
}

// TestWallImagesAdjoint holds that the force of any pressures is the adjoint of the
// rate with the images, that they hold nothing along a wall, and that the eigenvalues
// that the solve's steps are made for stay below their bound.
func TestWallImagesAdjoint(t *testing.T) {
	for _, c := range []struct {
		name string
		wall Boundary
	}{
		{"box", &Box{Max: vec.New(0.8, 0.8, 0.7), Inside: true}},
		{"ball", &Sphere{Center: vec.New(0.4, 0.4, 0.4), Radius: 0.4, Inside: true}},
		{"open box", &Box{Max: vec.New(0.8, 0.8, 0.7), Inside: true, Open: []string{"x+"}}},
	} {
		w := New(0.05, 1000)
		w.Gravity = earth
		w.Walls = []Boundary{c.wall}
		w.Fill(&BoxShape{Max: vec.New(0.8, 0.5, 0.7)}, vec.Vec3{})
		rng := rand.New(rand.NewPCG(3, 4))
		for i := range w.X {
			w.X[i] = w.X[i].Add(vec.New(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Mul(0.1 * w.Spacing / 2))
		}
		mustInit(t, w)
		p := mustArrange(t, w)
		w.findWallImages(p)
		images := 0
		for b := range p.blocks {
			images += len(p.blocks[b].wallImages)
		}
		if images < w.Len()/8 {
			t.Fatalf("%s: %d images of %d particles", c.name, images, w.Len())
		}
		for i := range p.n {
			p.At[i].S = float32(rng.NormFloat64())
			w.V[i] = vec.New(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}
		p.setVelocities(w)
		a, rate := make([]Vec4, p.all()), make([]float32, p.n)
		p.each(func(b, _, _ int) { p.pressureAccel(b, a) })
		p.each(func(b, _, _ int) { p.compression(b, rate, p.V) })
		power, work, most := 0., 0., 0.
		for i := range w.X {
			power += vec3(a[i]).Dot(w.V[i])
			work += float64(p.At[i].S) * float64(rate[i])
			most += math.Abs(float64(p.At[i].S) * float64(rate[i]))
		}
		if math.Abs(power+work) > 1e-4*most {
			t.Errorf("%s: the force's power is %g, and against the rate %g", c.name, power, -work)
		}
		// Liquid that moves along with itself is not pressed together by images.
		for i := range p.V {
			p.V[i] = Vec4{X: 1, Y: 2, Z: 3}
		}
		for b := range p.blocks {
			blk := &p.blocks[b]
			if len(blk.wallImages) == 0 {
				continue
			}
			c := make([]float32, blk.Len())
			edges := blk.wallEdges
			blk.wallEdges = nil
			p.addImageCompression(blk, c, p.V)
			blk.wallEdges = edges
			for _, v := range c {
				if v != 0 {
					t.Fatalf("a common velocity gives a rate of %g", v)
				}
			}
		}
		top := 0.
		for n := range 60 {
			p.each(func(b, _, _ int) { p.pressureAccel(b, a) })
			norm := 0.
			p.each(func(b, _, _ int) { p.compression(b, rate, a) })
			for i := range rate {
				p.At[i].S = -rate[i] / p.Stiff[i]
				norm = math.Max(norm, math.Abs(float64(p.At[i].S)))
			}
			for i := range rate {
				p.At[i].S /= float32(norm)
			}
			if n > 40 {
				top = math.Max(top, norm)
			}
		}
		t.Logf("%s: the largest eigenvalue is %.2f", c.name, top)
		if top > lambda {
			t.Errorf("%s: the largest eigenvalue is %.3f, and steps are made for %g", c.name, top, lambda)
		}
	}
}

// TestWallImagesCrowd holds that a layer that is pressed together along a wall is
// pushed off it by more than one at the rest distance, and that a layer that is drawn
// apart is pushed off by as much: without that, a layer stands in single file at a wall.
func TestWallImagesCrowd(t *testing.T) {
	const d = 0.05
	push := func(squeeze float64) (slope, open float64) {
		w := New2D(d, 1000)
		w.Walls = []Boundary{&Plane{Normal: vec.New(0, 1, 0)}}
		w.Fill(&BoxShape{Min: vec.New(-10.5*d, 0, 0), Max: vec.New(10.5*d, d, 0)}, vec.Vec3{})
		for i := range w.X {
			w.X[i].X *= squeeze
		}
		mustInit(t, w)
		p := mustArrange(t, w)
		mid := -1
		for i, x := range w.X {
			if math.Abs(x.X) < d/4 {
				mid = i
			}
		}
		before := p.Open[mid]
		w.findWallImages(p)
		return float64(p.blocks[0].walls[mid].Y), float64(p.Open[mid] - before)
	}
	rest, none := push(1)
	if math.Abs(none) > 0.01 {
		t.Errorf("at the rest distance the images add %.3f to the density", none)
	}
	thin, none := push(1.2)
	if none != 0 || math.Abs(thin/rest-1) > 0.03 {
		t.Errorf("drawn apart, the images add %.3f to the density, and the push grows by %.3f", none, thin/rest-1)
	}
	crowded, more := push(0.8)
	if more < 0.01 || crowded/rest < 1.15 {
		t.Errorf("pressed together, the images add %.3f to the density, and the push grows by %.3f", more, crowded/rest-1)
	}
	t.Logf("rest %.3g, apart %.3g, together %.3g with %.3f", rest, thin, crowded, more)
}
