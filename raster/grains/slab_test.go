package grains

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/raster/scatter"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestSlab lights wide slabs of drops and of bubbles straight from above, and compares the
// light that they send back, in all directions together, with a Monte Carlo of the same
// optical depth and phase function.
func TestSlab(t *testing.T) {
	longtest.NotShort(t)
	bubble := scatter.Ball(1 / water)
	for _, c := range []struct {
		name  string
		phase *scatter.Phase
		ratio float64
		depth float64
	}{
		{"drops", drop, water, 1}, {"drops", drop, water, 4}, {"drops", drop, water, 16},
		{"bubbles", bubble, 1 / water, 1}, {"bubbles", bubble, 1 / water, 4}, {"bubbles", bubble, 1 / water, 16},
	} {
		if (c.depth != 4 && c.name == "drops" || c.depth == 16) && !longtest.On() {
			continue
		}
		want := monteCarlo(c.phase, c.depth)
		got := albedo(c.phase, c.ratio, c.depth)
		if math.Abs(got-want) > 0.1*want {
			t.Errorf("%s of depth %g send back %.4f of the light, want %.4f", c.name, c.depth, got, want)
		}
	}
}

// albedo returns the share of the light from above that the middle of a slab sends back.
func albedo(phase *scatter.Phase, ratio, depth float64) float64 {
	const thick, wide, r = 0.2, 1.4, 2e-4
	box := vec.Box{Min: vec.Vec3{X: -wide / 2, Y: -thick / 2, Z: -wide / 2}, Max: vec.Vec3{X: wide / 2, Y: thick / 2, Z: wide / 2}}
	const n = 60_000
	count := depth * wide * wide / (n * math.Pi * r * r)
	p := cloudIn(box, n, r, r, count, 11)
	p.Spacing = 0.025
	l := Light{
		ToSun: vec.Vec3{Y: 1}, Sun: func(vec.Vec3) vec.Vec3 { return vec.Vec3{X: 1, Y: 1, Z: 1} },
		Around: func(vec.Vec3) vec.Vec3 { return vec.Vec3{} }, Phase: [3]*scatter.Phase{phase, phase, phase}, Ratio: ratio, Color: vec.Vec3{X: 1, Y: 1, Z: 1},
	}
	v := View{Eye: vec.Vec3{Y: 3}, Spread: 0.01}
	cloud := New(p, v, l, Spray)
	// Directions of equal weight in the cosine, over the upper half.
	sum, all := 0.0, 0.0
	const levels, turns = 8, 6
	for i := range levels {
		cos := (float64(i) + 0.5) / levels
		sin := math.Sqrt(1 - cos*cos)
		for j := range turns {
			s, c := math.Sincos(2 * math.Pi * (float64(j) + 0.3) / turns)
			d := vec.Vec3{X: -sin * s, Y: -cos, Z: -sin * c}
			for k := range 9 { // places in the middle
				at := vec.Vec3{X: 0.06 * float64(k%3-1), Y: thick / 2, Z: 0.06 * float64(k/3-1)}
				light, _ := cloud.Gather(at.Sub(d.Mul(2)), d, 0, 9, 0.01, 0)
				sum += math.Pi * light.Y * cos
				all += cos
			}
		}
	}
	return sum / all
}

// monteCarlo follows photons through a slab that is infinitely wide, and returns the share
// that comes back.
func monteCarlo(phase *scatter.Phase, depth float64) float64 {
	// The angle by the inverse of its distribution.
	const fine, photons = 4000, 20_000
	var cdf [fine + 1]float64
	for i := range fine {
		a := (float64(i) + 0.5) * math.Pi / fine
		cdf[i+1] = cdf[i] + phase.At(math.Cos(a))*math.Sin(a)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	angle := func() float64 {
		x := rng.Float64() * cdf[fine]
		lo, hi := 0, fine
		for hi-lo > 1 {
			if mid := (lo + hi) / 2; cdf[mid] <= x {
				lo = mid
			} else {
				hi = mid
			}
		}
		return (float64(lo) + rng.Float64()) * math.Pi / fine
	}
	back := 0
	for range photons {
		z, down := 0.0, 1.0 // depth, and cosine to the way down
		for {
			z += down * rng.ExpFloat64()
			if z < 0 {
				back++
				break
			}
			if z > depth {
				break
			}
			sin, cos := math.Sincos(angle())
			down = down*cos + math.Sqrt(max(0, 1-down*down))*sin*math.Cos(2*math.Pi*rng.Float64())
			down = min(1, max(-1, down))
		}
	}
	return float64(back) / photons
}
