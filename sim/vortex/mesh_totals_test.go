package vortex

import (
	"math"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// TestMeshTotals checks that two rings that collide off-centre keep total strength and impulse,
// in a wind that has no influence.
func TestMeshTotals(t *testing.T) {
	longtest.NotShort(t)
	f, gas := rings(0.125), still()
	gas.Wind = vec.New(0.2, 0.1, 0)
	s := newMesh(0.125)
	s.Keep = 1e-5
	before, size := f.Invariants(&gas), 0.
	for i := range f.Vortons.X {
		size += f.Vortons.Strength(i).Len()
	}
	if err := f.Advance(s, &gas, 0.25, nil); err != nil {
		t.Fatal(err)
	}
	after := f.Invariants(&gas)
	t.Logf("strength %v, impulse %v, of %g", after.Strength.Sub(before.Strength), after.Impulse.Sub(before.Impulse), size)
	nearVec(t, "strength", after.Strength, before.Strength, 1e-4*size)
	nearVec(t, "impulse", after.Impulse, before.Impulse, 1e-3*size)
}

// TestMeshHeat checks that a ball of warm gas spreads by 2κt along each axis and keeps its
// sum of excess temperatures.
func TestMeshHeat(t *testing.T) {
	longtest.NotShort(t)
	const kappa, s2, h = 0.05, 0.04, 0.1
	f, gas := &Flow{}, still()
	gas.Conduction = kappa
	for k := range 24 * 24 * 24 {
		x := vec.New(float64(k%24)-12, float64(k/24%24)-12, float64(k/576)-12).Mul(h)
		f.AddVorton(x, vec.Vec3{}, BallRadius(h*h*h), gas.Density*(1-0.3*math.Exp(-x.Dot(x)/(2*s2))), Blend{})
	}
	moments := func() (variance, all float64) {
		for i, x := range f.Vortons.X {
			d := gas.TemperatureOf(f.Vortons.Density[i]) - gas.Temperature
			all, variance = all+d, variance+d*x.X*x.X
		}
		return variance / all, all
	}
	v0, m0 := moments()
	s := newMesh(h)
	s.Keep = 1e-7
	if err := f.Advance(s, &gas, 0.2, nil); err != nil {
		t.Fatal(err)
	}
	v1, m1 := moments()
	near(t, "growth of the variance", v1-v0, 2*kappa*0.2, 0.02*2*kappa*0.2)
	near(t, "sum", m1/m0, 1, 1e-3)
}

// TestMeshColdest checks that a source which keeps its temperature makes no gas colder than the gas
// around it, although M4′ has negative weights, and none hotter than itself.
func TestMeshColdest(t *testing.T) {
	longtest.NotShort(t)
	f, gas := &Flow{}, still()
	gas.Gravity = vec.New(0, -10, 0)
	const excess = 10. // K
	f.Sources = []Source{{Region: &shape.Sphere{Radius: 0.35}, Temperature: gas.Temperature + excess, Stop: math.Inf(1)}}
	f.Fill(&vorticity.Ring{Axis: vec.New(0, 1, 0), Radius: 0.6, Core: 0.2, Circulation: 1}, 0.1, gas.Density, Blend{})
	s := newMesh(0.1)
	if err := f.Advance(s, &gas, 0.5, nil); err != nil {
		t.Fatal(err)
	}
	var least, most, all float64
	for i, d := range f.Vortons.Density {
		warm := gas.TemperatureOf(d) - gas.Temperature
		least, most, all = min(least, warm), max(most, warm), all+float64(warm*f.Vortons.Volume(i))
	}
	t.Logf("from %.3g to %.4g K above the gas around; %.4g K m³", least, most, all)
	if least < -1e-3 || most > excess+1e-3 || all < 2 {
		t.Errorf("the gas is from %.3g to %.4g K above the gas around, with %.4g K m³; the source is %g K above it", least, most, all, excess)
	}
}
