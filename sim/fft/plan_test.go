package fft

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"breakwater/sim/dice"
)

// random fills lines with numbers from −1 to 1.
func random[F Real](l *Lines[F]) {
	d := dice.New(7)
	for i := range l.Re {
		l.Re[i], l.Im[i] = F(2*d.Float(uint64(2*i))-1), F(2*d.Float(uint64(2*i+1))-1)
	}
}

// direct returns a transform of line k as a sum.
func direct[F Real](l *Lines[F], n, lane int, sign float64) []complex128 {
	out := make([]complex128, n)
	for k := range out {
		for j := range n {
			x := complex(float64(l.Re[j*Lanes+lane]), float64(l.Im[j*Lanes+lane]))
			out[k] += x * cmplx.Exp(complex(0, sign*2*math.Pi*float64(j*k%n)/float64(n)))
		}
	}
	return out
}

func testPlan[F Real](t *testing.T, n int, goal float64) {
	p := New[F](n)
	for _, sign := range []float64{-1, 1} {
		l := p.NewLines()
		random(l)
		var want [Lanes][]complex128
		for lane := range want {
			want[lane] = direct(l, n, lane, sign)
		}
		if sign < 0 {
			p.Forward(l)
		} else {
			p.Backward(l)
		}
		for lane := range want {
			for k, w := range want[lane] {
				got := complex(float64(l.Re[k*Lanes+lane]), float64(l.Im[k*Lanes+lane]))
				if e := cmplx.Abs(got - w); !(e <= goal*math.Sqrt(float64(n))) {
					t.Fatalf("%d numbers, sign %g: number %d of line %d is %v, want %v", n, sign, k, lane, got, w)
				}
			}
		}
	}
}

// TestPlan compares transforms with sums of all products, for all radices and their mixtures.
func TestPlan(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 30, 32, 36, 48, 60, 64, 75, 80, 96, 128, 240} {
		testPlan[float64](t, n, 1e-13)
		testPlan[float32](t, n, 1e-6)
	}
}

func TestSmooth(t *testing.T) {
	for _, c := range [][3]int{{1, 8, 8}, {9, 8, 16}, {49, 8, 64}, {56, 8, 64}, {65, 8, 72}, {100, 8, 120}, {200, 8, 200}, {7, 1, 8}} {
		if got := Smooth(c[0], c[1]); got != c[2] {
			t.Errorf("Smooth(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestRefusesPrimes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a line of 14 numbers is accepted")
		}
	}()
	New[float32](14)
}

func BenchmarkForward(b *testing.B) {
	for _, n := range []int{128, 256, 240, 384} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := New[float32](n)
			l := p.NewLines()
			random(l)
			for b.Loop() {
				p.Forward(l)
				p.Backward(l)
				for i := range l.Re {
					l.Re[i] *= 1 / float32(n)
					l.Im[i] *= 1 / float32(n)
				}
			}
			b.ReportMetric(2*5*float64(n)*math.Log2(float64(n))*Lanes*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
		})
	}
}
