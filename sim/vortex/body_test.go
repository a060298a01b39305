package vortex

import (
	"math"
	"testing"

	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
)

// TestEject checks a vorton beside a ball and beside a face of a box. For a flow along
// the surface it goes to C + L n, and its new vorticity induces the opposite of the flow
// at C.
func TestEject(t *testing.T) {
	const r = 0.1
	for _, b := range []*Body{
		NewBody(solids.NewBall(vec.New(1, 2, 3), 0.5), vec.NoTurn),
		NewBody(solids.NewBox(vec.New(1, 2, 3), vec.New(0.5, 0.5, 0.5)), vec.NoTurn),
	} {
		x := vec.New(1.54, 2, 3)
		c, n, ok := b.contact(x, 1.2*r)
		if !ok {
			t.Fatal("no contact")
		}
		nearVec(t, "contact", c, vec.New(1.5, 2, 3), 1e-12)
		nearVec(t, "normal", n, vec.New(1, 0, 0), 1e-12)
		flow := vec.New(0, 0.3, -0.4)
		at := eject(x, c, n, flow, r)
		nearVec(t, "place", at, vec.New(1.6, 2, 3), 1e-12)
		w := cancel(at, c, flow, r)
		nearVec(t, "induced", Induced(c.Sub(at), w.Mul(ballVolume(r)), r), flow.Neg(), 1e-12)
		// Ω += (2R/r) Ω_body − ω_old/2, and a tenth of it.
		b.Spin = vec.New(0, 0, 2)
		old := vec.New(1, 0, 0)
		want := old.Mul(0.9).Add(w.Add(vec.New(0, 0, 2*2*0.5/r*2)).Sub(old).Mul(0.1))
		nearVec(t, "vorticity", b.reassign(old, at, c, flow, r), want, 1e-9)
		if _, _, ok := b.contact(vec.New(1.63, 2, 3), 1.2*r); ok {
			t.Error("contact beyond 1.2 radii")
		}
		nearVec(t, "without flow", eject(x, c, n, vec.Vec3{}, r), vec.New(1.6, 2, 3), 1e-12)
	}
}

// TestConduct checks that heat goes from warm to cold without loss, and never past the
// common temperature.
func TestConduct(t *testing.T) {
	for _, conductance := range []float64{1, 1e9} {
		gas := still()
		f := &Flow{}
		f.AddVorton(vec.New(1.05, 0, 0), vec.Vec3{}, 0.1, 1, Blend{})
		b := NewBody(solids.NewBall(vec.Vec3{}, 1), vec.NoTurn)
		b.Temperature, b.HeatCapacity, b.Conductance = 600, 0.01, conductance
		v := &f.Vortons
		mass := v.Density[0] * v.Volume(0)
		sums := encounter{boundary: 1.2}.strike(v, []*Body{b}, &gas, 0.1)
		b.take(sums[0])
		now := gas.TemperatureOf(v.Density[0])
		near(t, "heat", (now-300)*mass+(b.Temperature-600)*b.HeatCapacity, 0, 1e-12)
		switch want := (300*mass + 600*0.01) / (mass + 0.01); {
		case conductance > 1:
			near(t, "common temperature", now, want, 1e-6)
		case !(now > 300.5 && now < want):
			t.Errorf("temperature %.5g, want above 300 and below %.5g", now, want)
		}
	}
}

