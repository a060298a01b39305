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
	u, v, along := q.X+float64(0.13*q.Y)+7.3, q.Z-float64(0.09*q.Y)+3.1, q.Y
	u, v = u+float64(0.5*math.Sin(float64(0.31*along)+float64(0.7*v))), v+float64(0.5*math.Cos(float64(0.27*along)+float64(0.6*u)))
	r := math.Hypot(u, v)
	at := r - math.Floor(r)
	late := float64(num.Smoothstep(0.35, 0.9, at) * num.Smoothstep(1, 0.94, at)) // the dark wood of summer ends abruptly
	const lateMean = 0.29
	fibre := float64(math.Sin(float64(13*u)+float64(3*math.Sin(float64(5*v)))) * math.Sin(float64(11*v)+float64(0.4*along)))
	seen := func(width float64) float64 { x := 2 * wide / width; return 1 / (1 + float64(x*x*x*x)) }
	return 1.12 - float64(0.42*(lateMean+float64((late-lateMean)*seen(ring)))) + float64(0.05*fibre*seen(float64(ring/4)))
}
