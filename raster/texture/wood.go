package texture

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// Wood returns the brightness of wood at p: the wavering rings of a slightly tilted
// trunk, with fibres along it. Detail finer than the ray's width fades out.
func Wood(p vec.Vec3, ring, wide float64) float64 {
	q := p.Mul(1 / ring)
	u, v, along := q.X+0.13*q.Y+7.3, q.Z-0.09*q.Y+3.1, q.Y
	u, v = u+0.5*math.Sin(0.31*along+0.7*v), v+0.5*math.Cos(0.27*along+0.6*u)
	r := math.Hypot(u, v)
	at := r - math.Floor(r)
	late := num.Smoothstep(0.35, 0.9, at) * num.Smoothstep(1, 0.94, at) // the dark wood of summer ends abruptly
	const lateMean = 0.29
	fibre := math.Sin(13*u+3*math.Sin(5*v)) * math.Sin(11*v+0.4*along)
	seen := func(width float64) float64 { x := 2 * wide / width; return 1 / (1 + x*x*x*x) }
	return 1.12 - 0.42*(lateMean+(late-lateMean)*seen(ring)) + 0.05*fibre*seen(ring/4)
}
