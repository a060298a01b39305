package mesher

import (
	"fmt"

	"breakwater/sim/num"
)

// leastReach is how many spacings a kernel has to reach, or it finds too few
// neighbours and the liquid becomes a sponge; supports are two spacings of the
// radius given.
const leastReach = 1.5

// lintRadius says whether a radius can be right for particles that seem to have
// the other.
func lintRadius(radius, seems float64) string {
	switch ratio := radius / seems; {
	case !isRadius(seems):
		return ""
	case 2*ratio < leastReach:
		return fmt.Sprintf("warning: a radius of %g m is small for these particles: a kernel of two spacings reaches only %.2g of their spacings, and below %g the liquid looks like a sponge; use %g m", radius, 2*ratio, leastReach, num.Rounded(seems, 3))
	case ratio > 1.5:
		return fmt.Sprintf("warning: a radius of %g m is large for these particles: drops and sheets swell and merge; use %g m", radius, num.Rounded(seems, 3))
	}
	return ""
}

// pairFactor is how many times the spacing by the density may be that by the
// nearest neighbours, before it is said that the two differ.
const pairFactor = 8

// lintPairs says that the particles seem to come in pairs or clumps, whose
// spacing is not the spacing of the liquid.
func lintPairs(ordered, dense float64) string {
	if !(dense > pairFactor*ordered) || !isRadius(dense/2) {
		return ""
	}
	return fmt.Sprintf("warning: most particles have their nearest neighbour at %.3g m, but fill the liquid like particles %.3g m apart: they come in pairs, or nearly all are single drops; otherwise use --radius %g, which makes them one liquid", ordered, dense, num.Rounded(dense/2, 3))
}
