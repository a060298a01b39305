package vortex

import (
	"math"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/classic/solids"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
	"breakwater/sim/vortex/vorticity"
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

// freeFlow returns a flow without gas that has free bodies among walls.
func freeFlow(t testing.TB, walls []boundary.Boundary, bodies ...*Body) *Flow {
	t.Helper()
	f := &Flow{Bodies: bodies}
	if err := f.SetSolids(walls, 0.1); err != nil {
		t.Fatal(err)
	}
	return f
}

// freeBall returns a ball of a density, and freeBox a box.
func freeBall(t testing.TB, x vec.Vec3, r, density float64) *Body {
	t.Helper()
	b, err := body.NewRigid(&boundary.Sphere{Center: x, Radius: r}, density, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return NewFreeBody(solids.NewBall(x, r), b)
}

func freeBox(t testing.TB, x, half vec.Vec3, density float64) *Body {
	t.Helper()
	b, err := body.NewRigid(&boundary.Box{Min: x.Sub(half), Max: x.Add(half)}, density, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return NewFreeBody(solids.NewBox(x, half), b)
}

// put changes where a free body is and how it moves.
func (b *Body) put(change func(s *particle.Body)) {
	s := b.Free.Free.Start
	change(&s)
	b.Free.Free.Start = s
	b.Free.PutAtStart()
	b.place(s)
}

// TestBodyMoves checks free fall, a torque from layers of different density, and that a
// body that turns freely keeps its angular momentum.
func TestBodyMoves(t *testing.T) {
	gas := still()
	gas.Gravity = vec.New(0, -10, 0)
	g := grid.FitGrid(vec.Box{Min: vec.New(-4, -4, -4), Max: vec.New(4, 4, 4)}, 64)
	ball := freeBall(t, vec.Vec3{}, 0.5, 2)
	f := freeFlow(t, nil, ball)
	s := solver(t, &Tree{Leaves: "super"})
	for range 10 {
		if _, err := s.Step(f, &gas, 0.01); err != nil {
			t.Fatal(err)
		}
	}
	nearVec(t, "velocity of twice the density", ball.V, vec.New(0, -10*0.1/2, 0), 1e-9)
	near(t, "time", f.Time, 0.1, 1e-12)

	// A density of 1 + x/10 turns a box by −∫ρ r×g dV.
	slope := make([]float64, g.Points())
	for p := range slope {
		slope[p] = 0.1 * g.Point(p).X
	}
	box := freeBox(t, vec.Vec3{}, vec.New(0.5, 0.2, 0.3), 1)
	near(t, "volume", box.volume, 8*0.5*0.2*0.3, 1e-12)
	_, torque := box.buoyancy(slope, &gas, &g)
	nearVec(t, "torque", torque, vec.New(0, 0, 0.1*box.volume*0.25/3*10), 1e-12)

	gas.Gravity = vec.Vec3{}
	box.put(func(s *particle.Body) { s.Spin = vec.New(1, 2, 3) })
	f = freeFlow(t, nil, box)
	before := box.Free.Momentum().Ang
	for range 100 {
		f.moveBodies(nil, &gas, nil, 0.01)
	}
	nearVec(t, "angular momentum", box.Free.Momentum().Ang, before, 1e-9)
	if box.Spin.Sub(vec.New(1, 2, 3)).Len() < 0.1 {
		t.Errorf("the spin stays %v", box.Spin)
	}
}

// TestFreeFlight checks a throw in gas of no weight against the parabola, with steps that
// are far longer than a body may move in a part of a step.
func TestFreeFlight(t *testing.T) {
	gas := still()
	gas.Density, gas.Gravity = 1e-9, vec.New(0, -10, 0)
	ball := freeBall(t, vec.Vec3{}, 0.1, 1)
	ball.put(func(s *particle.Body) { s.V = vec.New(3, 5, 0) })
	f := freeFlow(t, nil, ball)
	for range 20 {
		f.moveBodies(nil, &gas, nil, 0.05)
		f.Time += 0.05
	}
	nearVec(t, "velocity after 1 s", ball.V, vec.New(3, -5, 0), 1e-6)
	// Steps of a length h, with the velocity at their end, are gh/2 t off.
	nearVec(t, "place after 1 s", ball.X, vec.New(3, 0, 0), 0.5*10*0.01)
}

// TestBodiesTouch checks that bodies in a gas rest on a wall and on each other, bounce by their
// restitution, and slide with friction.
func TestBodiesTouch(t *testing.T) {
	gas := still()
	gas.Density, gas.Gravity = 1e-6, vec.New(0, -10, 0)
	ground := &boundary.Plane{Point: vec.Vec3{}, Normal: vec.New(0, 1, 0)}
	run := func(f *Flow, seconds float64) {
		for range int(seconds * 30) {
			f.moveBodies(nil, &gas, nil, 1./30)
			f.Time += 1. / 30
		}
	}
	low, high := freeBox(t, vec.New(0, 0.25, 0), vec.New(0.2, 0.2, 0.2), 100), freeBox(t, vec.New(0.05, 0.8, 0), vec.New(0.15, 0.15, 0.15), 100)
	run(freeFlow(t, []boundary.Boundary{ground}, low, high), 2)
	near(t, "height of the lower box", low.X.Y, 0.2, 2e-3)
	near(t, "height of the upper box", high.X.Y, 0.55, 4e-3)
	near(t, "its speed", high.V.Len(), 0, 1e-3)

	ball := freeBall(t, vec.New(0, 1.1, 0), 0.1, 100)
	ball.Free.Free.Restitution = 0.5
	f := freeFlow(t, []boundary.Boundary{ground}, ball)
	fastest, top := 0., 0.
	for range 30 {
		run(f, 1./30)
		fastest = max(fastest, ball.V.Y)
		if fastest > 0 {
			top = max(top, ball.X.Y-0.1)
		}
	}
	// It falls for 1 m at √20 m/s, and bounces at half of it to a quarter of the height.
	near(t, "speed within a step after the bounce", fastest, math.Sqrt(20)/2, 10./30)
	near(t, "height of the bounce", top, 0.25, 0.03)

	slider := freeBox(t, vec.New(0, 0.1, 0), vec.New(0.1, 0.1, 0.1), 100)
	slider.Free.Free.Grip = 0.5
	slider.put(func(s *particle.Body) { s.V = vec.New(2, 0, 0) })
	run(freeFlow(t, []boundary.Boundary{ground}, slider), 1)
	near(t, "v²/2μg", slider.X.X, 2*2/(2*0.5*10), 0.03)
}

// plate is a body that moves through still gas, in which vortons without vorticity mark
// places, and tracers have the mass of the gas. It returns the impulse that the body got.
func plate(t *testing.T, b *Body, steps int) vec.Vec3 {
	t.Helper()
	gas := still()
	f := &Flow{Bodies: []*Body{b}}
	f.Fill(&vorticity.Noise{Center: vec.New(0.5, 0, 0), Size: vec.New(3, 1.6, 1.6), Amplitude: 1e-8, Seed: 3}, 0.15, 1, Blend{})
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
