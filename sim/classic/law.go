package classic

import (
	"fmt"

	"breakwater/sim"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// law is what follows from the settings of a solver, and from the spacing and
// speed of a world.
type law struct {
	spacing, speed float64
	h, rest, k     float64
	near           float64 // of the near law, what rest is of the other
	radial         float64 // rate of shock viscosity, 1/s
	c              float64 // speed of sound, m/s, or 0 where k is given
}

// latticeSum calls add for each point but the middle of a lattice scaled by a
// factor, at distances r < h in spacings, with u = 1 − r/h.
func latticeSum(dim int, scale, h float64, add func(r, u float64)) {
	latticePoints(dim, scale, h, func(_ vec.Vec3, r, u float64) { add(r, u) })
}

// latticePoints is latticeSum for those who need to know where the points are.
func latticePoints(dim int, scale, h float64, add func(x vec.Vec3, r, u float64)) {
	reach := int(h/scale) + 1
	deep := reach
	if dim == 2 {
		deep = 0
	}
	for k := -deep; k <= deep; k++ {
		for j := -reach; j <= reach; j++ {
			for i := -reach; i <= reach; i++ {
				x := vec.New(float64(i), float64(j), float64(k)).Mul(scale)
				r := x.Len()
				if u := 1 - r/h; r > 0 && u > 0 {
					add(x, r, u)
				}
			}
		}
	}
}

// slow says that a speed of sound is too low for the speed to expect.
func slow(c, speed float64) error {
	return &sim.SettingError{Key: "sound_speed", Text: fmt.Sprintf(
		"%.4g m/s is too low for a liquid that may reach %.3g m/s: the liquid would collapse; expected %.3g m/s or more, or 0",
		c, speed, 2.02*speed)}
}

// checkRest returns a fault if a rest sum does not occur in a lattice at any density
// from half to four times rest density. sum returns the sum of a scaled lattice.
func checkRest(key string, rest float64, dim int, sum func(scale float64) float64) error {
	low, high := sum(num.Pow(0.5, -1/float64(dim))), sum(num.Pow(4, -1/float64(dim)))
	if rest == 0 || low <= rest && rest <= high {
		return nil
	}
	return &sim.SettingError{Key: key, Text: fmt.Sprintf(
		"%.4g belongs to particles at less than half or more than four times their density: they would fly apart or collapse; expected %.3g to %.3g, or 0",
		rest, 1.01*low, 0.99*high)}
}

// unsound says that a liquid with the given sum at rest has no speed of sound.
func unsound(key string, rest float64) error {
	return &sim.SettingError{Key: key, Text: fmt.Sprintf(
		"%.4g attracts particles at their spacing, and more so the closer they come, so no stiffness gives a speed of sound; expected a stiffness, or 0 here", rest)}
}
