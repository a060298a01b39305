package sim

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
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
	longtest.NotShort(t)
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
			mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), end, nil)
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

// TestStillAfloat lets water stand in a tank in which a cube floats, at two spacings. It
// does not sink along the walls. Without the correction along walls the first layer sank
// by 0.43 and 0.63 spacings in the first quarter of a second. The force on the tank is the
// weight of water and cube, and the draft agrees with Archimedes' law.
func TestStillAfloat(t *testing.T) {
	longtest.NotShort(t)
	const depth, wide, cube = 0.3, 22, 4 // m, spacings, spacings
	end := 0.25
	if longtest.On() {
		end = 5
	}
	for _, layers := range []float64{10, 14} {
		if layers > 10 && !longtest.On() {
			continue
		}
		d := depth / layers
		side, half := wide*d, cube*d/2
		lo, hi := side/2-half, side/2+half
		w, b := afloat(t, d, vec.New(side, 1, side), depth, &boundary.Box{Min: vec.New(lo, depth-half, lo), Max: vec.New(hi, depth+half, hi)}, 500, 0)
		beside := func(x vec.Vec3) bool { return min(x.X, side-x.X, x.Z, side-x.Z) < d }
		start := make([]vec.Vec3, w.Len())
		for i, x := range w.X {
			start[w.ID[i]] = x
		}
		height, force, n := 0., 0., 0.
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), end, func(StepInfo) error {
			if w.Time > end/2 {
				height, force, n = height+w.Set.Bodies[0].X.Y, force+downOn(w, w.Walls[0]), n+1
			}
			return nil
		})
		drained, count := 0., 0.
		top := make(map[[2]int]float64) // of each column
		for i, x := range w.X {
			if from := start[w.ID[i]]; beside(from) {
				drained, count = drained+(from.Y-x.Y)/d, count+1
			}
			column := [2]int{int(x.X / d), int(x.Z / d)}
			top[column] = max(top[column], x.Y)
		}
		var atWalls, inside, outer, inner float64
		for c, y := range top {
			x := vec.New((float64(c[0])+0.5)*d, 0, (float64(c[1])+0.5)*d)
			if beside(x) {
				atWalls, outer = atWalls+y, outer+1
			} else if max(math.Abs(x.X-side/2), math.Abs(x.Z-side/2)) > cube*d {
				inside, inner = inside+y, inner+1
			}
		}
		sunk, lower := drained/count, (inside/inner-atWalls/outer)/d
		mass := float64(w.Len())*w.Mass() + b.Free.Mass
		draft := mass/(1000*side*side) - (height/n - half)
		force /= n * mass * 9.81
		t.Logf("%g layers, after %g s: sunk along the walls by %.3f spacings, the surface there by %.3f; draft %.4f of %.4f m, force %.4f of the weight", layers, end, sunk, lower, draft, half, force)
		if math.Abs(sunk) > 0.2 || math.Abs(lower) > 0.3 {
			t.Errorf("%g layers: the liquid beside the walls has sunk by %.3f spacings, and its surface is %.3f lower", layers, sunk, lower)
		}
		if math.Abs(force-1) > 0.01 {
			t.Errorf("%g layers: the force on the tank is %.4f of the weight", layers, force)
		}
		if longtest.On() && math.Abs(draft/half-1) > 0.02 {
			t.Errorf("%g layers: the draft is %.4f m, want %.4f", layers, draft, half)
		}
	}
}

// downOn returns the force of the particles on a wall, downward.
func downOn(w *World, wall boundary.Boundary) float64 {
	f, force := NewWallForces(w), 0.
	for i, p := range w.Carry(carryPressure) {
		force -= f.Gradient(wall, int32(i)).Y * w.Mass() * p / w.Rho0
	}
	return force
}
