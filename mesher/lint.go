package mesher

import (
	"fmt"
	"strconv"
)

// leastReach is how many spacings a kernel has to reach, or it finds too few
// neighbours and the liquid becomes a sponge; supports are two spacings of the
// radius given.
const leastReach = 1.5

// lintRadius says whether a radius can be right for particles that seem to have
// the other.
func lintRadius(radius, seems float64) string {
	switch ratio := radius / seems; {
	case seems == 0:
		return ""
	case 2*ratio < leastReach:
		return fmt.Sprintf("warning: a radius of %g m is small for these particles: a kernel of two spacings reaches %.2g of theirs, and below %g the liquid becomes a sponge; %g m would do", radius, 2*ratio, leastReach, threeDigits(seems))
	case ratio > 1.5:
		return fmt.Sprintf("warning: a radius of %g m is large for these particles: drops and sheets swell and run together; %g m would do", radius, threeDigits(seems))
	}
	return ""
}

// lint says which settings will not do, and what would.
func lint(settings []Setting) (news []string) {
	number := func(key string) (float64, bool) {
		for _, s := range settings {
			if s.Key == key {
				x, err := strconv.ParseFloat(s.Value, 64)
				return x, err == nil
			}
		}
		return 0, false
	}
	if cell, ok := number("cell"); ok && cell > 1 {
		news = append(news, fmt.Sprintf("warning: cells of %g radii are larger than the particles, and their drops become rhomboids: 1 would do, 0.75 is better", cell))
	}
	return news
}
