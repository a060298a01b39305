package boundary

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// tankGrid returns the grid of a round tank, 1 m wide and high.
func tankGrid(t testing.TB, spacing float64) (*Cylinder, *distGrid) {
	t.Helper()
	c := &Cylinder{Top: vec.New(0, 1, 0), Radius: 0.5, Inside: true}
	if err := c.Init(kernel.NewCubicSpline(3, 2*spacing)); err != nil {
		t.Fatal(err)
	}
	return c, c.grid
}

// The regions' bounds of blocks far from the surface hold, and so do the distances of a
// node from the few faces near its block.
func TestGridRegions(t *testing.T) {
	longtest.NotShort(t)
	const spacing = 0.025
	c, g := tankGrid(t, spacing)
	rnd := rand.New(rand.NewPCG(3, 4))
	far := 0
	for range 20000 {
		x := vec.New(2*rnd.Float64()-1, 2*rnd.Float64()-0.5, 2*rnd.Float64()-1)
		want, _ := c.faces.dist(x)
		for _, d := range []float64{0, spacing, 2 * spacing, 8 * spacing} {
			if g.beyond(x, d) && want <= d-1e-6 {
				t.Fatalf("%v is %g m from the surface, but is reported beyond %g", x, want, d)
			}
		}
		d, _ := g.distance(x)
		if math.Abs(want) > 3*spacing && math.Abs(d-want) > 0.3*math.Abs(want)+2*spacing || math.Abs(want) > spacing && d*want < 0 {
			t.Fatalf("%v is %g m from the surface, by the grid %g", x, want, d)
		}
		if want > 8*spacing && g.beyond(x, 4*spacing) {
			far++
		}
	}
	if far < 200 {
		t.Errorf("only %d points are known to be far from the surface", far)
	}
	checked := 0
	for k := range g.dim[2] {
		for j := range g.dim[1] {
			for i := range g.dim[0] {
				at := g.block[g.blockAt(i, j, k)]
				if at < 0 || (i+j+k)%7 != 0 {
					continue
				}
				for n := 0; n < blockNodes; n += 9 {
					want, _ := c.faces.dist(g.place([3]int{i, j, k}, n))
					if got := g.nodes[int(at)+n]; got != float32(want) {
						t.Fatalf("a node is %g m from the surface, by the grid %g", want, got)
					}
					checked++
				}
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d nodes", checked)
	}
}

// BenchmarkGrid makes the grid of distances of a round tank, of some 80 spacings
// across.
func BenchmarkGrid(b *testing.B) {
	numbers := 0
	for b.Loop() {
		grids = gridStore{}
		_, g := tankGrid(b, 0.0125)
		numbers += len(g.nodes) / numFields
	}
	b.ReportMetric(float64(numbers)/b.Elapsed().Seconds()/1e6, "Mnode/s")
}
