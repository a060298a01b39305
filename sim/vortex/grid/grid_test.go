package grid

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/vec"
)

func nearly(t *testing.T, what string, got, want vec.Vec3, goal float64) {
	t.Helper()
	if !(got.Sub(want).Len() <= goal) {
		t.Errorf("%s: %v, want %v ± %.2g", what, got, want, goal)
	}
}

// TestGrid checks that interpolation is exact for linear fields, that slopes are too, and
// that a deposit has the total and the first moment of what is deposited.
func TestGrid(t *testing.T) {
	g := FitGrid(vec.Box{Min: vec.New(-1, 0, 2), Max: vec.New(3, 1, 4)}, 500)
	if n := g.Cells(); n >= 4000 || n < 125 {
		t.Errorf("%d cells for 500 vortons", n)
	}
	linear := func(x vec.Vec3) vec.Vec3 { return vec.New(1+2*x.X-x.Y, x.Z, 3*x.Y-x.Z) }
	u := make([]vec.Vec3, g.Points())
	for p := range u {
		u[p] = linear(g.Point(p))
	}
	var x []vec.Vec3
	for r := rand.New(rand.NewPCG(1, 1)); len(x) < 200; {
		x = append(x, vec.New(-1+4*r.Float64(), r.Float64(), 2+2*r.Float64()))
	}
	for _, at := range x {
		nearly(t, "fetch", g.Fetch(u, at), linear(at), 1e-12)
	}
	for p := range u {
		d := g.Slopes(u, p)
		nearly(t, "slope along x", d[0], vec.New(2, 0, 0), 1e-11)
		nearly(t, "slope along y", d[1], vec.New(-1, 0, 3), 1e-11)
		nearly(t, "slope along z", d[2], vec.New(0, 1, -1), 1e-11)
	}
	var b Bins
	b.Sort(&g, x)
	for c := range g.Cells() {
		for _, i := range b.In(c) {
			if at, _ := g.Cell(x[i]); at != g.CellAt(c) {
				t.Fatalf("particle %d of cell %v is listed in %v", i, at, g.CellAt(c))
			}
		}
	}
	weight := make([]float64, g.Points())
	g.Deposit(&b, x, func(p, _ int, w float64) { weight[p] += w })
	var all float64
	var moment, want vec.Vec3
	for p, w := range weight {
		all, moment = all+w, moment.Add(g.Point(p).Mul(w))
	}
	for _, at := range x {
		want = want.Add(at)
	}
	if !(math.Abs(all-200) <= 1e-9) {
		t.Errorf("deposit: %.9g, want 200", all)
	}
	nearly(t, "first moment", moment, want, 1e-9)
}

// TestMultigrid checks that the solve is of second order, for a potential in closed form
// on a grid of long cells.
func TestMultigrid(t *testing.T) {
	exact := func(x vec.Vec3) vec.Vec3 {
		e := math.Exp(-x.Dot(x))
		return vec.New(e, 2*e, x.X*x.X)
	}
	var e [2]float64
	for n := range e {
		c := 8 << n
		g := Grid{Min: vec.New(-1, -1.2, -0.5), Edge: vec.New(2/float64(c), 2/float64(2*c), 2/float64(c)), N: [3]int{c, 2 * c, c}}
		var s Poisson
		s.Ready(&g)
		l := &s.level[0]
		want := make([]vec.Vec3, g.Points())
		for p := range want {
			x := g.Point(p)
			want[p] = exact(x)
			r2 := x.Dot(x)
			lap := (4*r2 - 6) * math.Exp(-r2)
			l.f[p], l.a[p] = vec.New(lap, 2*lap, 2), want[p]
			if i, j, k := g.Place(p); i > 0 && j > 0 && k > 0 && i < g.N[0] && j < g.N[1] && k < g.N[2] {
				l.a[p] = vec.Vec3{}
			}
		}
		for cycle := 0; ; cycle++ {
			residual := s.Residual()
			if residual < 1e-6 {
				break
			}
			if cycle == 12 {
				t.Fatalf("residual %.3g after %d cycles", residual, cycle)
			}
			s.cycle(0)
		}
		var sum, all float64
		for p, a := range l.a {
			sum, all = sum+a.Sub(want[p]).Dot(a.Sub(want[p])), all+want[p].Dot(want[p])
		}
		e[n] = math.Sqrt(sum / all)
	}
	if e[0] > 1e-2 || e[1] > 0.3*e[0] {
		t.Errorf("errors %.3g", e)
	}
}
