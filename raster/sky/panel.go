package sky

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// panel is a rectangular softbox far away.
type panel struct {
	to, right, up vec.Vec3 // unit: to its middle, along its sides
	w, h          float64  // half sides at distance 1
	light         color.RGB
	graded        float64 // share of the light that is missing at its lower edge
}

// newPanel returns a panel turned by turn degrees from the azimuth of to, from +z towards
// +x, with its middle height degrees above the horizon.
func newPanel(to vec.Vec3, turn, height, w, h float64, light color.RGB) panel {
	a, e := math.Atan2(to.X, to.Z)+turn*math.Pi/180, height*math.Pi/180
	p := panel{w: w, h: h, light: light}
	p.to = vec.Vec3{X: math.Sin(a) * math.Cos(e), Y: math.Sin(e), Z: math.Cos(a) * math.Cos(e)}
	p.right = vec.Vec3{Y: 1}.Cross(p.to).Unit()
	p.up = p.to.Cross(p.right)
	return p
}

// radiance returns the panel's radiance from the unit direction d. Cloth hangs over its
// frame: the rim is soft, and there is a little less light.
func (p *panel) radiance(d vec.Vec3) color.RGB {
	a := d.Dot(p.to)
	if a <= 0 {
		return color.RGB{}
	}
	x, y := d.Dot(p.right)/a/p.w, d.Dot(p.up)/a/p.h
	if math.Abs(x) >= 1.06 || math.Abs(y) >= 1.06 {
		return color.RGB{}
	}
	w := num.Smoothstep(1.06, 0.94, math.Abs(x)) * num.Smoothstep(1.06, 0.94, math.Abs(y)) * (1 - float64(0.25*max(x*x, y*y)))
	return p.light.Scale(w * (1 - float64(p.graded*num.Smoothstep(1, -1, y))))
}
