package whitewater

import (
	"math"
	"strings"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestNoAir moves liquid in ways that catch no air: 0 parcels.
func TestNoAir(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.03
	box := vec.Box{Min: vec.New(-0.3, 0, -0.3), Max: vec.New(0.3, 0.45, 0.3)}
	for _, c := range []struct {
		name string
		at   func(x vec.Vec3, t float64) (pos, v vec.Vec3)
	}{
		{"at rest", still},
		{"uniform motion", func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
			v = vec.New(5, 3, -4)
			return x.Add(v.Mul(t)), v
		}},
		{"free fall", func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
			return x.Add(vec.New(0, -9.81*t*t/2, 0)), vec.New(0, -9.81*t, 0)
		}},
		{"rigid rotation, one turn per second", func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
			const w = 2 * math.Pi
			s, c := math.Sincos(w * t)
			pos = vec.New(c*x.X+s*x.Z, x.Y, c*x.Z-s*x.X)
			return pos, vec.New(w*pos.Z, 0, -w*pos.X)
		}},
		{"shear of 8 per second", func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
			v = vec.New(8*x.Y, 0, 0)
			return x.Add(v.Mul(t)), v
		}},
		{"outflow from the middle", func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
			return x.Mul(1 + 30*t), x.Mul(30)
		}},
	} {
		set := DefaultSettings()
		set.Detail = 0.1
		w := start(t, set, water(d))
		run(t, w, frames(lattice(box, d), c.at, func(x vec.Vec3) bool { return x.Y > 0.4 || x.X > 0.25 }), 0.01, 6)
		// What flows apart becomes isolated particles, and so spray.
		l, apart := w.Budget(), strings.HasPrefix(c.name, "outflow")
		if l.Entrained != 0 || !apart && w.Parcels().Len() != 0 || apart && l.Sprayed == 0 {
			t.Errorf("%s: %d parcels and %g L of air", c.name, w.Parcels().Len(), 1e3*l.Entrained)
		}
	}
	// The same lattice does catch air where it is squeezed.
	w := start(t, DefaultSettings(), water(d))
	run(t, w, clash(d, 6), 0.005, 4)
	if w.Budget().Entrained == 0 {
		t.Error("no air where liquid meets liquid at 6 m/s")
	}
}

// TestThickness catches air in liquids of several viscosities.
func TestThickness(t *testing.T) {
	litres := func(nu float64) float64 {
		scene := water(0.03)
		scene.Viscosity = nu
		w := start(t, DefaultSettings(), scene)
		run(t, w, clash(0.03, 6), 0.005, 4)
		return w.Budget().Entrained
	}
	thin := litres(1e-6)
	for _, c := range []struct {
		name     string
		nu       float64
		from, to float64 // of what water catches
	}{
		{"milk", 2e-6, 0.95, 1.05}, {"olive oil", 9.2e-5, 0.05, 1}, {"honey", 7e-3, 0, 0}, {"lava", 3.7e-2, 0, 0},
	} {
		if share := litres(c.nu) / thin; !(share >= c.from && share <= c.to) {
			t.Errorf("%s catches %.3g of the air that water catches, want %g to %g", c.name, share, c.from, c.to)
		}
	}
}

// TestSeeds catches the same litres with any seed.
func TestSeeds(t *testing.T) {
	var sum float64
	var all []float64
	for seed := range 10 {
		set := DefaultSettings()
		set.Seed = seed
		set.Detail = 20
		w := start(t, set, water(0.03))
		run(t, w, clash(0.03, 6), 0.015, 1)
		all = append(all, w.Budget().Entrained)
		sum += w.Budget().Entrained
	}
	for seed, v := range all {
		if !(math.Abs(v*10/sum-1) < 0.02) {
			t.Errorf("seed %d: %.4g L, the mean is %.4g", seed, 1e3*v, 100*sum)
		}
	}
}

// TestMeeting lets two surfaces of 0.36 m × 0.36 m meet at several speeds, spacings and lengths of
// a step. The law gives the air, less some at the edges. There is nothing below the onset.
func TestMeeting(t *testing.T) {
	longtest.NotShort(t)
	const area = 0.36 * 0.36
	set := DefaultSettings()
	set.Detail, set.Sources = 8, []string{"entrainment"}
	litres := func(d, speed float64, steps int) float64 {
		w := start(t, set, water(d))
		run(t, w, clash(d, speed), 4*d/speed/float64(steps), steps)
		balance(t, w)
		return 1e3 * w.Budget().Entrained
	}
	for _, speed := range []float64{1.3, 2, 3} {
		var all []float64
		for _, d := range []float64{0.036, 0.03, 0.018} {
			onset := start(t, set, water(d)).onset()
			want := 1e3 * set.Air * area * min(set.Depth, (speed*speed-onset*onset)/(2*9.81)) * math.Cbrt(d/set.Depth)
			var by []float64
			for _, steps := range []int{1, 4, 8} {
				got := litres(d, speed, steps)
				if !(got < 1.02*want && got > 0.84*want) {
					t.Errorf("%g m/s, %g m, %d steps: %.3g L, the law says %.3g L", speed, d, steps, got, want)
				}
				by = append(by, got)
			}
			mean := (by[0] + by[1] + by[2]) / 3
			for _, v := range by {
				if math.Abs(v/mean-1) > 0.03 {
					t.Errorf("%g m/s, %g m: %.3g L of air in 1, 4 and 8 steps", speed, d, by)
				}
			}
			all = append(all, mean)
		}
		mean := (all[0] + all[1] + all[2]) / 3
		for _, v := range all {
			if math.Abs(v/mean-1) > 0.1 {
				t.Errorf("%g m/s: %.3g L of air at the three spacings", speed, all)
			}
		}
	}
	if v := litres(0.03, 0.7, 4); v != 0 {
		t.Errorf("%.3g L at 0.7 m/s", v)
	}
}
