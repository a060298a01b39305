package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("magnus", "a ball that spins as it moves: its lift by the articles' solver", "measured, Tsuji et al. 1985", magnus)
}

// magnus tows a spinning ball through gas at rest. Tsuji, Morikawa and Mizuno, Experimental
// Measurement of the Magnus Force on a Rotating Sphere at Low Reynolds Numbers, J. Fluids
// Eng. 107, 1985, measured the lift coefficient 0.4 γ, by 0.1 γ either way, for spin ratios
// γ = ωR/U below 0.7 and Reynolds numbers from 550 to 1600. The articles' solver has no
// viscosity at the surface, and claims the direction only.
func magnus(r *Run) (*Result, error) {
	const radius, speed, measured = 0.3, 4., 0.4
	sizes := []float64{0.16, 0.12, 0.09}
	if r.Quick {
		sizes = sizes[:1]
	}
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "lift", X: figure.Axis{Label: "spin ratio ωR/U"}, Y: figure.Axis{Label: "lift coefficient"},
	}}}
	var m []Measure
	ratios := []float64{-0.6, -0.3, 0, 0.3, 0.6}
	var f *vortex.Flow
	across := []struct {
		name string
		axis vec.Vec3
	}{{"about y", vec.New(0, 1, 0)}, {"about z", vec.New(0, 0, 1)}}
	for _, h := range sizes {
		// lift returns the coefficient of the force in N along side.
		lift := func(spin, side vec.Vec3) (float64, error) {
			b := vortex.NewBody(solids.NewBall(vec.New(-0.8, 0, 0), radius), vec.NoTurn)
			b.V, b.Spin = vec.New(speed, 0, 0), spin
			f = &vortex.Flow{Bodies: []*vortex.Body{b}}
			f.Fill(&vorticity.Noise{Center: vec.New(0.7, 0, 0), Size: vec.New(3.4, 1.6, 1.6), Amplitude: 1e-8, Seed: 3}, h, 1, vortex.Blend{})
			f.Vortons.Keep(func(i int) bool { return !b.Embedded(f.Vortons.X[i]) })
			s := gourlay(&vortex.Tree{Leaves: "super"})
			s.Stretching, s.LongestStep = 0, h/(2*speed)
			var push vec.Vec3
			err := f.Advance(s, idealGas(), 0.4, func(vortex.StepInfo) error {
				r.steps++
				push = push.Add(b.Impulse)
				return r.Ctx.Err()
			})
			return push.Dot(side) / (0.5 * speed * speed * math.Pi * radius * radius * f.Time), err
		}
		for _, a := range across {
			side := a.axis.Cross(vec.New(1, 0, 0))
			c := figure.Curve{Name: fmt.Sprintf("%s, %g m", a.name, h)}
			for _, ratio := range ratios {
				got, err := lift(a.axis.Mul(ratio*speed/radius), side)
				if err != nil {
					return nil, err
				}
				c.X, c.Y = append(c.X, ratio), append(c.Y, got)
				name := fmt.Sprintf("%s, ωR/U = %g", c.Name, ratio)
				switch {
				case ratio == 0:
					m = append(m, Measure{name, "", got, 0, math.Abs(got), 0.03})
				case a.axis.Z == 1 && h == sizes[len(sizes)-1]:
					m = append(m, number(name, "", got, measured*ratio, measured*ratio, noGoal))
				}
			}
			if a.axis.Z == 1 { // the other axis has the same curve
				plot.Panels[0].Curve = append(plot.Panels[0].Curve, c)
			}
			// The lift along ω × U in units of what was measured, from both signs of the spin.
			slope := (c.Y[4] - c.Y[0]) / (2 * 0.6 * measured)
			m = append(m, number(c.Name+": slope, of the measured one", "", slope, 1, 1, noGoal),
				number(c.Name+": sign of the slope", "", math.Copysign(1, slope), 1, 1, 0))
		}
	}
	tsuji := figure.Curve{Name: "measured"}
	for _, ratio := range ratios {
		tsuji.X, tsuji.Y = append(tsuji.X, ratio), append(tsuji.Y, measured*ratio)
	}
	plot.Panels[0].Curve = append(plot.Panels[0].Curve, tsuji)
	return r.gasResult(f, sizes[len(sizes)-1], plot, m...), nil
}
