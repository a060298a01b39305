package vortex

import (
	"math"
	"testing"

	"breakwater/sim/classic/solids"
	"breakwater/sim/longtest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// burnerFire is a burner in still air.
func burnerFire(kelvin, air, cell float64) (*Flow, *Gas, *Mesh) {
	f, gas := &Flow{}, Air()
	gas.Gravity, gas.Viscosity, gas.Conduction, gas.HeatCapacity, gas.Variable = vec.New(0, -9.81, 0), 1e-3, 2e-3, 1200, true
	region := &shape.Cylinder{Bottom: vec.New(0, -0.06, 0), Top: vec.New(0, 0.06, 0), Radius: 0.19}
	f.Sources = []Source{{Region: region, Temperature: kelvin, Flow: 0.01, Burner: true, Mix: Blend{Fuel: 1}, Stop: math.Inf(1)}}
	s := newMesh(cell)
	s.Expansion, s.Conserve, s.Turn, s.LongestStep = true, true, 1, 0.04
	s.Flame = &Flame{Air: air, Activation: 100, Rate: 1e6, Heat: 1.15e7, SmokeTemperature: 2000, Soot: 5}
	f.AddVorton(vec.New(0.1, 0.1, 0), vec.New(0, 0, 1), BallRadius(cell*cell*cell), gas.Density*0.99, Blend{})
	return f, &gas, s
}

// sameBooks compares what a flow holds with what its ledger says, and the error of the ledger
// with the part share of what was supplied.
func sameBooks(t *testing.T, f *Flow, gas *Gas, l Ledger, share float64) {
	t.Helper()
	fuel, heat, m := 0., 0., &f.Vortons.Mix
	for i, rho := range f.Vortons.Density {
		mass := rho * f.Vortons.Volume(i)
		fuel += mass * (m.Fuel[i] + m.Smoke[i])
		heat += mass * gas.HeatCapacity * (gas.TemperatureOf(rho) - gas.Temperature)
	}
	for _, c := range []struct {
		name    string
		present float64
		Account
	}{{"fuel", fuel, l.Fuel}, {"heat", heat, l.Heat}} {
		came, gone := c.Supplied+c.Burnt, c.Left
		if c.name == "fuel" {
			came, gone = c.Supplied, c.Left+c.Burnt
		}
		t.Logf("%.2f s: %s supplied %.5g, burnt %.5g, left %.5g, present %.5g: %.3f %% off", f.Time, c.name, c.Supplied, c.Burnt, c.Left, c.Present, 100*(c.present+gone-came)/came)
		near(t, c.name+" present", c.Present, c.present, 1e-4*came)
		near(t, c.name+" present, burnt and gone", c.present+gone, came, share*came)
	}
}

// TestMeshFireLedger lets a burner feed a fire in still air. What was fuel, burnt or not, has the
// mass that the burner gave off. Before remeshing by masses there was 1.30 times as much.
func TestMeshFireLedger(t *testing.T) {
	longtest.Only(t)
	const kelvin, air = 700., 6.
	f, gas, s := burnerFire(kelvin, air, 0.05)
	s.Flame.Soot = 0
	var l Ledger
	for k := range 6 {
		err := f.Advance(s, gas, float64(k+1)*0.1, func(i StepInfo) error { l = l.Add(i.Ledger); return nil })
		if err != nil {
			t.Fatal(err)
		}
		mass, m := 0., &f.Vortons.Mix
		for i, rho := range f.Vortons.Density {
			mass += rho * f.Vortons.Volume(i) * (m.Fuel[i] + m.Smoke[i] + m.Flame[i]/(1+air))
		}
		want := f.Sources[0].Flow * gas.DensityOf(kelvin) * f.Time
		near(t, "mass of what was fuel, over the mass given off", mass/want, 1, 0.002)
		near(t, "mass supplied, over the mass given off", l.Fuel.Supplied/want, 1, 0.002)
		sameBooks(t, f, gas, l, 0.002)
	}
}

// TestMeshFireLedgerAtWalls lets a fire that needs to be lit burn under a warm ball and out of a
// box. All fuel and heat is accounted for.
func TestMeshFireLedgerAtWalls(t *testing.T) {
	longtest.Only(t)
	f, gas, s := burnerFire(700, 6, 0.07)
	s.Flame.Activation = 7000
	s.Low, s.High = vec.New(-0.7, -0.3, -0.7), vec.New(0.7, 0.8, 0.7)
	tinder := f.Sources[0]
	tinder.Burner, tinder.Flow, tinder.Temperature, tinder.Mix, tinder.Stop = false, 0, 1800, Blend{Flame: 1}, 1.2
	f.Sources = append(f.Sources, tinder)
	ball := freeBall(t, vec.New(0.1, 0.45, 0), 0.15, 10)
	ball.Temperature, ball.Conductance = 400, 200
	f.Bodies = []*Body{ball, NewBody(solids.NewBox(vec.New(0, -0.6, 0), vec.New(2, 0.5, 2)), vec.Turn(vec.Vec3{}))}
	var l Ledger
	hottest := 0.
	err := f.Advance(s, gas, 0.8, func(i StepInfo) error {
		l = l.Add(i.Ledger)
		for _, d := range f.Vortons.Density {
			hottest = max(hottest, gas.TemperatureOf(d))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// All burnt gas of the fuel has 1720 K. Tinder has 138 K more than its own gas would.
	if t.Logf("%.0f K", hottest); hottest > 1.01*(1720+138) {
		t.Errorf("the flame has up to %.0f K, expected at most 1858 K", hottest)
	}
	sameBooks(t, f, gas, l, 0.002)
	if l.Fuel.Burnt < 0.3*l.Fuel.Supplied || l.Heat.Left < 0.1*l.Heat.Burnt {
		t.Errorf("%.3g kg of %.3g kg burnt, and %.3g J of %.3g J left", l.Fuel.Burnt, l.Fuel.Supplied, l.Heat.Left, l.Heat.Burnt)
	}
}
