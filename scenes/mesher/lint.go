package mesher

import (
	"fmt"
	"slices"
	"strconv"

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

// lint returns warnings about settings that give poor results, with better values.
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
		warn("cells of %g radii are larger than the particles, so drops look like rhomboids: use 1, or better 0.75", cell)
	}
	switch t, ok := number("threshold"); {
	case ok && t < 0.5:
		warn("a threshold of %g makes drops and sheets swell and merge before the volume correction: use 0.6", t)
	case ok && t > 0.7:
		warn("a threshold of %g tears holes in thin sheets: use 0.6", t)
	}
	passes, ok := number("smoothing")
	switch {
	case ok && passes > 100:
		warn("%g smoothing passes wear down waves and edges: use 36", passes)
	case ok && passes > 0 && slices.Contains(settings, Setting{"tidy", "false"}):
		warn("smoothing turns slivers into bumps: use tidy = true, or no smoothing")
	}
	if passes > 0 && slices.Contains(settings, Setting{"volume", "false"}) {
		warn("without volume correction, smoothing shrinks drops and threads: use volume = true, or no smoothing")
	}
	if a, ok := number("adaptive"); ok && a > 0.25 {
		warn("with adaptive = %g the surface moves so far that waves look faceted: 0.02 is invisible, 0.1 barely visible", a)
	}
	if fill, ok := number("bubble"); ok && fill > 1000 {
		warn("a bubble of %g particle volumes fills large cavities as if they were gaps: use 8", fill)
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
	return fmt.Sprintf("warning: most particles have their nearest neighbour at %.3g m, but fill the liquid like particles %.3g m apart: they come in pairs, or nearly all are single drops; otherwise use --radius %g, which makes them one liquid", ordered, dense, num.Rounded(dense/2, 3))
}
