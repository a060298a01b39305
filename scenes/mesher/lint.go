package mesher

import (
	"fmt"
	"slices"
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
	case !isRadius(seems):
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
	warn := func(format string, a ...any) { news = append(news, fmt.Sprintf("warning: "+format, a...)) }
	if cell, ok := number("cell"); ok && cell > 1 {
		warn("cells of %g radii are larger than the particles, and their drops become rhomboids: 1 would do, 0.75 is better", cell)
	}
	switch t, ok := number("threshold"); {
	case ok && t < 0.5:
		warn("a threshold of %g lets drops and sheets swell and run together, before the bulk is made to give their volume back: 0.6 would do", t)
	case ok && t > 0.7:
		warn("a threshold of %g tears holes into thin sheets: 0.6 would do", t)
	}
	passes, ok := number("smoothing")
	switch {
	case ok && passes > 100:
		warn("%g passes of smoothing wear waves and rims off: 36 would do", passes)
	case ok && passes > 0 && slices.Contains(settings, Setting{"tidy", "false"}):
		warn("slivers that are left as they are become bumps by smoothing: tidy = true would do, or no smoothing")
	}
	if passes > 0 && slices.Contains(settings, Setting{"volume", "false"}) {
		warn("smoothing shrinks drops and threads that are not given their volume again: volume = true would do, or no smoothing")
	}
	if a, ok := number("adaptive"); ok && a > 0.25 {
		warn("an adaptive of %g radii moves the surface so far that waves look cut from paper: 0.02 cannot be seen, 0.1 hardly", a)
	}
	if fill, ok := number("bubble"); ok && fill > 1000 {
		warn("bubbles of up to %g particles' volumes are taken for gaps, and the air in them for liquid: 8 would do", fill)
	}
	return news
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
	return fmt.Sprintf("warning: the nearest neighbours of most particles are %.3g m away, but the particles fill the liquid as if %.3g m apart: they come in pairs, or nearly all are single drops; if not, --radius %g makes one liquid of them", ordered, dense, threeDigits(dense/2))
}
