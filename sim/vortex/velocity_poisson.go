package vortex

import (
	"fmt"

	"breakwater/sim/biot"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

func init() {
	Techniques.Register(registry.Entry[Technique]{
		Name: "poisson", Doc: "Poisson's equation for the vector potential on the grid: smooth, with an influence of the boundary", Cite: "Gourlay 2012",
		New: func(d registry.Decode) (Technique, error) {
			t := &Poisson{Method: "multigrid", Edge: "zero", Tolerance: 1e-4}
			return t, d(t)
		},
	})
}

// Poisson solves ∇²A = −ω for the vector potential A on the grid, and takes u = ∇×A by
// central differences (Gourlay, parts 6 and 12). At the boundary A is zero, which encloses
// the flow in a box, or the potential of all vortons in free space (parts 19 and 20).
// Part 12 instead pushes the boundary out by half of the size, with as many cells.
type Poisson struct {
	Method    string  `toml:"method" oneof:"multigrid red-black" doc:"multigrid, or successive over-relaxation of the red and the black points in turn."`
	Edge      string  `toml:"edge" oneof:"zero integral" doc:"Vector potential at the boundary: zero, or the sum over all vortons."`
	Border    float64 `toml:"margin" unit:"1" range:"[0, 4]" doc:"Share of its size by which the grid is extended at each side. The article expands by 0.5."`
	Tolerance float64 `toml:"tolerance" unit:"1" range:"(0, 0.1]" doc:"Largest residual at which the solve ends, relative to the largest vorticity."`

	bins  grid.Bins
	solve grid.Poisson
	side  []int // points at the boundary
	at    []vec.Vec3
}

// Margin implements OnGrid.
func (t *Poisson) Margin() float64 { return t.Border }

// Velocities implements Technique. The points at must be the points of the grid.
func (t *Poisson) Velocities(u, at []vec.Vec3, s *biot.Sources, g *grid.Grid) {
	if len(at) != g.Points() {
		panic(fmt.Sprintf("vortex: Poisson's equation at %d points, want the %d of the grid", len(at), g.Points()))
	}
	t.solve.Ready(g)
	f, a := t.solve.RightSide(), t.solve.Values()
	t.bins.Sort(g, s.X)
	clear(f)
	perCell := -1 / g.CellVolume()
	g.Deposit(&t.bins, s.X, func(p, i int, w float64) { f[p] = f[p].Add(s.Alpha[i].Mul(w * perCell)) })
	t.edges(a, s, g)
	if t.Method == "red-black" {
		t.solve.Relax(t.Tolerance)
	} else {
		t.solve.Multigrid(t.Tolerance)
	}
	par.For(len(u), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			d := g.Slopes(a, p)
			u[p] = vec.New(d[1].Z-d[2].Y, d[2].X-d[0].Z, d[0].Y-d[1].X)
		}
	})
}

// edges sets the potential at the boundary, and elsewhere a first guess of zero.
func (t *Poisson) edges(a []vec.Vec3, s *biot.Sources, g *grid.Grid) {
	clear(a)
	if t.Edge == "zero" {
		return
	}
	t.side, t.at = t.side[:0], t.at[:0]
	for p := range a {
		i, j, k := g.Place(p)
		if i == 0 || j == 0 || k == 0 || i == g.N[0] || j == g.N[1] || k == g.N[2] {
			t.side, t.at = append(t.side, p), append(t.at, g.Point(p))
		}
	}
	sum := make([]vec.Vec3, len(t.at))
	biot.Potential(sum, t.at, s, biot.Core)
	for n, p := range t.side {
		a[p] = sum[n]
	}
}
