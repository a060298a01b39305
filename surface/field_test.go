package surface

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestFieldIsTheSum compares nodes of all blocks with the definition, for the
// smallest, a middling and the largest cells.
func TestFieldIsTheSum(t *testing.T) {
	c := splash(400)
	for _, radii := range []float64{0.25, 0.8, 1.2} {
		var g grid
		if err := g.place(c.X, radii*c.Spacing/2, 2*c.Spacing); err != nil {
			t.Fatal(err)
		}
		f := new(field)
		f.take(&c, g.origin)
		g.fill(f.x)
		var reached float64
		for _, b := range g.blocks {
			g.evaluate(b, f)
			for k := 0; k < len(b.f); k += 193 { // a sample of the nodes
				node := g.node(b, k%side, k/side%side, k/side/side)
				var want float64
				for j, x := range f.x {
					want += c.Spacing * c.Spacing * c.Spacing / float64(f.Fill[j]) * f.w.W(node.Sub(x).Len())
				}
				if math.Abs(float64(b.f[k])-want) > 1e-5 {
					t.Fatalf("cells of %g radii: field at %v: got %g, want %g", radii, node, b.f[k], want)
				}
				reached = max(reached, want)
			}
		}
		if reached < 0.9 {
			t.Errorf("cells of %g radii: the largest value met is %g: no node was in the bulk", radii, reached)
		}
	}
}

// TestGradient compares the field's gradient, walls included, with finite
// differences.
func TestGradient(t *testing.T) {
	c := splash(1500)
	f := new(field)
	f.take(&c, vec.Vec3{})
	at := func(x vec.Vec3) float64 { return f.at(x, new(lookup)).f }
	e := 1e-3 * c.Spacing // the field is in float32
	for i := 0; i < len(f.x); i += 53 {
		x := f.x[i].Add(vec.New(0.31, 0.17, -0.23).Mul(c.Spacing))
		if d, _ := f.dist(x); d < 0.1*c.Spacing {
			continue
		}
		got := f.at(x, new(lookup))
		want := vec.New(
			at(x.Add(vec.New(e, 0, 0)))-at(x.Sub(vec.New(e, 0, 0))),
			at(x.Add(vec.New(0, e, 0)))-at(x.Sub(vec.New(0, e, 0))),
			at(x.Add(vec.New(0, 0, e)))-at(x.Sub(vec.New(0, 0, e)))).Mul(0.5 / e)
		if diff := got.grad.Sub(want).Len(); diff > 2e-3/c.Spacing {
			t.Fatalf("gradient at %v: got %v, want %v", x, got.grad, want)
		}
	}
}

// TestLoneParticleCountsFull: a particle alone has the field 1 at its place.
func TestLoneParticleCountsFull(t *testing.T) {
	f := new(field)
	f.take(&Cloud{X: []vec.Vec3{{X: 1, Y: 2, Z: 3}}, Spacing: 0.1}, vec.New(1, 1, 1))
	if s := f.at(vec.New(0, 1, 2), new(lookup)); math.Abs(s.f-1) > 1e-6 {
		t.Errorf("got %g, want 1", s.f)
	}
}
