//go:build amd64 && !noasm

package solids

import (
	"golang.org/x/sys/cpu"

	"breakwater/sim/vec"
)

//go:generate go run ./gen -out near_amd64.s -stubs stubs_amd64.go -pkg solids

// avx2 reports whether the processor has AVX2.
var avx2 = cpu.X86.HasAVX2

func near(list []int32, x []vec.Vec3, zones []zones) []int32 {
	if !avx2 || len(x) == 0 || len(zones) == 0 {
		return nearGo(list, x, zones)
	}
	_ = list[len(x)-1]
	return list[:nearAVX2(&list[0], &x[0].X, &zones[0].x[0], len(zones), len(x))]
}