// TestBodyMoves checks free fall, a neutral ball in a gas of even density, a torque from
// layers of different density, and that a body that turns freely keeps its angular
// momentum.
func TestBodyMoves(t *testing.T) {
	gas := still()
	gas.Gravity = vec.New(0, -10, 0)
	g := FitGrid(vec.Box{Min: vec.New(-4, -4, -4), Max: vec.New(4, 4, 4)}, 64)
	even := make([]float64, g.Points())
	ball := NewBody(solids.NewBall(vec.Vec3{}, 0.5), vec.NoTurn)
	ball.Mass = 2 * ball.Volume()
	for range 10 {
		ball.move(even, &gas, &g, 0.01)
	}
	nearVec(t, "velocity of twice the density", ball.V, vec.New(0, -10*0.1/2, 0), 1e-12)

	// A density of 1 + x/10 turns a box of mass m by −∫ρ r×g dV.
	slope := make([]float64, g.Points())
	for p := range slope {
		slope[p] = 0.1 * g.Point(p).X
	}
	box := NewBody(solids.NewBox(vec.Vec3{}, vec.New(0.5, 0.2, 0.3)), vec.NoTurn)
	near(t, "volume", box.Volume(), 8*0.5*0.2*0.3, 1e-12)
	box.Mass = 1
	_, torque := box.buoyancy(slope, &gas, &g)
	nearVec(t, "torque", torque, vec.New(0, 0, 0.1*box.Volume()*0.25/3*10), 1e-12)

	gas.Gravity = vec.Vec3{}
	inertia := box.inertia()
	near(t, "inertia about x", inertia.XX, (0.04+0.09)/3, 1e-12)
	near(t, "inertia about y", inertia.YY, (0.25+0.09)/3, 1e-12)
	box.Spin = vec.New(1, 2, 3)
	before := inertia.Times(box.Spin)
	for range 100 {
		box.move(even, &gas, &g, 0.01)
	}
	now := box.inertia()
	nearVec(t, "angular momentum", now.Times(box.Spin), before, 1e-9)
}

// plate is a body that moves through still gas, in which vortons without vorticity mark
// places, and tracers have the mass of the gas. It returns the impulse that the body got.
func plate(t *testing.T, b *Body, steps int) vec.Vec3 {
	t.Helper()
	gas := still()
	f := &Flow{Bodies: []*Body{b}}
	f.Fill(&Noise{Center: vec.New(0.5, 0, 0), Size: vec.New(3, 1.6, 1.6), Amplitude: 1e-8, Seed: 3}, 0.15, 1, Blend{})
	box := vec.Box{Min: vec.New(-1, -0.8, -0.8), Max: vec.New(2, 0.8, 0.8)}
	const n = 24 // tracers along the longest edge
	edge := 3. / n
	for k := range int(1.6 / edge) {
		for j := range int(1.6 / edge) {
			for i := range n {
				f.AddTracer(box.Min.Add(vec.New(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5).Mul(edge)), 300, Blend{})
			}
		}
	}
	f.Tracers.Radius, f.Tracers.Mass = edge/2, edge*edge*edge
	f.Tracers.Keep(func(i int) bool { return !b.Embedded(f.Tracers.X[i]) })
	s := solver(t, &Tree{Leaves: "super"})
	s.Stretching = 0
	var impulse vec.Vec3
	for range steps {
		info, err := s.Step(f, &gas, 1./60)
		if err != nil {
			t.Fatal(err)
		}
		if info.Hits > 0 {
			impulse = impulse.Add(b.Impulse)
		}
	}
	return impulse
}

// TestPlateLift checks that a plate at an angle of attack of 0.2 rad that moves through
// still gas is held back and lifted (row 79 of the articles).
func TestPlateLift(t *testing.T) {
	for _, attack := range []float64{0.2, -0.2} {
		b := NewBody(solids.NewBox(vec.New(-0.8, 0, 0), vec.New(0.5, 0.05, 0.5)), vec.Turn(vec.New(0, 0, attack)))
		b.V = vec.New(4, 0, 0)
		j := plate(t, b, 15)
		if !(j.X < 0 && j.Y*attack > 0) {
			t.Errorf("attack %g: impulse %v, want drag, and lift of the same sign", attack, j)
		}
	}
}

// TestMagnus checks that a spinning body is pushed sideways, along Spin × V, about either
// axis at right angles to its way, and not without spin.
func TestMagnus(t *testing.T) {
	impulse := func(spin vec.Vec3) vec.Vec3 {
		b := NewBody(solids.NewBall(vec.New(-0.8, 0, 0), 0.3), vec.NoTurn)
		b.V, b.Spin = vec.New(4, 0, 0), spin
		return plate(t, b, 15)
	}
	still := impulse(vec.Vec3{})
	for _, axis := range []vec.Vec3{{Y: 1}, {Z: 1}} {
		side := axis.Cross(vec.New(1, 0, 0))
		ahead, back := impulse(axis.Mul(20)), impulse(axis.Mul(-20))
		if !(ahead.Dot(side)-still.Dot(side) > 0.1*math.Abs(still.X) && back.Dot(side)-still.Dot(side) < -0.1*math.Abs(still.X)) {
			t.Errorf("about %v: impulses %v and %v, without spin %v", axis, ahead, back, still)
		}
	}
}
