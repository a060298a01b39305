package scenes

import (
	"fmt"
	"math"
	"testing"

	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/longtest"
	"breakwater/sim/outflow"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// TestShippedHold runs every shipped scene at two spacings, coarser than its own,
// and bricks at its own, through the first impact of its liquid. No particle is lost, gets out or stops being
// a number. The mesh of every tenth frame is sound and has the particles' volume, to 2
// %. The liquids of older articles are exempt from the volume, since they are
// compressed.
func TestShippedHold(t *testing.T) {
	longtest.Only(t)
	spacings := []float64{2.3, 3.1} // times the scene's own
	for _, x := range liquids() {
		spacings := spacings
		if x.Name == "article-column-fine" {
			spacings = []float64{3.1} // it is the column again
		} else if ofArticle(x) {
			spacings = []float64{2} // more, and their tanks are thinner than two spacings
		}
		if x.Name == "plugged-drain" {
			spacings = []float64{1.4, 1.6} // with more, check refuses its blocks, as thinner than three spacings
		}
		if x.Name == "bricks" { // whose joints are narrower than its own spacing
			spacings = append(spacings, 1)
		}
		for _, coarser := range spacings {
			s, err := Load(x.Name)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Inflow) > 0 {
				// Their openings are for no coarser particles: once is enough.
				if coarser > spacings[0] {
					continue
				}
				coarser = 1.4
			}
			t.Run(fmt.Sprintf("%s/%g", x.Name, coarser), func(t *testing.T) {
				s.Liquid.Spacing *= coarser
				frames := s.Time.Frames() * 6 / 10
				switch {
				case coarser == 1:
					frames = s.Time.Frames() / 5 // the wave reaches the bricks at half of them
				case len(s.Inflow) > 0:
					frames = s.Time.Frames() * 3 / 10 // each frame has more particles
				}
				filmHolds(t, s, frames)
			})
		}
	}
}

// filmHolds simulates the first frames of a scene and checks its particles and meshes.
func filmHolds(t *testing.T, s *Scene, frames int) {
	t.Helper()
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	particles := b.World.Len()
	for n := 1; n <= frames; n++ {
		if err := b.World.Advance(b.Solver, s.Time.At(n), nil); err != nil {
			t.Fatalf("frame %d: %v", n, err)
		}
		holds(t, b, particles)
		if n%10 == 1 {
			soundMesh(t, b, s.Liquid.Spacing)
		}
		if t.Failed() {
			t.Fatalf("frame %d", n)
		}
	}
}

// holds checks that all particles are finite and on the liquid's side of all walls. A
// particle wedged between a body and a wall may be inside the body, up to the distance
// that particles keep from walls.
func holds(t *testing.T, b *Built, particles int) {
	t.Helper()
	w := b.World
	if w.Inflows == nil && len(outflow.All(w.Outflows, w.Walls)) == 0 && w.Len() != particles || len(w.V) != w.Len() || len(w.ID) != w.Len() {
		t.Errorf("%d particles are left of %d", w.Len(), particles)
	}
	seen := map[uint32]bool{}
	for i, p := range w.X {
		if seen[w.ID[i]] {
			t.Errorf("particle %d is there twice", w.ID[i])
		}
		seen[w.ID[i]] = true
		if v := w.V[i].Len(); math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("particle %d: velocity %v", w.ID[i], w.V[i])
		}
		if w.InBuffer(w.ID[i], w.Time) {
			continue
		}
		for k, wall := range w.Walls {
			least := 0.
			if floating, ok := wall.(*body.Body); ok && floating.Free != nil {
				least = -0.26 * w.Spacing
			}
			if d, _ := wall.Dist(p); !(d >= least) {
				t.Errorf("particle %d at %v is %g m from wall[%d]", w.ID[i], p, d, k)
			}
		}
	}
}

// soundMesh checks that the surface is closed and has the volume of the particles.
func soundMesh(t *testing.T, b *Built, spacing float64) {
	t.Helper()
	var m mesh.Mesh
	w := b.World
	cloud := surface.Cloud{X: w.X, V: w.V, Spacing: spacing, Walls: b.Solids}
	b.freed(&cloud, &w.Set, w.Time)
	err := b.Surface.Surface(&m, cloud)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	want := float64(len(cloud.X)) * spacing * spacing * spacing
	if _, pressed := b.Solver.(sim.Compressible); pressed {
		return
	}
	if got := m.Volume(); math.Abs(got-want) > 0.02*want {
		t.Errorf("the mesh has %g m³, the particles %g", got, want)
	}
}
