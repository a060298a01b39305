package fft

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/longtest"
)

// axes are subsets of the axes: those that repeat.
var axes = [][3]bool{{false, false, true}, {true, false, false}, {false, true, false}, {true, false, true}, {true, true, true}}

// repeated returns an empty field for nodes of which some axes repeat.
func repeated(n [3]int, on [3]bool) (*box, *Space) {
	for a := range n {
		if on[a] {
			n[a] += 2 * Border
		}
	}
	return newBox(n), NewPeriodicSpace(n, on)
}

// inner reports whether a node is no copy.
func (b *box) inner(p int, on [3]bool) bool {
	for a, i := range [3]int{p % b.n[0], p / b.n[0] % b.n[1], p / (b.n[0] * b.n[1])} {
		if on[a] && (i < Border || i >= b.n[a]-Border) {
			return false
		}
	}
	return true
}

// TestRepeatedWaves compares the velocity of a vorticity with the exact one: blobs along free axes times
// waves along the axes that repeat. The velocity is ∇f × e, so the vorticity is ∇(e·∇f) − e∇²f.
func TestRepeatedWaves(t *testing.T) {
	e := [3]float64{0.3, -0.5, 0.8}
	for _, on := range axes {
		var was float64
		for _, n := range []int{16, 32} {
			s := float64(n) / 13
			shape := func(x [3]float64) (slope [3]float64, second [3][3]float64) {
				var f, d, d2 [3]float64
				for a, c := range x {
					if q := 2 * math.Pi / float64(n) * float64(1+a%2); on[a] {
						f[a], d[a], d2[a] = math.Cos(q*c+0.3), -q*math.Sin(q*c+0.3), -q*q*math.Cos(q*c+0.3)
					} else {
						g := math.Exp(-c * c / (2 * s * s))
						f[a], d[a], d2[a] = g, -c/(s*s)*g, (c*c/(s*s)-1)/(s*s)*g
					}
				}
				for a := range slope {
					b, c := (a+1)%3, (a+2)%3
					slope[a] = d[a] * f[b] * f[c] * s
					second[a][a] = d2[a] * f[b] * f[c] * s
					second[a][b] = d[a] * d[b] * f[c] * s
					second[b][a] = second[a][b]
				}
				return slope, second
			}
			b, space := repeated([3]int{n, n, n}, on)
			b.set(func(x [3]float64) (w [4]float64) {
				_, h := shape(x)
				all := h[0][0] + h[1][1] + h[2][2]
				for a := range e {
					w[a] = dot(h[a], e) - e[a]*all
				}
				return w
			})
			space.Curl(b.vector(), b.vector(), nil)
			var worst, most float64
			for p := range b.nodes() {
				if !b.inner(p, on) {
					continue
				}
				d, _ := shape(b.at(p))
				for a := range e {
					c, k := (a+1)%3, (a+2)%3
					want := d[c]*e[k] - d[k]*e[c]
					worst, most = max(worst, math.Abs(float64(b.field(a)[p])-want)), max(most, math.Abs(want))
				}
			}
			now := worst / most
			t.Logf("%v repeat, %d nodes: an error of %.2g", on, n, now)
			if !(now < max(was/64, 3e-6)) && n > 16 || !(now < 0.05) || on == [3]bool{true, true, true} && now > 1e-6 {
				t.Errorf("%v repeat, %d nodes: an error of %.2g, and %.2g with half of them", on, n, now, was)
			}
			was = now
		}
	}
}

