package classic

import (
	"fmt"
	"testing"

	"breakwater/sim"
	"breakwater/sim/registry/registrytest"
)

// BenchmarkColumn times a step of the falling column by each liquid.
func BenchmarkColumn(b *testing.B) {
	for _, name := range ours() {
		b.Run(fmt.Sprintf("%s/%d", name, column(b).Len()), func(b *testing.B) {
			w, s := columnOf(b, spacingOf(name)), registrytest.New(b, &sim.Solvers, name)
			dt := s.MaxDt(w)
			step := func() {
				if _, err := s.Step(w, dt); err != nil {
					b.Fatal(err)
				}
				w.Time += dt
			}
			for range 40 {
				step()
			}
			for b.Loop() {
				step()
			}
		})
	}
}
