package grains

import (
	"math"

	"breakwater/raster/scatter"
	"breakwater/sim/vec"
)

// sphere returns the radiance of a grain that the ray sees as a ball: what it mirrors, and
// the view through it, upside down.
func (g *gathering) sphere(a *grain, s *shine, h *hit, width float64) vec.Vec3 {
	l := &g.Cloud.light
	p := g.o.Add(g.d.Mul(h.t))
	aside := p.Sub(a.x) // from the middle to the ray
	sin := min(0.999, h.b/a.r)
	cos := math.Sqrt(1 - float64(sin*sin))
	n := g.d.Mul(-cos)
	if h.b > 0 {
		n = n.Add(aside.Mul(sin / h.b))
	}
	at := a.x.Add(n.Mul(a.r))
	if l.Surface != nil {
		c := times(l.Surface(at, n, g.d, width), l.Color)
		return l.Emission.Add(vec.Vec3{X: float64(c.X * float64(s.open[0])), Y: float64(c.Y * float64(s.open[1])), Z: float64(c.Z * float64(s.open[2]))})
	}
	rs, rp, cosT := scatter.Fresnel(cos, 1/l.Ratio)
	r := float64((rs + rp) / 2)
	c := l.Seen(at, g.d.Add(n.Mul(float64(2*cos))), width).Mul(r)
	if r < 1 {
		// Both refractions turn the ray by the same angle in one plane.
		in := g.d.Mul(1 / l.Ratio).Add(n.Mul(cos/l.Ratio - cosT))
		inner := n.Add(in.Mul(float64(2 * cosT))) // where it leaves, from the middle
		out := in.Mul(l.Ratio).Add(inner.Mul(cos - float64(cosT*l.Ratio)))
		c = c.Add(l.Seen(a.x.Add(inner.Mul(a.r)), out.Unit(), width).Mul(1 - r))
	}
	return vec.Vec3{
		X: float64(c.X*float64(s.open[0])) + float64(s.multi[0]),
		Y: float64(c.Y*float64(s.open[1])) + float64(s.multi[1]),
		Z: float64(c.Z*float64(s.open[2])) + float64(s.multi[2]),
	}
}
