package scenes

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"

	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/inflow"
	"breakwater/sim/longtest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

var sweep = flag.Bool("sweep", false, "run the containment sweep in full, which takes some six hours of one core")

// TestContainmentSweep runs every shipped scene in tanks of other lengths, which
// fall anywhere between its particles, and at other spacings. No particle is
// lost, gets out or stops being a number. Blocks and openings that the tank has
// no room for are moved and cut, obstacles left out, and openings too narrow for
// the particles widened.
//
// With -sweep it is run at half, once and twice the scene's spacing in tanks of
// 0.5 to 4 m; without, at 2.6 times the spacing in a few. A cell is named by
// scene, spacing and length, so that part of the sweep is
//
//	go test ./scenes -run 'TestContainmentSweep/^(drop|honey)$/^0.5$/^1.371_m$' -sweep -v -timeout 0
//
// At half the spacing 2 s of all scenes would take days. So half as many lengths are
// run there. The runs end after the first impact, when the liquid has had its hardest
// one. A tank of more particles than manyParticles is made narrower.
func TestContainmentSweep(t *testing.T) {
	longtest.Only(t)
	const manyParticles = 250_000
	type part struct {
		coarser float64 // times the spacing
		lengths []float64
	}
	parts := []part{{2.6, []float64{0.613, 1.371, 3.297}}}
	if *sweep {
		lengths := []float64{0.5, 0.613, 0.87, 1.1, 1.371, 1.83, 2.29, 2.777, 3.297, 4}
		parts = []part{{2, lengths}, {1, lengths}, {0.5, []float64{0.5, 0.613, 1.1, 2.29, 4}}}
	}
	for _, x := range liquids() {
		for _, part := range parts {
			for i, length := range part.lengths {
				if i > 0 && !boxed(t, x.Name) {
					break
				}
				coarser := part.coarser
				if ofArticle(x) {
					coarser = min(coarser, 2) // more, and their tanks are thinner than two spacings
				}
				t.Run(fmt.Sprintf("%s/%g/%g m", x.Name, coarser, length), func(t *testing.T) {
					s, err := Load(x.Name)
					if err != nil {
						t.Fatal(err)
					}
					s.Liquid.Spacing *= coarser
					w, solver, impact := inTank(t, s, length, 1)
					if coarser < 1 && w.Len() > manyParticles {
						w, solver, impact = inTank(t, s, length, float64(manyParticles)/float64(w.Len()))
					}
					until := min(2, s.Time.At(s.Time.Frames()))
					switch {
					case !*sweep:
						until = min(0.4, until)
					case coarser < 1:
						until = min(impact, until)
					}
					contained(t, w, solver, until)
				})
			}
		}
	}
}

// boxed reports whether the tank of a scene is a box, which has a length.
func boxed(t *testing.T, name string) bool {
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	var f toml.Report
	return slices.ContainsFunc(s.parts(&f).walls, func(w boundary.Boundary) bool {
		box, ok := shapeOf(w).(*boundary.Box)
		return ok && box.Inside
	})
}

// contained runs w and checks that its particles stay inside.
func contained(t *testing.T, w *sim.World, solver sim.Solver, until float64) {
	const looks = 8
	b, n, steps := &Built{World: w}, w.Len(), 0
	for look := range looks {
		err := w.Advance(solver, until*float64(look+1)/looks, func(i sim.StepInfo) error {
			n += i.Added - i.Removed
			steps++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if w.Len() != n {
			t.Errorf("%d particles, should be %d", w.Len(), n)
		}
		holds(t, b, n)
		if t.Failed() {
			t.Fatalf("at %g s", w.Time)
		}
	}
	t.Logf("%d particles, %.3g s in %d steps", w.Len(), w.Time, steps)
}

// inTank returns the world of s and its solver. The tank is a box of another length, in
// x, and this part of its width, in z. It also returns the time after which the liquid
// has come down and its front has crossed the tank, or the length of the film if that
// is less.
func inTank(t *testing.T, s *Scene, length, width float64) (w *sim.World, solver sim.Solver, impact float64) {
	var f toml.Report
	p := s.parts(&f)
	if err := f.Err(); err != nil {
		t.Fatal(err)
	}
	w = s.world(p)
	w.Walls, w.Observers = nil, nil
	d := s.Liquid.Spacing
	var tank vec.Box
	for _, wall := range p.walls {
		if box, ok := shapeOf(wall).(*boundary.Box); ok && box.Inside {
			box.Max.X = box.Min.X + length
			if cut := (1 - width) / 2 * (box.Max.Z - box.Min.Z); cut > 0 {
				box.Min.Z, box.Max.Z = box.Min.Z+cut, box.Max.Z-cut
			}
			tank = box.Bounds()
		}
	}
	for _, wall := range p.walls {
		if e, ok := shapeOf(wall).(interface{ Extent() vec.Box }); ok && !container(wall) && e.Extent().Max.X > tank.Max.X-3*d {
			continue
		}
		if m, ok := shapeOf(wall).(*boundary.Mesh); ok && m.Init(w.Kernel) != nil {
			continue // too thin for coarse particles
		}
		w.Walls = append(w.Walls, wall)
	}
	top, fall := tank.Min.Y, 0.
	g := max(s.Liquid.Gravity.Len(), 1e-3)
	for i := range w.Inflows {
		in := &w.Inflows[i]
		if o, ok := in.Opening.(*inflow.Disc); ok {
			o.Radius = max(o.Radius, inflow.LeastColumns*d/2)
		}
		if room := in.Opening.Across()/2 + 4*d; in.Position.X+room > tank.Max.X {
			in.Position.X = tank.Center().X
		}
		rise := max(0, in.Speed*in.Direction.Unit().Y) / g // the time of it
		top, fall = max(top, in.Position.Y+rise*rise*g/2), max(fall, in.Start+rise)
	}
	filled := vec.Empty()
	for i, block := range p.shapes {
		switch b := block.(type) {
		case *shape.Box:
			by := max(0, min(b.Max.X-tank.Max.X, b.Min.X-tank.Min.X))
			b.Min.X, b.Max.X = b.Min.X-by, min(b.Max.X-by, tank.Max.X)
			b.Min.Z, b.Max.Z = max(b.Min.Z, tank.Min.Z), min(b.Max.Z, tank.Max.Z)
		case *shape.Sphere:
			b.Center.X = min(b.Center.X, max(tank.Max.X-b.Radius, tank.Center().X))
		}
		if block.Bounds().Size().X > 0 && w.Fill(block, s.Fluid[i].Velocity) > 0 {
			filled = filled.Union(block.Bounds())
		}
	}
	if w.Len() == 0 && len(w.Inflows) == 0 {
		t.Fatal("the tank has no room for the liquid")
	}
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	gap := 0.
	if !filled.IsEmpty() {
		top = max(top, filled.Max.Y)
		gap = max(0, filled.Min.X-tank.Min.X, tank.Max.X-filled.Max.X)
	}
	// The front runs at 2√(gH) (Ritter 1892), and a little slower.
	height := max(top-tank.Min.Y, d)
	return w, p.solver, fall + math.Sqrt(2*height/g) + 1.25*gap/(2*math.Sqrt(g*height))
}

func shapeOf(b boundary.Boundary) boundary.Boundary {
	shape, _ := body.Unwrap(b)
	return shape
}
