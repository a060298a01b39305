package fft

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"breakwater/sim/dice"
	"breakwater/sim/longtest"
)

// box is a field with three components and a fourth.
type box struct {
	n    [3]int
	data []float32
}

func newBox(n [3]int) *box { return &box{n, make([]float32, 4*n[0]*n[1]*n[2])} }

func (b *box) field(c int) Field { return b.data[c*b.nodes():][:b.nodes()] }

func (b *box) nodes() int { return len(b.data) / 4 }

func (b *box) vector() [3]Field { return [3]Field{b.field(0), b.field(1), b.field(2)} }

// set sets the fields at all nodes. x is counted in nodes from the middle of the box.
func (b *box) set(f func(x [3]float64) [4]float64) {
	for p := range b.nodes() {
		v := f(b.at(p))
		for c := range v {
			b.field(c)[p] = float32(v[c])
		}
	}
}

func (b *box) at(p int) (x [3]float64) {
	for a, i := range [3]int{p % b.n[0], p / b.n[0] % b.n[1], p / (b.n[0] * b.n[1])} {
		x[a] = float64(i - b.n[a]/2)
	}
	return x
}

// randomize sets the fields to numbers from −0.5 to 0.5.
func (b *box) randomize() {
	d := dice.New(5)
	for p := range b.data {
		b.data[p] = float32(d.Float(uint64(p)) - 0.5)
	}
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// blobVelocity returns the velocity of blob. That vorticity is the curl of s² g a with
// g = exp(−x²/2s²), so the velocity is s² (g a + ∇(a·∇)ψ) with ∇²ψ = −g, which has no divergence.
func blobVelocity(x, a [3]float64, s float64) (u [3]float64) {
	// ψ has the slope −m/r², m = ∫ g r² dr.
	r := math.Sqrt(dot(x, x))
	g := math.Exp(-r * r / (2 * s * s))
	m3 := 1. / 3 // m/r³ in the middle
	if r > 1e-3*s {
		m := s*s*s*math.Sqrt(math.Pi/2)*math.Erf(r/(s*math.Sqrt2)) - s*s*r*g
		m3 = m / (r * r * r)
	}
	along := 0.
	if r > 0 {
		along = dot(a, x) / (r * r) * (3*m3 - g)
	}
	for c := range u {
		u[c] = s * s * (g*a[c] - m3*a[c] + along*x[c])
	}
	return u
}

// blob is the vorticity of blobVelocity.
func blob(x, a [3]float64, s float64) [3]float64 {
	g := math.Exp(-dot(x, x) / (2 * s * s))
	return [3]float64{g * (a[1]*x[2] - a[2]*x[1]), g * (a[2]*x[0] - a[0]*x[2]), g * (a[0]*x[1] - a[1]*x[0])}
}

// errors returns the largest errors of the velocity of a blob, and of the outflow from another,
// relative to the largest speed.
func errors(n [3]int, s float64) (turning, outflow float64) {
	a := [3]float64{0.3, -0.5, 0.8}
	space := NewSpace(n[0], n[1], n[2])
	b := newBox(n)
	b.set(func(x [3]float64) [4]float64 {
		w := blob(x, a, s)
		return [4]float64{w[0], w[1], w[2]}
	})
	compare := func(want func(x [3]float64) [3]float64) float64 {
		var worst, most float64
		for p := range b.nodes() {
			w := want(b.at(p))
			for c := range w {
				worst = max(worst, math.Abs(float64(b.field(c)[p])-w[c]))
				most = max(most, math.Abs(w[c]))
			}
		}
		return worst / most
	}
	space.Curl(b.vector(), b.vector(), nil)
	turning = compare(func(x [3]float64) [3]float64 { return blobVelocity(x, a, s) })
	b.set(func(x [3]float64) [4]float64 { return [4]float64{3: math.Exp(-dot(x, x) / (2 * s * s))} })
	space.Curl(b.vector(), b.vector(), b.field(3))
	outflow = compare(func(x [3]float64) (u [3]float64) {
		r := math.Sqrt(dot(x, x))
		m3 := 1. / 3
		if r > 1e-3*s {
			m3 = (s*s*s*math.Sqrt(math.Pi/2)*math.Erf(r/(s*math.Sqrt2)) - s*s*r*math.Exp(-r*r/(2*s*s))) / (r * r * r)
		}
		for c := range u {
			u[c] = m3 * x[c]
		}
		return u
	})
	return turning, outflow
}

// TestBlob checks that the error of the velocities of Gaussian blobs falls by more than 2⁻⁶
// whenever the spacing is halved, down to the rounding of float32.
func TestBlob(t *testing.T) {
	var was [2]float64
	for k, n := range []int{16, 32, 64} {
		a, b := errors([3]int{n, n, n}, float64(n)/14)
		t.Logf("%d nodes: errors %.2g and %.2g", n, a, b)
		if k > 0 && (a > max(was[0]/64, 3e-6) || b > max(was[1]/64, 3e-6)) {
			t.Errorf("%d nodes: errors %.3g and %.3g, half as many have %.3g", n, a, b, was)
		}
		was = [2]float64{a, b}
	}
	if was[0] > 3e-6 || was[1] > 3e-6 {
		t.Errorf("errors %.3g", was)
	}
}

// TestBoxSize checks that the velocity of a blob does not depend on the box around it.
func TestBoxSize(t *testing.T) {
	const s = 2.5
	a := [3]float64{1, 2, 3}
	solve := func(n [3]int) *box {
		b := newBox(n)
		b.set(func(x [3]float64) [4]float64 {
			if dot(x, x) > 100 {
				return [4]float64{}
			}
			w := blob(x, a, s)
			return [4]float64{w[0], w[1], w[2], math.Exp(-dot(x, x) / (2 * s * s))}
		})
		NewSpace(n[0], n[1], n[2]).Curl(b.vector(), b.vector(), b.field(3))
		return b
	}
	small, large := solve([3]int{32, 32, 32}), solve([3]int{72, 60, 48})
	var worst, most float64
	for p := range small.nodes() {
		x := small.at(p)
		q := 0
		for c := 2; c >= 0; c-- {
			q = q*large.n[c] + int(x[c]) + large.n[c]/2
		}
		for c := range 3 {
			u, v := float64(small.field(c)[p]), float64(large.field(c)[q])
			worst, most = max(worst, math.Abs(u-v)), max(most, math.Abs(u))
		}
	}
	if !(worst < 2e-6*most) {
		t.Errorf("velocities differ by %.3g of the largest", worst/most)
	}
}

// TestSumOfAll compares the potential of random numbers with sums over all pairs.
func TestSumOfAll(t *testing.T) {
	n := [3]int{6, 4, 8}
	b := newBox(n)
	d := dice.New(3)
	for p := range b.nodes() {
		b.field(0)[p] = float32(d.Float(uint64(p)) - 0.5)
	}
	want := make([]float64, b.nodes())
	for p := range want {
		for q := range want {
			x, y := b.at(p), b.at(q)
			r := [3]float64{x[0] - y[0], x[1] - y[1], x[2] - y[2]}
			want[p] += float64(b.field(0)[q]) * Green(math.Sqrt(dot(r, r))) / (4 * math.Pi)
		}
	}
	NewSpace(n[0], n[1], n[2]).Solve(b.field(1), b.field(0))
	for p, w := range want {
		if got := float64(b.field(1)[p]); math.Abs(got-w) > 1e-6 {
			t.Fatalf("potential at %v is %g, want %g", b.at(p), got, w)
		}
	}
}

// TestGreen checks that −∇² of Green is a blob whose moments up to the order 8 vanish.
func TestGreen(t *testing.T) {
	const step = 1e-3
	var moment [5]float64
	for r := step / 2; r < 14; r += step {
		before, at, after := Green(math.Abs(r-step)), Green(r), Green(r+step)
		blob := -(before-2*at+after)/(step*step) - (after-before)/(r*step)
		for k := range moment {
			moment[k] += blob * math.Pow(r, float64(2*k+2)) * step
		}
	}
	for k, m := range moment {
		want := 0.
		if k == 0 {
			want = 1
		}
		if math.Abs(m-want) > 1e-3*math.Pow(4, float64(k)) {
			t.Errorf("moment %d is %g, want %g", 2*k, m, want)
		}
	}
}

// TestThreads checks that any number of threads gives the same bytes.
func TestThreads(t *testing.T) {
	var want []float32
	for n := range longtest.OnThreads(1, 2, 3, 7) {
		b := newBox([3]int{24, 20, 24})
		b.randomize()
		NewSpace(b.n[0], b.n[1], b.n[2]).Curl(b.vector(), b.vector(), b.field(3))
		if want == nil {
			want = b.data
		}
		if !slices.Equal(want, b.data) {
			t.Errorf("%d threads give other bytes", n)
		}
	}
}

func BenchmarkCurl(b *testing.B) {
	for _, n := range []int{64, 128} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f, s := newBox([3]int{n, n, n}), NewSpace(n, n, n)
			f.data[0] = 1
			for b.Loop() {
				s.Curl(f.vector(), f.vector(), nil)
			}
			b.ReportMetric(float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}
