package scenes

import (
	"slices"
	"testing"

	"breakwater/scenes/shipped"
	"breakwater/sim/longtest"
)

// TestShippedGasHolds runs the start of every shipped scene of a gas at once and twice its
// cell. All that the gas has stays a number, and no tracer is deep in a solid. Where there
// are no solids, the sum of all strengths stays within a thousandth of the sum of their
// sizes. Noise is left out: it has sources, which the first step takes out with their sum.
//
// With -sweep it runs all frames, and half the cell as well.
func TestShippedGasHolds(t *testing.T) {
	longtest.Only(t)
	coarser := []float64{2, 1}
	if *sweep {
		coarser = []float64{2, 1, 0.5}
	}
	for _, x := range shipped.Scenes() {
		s, err := Load(x.Name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Gas == nil {
			continue
		}
		cell := s.Gas.Cell
		noisy := slices.ContainsFunc(s.Vortex, func(v Vortex) bool { return v.Field.Kind == "noise" })
		for _, times := range coarser {
			s.Gas.Cell = cell * times
			b := mustBuild(t, s)
			frames := 10
			switch {
			case *sweep:
				frames = s.Time.Frames()
			case s.Solver.Kind == "vortons", times == 1:
				frames = 2
			case s.Solver.Kind == "mesh": // whose steps take long
				frames = 4
			}
			size := 0.
			for i := range b.Flow.Vortons.X {
				size += b.Flow.Vortons.Strength(i).Len()
			}
			start := b.Flow.Invariants(&s.Gas.Gas).Strength
			for n := 1; n <= frames; n++ {
				if err := b.Flow.Advance(b.GasSolver, &s.Gas.Gas, s.Time.At(n), nil); err != nil {
					t.Fatalf("%s with cells of %g m: frame %d: %v", x.Name, s.Gas.Cell, n, err)
				}
			}
			gasHolds(t, s, b)
			change := b.Flow.Invariants(&s.Gas.Gas).Strength.Sub(start).Len()
			t.Logf("%s with cells of %g m: %d vortons, %d tracers, a change of strength of %.2g of %.2g m³/s", x.Name, s.Gas.Cell, b.Flow.Vortons.Len(), len(b.Flow.Tracers.X), change, size)
			if len(b.Flow.Bodies) == 0 && !noisy && change > 1e-3*size {
				t.Errorf("%s with cells of %g m: the strength changes by %g m³/s", x.Name, s.Gas.Cell, change)
			}
		}
	}
}
