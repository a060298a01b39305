package neighbor

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"breakwater/sim/par"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// cloud returns n points in a box of the given edges.
func cloud(n int, a, b, c float64) []vec.Vec3 {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	pos := make([]vec.Vec3, n)
	for i := range pos {
		pos[i] = vec.New(a*(rng.Float64()-0.5), b*rng.Float64(), 3+c*rng.Float64())
	}
	return pos
}

// lattice returns n³ points at distance d, which puts many of them exactly on
// the faces of cells and many pairs at exactly the search radius.
func lattice(n int, d float64) []vec.Vec3 {
	var pos []vec.Vec3
	for z := range n {
		for y := range n {
			for x := range n {
				pos = append(pos, vec.New(float64(x), float64(y), float64(z)).Mul(d))
			}
		}
	}
	return pos
}

func TestEqualToBruteForce(t *testing.T) {
	far := append(cloud(200, 1, 1, 1), vec.New(1e7, 0, 0), vec.New(0, -1e9, 3))
	for _, c := range []struct {
		name string
		pos  []vec.Vec3
		r    float64
	}{
		{"nothing", nil, 0.1},
		{"one", cloud(1, 1, 1, 1), 0.1},
		{"random", cloud(1000, 1, 1, 1), 0.13},
		{"flat", cloud(700, 2, 0, 1), 0.1},
		{"all in reach", cloud(100, 1, 1, 1), 5},
		{"lattice", lattice(9, 0.25), 0.5},
		{"coincident", append(lattice(2, 0), cloud(50, 0.1, 0.1, 0.1)...), 0.05},
		{"far apart", far, 0.1},
	} {
		queries := append(cloud(100, 1.6, 1.6, 1.6), c.pos...)
		for _, name := range Finders.Names() {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				f := registrytest.New(t, &Finders, name)
				b := Brute{}
				b.Build(c.pos, c.r)
				for range 2 { // the second time on memory of the first
					f.Build(c.pos, c.r)
					for _, x := range queries {
						want := append([]int32{-1}, b.Near(nil, x)...)
						if got := f.Near([]int32{-1}, x); !slices.Equal(got, want) {
							t.Fatalf("near %v: got %v, want %v", x, got, want)
						}
					}
				}
			})
		}
	}
}

// TestThreads checks that a search built and queried by any number of threads gives the
// lists of one.
func TestThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	pos := cloud(3000, 1, 1, 1)
	for _, name := range Finders.Names() {
		t.Run(name, func(t *testing.T) {
			lists := func(threads int) [][]int32 {
				runtime.GOMAXPROCS(threads)
				f := registrytest.New(t, &Finders, name)
				f.Build(pos, 0.1)
				near := make([][]int32, len(pos))
				par.For(len(pos), func(lo, hi int) {
					for i := lo; i < hi; i++ {
						near[i] = f.Near(nil, pos[i])
					}
				})
				return near
			}
			want := lists(1)
			for _, threads := range []int{2, 3, 8} {
				for i, got := range lists(threads) {
					if !slices.Equal(got, want[i]) {
						t.Fatalf("%d threads: point %d is near %v, by one thread %v", threads, i, got, want[i])
					}
				}
			}
		})
	}
}

// TestSortedPoints checks the short way that a grid takes on points which are
// in the order of its cells.
func TestSortedPoints(t *testing.T) {
	const r = 0.11
	pos := cloud(2000, 1, 1, 1)
	var c Cells
	c.Build(pos, Edge(r))
	if c.Sorted() {
		t.Fatal("random points count as sorted")
	}
	sorted := make([]vec.Vec3, len(pos))
	seen := make([]bool, len(pos))
	for i, j := range c.Order() {
		sorted[i], seen[j] = pos[j], true
	}
	if slices.Contains(seen, false) {
		t.Fatal("the order leaves out a point")
	}
	if c.Build(sorted, Edge(r)); !c.Sorted() {
		t.Fatal("points in the order of their cells do not count as sorted")
	}
	var g Grid
	g.Build(sorted, r)
	b := Brute{}
	b.Build(sorted, r)
	for _, x := range sorted {
		if got, want := g.Near(nil, x), b.Near(nil, x); !slices.Equal(got, want) {
			t.Fatalf("near %v: got %v, want %v", x, got, want)
		}
	}
}

// TestRows checks that the rows of a point's cell hold all that is near it,
// ascending and once.
func TestRows(t *testing.T) {
	pos := cloud(1000, 1, 1, 1)
	const r = 0.14
	var c Cells
	c.Build(pos, r)
	var g Grid
	g.Build(pos, r)
	var rows [9][2]int32
	for _, x := range pos {
		c.Rows(c.Cell(x), &rows)
		seen := map[int32]bool{}
		last := int32(-1)
		for _, row := range rows {
			for k := row[0]; k < row[1]; k++ {
				if k <= last {
					t.Fatalf("rows %v do not ascend", rows)
				}
				last = k
				seen[c.Order()[k]] = true
			}
		}
		for _, j := range g.Near(nil, x) {
			if !seen[j] {
				t.Fatalf("point %d at %v, near %v, is in none of the rows %v", j, pos[j], x, rows)
			}
		}
	}
}

