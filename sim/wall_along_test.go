package sim

import (
	"math"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestAlongWall checks that a pressure that grows downward accelerates particles
// beside one upright wall and beside two nearly as much as particles inside, and
// that a constant pressure moves nothing.
func TestAlongWall(t *testing.T) {
	const d, side = 0.1, 1.
	w := tank(t, d, vec.New(side, 1.5, side), side)
	p := mustArrange(t, w)
	w.along = true
	findAlong(w, p)
	a := make([]Vec4, w.Len())
	press := func(k func(x vec.Vec3) float64) {
		for i, x := range w.X {
			p.At[i].S = float32(k(x))
		}
		p.each(func(b, _, _ int) {
			p.pressureAccel(b, a)
			p.blocks[b].addAlong(a[b*blockLen:], true)
		})
	}
	press(func(vec.Vec3) float64 { return 1 })
	for i, v := range a {
		if x := w.X[i]; x.Y < side-2*d && vec3(v).Len() > 0.06/d {
			t.Fatalf("a constant pressure accelerates a particle at %v by %v", x, v)
		}
	}
	press(func(x vec.Vec3) float64 { return side - x.Y })
	for i, x := range w.X {
		if x.Y < 3*d || x.Y > side-3*d {
			continue
		}
		walls := 0
		for _, near := range []float64{x.X, side - x.X, x.Z, side - x.Z} {
			if near < d {
				walls++
			}
		}
		// Without the correction: 1.02, 0.86 and 0.73.
		least := []float64{0.99, 0.97, 0.92}[walls]
		if got := float64(a[i].Y); got < least || got > 1.03 {
			t.Errorf("at %v, beside %d walls, the pressure bears %.3f of the weight", x, walls, got)
		}
	}
}

// TestStillTank lets water without viscosity stand in a tank, at two spacings. It does
// not sink along the walls, and it does not gain energy. Without the correction along
// walls the first layer sank by 0.42 and 0.65 spacings in the first quarter of a second,
// and stayed there.
func TestStillTank(t *testing.T) {
	const depth = 0.3
	for _, layers := range []float64{10, 14} {
		if layers > 10 && !longtest.On() {
			continue
		}
		d := depth / layers
		side := (layers + 2) * d
		w := tank(t, d, vec.New(side, 1, side), depth)
		beside := func(x vec.Vec3) bool { return min(x.X, side-x.X, x.Z, side-x.Z) < d }
		start := make([]vec.Vec3, w.Len())
		for i, x := range w.X {
			start[w.ID[i]] = x
		}
		ends := []float64{0.25}
		if longtest.On() {
			ends = []float64{0.25, 3, 10}
		}
		for _, end := range ends {
			mustAdvance(t, w, newOf(t, &Solvers, "iisph"), end, nil)
			var drained, n, square float64
			for i, x := range w.X {
				if from := start[w.ID[i]]; beside(from) {
					drained, n = drained+(from.Y-x.Y)/d, n+1
				}
				square += w.V[i].Dot(w.V[i]) / float64(w.Len())
			}
			speed := math.Sqrt(square / (9.81 * depth))
			t.Logf("%g layers, after %g s: sunk along the walls by %.3f spacings, speed %.4f √(gH)", layers, end, drained/n, speed)
			if math.Abs(drained/n) > 0.2 {
				t.Errorf("%g layers: after %g s the liquid beside the walls has sunk by %.3f spacings", layers, end, drained/n)
			}
			if speed > 0.05 {
				t.Errorf("%g layers: after %g s the mean speed is %.3f √(gH)", layers, end, speed)
			}
		}
	}
}
