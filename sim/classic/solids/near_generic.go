//go:build !amd64 || noasm

package solids

import "breakwater/sim/vec"

func near(list []int32, x []vec.Vec3, zones []zones) []int32 { return nearGo(list, x, zones) }
