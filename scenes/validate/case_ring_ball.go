package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/scenes/validate/theory"
	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("ring-ball", "a vortex ring before a ball: the flow around both, by spacing", "exact, Butler 1953", ringBall)
}

// ringBall compares the flow of a ring before a ball, as the solver mesh makes it, with
// filaments and their images in the ball. The ball starts in the flow of the ring, and each
// step makes it less permeable. After some it keeps the gas out. Then vorticity at its surface
// spreads, as it does in a gas with viscosity.
func ringBall(r *Run) (*Result, error) {
	const core, place, steps, settled = 0.2, -1.5, 16, 8
	exact := theory.GaussRing(core, place, 24)
	exact.Ball = 1
	panel := figure.Panel{Name: "error", X: figure.Axis{Label: "steps"}, Y: figure.Axis{Label: "error of the velocities", Log: true}}
	var m []Measure
	var f *vortex.Flow
	sizes := []float64{10, 15, 20}
	if r.Quick {
		sizes = sizes[:1]
	}
	for k, cells := range sizes {
		h := 1 / cells
		f = &vortex.Flow{Bodies: []*vortex.Body{vortex.NewBody(solids.NewBall(vec.Vec3{}, exact.Ball), vec.Quat{W: 1})}}
		f.Fill(&vorticity.Ring{Center: vec.New(place, 0, 0), Axis: vec.New(1, 0, 0), Radius: 1, Core: core, Circulation: 1}, h, 1, vortex.Blend{})
		s := mesh(h)
		var errors series
		var normal, off, share, through float64
		step := 0
		err := r.flow(f, s, idealGas(), steps*1e-3, steps, func() {
			off, share, through = ballFlow(f, s, exact)
			errors.add(float64(step), off)
			if step == settled {
				normal = through
			}
			step++
		})
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%g cells per radius: ", cells)
		goal := noGoal
		if k == len(sizes)-1 {
			goal = r.pick(0.01, 0.02)
		}
		m = append(m, curve(name+"velocities after 8 steps, L2", errors.y[settled], goal),
			curve(name+"flow through a sphere 1.1 times as large, L2", normal, noGoal))
		if k == len(sizes)-1 {
			m = append(m, curve(name+"velocities after 16 steps, L2", off, noGoal), curve("share of the ball in the velocities, L2", share, noGoal))
		}
		panel.Curve = append(panel.Curve, figure.Curve{Name: fmt.Sprintf("%g cells per radius", cells), X: errors.x, Y: errors.y})
	}
	return r.gasResult(f, 1/sizes[len(sizes)-1], &figure.Plot{Columns: 1, Panels: []figure.Panel{panel}}, m...), nil
}

// ballFlow compares velocities around the ball, 1.2 to 2 of its radii from its center and
// outside of the core of the ring, with exact ones. It returns their error in the L2 norm, how much of
// them the ball makes, and the error of their normal part at 1.1 radii, relative to all velocities.
func ballFlow(f *vortex.Flow, s vortex.Solver, exact *theory.Coaxial) (off, share, normal float64) {
	free := *exact
	free.Ball = 0
	var size, through, around float64
	for _, radius := range []float64{1.1, 1.2, 1.4, 1.6, 2} {
		for k := 1; k < 12; k++ {
			sin, cos := math.Sincos(math.Pi * float64(k) / 12)
			x, rho := float64(radius*cos), float64(radius*sin)
			if nearRing(exact, x, rho) {
				continue
			}
			ux, ur := exact.Velocity(x, rho)
			fx, fr := free.Velocity(x, rho)
			sn, cs := math.Sincos(float64(k)) // around the axis
			want := vec.New(ux, float64(ur*cs), float64(ur*sn))
			d := s.VelocityAt(f, idealGas(), vec.New(x, float64(rho*cs), float64(rho*sn))).Sub(want)
			if radius == 1.1 {
				n := d.Dot(vec.New(cos, float64(sin*cs), float64(sin*sn)))
				through, around = through+float64(n*n), around+want.Dot(want)
				continue
			}
			off, size = off+d.Dot(d), size+want.Dot(want)
			share += float64((fx-ux)*(fx-ux)) + float64((fr-ur)*(fr-ur))
		}
	}
	return math.Sqrt(off / size), math.Sqrt(share / size), math.Sqrt(through / around)
}

// nearRing reports whether a point is so close to the core of the ring that single filaments show.
func nearRing(c *theory.Coaxial, x, rho float64) bool {
	for i := range c.X {
		if math.Hypot(x-c.X[i], rho-c.Rho[i]) < 0.05 {
			return true
		}
	}
	return false
}
