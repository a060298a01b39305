//go:build amd64 && !noasm

package vortex

import (
	"golang.org/x/sys/cpu"

	"breakwater/sim/vec"
)

//go:generate go run ./gen -out drift_amd64.s -stubs stubs_amd64.go -pkg vortex

// avx2 reports whether the processor has AVX2.
var avx2 = cpu.X86.HasAVX2

func drift(x, v []vec.Vec3, temperature []float64, at []corner, d *drifting) {
	if !avx2 || len(x) == 0 {
		driftGo(x, v, temperature, at, d)
		return
	}
	_, _ = v[len(x)-1], temperature[len(x)-1]
	driftAVX2(&x[0].X, &v[0].X, &temperature[0], &at[0].x, &d.min[0], len(x))
}
