//go:build !amd64 || noasm

package vortex

import "breakwater/sim/vec"

func drift(x, v []vec.Vec3, temperature []float64, at []corner, d *drifting) {
	driftGo(x, v, temperature, at, d)
}
