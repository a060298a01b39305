package scenes

import (
	"flag"
	"fmt"
	"testing"

	"breakwater/sim"
	"breakwater/sim/vec"
)

var sweep = flag.Bool("sweep", false, "run the containment sweep in full, which takes hours")

// TestContainmentSweep runs every shipped scene in tanks of other lengths, which
// fall anywhere between its particles, and at other spacings. No particle is
// lost, gets out or stops being a number. Blocks that the tank has no room for
// are moved and cut, obstacles left out.
//
// With -sweep it is run at half, once and twice the scene's spacing in tanks of
// 0.5 to 4 m; without, at 2.6 times the spacing in a few.
func TestContainmentSweep(t *testing.T) {
	spacings, lengths, until := []float64{2.6}, []float64{0.613, 1.371, 3.297}, 0.4
	if *sweep {
		spacings, lengths, until = []float64{0.5, 1, 2}, []float64{0.5, 0.613, 0.87, 1.1, 1.371, 1.83, 2.29, 2.777, 3.297, 4}, 2
	}
	if testing.Short() {
		lengths = lengths[:1]
	}
	for _, x := range Shipped() {
		for _, coarser := range spacings {
			for _, length := range lengths {
				t.Run(fmt.Sprintf("%s/%g/%g m", x.Name, coarser, length), func(t *testing.T) {
					s, err := Load(x.Name)
					if err != nil {
						t.Fatal(err)
					}
					s.Liquid.Spacing *= coarser
					b := &Built{World: inTank(t, s, length)}
					var f faults
					solver := s.parts(&f).solver
					n := b.World.Len()
					for b.World.Time < until-1e-9 {
						if err := b.World.Advance(solver, b.World.Time+until/4, nil); err != nil {
							t.Fatal(err)
						}
						holds(t, b, n)
						if t.Failed() {
							t.Fatalf("at %g s", b.World.Time)
						}
					}
				})
			}
		}
	}
}

// inTank returns the world of s with a box of another length, in x, for a tank.
func inTank(t *testing.T, s *Scene, length float64) *sim.World {
	var f faults
	p := s.parts(&f)
	if err := f.err(); err != nil {
		t.Fatal(err)
	}
	w := sim.New(s.Liquid.Spacing, s.Liquid.Density)
	w.Viscosity, w.Gravity, w.Forces, w.Finder = s.Liquid.Viscosity, s.Liquid.Gravity, p.forces, p.finder
	start, end := 0., 0.
	for _, wall := range p.walls {
		if box, ok := shapeOf(wall).(*sim.Box); ok && box.Inside {
			box.Max.X = box.Min.X + length
			start, end = box.Min.X, box.Max.X
		}
	}
	for _, wall := range p.walls {
		if e, ok := shapeOf(wall).(interface{ Extent() vec.Box }); ok && !container(wall) && e.Extent().Max.X > end-3*s.Liquid.Spacing {
			continue
		}
		w.Walls = append(w.Walls, wall)
	}
	w.Inflows, w.Outflows = s.sources(p)
	for i, shape := range p.shapes {
		if b, ok := shape.(*sim.BoxShape); ok {
			by := max(0, min(b.Max.X-end, b.Min.X-start))
			b.Min.X, b.Max.X = b.Min.X-by, min(b.Max.X-by, end)
		}
		if shape.Bounds().Size().X > 0 {
			w.Fill(shape, s.Fluid[i].Velocity)
		}
	}
	if w.Len() == 0 && len(w.Inflows) == 0 {
		t.Skip("the tank has no room for the liquid")
	}
	if err := w.Init(); err != nil {
		t.Skip(err)
	}
	return w
}

func shapeOf(b sim.Boundary) sim.Boundary {
	shape, _ := sim.Rest(b)
	return shape
}
