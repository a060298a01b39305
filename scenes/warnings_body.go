package scenes

import (
	"fmt"
	"math"

	"breakwater/sim"
)

// lightBall is the least density of a ball that isph moves safely, relative to the liquid, times its
// radius in spacings. Under water, balls of 2.25, 3 and 4.5 spacings burst the liquid with 0.002,
// 0.001 and 0.0005 times its density, and rose with 0.003, 0.002 and 0.001 times.
const lightBall = 0.007

// lightBodies names the bodies that are so light for their size that the impulses of single
// particles may throw them about.
func (s *Scene) lightBodies(p *parts) (list []string) {
	if _, ok := p.solver.(*sim.ISPH); !ok || s.Flat() {
		return nil
	}
	for i, b := range p.bodies {
		if b == nil {
			continue
		}
		volume := b.Free.Volume()
		radius := math.Cbrt(float64(3*volume) / (4 * math.Pi)) // of a ball as large
		least := lightBall * s.Liquid.Density * s.Liquid.Spacing / radius
		if density := b.Free.Mass / volume; density < least {
			list = append(list, fmt.Sprintf("body[%d] has %s kg/m³ and is %s spacings wide: single particles may throw so light a body about, and the liquid bursts; with %s kg/m³ or more, or a smaller spacing, it is safe",
				i+1, number2(density), number2(2*radius/s.Liquid.Spacing), number2(least)))
		}
	}
	return list
}