// shuffledLattice returns about n points near a lattice of spacing 1, in
// random order or by cell of the grid for radius 2.
func shuffledLattice(n int, byCell bool) []vec.Vec3 {
	rng := rand.New(rand.NewPCG(1, 2))
	edge := 1
	for edge*edge*edge < n {
		edge++
	}
	pos := lattice(edge, 1)
	for i := range pos {
		pos[i] = pos[i].Add(vec.New(rng.Float64(), rng.Float64(), rng.Float64()).Mul(0.2))
	}
	rng.Shuffle(len(pos), func(i, j int) { pos[i], pos[j] = pos[j], pos[i] })
	if byCell {
		var c Cells
		c.Build(pos, Edge(2))
		sorted := make([]vec.Vec3, len(pos))
		for i, j := range c.Order() {
			sorted[i] = pos[j]
		}
		return sorted
	}
	return pos
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{20_000, 100_000} {
		for _, byCell := range []bool{false, true} {
			b.Run(fmt.Sprintf("grid/n=%d/sorted=%v", n, byCell), func(b *testing.B) {
				pos := shuffledLattice(n, byCell)
				var g Grid
				for b.Loop() {
					g.Build(pos, 2)
				}
				report(b, len(pos))
			})
		}
	}
}

// BenchmarkNear finds the neighbours of all points.
func BenchmarkNear(b *testing.B) {
	search := func(b *testing.B, f Finder, pos []vec.Vec3) {
		f.Build(pos, 2)
		for b.Loop() {
			par.For(len(pos), func(lo, hi int) {
				var near []int32
				for _, x := range pos[lo:hi] {
					near = f.Near(near[:0], x)
				}
			})
		}
		report(b, len(pos))
	}
	for _, n := range []int{20_000, 100_000} {
		for _, byCell := range []bool{false, true} {
			b.Run(fmt.Sprintf("grid/n=%d/sorted=%v", n, byCell), func(b *testing.B) {
				search(b, new(Grid), shuffledLattice(n, byCell))
			})
		}
	}
	for _, name := range Finders.Names() {
		n := 20_000
		if name == "brute" {
			n = 2000
		}
		b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
			f := registrytest.New(b, &Finders, name)
			search(b, f, shuffledLattice(n, true))
		})
	}
	b.Run("half-stencil/n=20000", func(b *testing.B) {
		pos := shuffledLattice(20_000, true)
		var h HalfStencil
		h.Build(pos, 2)
		count := make([]int32, len(pos))
		lists := make([][]Pair, h.Slabs())
		for b.Loop() {
			h.Phases(func(k int) {
				lists[k] = h.Slab(lists[k][:0], k)
				for _, p := range lists[k] {
					count[p.I]++
					count[p.J]++
				}
			})
		}
		report(b, len(pos))
	})
}

func report(b *testing.B, n int) {
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds()/1e6, "Mparticles/s")
}

// TestRunsIn checks that the runs have all points of a box, each once, and that a point
// outside all cells gets the nearest cell.
func TestRunsIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var pos []vec.Vec3
	for range 500 {
		pos = append(pos, vec.New(3*rng.Float64(), rng.Float64(), 2*rng.Float64()))
	}
	var c Cells
	c.Build(pos, 0.2)
	for range 50 {
		at := vec.New(4*rng.Float64()-0.5, 2*rng.Float64()-0.5, 3*rng.Float64()-0.5)
		b := vec.Box{Min: at, Max: at.Add(vec.New(rng.Float64(), rng.Float64(), rng.Float64()))}
		seen := map[int32]int{}
		for _, r := range c.RunsIn(nil, b) {
			for _, i := range c.Order()[r[0]:r[1]] {
				seen[i]++
			}
		}
		for i, p := range pos {
			if n := seen[int32(i)]; n > 1 || n == 0 && b.Contains(p) {
				t.Fatalf("%v in %v to %v is in %d runs", p, b.Min, b.Max, n)
			}
		}
		near := 0
		for i := range pos {
			if pos[i].Sub(at).Len() < pos[near].Sub(at).Len() {
				near = i
			}
		}
		if d := pos[near].Sub(at).Len(); d < 0.2 {
			var rows [9][2]int32
			c.Rows(c.Nearest(at), &rows)
			found := false
			for _, r := range rows {
				found = found || slices.Contains(c.Order()[r[0]:r[1]], int32(near))
			}
			if !found {
				t.Fatalf("the cells around %v lack a point %g away", at, d)
			}
		}
	}
}
