package body

import (
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// Extent returns the box around the shape of a wall, whether the liquid is in it
// or around it, where it is now: exact however it is turned. It is the empty
// box for a plane, which has no end.
func Extent(b boundary.Boundary) vec.Box {
	shape, body := Unwrap(b)
	s, ok := shape.(boundary.Supported)
	if !ok {
		return vec.Empty()
	}
	box := vec.Empty()
	lo, hi := [3]float64{}, [3]float64{}
	for i, e := range [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		d, shift := e, 0.
		if body != nil {
			p, c := &body.pose, body.Motion.Center
			d = vec.New(p.turn[0].Dot(e), p.turn[1].Dot(e), p.turn[2].Dot(e))
			shift = e.Dot(c.Add(p.shift)) - d.Dot(c)
		}
		lo[i], hi[i] = shift-s.Support(d.Neg()), shift+s.Support(d)
	}
	box.Min, box.Max = vec.New(lo[0], lo[1], lo[2]), vec.New(hi[0], hi[1], hi[2])
	return box
}
