package gauge

import (
	"math"
	"testing"

	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// TestBodyGauge reads bodies that float, that are under water, and that are in
// the air.
func TestBodyGauge(t *testing.T) {
	for _, s := range []boundary.Boundary{
		&boundary.Box{Min: vec.New(1, 2, 3), Max: vec.New(1.3, 2.2, 3.5)}, &boundary.Sphere{Center: vec.New(1, 2, 3), Radius: 0.2},
		&boundary.Cylinder{Bottom: vec.New(1, 2, 3), Top: vec.New(1.2, 2.5, 3), Radius: 0.2}, &boundary.Capsule{Bottom: vec.New(1, 2, 3), Top: vec.New(1.2, 2.5, 3), Radius: 0.2},
	} {
		b, err := body.NewRigid(s, 1000, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		center, volume := b.Motion.Center, b.Free.Volume()
		sum := 0.
		var closed vec.Vec3
		for _, p := range surfaceOf(s, 0.05) {
			sum, closed = sum+p.at.Sub(center).Dot(p.area)/3, closed.Add(p.area)
		}
		if math.Abs(sum/volume-1) > 0.01 || closed.Len() > 1e-9 {
			t.Errorf("the patches of %T enclose %g m³, want %g, and do not close by %v m²", s, sum, volume, closed)
		}
	}
	for _, c := range []struct{ low, want float64 }{{0.3, 0.1}, {0.05, 0.2}, {0.6, 0}} {
		// At the start, at rest.
		b, err := body.NewRigid(&boundary.Box{Min: vec.New(0.3, c.low, 0.3), Max: vec.New(0.5, c.low+0.2, 0.5)}, 500, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		w := filled(t, 0.05, vec.New(0.8, 1, 0.8), 0.4, b)
		g := &BodyState{Body: 1}
		row := g.Read(nil, w, nil)
		if got := row[15]; math.Abs(got-0.04*c.want) > 0.1*0.008 || row[1] != b.Free.Start.X.Y || !math.IsNaN(row[9]) {
			t.Errorf("from %g m up: %g m³ are under water, want %g; %v", c.low, got, 0.04*c.want, row)
		}
		if c.want == 0.1 {
			mustAdvance(t, w, registrytest.New(t, &sim.Solvers, "iisph"), 0.5, nil)
			up := 0.
			n := 0.
			mustAdvance(t, w, registrytest.New(t, &sim.Solvers, "iisph"), 1, func(sim.StepInfo) error {
				row = g.Read(nil, w, sim.Pressures(w, nil))
				up, n = up+row[10], n+1
				return nil
			})
			if weight := b.Free.Mass * 9.81; math.Abs(up/n/weight-1) > 0.1 {
				t.Errorf("the water carries %g N of %g", up/n, weight)
			}
		}
	}
}