// TestRepeatedFar compares flows that do not fall off faster than any power with exact ones: a
// straight vortex, whose speed falls as 1/r, a sheet of shear, whose speed is even far away, and the outflow from a
// column.
func TestRepeatedFar(t *testing.T) {
	var s float64
	gauss := func(x float64) float64 { return math.Exp(-x * x / (2 * s * s)) }
	swirl := func(x, y float64) float64 { // speed over the distance
		r2 := x*x + y*y
		if r2 == 0 {
			return 0.5
		}
		return s * s / r2 * (1 - math.Exp(-r2/(2*s*s)))
	}
	for _, c := range []struct {
		name  string
		on    [3]bool
		given func(x [3]float64) [4]float64
		want  func(x [3]float64) [3]float64
	}{
		{"vortex", [3]bool{2: true},
			func(x [3]float64) [4]float64 { return [4]float64{2: gauss(x[0]) * gauss(x[1])} },
			func(x [3]float64) [3]float64 { v := swirl(x[0], x[1]); return [3]float64{-v * x[1], v * x[0], 0} }},
		{"column", [3]bool{0: true},
			func(x [3]float64) [4]float64 { return [4]float64{3: gauss(x[1]) * gauss(x[2])} },
			func(x [3]float64) [3]float64 { v := swirl(x[1], x[2]); return [3]float64{0, v * x[1], v * x[2]} }},
		{"sheet", [3]bool{1: true, 2: true},
			func(x [3]float64) [4]float64 { return [4]float64{2: gauss(x[0])} },
			func(x [3]float64) [3]float64 {
				return [3]float64{1: s * math.Sqrt(math.Pi/2) * math.Erf(x[0]/(s*math.Sqrt2))}
			}},
	} {
		var was float64
		for _, n := range []int{24, 48} {
			s = float64(n) / 14
			nodes := [3]int{n, n, n}
			for a, on := range c.on {
				if on {
					nodes[a] = 8
				}
			}
			b, space := repeated(nodes, c.on)
			b.set(c.given)
			space.Curl(b.vector(), b.vector(), b.field(3))
			var worst, most float64
			for p := range b.nodes() {
				x := b.at(p)
				for a, v := range c.want(x) {
					if b.inner(p, c.on) && max(math.Abs(x[0]), math.Abs(x[1]), math.Abs(x[2])) < float64(n/2-Border) {
						worst, most = max(worst, math.Abs(float64(b.field(a)[p])-v)), max(most, math.Abs(v))
					}
				}
			}
			now := worst / most
			t.Logf("%s, %d nodes: an error of %.2g", c.name, n, now)
			if n > 24 && !(now < max(was/64, 3e-6)) || !(now < 0.01) {
				t.Errorf("%s, %d nodes: an error of %.2g, and %.2g with half of them", c.name, n, now, was)
			}
			was = now
		}
	}
}

// TestGreenOf compares the Green's functions with ones worked out in another way: sums over
// images of Green's, and K₀ and exponentials far away.
func TestGreenOf(t *testing.T) {
	const n = 8 // nodes of a period
	for _, rho := range []float64{0, 0.7, 2, 5} {
		for k := 1; k <= n/2; k++ {
			// Images out to where the wave has averaged them out.
			sum := 0.
			for z := -400 * n; z < 400*n; z++ {
				taper := math.Pow(math.Cos(math.Pi*float64(z)/(800*n)), 2)
				sum += taper * Green(math.Sqrt(rho*rho+float64(z*z))) / (4 * math.Pi) * math.Cos(2*math.Pi*float64(k*z)/n)
			}
			// Sums over nodes see the waves that are n nodes shorter and longer, too.
			want, q := 0., 2*math.Pi/n
			for alias := -3; alias <= 3; alias++ {
				wave := q * float64(k+n*alias)
				want += greenOf(2, rho*rho, wave*wave)
			}
			if math.Abs(sum-want) > 1e-7 {
				t.Errorf("wave %d at %g: %.9g, images give %.9g", k, rho, want, sum)
			}
		}
	}
	for _, x := range []float64{11, 14} {
		const q = 0.9
		k0 := 0. // K₀(qx) = ∫ exp(−qx cosh v) dv
		for v := 0.0005; v < 8; v += 0.001 {
			k0 += 0.001 * math.Exp(-q*x*math.Cosh(v))
		}
		if got, want := greenOf(2, x*x, q*q), k0/(2*math.Pi); math.Abs(got-want) > 1e-8*want {
			t.Errorf("with two free axes at %g: %g, want %g", x, got, want)
		}
		if got, want := greenOf(1, x*x, q*q), math.Exp(-q*x)/(2*q); math.Abs(got-want) > 1e-8*want {
			t.Errorf("with one free axis at %g: %g, want %g", x, got, want)
		}
	}
	for _, c := range []struct{ x, want float64 }{{0.01, 4.03792957653811}, {1, 0.219383934395520}, {1.999, 0.0489682291}, {2.001, 0.0488328939}, {10, 4.15696892968532e-6}} {
		if got := expInt(c.x); math.Abs(got-c.want) > 1e-7*c.want {
			t.Errorf("E₁(%g) = %.10g, want %.10g", c.x, got, c.want)
		}
	}
}

// TestRepeatedThreads checks that any number of threads gives the same bytes.
func TestRepeatedThreads(t *testing.T) {
	for _, on := range axes {
		var want []float32
		for n := range longtest.OnThreads(1, 2, 3) {
			b, space := repeated([3]int{24, 16, 24}, on)
			b.randomize()
			space.Curl(b.vector(), b.vector(), b.field(3))
			if want == nil {
				want = b.data
			}
			if !slices.Equal(want, b.data) {
				t.Errorf("%v repeat: %d threads give other bytes", on, n)
			}
		}
	}
}
