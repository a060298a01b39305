package sky

import (
	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// studio is a seamless backdrop, bright behind the scene and dark overhead,
// with softboxes: bright panels that water mirrors as long highlights.
type studio struct {
	low, high color.RGB // the backdrop at the horizon and overhead
	fall      float64   // how fast it darkens with height
	panels    []panel
}

// newStudio sets up the lights about the spotlight in the direction to.
func newStudio(to vec.Vec3) *studio {
	return &studio{
		low: color.New(0.095, 0.130, 0.170), high: color.New(0.010, 0.015, 0.024), fall: 3.2,
		panels: []panel{
			newPanel(to, -30, 42, 0.55, 0.32, color.New(3.6, 3.7, 3.8)),  // the key, behind the scene
			newPanel(to, 75, 62, 0.30, 0.42, color.New(2.6, 2.7, 2.9)),   // above
			newPanel(to, 165, 35, 0.16, 0.50, color.New(2.6, 2.45, 2.2)), // a warm strip across
			newPanel(to, -120, 30, 0.14, 0.42, color.New(2.2, 2.4, 2.7)), // and a cool one
		},
	}
}

// newDark sets up dark-field light, as for pictures of glass: a black backdrop, and
// graded panels behind and beside the scene, which outline clear bodies.
func newDark(to vec.Vec3) *studio {
	s := &studio{
		low: color.New(0.016, 0.019, 0.024), high: color.New(0.003, 0.004, 0.006), fall: 5,
		panels: []panel{
			newPanel(to, 0, 58, 0.60, 0.34, color.New(3.4, 3.5, 3.6)),      // the key, over the scene from behind
			newPanel(to, -62, 26, 0.13, 0.62, color.New(3.0, 3.3, 3.8)),    // a cool strip on one side
			newPanel(to, 68, 26, 0.13, 0.62, color.New(3.6, 3.1, 2.6)),     // a warm one on the other
			newPanel(to, 172, 40, 0.30, 0.18, color.New(0.50, 0.52, 0.55)), // a weak fill from the front
		},
	}
	for i := range s.panels {
		s.panels[i].graded = 0.85
	}
	return s
}

func (s *studio) radiance(d vec.Vec3) color.RGB {
	c := s.high.Lerp(s.low, num.Decay(s.fall*d.Y))
	for i := range s.panels {
		c = c.Add(s.panels[i].radiance(d))
	}
	return c
}
