package scenes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/whitewater"
)

// hundredBoxes is a dam break that runs into a pile of a hundred floating boxes.
func hundredBoxes() string {
	var s strings.Builder
	s.WriteString(`
[time]
duration = 1.6
fps = 25
[liquid]
spacing = 0.05
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.6, 0.9, 0.8]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [2, 4, 0.8]
[whitewater]
`)
	for i := range 100 {
		x, y, z := i%5, i/5%4, i/20
		fmt.Fprintf(&s, "[[body]]\nkind = \"box\"\nmin = [-0.05, -0.05, -0.05]\nmax = [0.05, 0.05, 0.05]\nposition = [%g, %g, %g]\ndensity = %d\nfriction = 0.3\n",
			0.9+0.14*float64(x), 0.051+0.102*float64(y), 0.1+0.145*float64(z), 200+7*i)
	}
	return s.String()
}

// TestNoParcelInWalls makes whitewater of films in which bodies of many kinds move. No parcel
// of any kind is in a wall or in a body, or behind one, in any frame.
func TestNoParcelInWalls(t *testing.T) {
	longtest.Only(t)
	wheel, err := Load("water-wheel")
	if err != nil {
		t.Fatal(err)
	}
	wheel.Liquid.Spacing = 0.02
	boxes, err := Read("boxes.toml", []byte(hundredBoxes()))
	if err != nil {
		t.Fatal(err)
	}
	crates, err := Load("floating-boxes")
	if err != nil {
		t.Fatal(err)
	}
	crates.Liquid.Spacing = 0.05
	for _, s := range []*Scene{wheel, boxes, crates} {
		s.Whitewater.Detail = 2
	}
	for _, c := range []struct {
		name  string
		scene *Scene
		until float64 // s
	}{{"water-wheel", wheel, 0.65}, {"100 boxes", boxes, 0.7}, {"floating-boxes", crates, 1.4}} {
		t.Run(c.name, func(t *testing.T) {
			b, err := c.scene.Build()
			if err != nil {
				t.Fatal(err)
			}
			w, err := c.scene.WhitewaterOf(b)
			if err != nil {
				t.Fatal(err)
			}
			frame := func() whitewater.Frame {
				of := &b.World.Set
				set := &particle.Set{X: slices.Clone(of.X), V: slices.Clone(of.V), Rho: slices.Clone(of.Rho), ID: slices.Clone(of.ID), Bodies: slices.Clone(of.Bodies)}
				b.Free(set, b.World.Time)
				return whitewater.Frame{Time: b.World.Time, Set: set}
			}
			b.World.SumDensities()
			b.World.Round()
			prev := frame()
			w.Start(prev.Time)
			var seen [whitewater.Kinds]int
			least := math.Inf(1)
			for n := 2; b.World.Time < c.until; n++ {
				if err := b.World.Advance(b.Solver, c.scene.Time.At(n), nil); err != nil {
					t.Fatal(err)
				}
				b.World.Round()
				next := frame()
				if err := w.Step(prev, next); err != nil {
					t.Fatal(err)
				}
				prev = next
				p := w.Parcels()
				for i := range p.X {
					seen[p.Kind[i].Kind()]++
					for k, wall := range b.World.Walls {
						gap, _ := wall.Dist(p.At(i))
						least = min(least, gap)
						if gap < 0 {
							t.Errorf("at %.3f s a parcel of %v, radius %.3g mm, is %.3g mm behind wall[%d]", next.Time, p.Kind[i].Kind(), 1e3*p.R[i], -1e3*gap, k)
						}
					}
				}
				if t.Failed() {
					break
				}
			}
			t.Logf("parcels seen: %v; the nearest is %.3g mm from a wall", seen, 1e3*least)
			for k, n := range seen {
				if n == 0 {
					t.Errorf("no parcel of %v was ever there", whitewater.Kind(k))
				}
			}
		})
	}
}
