package remesh

import (
	"math"
	"testing"

	"breakwater/sim/dice"
	"breakwater/sim/vec"
)

// cloud returns particles at random places, each with a number.
func cloud(n int) (x []vec.Vec3, of []float32) {
	for i := range n {
		d := dice.New(uint64(i), 0, 0)
		x = append(x, vec.New(d.Float(0), 2*d.Float(1), 3*d.Float(2)))
		of = append(of, float32(d.Float(3)-0.3))
	}
	return x, of
}

// TestDeposit checks that the sum, the mean place and the mean square distance of what
// particles carry are kept.
func TestDeposit(t *testing.T) {
	x, of := cloud(3000)
	l := Fit(Bounds(x), 0.17, 3, func(_, n int) int { return n })
	node := make([]float32, l.Len())
	l.Deposit([][]float32{node}, x, [][]float32{of})
	var want, got [7]float64
	add := func(to *[7]float64, x vec.Vec3, w float64) {
		for k, v := range [7]float64{1, x.X, x.Y, x.Z, x.X * x.X, x.X * x.Y, x.Z * x.Z} {
			to[k] += w * v
		}
	}
	for i := range x {
		add(&want, x[i], float64(of[i]))
	}
	for p, w := range node {
		add(&got, l.At(p), float64(w))
	}
	for k := range want {
		if k == 4 || k == 6 { // M4′ widens nothing
			if math.Abs(got[k]-want[k]) > 1e-4*math.Abs(want[k]) {
				t.Errorf("square %d: %g at nodes, %g of particles", k, got[k], want[k])
			}
			continue
		}
		if math.Abs(got[k]-want[k]) > 1e-4*(1+math.Abs(want[k])) {
			t.Errorf("moment %d: %g at nodes, %g of particles", k, got[k], want[k])
		}
	}
}

// TestFetch checks that polynomials of the second degree are interpolated exactly, and that
// nothing is found outside.
func TestFetch(t *testing.T) {
	x, _ := cloud(500)
	l := Fit(Bounds(x), 0.21, 3, func(_, n int) int { return n })
	f := func(p vec.Vec3) float64 { return 1 + p.X - 2*p.Y*p.Z + 0.5*p.Y*p.Y }
	node := make([]float32, l.Len())
	for p := range node {
		node[p] = float32(f(l.At(p)))
	}
	x = append(x, vec.New(100, 0, 0), vec.New(math.NaN(), 0, 0))
	got := make([]float32, len(x))
	l.Fetch([][]float32{got}, x, [][]float32{node})
	for i, p := range x {
		want := f(p)
		if i >= 500 {
			want = 0
		}
		if math.Abs(float64(got[i])-want) > 2e-5 {
			t.Fatalf("%g at %v, want %g", got[i], p, want)
		}
	}
}

// TestSlopes compares derivatives with exact ones, at two distances of nodes: their errors
// fall with the fourth power.
func TestSlopes(t *testing.T) {
	var errors [2]float64
	for k, edge := range []float64{0.1, 0.05} {
		l := Fit(vec.Box{Max: vec.New(1, 1, 1)}, edge, 0, func(_, n int) int { return n })
		var u, w, curl, stretch Vector
		for a := range u {
			u[a], w[a], curl[a], stretch[a] = make([]float32, l.Len()), make([]float32, l.Len()), make([]float32, l.Len()), make([]float32, l.Len())
		}
		heat, spread := make([]float32, l.Len()), make([]float32, l.Len())
		for p := range l.Len() {
			x := l.At(p)
			u[0][p], u[1][p], u[2][p] = float32(math.Sin(3*x.Y)), float32(math.Cos(2*x.Z)), float32(math.Sin(x.X))
			w[1][p] = float32(math.Cos(x.X)) // without sources
			heat[p] = float32(math.Sin(2 * x.X))
		}
		l.Curl(curl, u, 2)
		l.Stretch(stretch, w, u)
		l.Diffuse(spread, heat, 0.5)
		worst := 0.
		see := func(got float32, want float64) { worst = max(worst, math.Abs(float64(got)-want)) }
		for p := range l.Len() {
			i, j, k := p%l.N[0], p/l.N[0]%l.N[1], p/(l.N[0]*l.N[1])
			if min(i, j, k) < SlopeMargin || i >= l.N[0]-SlopeMargin || j >= l.N[1]-SlopeMargin || k >= l.N[2]-SlopeMargin {
				continue
			}
			x := l.At(p)
			see(curl[0][p], 4*math.Sin(2*x.Z))
			see(curl[1][p], -2*math.Cos(x.X))
			see(curl[2][p], -6*math.Cos(3*x.Y))
			see(stretch[0][p], 3*math.Cos(3*x.Y)*math.Cos(x.X))
			see(spread[p], -2*math.Sin(2*x.X))
		}
		errors[k] = worst
	}
	if !(errors[1] < errors[0]/8) || errors[1] > 1e-3 {
		t.Errorf("the errors are %.3g", errors)
	}
}
