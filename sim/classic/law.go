package classic

import (
	"fmt"
	"math"

	"breakwater/sim"
)

// law is what follows from the settings of a solver, and from the spacing and
// speed of a world.
type law struct {
	spacing, speed float64
	h, rest, k     float64
	c              float64 // speed of sound, m/s, or 0 where k is given
}

// latticeSum calls add for each point but the middle of a lattice scaled by a
// factor, at distances r < h in spacings, with u = 1 − r/h.
func latticeSum(dim int, scale, h float64, add func(r, u float64)) {
	reach := int(h/scale) + 1
	deep := reach
	if dim == 2 {
		deep = 0
	}
	for z := -deep; z <= deep; z++ {
		for y := -reach; y <= reach; y++ {
			for x := -reach; x <= reach; x++ {
				r := scale * math.Sqrt(float64(x*x+y*y+z*z))
				if u := 1 - r/h; r > 0 && u > 0 {
					add(r, u)
				}
			}
		}
	}
}

// slow says that a speed of sound is too low for the speed to expect.
func slow(c, speed float64) error {
	return &sim.SettingError{Key: "sound_speed", Text: fmt.Sprintf(
		"%.4g m/s is too slow for a liquid that may reach %.3g m/s: it would collapse; expected %.3g m/s or more, or 0",
		c, speed, 2.02*speed)}
}
