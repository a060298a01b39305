package article

import (
	"fmt"

	"breakwater/raster/figure"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("vorton-profile", "the velocity around a vorton, spread by factors of 1, 2 and 5", "Gourlay 2012, part 12, figure 3", drawing(vortonProfile))
}

// vortonProfile draws a vorton of radius 1 with the angular velocity 0.1.
func vortonProfile() (*figure.Plot, error) {
	const spin = 0.1
	ball := &vortex.Flow{}
	ball.AddVorton(vec.Vec3{}, vec.New(0, 0, 2*spin), 1, 1, vortex.Blend{})
	p := figure.Panel{Name: "profile", X: figure.Axis{Label: "distance (m)"}, Y: figure.Axis{Label: "speed (m/s)"}}
	for _, r := range []float64{1, 2, 5} {
		c := figure.Curve{Name: fmt.Sprintf("R = %g", r)}
		for i := range 281 {
			d := float64(i) / 40
			c.X = append(c.X, d)
			c.Y = append(c.Y, vortex.Induced(vec.New(d, 0, 0), ball.Vortons.Strength(0), r).Len())
		}
		p.Curve = append(p.Curve, c)
	}
	return &figure.Plot{Columns: 1, Panels: []figure.Panel{p}, Caption: "Speed around one vorton of radius 1 m that turns at 0.1 rad/s, with its core spread by the factor R and its circulation by R^{−3}. Beyond the larger core the speeds are the same. Inside a core the speed rises in proportion to the distance. The peaks are 0.0667, 0.0167 and 0.0027 m/s."}, nil
}
