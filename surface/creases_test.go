package surface

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// trough is a tank between planes. Its share is the share of the nearest plane.
type trough struct {
	planes []plane
	h      float64
}

func (t trough) Dist(x vec.Vec3) (d float64, n vec.Vec3) {
	d = math.Inf(1)
	for _, p := range t.planes {
		if e, m := p.Dist(x); e < d {
			d, n = e, m
		}
	}
	return d, n
}

func (t trough) Wall(x vec.Vec3) (float64, vec.Vec3) {
	d, n := t.Dist(x)
	return shareBehind(d, n, t.h)
}

// turnedTrough is a trough in all ways against the grid, with liquid in it. One of its
// sides stands at the given angle to the floor, in degrees.
func turnedTrough(rng *rand.Rand, angle, d float64) (trough, Cloud) {
	axes := askew(rng)
	turned := func(x, y, z float64) vec.Vec3 {
		return axes[0].Mul(x * d).Add(axes[1].Mul(y * d)).Add(axes[2].Mul(z * d))
	}
	sin, cos := math.Sincos(angle * math.Pi / 180)
	walls := trough{h: 2 * d, planes: []plane{
		{n: axes[1]},
		{at: turned(5, 0, 0), n: axes[0].Mul(-sin).Add(axes[1].Mul(-cos))},
		{at: turned(-5, 0, 0), n: axes[0]},
		{at: turned(0, 0, -6), n: axes[2]},
		{at: turned(0, 0, 6), n: axes[2].Neg()},
	}}
	c := Cloud{Spacing: d, Walls: []Wall{walls}}
	for _, x := range lattice(vec.Box{Min: vec.New(-40, 0, -6), Max: vec.New(40, 6, 6)}, 1, 0.1, 3) {
		x = turned(x.X, x.Y, x.Z)
		if e, _ := walls.Dist(x); e > 0.3*d {
			c.X = append(c.X, x)
		}
	}
	return walls, c
}

// TestCreases fills troughs whose floor and side meet at angles from acute to almost flat.
// The liquid must fill the creases: where the corners of a triangle lie on walls, so must
// its middle. A few triangles may lie across a crease, above all where an acute wedge ends.
func TestCreases(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	m, err := Methods.New("sph", registry.None)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 1))
	for _, angle := range []float64{60, 90, 120, 153, 165} {
		on, across := 0, 0
		for range 4 {
			walls, c := turnedTrough(rng, angle, d)
			got := surfaceOf(t, m, c)
			for _, tri := range got.Tri {
				var middle vec.Vec3
				var far float64
				for _, v := range tri {
					e, _ := walls.Dist(got.Pos[v])
					far, middle = max(far, e), middle.Add(got.Pos[v].Mul(1./3))
				}
				if far > 1e-3*d {
					continue
				}
				on++
				if e, _ := walls.Dist(middle); e > 0.01*d {
					across++
				}
			}
		}
		if share := float64(across) / float64(on); on < 5000 || share > 0.01 {
			t.Errorf("at %g°, %d of %d triangles on walls lie across a crease, %.2f %%, want at most 1 %%", angle, across, on, 100*share)
		}
	}
}
