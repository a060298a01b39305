package surface

import "fmt"

// Advice implements Method.
func (s Settings) Advice() (list []string) {
	add := func(format string, a ...any) { list = append(list, fmt.Sprintf(format, a...)) }
	if s.Cell > 1 {
		add("cells of %g radii are larger than the particles, so drops look like rhomboids: use 1, or better 0.75", s.Cell)
	}
	if s.Smoothing > 100 {
		add("%d smoothing passes wear down waves and edges: use 36", s.Smoothing)
	} else if s.Smoothing > 0 && !s.Tidy {
		add("smoothing turns slivers into bumps: use tidy = true, or no smoothing")
	}
	if s.Smoothing > 0 && !s.Volumes {
		add("without volume correction, smoothing shrinks drops and threads: use volume = true, or no smoothing")
	}
	if s.Adaptive > 0.25 {
		add("with adaptive = %g the surface moves so far that waves look faceted: 0.02 is invisible, 0.1 barely visible", s.Adaptive)
	}
	if s.Bubble > 1000 {
		add("a bubble of %g particle volumes fills large cavities as if they were gaps: use 8", s.Bubble)
	}
	return list
}

// Advice implements Method.
func (c *sph) Advice() []string {
	list := c.Settings.Advice()
	if c.Threshold < 0.5 {
		list = append(list, fmt.Sprintf("a threshold of %g makes drops and sheets swell and merge before the volume correction: use 0.6", c.Threshold))
	}
	if c.Threshold > 0.7 {
		list = append(list, fmt.Sprintf("a threshold of %g tears holes in thin sheets: use 0.6", c.Threshold))
	}
	return list
}
