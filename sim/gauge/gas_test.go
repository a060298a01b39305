package gauge

import (
	"math"
	"testing"

	"breakwater/sim/classic/solids"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// gasFlow returns a vorton in wind beside a ball that moves, and a solver.
func gasFlow(t *testing.T) *Gas {
	t.Helper()
	solver := registrytest.New(t, &vortex.Solvers, "vortons")
	medium := vortex.Air()
	medium.Viscosity, medium.Wind = 0, vec.New(0, 0, 2)
	f := &vortex.Flow{}
	f.AddVorton(vec.Vec3{}, vec.New(0, 0, 3), 0.1, medium.Density, vortex.Blend{})
	ball := vortex.NewBody(solids.NewBall(vec.New(0, 0, 0.5), 0.4), vec.NoTurn)
	ball.V, ball.Temperature = vec.New(0, 0, -1), 350
	f.Bodies = []*vortex.Body{ball}
	return &Gas{Flow: f, Medium: &medium, Solver: solver, Walls: 1}
}

// The velocity at a point is the one that the vorton induces, with the wind. Between steps it is
// interpolated.
func TestGasVelocity(t *testing.T) {
	g := gasFlow(t)
	m := &Meter{Gauge: &VelocityAt{At: vec.New(20, 0, 0)}, Interval: 0.3}
	// Far away, u = α × d / 4πd³.
	induced := 3 * 4 * math.Pi / 3 * 1e-3 / (4 * math.Pi * 400)
	for _, now := range []float64{0.2, 0.4, 0.6} {
		m.BeforeGas(g)
		g.Flow.Time, g.Dt = now, 0.2
		g.Medium.Wind.Z += 1
		m.AfterGas(g)
	}
	rows := m.Take()
	if len(rows) != 3 || rows[0][0] != 0 || rows[1][0] != 0.3 || rows[2][0] != 0.6 {
		t.Fatalf("rows %v", rows)
	}
	for k, z := range []float64{2, 3.5, 5} {
		if r := rows[k]; math.Abs(r[1]) > 1e-12 || math.Abs(r[2]/induced-1) > 1e-3 || math.Abs(r[3]-z) > 1e-9 {
			t.Errorf("row %v, want 0, %g and %g m/s", r, induced, z)
		}
	}
}

// The force on a wall is the impulse of a step over its length, for all of the step. The
// row of the start has the force of the first step.
func TestGasForce(t *testing.T) {
	g := gasFlow(t)
	m := &Meter{Gauge: &ForceOn{Wall: 1}, Interval: 0.05}
	hit := false
	var forces []vec.Vec3
	for range 6 {
		m.BeforeGas(g)
		g.Dt = 0.05
		if err := g.Flow.Advance(g.Solver, g.Medium, g.Flow.Time+g.Dt, func(i vortex.StepInfo) error {
			hit = hit || i.Hits > 0
			g.Dt = 1. / 40 // of two steps
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		m.AfterGas(g)
		forces = append(forces, g.Flow.Bodies[0].Impulse.Mul(1/g.Dt))
	}
	rows := m.Take()
	if !hit || len(rows) != 7 {
		t.Fatalf("%d rows, and a contact: %v", len(rows), hit)
	}
	for k, r := range rows {
		want := forces[max(0, k-1)]
		if r[1] != want.X || r[2] != want.Y || r[3] != want.Z || r[7] != 350 {
			t.Errorf("at %g s: a force of %v, want %v", r[0], r[1:], want)
		}
	}
	if columns := (&ForceOn{}).GasColumns(); len(columns)+1 != len(rows[0]) {
		t.Errorf("%d columns for %d values", len(columns), len(rows[0])-1)
	}
}

// A body's reading has its place, its motion and its temperature.
func TestGasBody(t *testing.T) {
	g := gasFlow(t)
	g.Walls = 0
	b := &BodyState{Body: 1}
	row := b.ReadGas(nil, g)
	if len(row) != len(b.GasColumns()) || row[2] != 0.5 || row[5] != -1 || !math.IsNaN(row[9]) || row[15] != 350 {
		t.Errorf("the row is %v", row)
	}
}
