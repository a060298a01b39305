package memory

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// Limit returns the limit of the collector, math.MaxInt64 for none.
func Limit() float64 { return float64(debug.SetMemoryLimit(-1)) }

// withGarbage returns the memory of a process at its peak, in bytes. The heap holds
// live bytes in use, and the process has fixed bytes besides. The collector starts
// once the heap has grown by a share of the live bytes, or the process nears the
// limit, math.MaxInt64 for none.
func withGarbage(fixed, live, limit float64) float64 {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	room := 1.
	if percent[0].Value.Kind() == metrics.KindUint64 {
		room = float64(percent[0].Value.Uint64()) / 100
	}
	if limit == math.MaxInt64 {
		return fixed + float64(live*(1+min(room, 4))) // without a collector nothing bounds it
	}
	const least = 0.1 // with less room the collector takes most of the time
	return max(fixed+float64(live*(1+min(room, least))), min(fixed+float64(live*(1+room)), limit))
}

// SmokeCollection is the percentage by which the heap grows between two collections while smoke is
// drawn. Its voxels are most of the memory. They have no pointers, so
// frequent collections cost little: 3 % more processor time for two fifths less memory than with 100 %.
const SmokeCollection = 40

// Collect makes the collector start once the heap has grown by the given percentage, unless it
// starts earlier already, or never. It returns a function that restores the setting.
func Collect(percent int) (restore func()) {
	before := debug.SetGCPercent(percent)
	if before < percent {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}
