package sky

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

// aroundSteps is the number of steps of a table over the full circle: at most a
// fourteenth of a degree each.
const aroundSteps = 8192

// around returns where in such a table the direction (x, z) is, in [0, aroundSteps]. Along
// each quarter of the circle it goes as x or z on a diamond, which needs no arc tangent.
func around(x, z float64) float64 {
	s := math.Abs(x) + math.Abs(z)
	if s == 0 {
		return 0
	}
	if t := z / s; x >= 0 {
		return (1 + t) * (aroundSteps / 4)
	} else {
		return (3 - t) * (aroundSteps / 4)
	}
}

// aroundAt returns the level unit direction of step i of such a table.
func aroundAt(i int) vec.Vec3 {
	u := float64(4 * float64(i) / aroundSteps)
	if u <= 2 {
		return vec.Vec3{X: 1 - math.Abs(u-1), Z: u - 1}.Unit()
	}
	return vec.Vec3{X: math.Abs(3-u) - 1, Z: 3 - u}.Unit()
}

// colorsAround are colours by the level direction.
type colorsAround [aroundSteps + 1]color.RGB

// newColorsAround tabulates a function of level unit directions.
func newColorsAround(of func(d vec.Vec3) color.RGB) *colorsAround {
	t := &colorsAround{}
	for i := range t {
		t[i] = of(aroundAt(i))
	}
	return t
}

// at returns the colour in the direction of d, which need be neither level nor of unit length.
func (t *colorsAround) at(d vec.Vec3) color.RGB {
	x := around(d.X, d.Z)
	i := min(aroundSteps-1, int(x))
	return t[i].Lerp(t[i+1], x-float64(i))
}
