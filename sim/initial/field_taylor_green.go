package initial

import (
	"math"

	"breakwater/sim/vec"
)

func init() {
	Fields.Add("taylor-green", "square vortices about axes along z, a periodic flow that decays as exp(−8π²νt/L²)",
		"Taylor and Green 1937", func() Field { return &TaylorGreen{Length: 1, Speed: 1} })
}

// TaylorGreen is the plane flow of Taylor and Green, Mechanism of the production of small
// eddies from large ones, Proc. R. Soc. A 158, 1937,
//
//	u = −U cos(2πx/L) sin(2πy/L),  v = U sin(2πx/L) cos(2πy/L).
type TaylorGreen struct {
	Center vec.Vec3 `toml:"center" unit:"m" doc:"Middle of a vortex that turns counter-clockwise, the origin of x and y."`
	Length float64  `toml:"length" unit:"m" range:"(0, inf)" doc:"Length L after which the flow repeats itself along x and y: two vortices."`
	Speed  float64  `toml:"speed" unit:"m/s" range:"(0, inf)" doc:"Highest speed U."`
}

// At implements Field.
func (f *TaylorGreen) At(x vec.Vec3) vec.Vec3 {
	k := float64(2 * math.Pi / f.Length)
	sx, cx := math.Sincos(float64(k * (x.X - f.Center.X)))
	sy, cy := math.Sincos(float64(k * (x.Y - f.Center.Y)))
	return vec.New(-f.Speed*cx*sy, f.Speed*sx*cy, 0)
}
