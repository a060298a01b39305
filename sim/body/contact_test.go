package body

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

func solid(t testing.TB, shape boundary.Boundary, density float64) *Body {
	t.Helper()
	b, err := NewRigid(shape, density, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// cube returns a body of the given edge whose lowest corner is at x.
func cube(t testing.TB, x vec.Vec3, edge, density float64) *Body {
	return solid(t, &boundary.Box{Min: x, Max: x.Add(vec.New(edge, edge, edge))}, density)
}

// TestStackRests stands boxes on each other, each heavier than the one below.
func TestStackRests(t *testing.T) {
	longtest.NotShort(t)
	var list []*Body
	for k := range 5 {
		list = append(list, cube(t, vec.New(0.01*float64(k), 0.2*float64(k), 0), 0.2, 500*float64(k+1)))
	}
	w := dry(t, 0.05, list...)
	start := append(w.states[:0:0], w.states...)
	w.advance(0.5, nil)
	for k, b := range w.states {
		if moved := b.X.Sub(start[k].X).Len(); moved > 0.05*w.spacing || b.V.Len() > 0.01 || b.Spin.Len() > 0.05 {
			t.Errorf("box %d has moved by %g m, and goes on with %v m/s and %v rad/s", k, moved, b.V, b.Spin)
		}
	}
}

// TestBounce drops balls, which come up again to e² of their height.
func TestBounce(t *testing.T) {
	for _, e := range []float64{0, 0.5, 0.9} {
		const high = 1
		b := solid(t, &boundary.Sphere{Center: vec.New(0, 0.1+high, 0), Radius: 0.1}, 2000)
		b.Free.Restitution = e
		w := dry(t, 0.05, b)
		top, fallen := 0., false
		w.advance(math.Sqrt(2*high/9.81)*(1+1.2*e+0.2), func() {
			s := w.states[0]
			fallen = fallen || s.X.Y < 0.12
			if fallen && s.V.Y >= 0 {
				top = max(top, s.X.Y-0.1)
			}
		})
		if want := e * e * high; math.Abs(top-want) > 0.02*high {
			t.Errorf("with a restitution of %g it bounced to %.3f m, want %.3f", e, top, want)
		}
	}
}

// TestSlope lets boxes slide and balls roll down a plane.
func TestSlope(t *testing.T) {
	const g, angle = 9.81, 0.4
	sin, cos := math.Sincos(angle)
	n := vec.New(sin, cos, 0) // x is down
	for name, c := range map[string]struct {
		shape boundary.Boundary
		grip  float64
		want  float64
	}{
		"slides":     {&boundary.Box{Min: vec.New(-0.1, -0.1, -0.1), Max: vec.New(0.1, 0.1, 0.1)}, 0.2, g * (sin - 0.2*cos)},
		"is held":    {&boundary.Box{Min: vec.New(-0.1, -0.1, -0.1), Max: vec.New(0.1, 0.1, 0.1)}, 0.5, 0},
		"ball rolls": {&boundary.Sphere{Radius: 0.1}, 0.5, g * sin * 5 / 7},
		"ball slips": {&boundary.Sphere{Radius: 0.1}, 0.05, g * (sin - 0.05*cos)},
		"drum rolls": {&boundary.Cylinder{Bottom: vec.New(0, 0, -0.1), Top: vec.New(0, 0, 0.1), Radius: 0.1}, 0.5, g * sin * 2 / 3},
	} {
		t.Run(name, func(t *testing.T) {
			b := solid(t, c.shape, 800)
			b.Free.Grip = c.grip
			b.Free.Start.X = n.Mul(0.1)
			b.Free.Start.Turn = vec.Turn(vec.New(0, 0, -angle))
			w := dry(t, 0.05, b)
			w.walls[0].(*boundary.Plane).Normal = n
			w.advance(0.5, nil)
			v := w.states[0].V
			if got := v.Len() / 0.5; math.Abs(got-c.want) > 0.03*g*sin {
				t.Errorf("it speeds up by %.3f m/s², want %.3f", got, c.want)
			}
			if out := v.Dot(n); math.Abs(out) > 0.03 {
				t.Errorf("it leaves the plane at %g m/s", out)
			}
		})
	}
}

// TestBodiesCollide lets solids of all kinds run into each other: their momentum
// stays, and they do not get into each other.
func TestBodiesCollide(t *testing.T) {
	longtest.Only(t)
	shapes := []boundary.Boundary{
		&boundary.Box{Min: vec.New(-0.2, -0.1, -0.1), Max: vec.New(0.2, 0.1, 0.1)},
		&boundary.Sphere{Radius: 0.2},
		&boundary.Cylinder{Bottom: vec.New(0, -0.2, 0), Top: vec.New(0, 0.2, 0), Radius: 0.1},
		&boundary.Capsule{Bottom: vec.New(0, -0.1, 0), Top: vec.New(0, 0.1, 0), Radius: 0.1},
	}
	for i, first := range shapes {
		for j, second := range shapes[:i+1] {
			a, b := solid(t, first, 1000), solid(t, clone(second), 300)
			a.Free.Start.V, b.Free.Start.X, b.Free.Start.V = vec.New(1, 0, 0), vec.New(0.8, 0.08, 0.03), vec.New(-1, 0, 0.1)
			b.Free.Start.Spin = vec.New(3, 2, 1)
			w := newWorld(t, 0.09, vec.Vec3{}, a, b)
			total := func() (sum Twist) {
				for _, b := range []*Body{a, b} {
					m := b.Momentum()
					sum = sum.Add(Wrench(b.Free.Center(), m.Lin)).Add(Twist{Ang: m.Ang})
				}
				return sum
			}
			before, deepest := total(), 0.
			w.advance(1, func() {
				for _, p := range [][2]*Body{{a, b}, {b, a}} {
					for _, f := range p[0].Free.contactPoints {
						d, _ := p[1].Dist(p[0].Place(f.at))
						deepest = min(deepest, d-f.radius)
					}
				}
			})
			change := total().Add(before.Mul(-1))
			exchanged := a.Momentum().Lin.Sub(vec.New(a.Free.Mass, 0, 0)).Len()
			if exchanged < 1 || change.Lin.Len() > 1e-4*exchanged || change.Ang.Len() > 1e-3*exchanged {
				t.Errorf("shapes %d and %d: of %g N s exchanged, %g N s and %g N m s are lost", i, j, exchanged, change.Lin.Len(), change.Ang.Len())
			}
			if deepest < -0.05*w.spacing {
				t.Errorf("shapes %d and %d get %g m into each other", i, j, -deepest)
			}
		}
	}
}

// clone returns a copy of a shape, which may be in a world of its own.
func clone(b boundary.Boundary) boundary.Boundary {
	switch s := b.(type) {
	case *boundary.Box:
		c := *s
		return &c
	case *boundary.Sphere:
		c := *s
		return &c
	case *boundary.Cylinder:
		c := *s
		return &c
	}
	c := *b.(*boundary.Capsule)
	return &c
}

// TestObstacleBelowFace drops bodies onto walls that are narrower than the bodies' faces.
// They stay on top, also on a slider.
func TestObstacleBelowFace(t *testing.T) {
	longtest.NotShort(t)
	box := func(x0, y0, z0, x1, y1, z1 float64) *boundary.Box {
		return &boundary.Box{Min: vec.New(x0, y0, z0), Max: vec.New(x1, y1, z1)}
	}
	pillar := &boundary.Cylinder{Top: vec.New(0, 0.4, 0), Radius: 0.1}
	disc := &boundary.Cylinder{Bottom: vec.New(0, 0.6, 0), Top: vec.New(0, 0.9, 0), Radius: 0.3}
	for name, c := range map[string]struct {
		shape, wall boundary.Boundary
	}{
		"box on a pillar":  {box(-0.15, 0.6, -0.15, 0.15, 0.9, 0.15), pillar},
		"box on a block":   {box(-0.15, 0.6, -0.15, 0.15, 0.9, 0.15), box(-0.1, 0, -0.1, 0.1, 0.4, 0.1)},
		"box on a ball":    {box(-0.15, 0.6, -0.15, 0.15, 0.9, 0.15), &boundary.Sphere{Center: vec.New(0, 0.2, 0), Radius: 0.2}},
		"disc on a pillar": {disc, pillar},
		"disc on a block":  {disc, box(-0.1, 0, -0.1, 0.1, 0.4, 0.1)},
	} {
		for _, held := range []bool{false, true} {
			b := solid(t, clone(c.shape), 500)
			if held {
				b.Join(Joint{Kind: "slider", Axis: vec.New(0, 1, 0)})
			}
			w := newWorld(t, 0.04, earth, &boundary.Plane{Normal: vec.New(0, 1, 0)}, clone(c.wall), b)
			w.advance(1, nil)
			if y := b.Free.Center().Y; math.Abs(y-0.55) > 0.005 {
				t.Errorf("%s, on a slider %t: its centre is at %g m, want 0.55 m", name, held, y)
			}
		}
	}
}
