package validate

import (
	"breakwater/raster/figure"
	"breakwater/sim/biot"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("vortex-totals", "two rings collide off-centre without viscosity: what stays", "exact, Saffman 1992", vortexTotals)
}

// vortexTotals measures how far total strength, impulse, angular impulse, energy and helicity
// change while two rings collide, by the forms of the stretching. A gas without viscosity
// and walls keeps them (Saffman, Vortex Dynamics, 1992, chapter 3).
func vortexTotals(r *Run) (*Result, error) {
	edge, core := r.pick(0.15, 0.3), r.pick(1.5, 2) // cores are as wide as 0.93 and 1.24 edges
	end := r.pick(2.5, 1)                           // in a core with the peak vorticity Γ/(πa²), a turn takes 4π²a²/Γ = 2.5
	panel := figure.Panel{Name: "energy", X: figure.Axis{Label: "time t Γ/R²"}, Y: figure.Axis{Label: "energy, of the start"}}
	var m []Measure
	var last *vortex.Flow
	for _, form := range []string{"transpose", "classical", "reformulated"} {
		f := &vortex.Flow{}
		for k, c := range []vec.Vec3{{}, {X: 0.6, Y: 0.5}} {
			f.Fill(&vorticity.Ring{Center: c, Axis: vec.New(1-float64(2*float64(k)), 0, 0), Radius: 1, Core: 0.25, Circulation: 1}, edge, 1, vortex.Blend{})
		}
		s := vortons(form, core)
		var energy series
		helicity := 0.
		before := f.Invariants(idealGas())
		scale, arm := 0., 0.
		for i := range f.Vortons.X {
			a := f.Vortons.Strength(i)
			scale += a.Len()
			arm += float64(f.Vortons.X[i].Cross(a).Len() / 2)
		}
		err := r.flow(f, s, idealGas(), end, 10, func() {
			e, h := energyOf(f, s.Core)
			energy.add(f.Time, e)
			helicity = h
		})
		if err != nil {
			return nil, err
		}
		after := f.Invariants(idealGas())
		first := energy.y[0]
		for i := range energy.y {
			energy.y[i] /= first
		}
		panel.Curve = append(panel.Curve, figure.Curve{Name: form, X: energy.x, Y: energy.y})
		goal := func(g float64) float64 {
			if form != "transpose" {
				return noGoal
			}
			return r.pick(g, float64(10*g))
		}
		off := func(name string, a, b vec.Vec3, scale, g float64) Measure {
			return Measure{form + ": change of " + name, "", a.Sub(b).Len() / scale, 0, a.Sub(b).Len() / scale, goal(g)}
		}
		m = append(m,
			off("Σ α, of Σ ‖α‖", after.Strength, before.Strength, scale, 1e-6),
			off("impulse, of ½ Σ ‖x × α‖", after.Impulse, before.Impulse, arm, 1e-4),
			off("angular impulse, of the same", after.AngularImpulse, before.AngularImpulse, arm, 1e-4),
			number(form+": energy, of the start", "", energy.last(), 1, 1, goal(0.01)),
			note(form+": helicity at the end, of Γ²", "", helicity))
		last = f
	}
	return r.gasResult(last, edge, &figure.Plot{Columns: 1, Panels: []figure.Panel{panel}}, m...), nil
}

// energyOf returns the energy ½ Σ α·A and the helicity Σ α·u of a flow, whose cores are
// core radii wide.
func energyOf(f *vortex.Flow, core float64) (energy, helicity float64) {
	v := &f.Vortons
	s := biot.Sources{X: v.X, Alpha: make([]vec.Vec3, v.Len()), Radius: make([]float64, v.Len())}
	for i := range v.X {
		s.Alpha[i], s.Radius[i] = v.Strength(i), float64(core*v.Radius[i])
	}
	a, u := make([]vec.Vec3, v.Len()), make([]vec.Vec3, v.Len())
	biot.Potential(a, v.X, &s, biot.Algebraic)
	biot.Velocity(u, v.X, &s, biot.Algebraic)
	for i := range a {
		energy += float64(s.Alpha[i].Dot(a[i]) / 2)
		helicity += s.Alpha[i].Dot(u[i])
	}
	return energy, helicity
}
