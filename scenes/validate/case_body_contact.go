package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("body-contact", "a vorton that meets a ball, and the face of a box: its place, its vorticity and what the body gets", "Gourlay 2013", bodyContact)
}

// bodyContact lets a vorton meet a spinning ball and a box in a wind, and compares a step
// with the equations of article B, worked out for a flow along a surface at right angles to
// the axis x. The vorton with the radius r lies a gap from the surface, at the point C of it:
//
//   - flow v = wind − ω × (C − x)/3 − ω_body × (C − X), along the surface
//   - new place C + r x̂, for a gap below r
//   - new vorticity 0.9 ω + 0.1 ω', ω' = (3/r) (0, −v_z, v_y) + (4R/r) ω_body − ω
//   - impulse on the body −m (u' − u), with u = r ω × (−x̂)/3 at the new place
//   - angular impulse 0.2 m r² (ω − ω_new), plus the moment of the impulse at C
//
// Many such steps beside a plate that slides show how the slip goes away.
func bodyContact(r *Run) (*Result, error) {
	const radius, gap, dt, rho = 0.1, 0.04, 0.01, 1.
	wind, omega := vec.New(0, 0.3, -0.4), vec.New(0, 0.5, 2)
	gas := idealGas()
	gas.Wind = wind
	var m []Measure
	both := []struct {
		name  string
		solid *solids.Solid
		spin  vec.Vec3
		arm   float64 // from the center to the surface, m
		off   vec.Vec3
	}{
		{"ball", solids.NewBall(vec.New(1, 2, 3), 0.5), vec.New(0, 0, 2), 0.5, vec.Vec3{}},
		{"box", solids.NewBox(vec.New(1, 2, 3), vec.New(0.5, 0.5, 0.5)), vec.Vec3{}, 0.5, vec.New(0, 0.2, 0.1)},
	}
	var f *vortex.Flow
	for _, c := range both {
		body := vortex.NewBody(c.solid, vec.NoTurn)
		body.Spin = c.spin
		center := vec.New(1, 2, 3)
		touch := center.Add(vec.New(c.arm, 0, 0)).Add(c.off)
		at := touch.Add(vec.New(gap, 0, 0))
		f = &vortex.Flow{Bodies: []*vortex.Body{body}}
		// The wind brings it there in the step.
		f.AddVorton(at.Sub(wind.Mul(dt)), omega, radius, rho, vortex.Blend{})
		s := gourlay(&vortex.Direct{})
		s.At, s.Mollify, s.Stretching, s.Eject = "vortons", 0, 0, "face"
		if _, err := s.Step(f, gas, dt); err != nil {
			return nil, err
		}
		r.steps++

		// u = ω × d / 3 within the vorton.
		own := func(w vec.Vec3, d float64) vec.Vec3 { return vec.New(0, -w.Z*d/3, w.Y*d/3) }
		arm := touch.Sub(center)
		surface := c.spin.Cross(arm)
		flow := wind.Sub(own(omega, gap)).Sub(surface)
		place := touch.Add(vec.New(radius, 0, 0))
		target := vec.New(0, -flow.Z, flow.Y).Mul(3 / radius).Add(c.spin.Mul(4 * arm.Len() / radius)).Sub(omega)
		vorticity := omega.Mul(0.9).Add(target.Mul(0.1))
		mass := rho * 4 * math.Pi / 3 * radius * radius * radius
		impulse := own(vorticity, radius).Sub(own(omega, gap)).Mul(-mass)
		twist := omega.Sub(vorticity).Mul(0.2 * mass * radius * radius).Add(arm.Cross(impulse))
		v := &f.Vortons
		for _, x := range []struct {
			what, unit string
			got, want  vec.Vec3
		}{
			{"place", "m", v.X[0], place}, {"vorticity", "1/s", v.W[0], vorticity},
			{"impulse", "N s", body.Impulse, impulse}, {"angular impulse", "N m s", body.Twist, twist},
		} {
			m = append(m, Measure{c.name + ": " + x.what, x.unit, x.got.Len(), x.want.Len(), x.got.Sub(x.want).Len() / x.want.Len(), 1e-6})
		}
	}
	plot, steady, err := r.settle()
	if err != nil {
		return nil, err
	}
	return r.gasResult(f, radius, plot, append(m, steady...)...), nil
}

// settle lets a plate slide past a vorton that touches it. Each step takes a tenth of the
// slip between the plate and the gas at the surface, which the vorton induces there.
func (r *Run) settle() (*figure.Plot, []Measure, error) {
	const radius, speed, dt, steps = 0.1, 1., 0.01, 60
	body := vortex.NewBody(solids.NewBox(vec.New(-0.5, 0, 0), vec.New(0.5, 4, 4)), vec.NoTurn)
	body.V = vec.New(0, speed, 0)
	gas := idealGas()
	f := &vortex.Flow{Bodies: []*vortex.Body{body}}
	f.AddVorton(vec.New(radius, 0, 0), vec.Vec3{}, radius, gas.Density, vortex.Blend{})
	s := gourlay(&vortex.Direct{})
	s.At, s.Mollify, s.Stretching, s.Eject = "vortons", 0, 0, "face"
	slip := figure.Curve{Name: "simulation", Dots: true}
	exact := figure.Curve{Name: "exact"}
	worst, left := 0., 1.
	for n := range steps + 1 {
		u := s.VelocityAt(f, gas, vec.Vec3{}).Y
		got := (speed - u) / speed
		worst = max(worst, math.Abs(got-left))
		slip.X, slip.Y = append(slip.X, float64(n)), append(slip.Y, got)
		exact.X, exact.Y = append(exact.X, float64(n)), append(exact.Y, left)
		if n == steps {
			break
		}
		left *= 0.9
		if _, err := s.Step(f, gas, dt); err != nil {
			return nil, nil, err
		}
		r.steps++
		if err := r.Ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
	last := slip.Y[len(slip.Y)-1]
	return &figure.Plot{Columns: 1, Panels: []figure.Panel{{
			Name: "slip", X: figure.Axis{Label: "steps"}, Y: figure.Axis{Label: "slip at the surface, of the speed", Log: true}, Curve: []figure.Curve{exact, slip},
		}}}, []Measure{
			curve("plate: slip against 0.9ⁿ, largest", worst, 1e-6),
			number("plate: slip after 60 steps, of the speed", "", last, left, 1, 1e-6),
		}, nil
}
