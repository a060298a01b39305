package body

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// TestPendulum swings a bar about its end: T = 2π √(I/(M g L)) (1 + θ²/16).
func TestPendulum(t *testing.T) {
	bar := solid(t, &boundary.Box{Min: vec.New(-0.05, -0.5, -0.05), Max: vec.New(0.05, 0.5, 0.05)}, 800)
	const angle, l = 0.2, 0.5
	bar.Free.Start.Turn = vec.Turn(vec.New(0, 0, angle))
	bar.Free.Start.X = vec.New(l*math.Sin(angle), 2-l*math.Cos(angle), 0)
	bar.Join(Joint{Kind: "hinge", Point: vec.New(0, 2, 0), Axis: vec.New(0, 0, 2)})
	w := dry(t, 0.05, bar)
	want := 2 * math.Pi * math.Sqrt((1.01/12+l*l)/(9.81*l)) * (1 + angle*angle/16)
	var crossed []float64
	last := bar.Free.Center().X
	w.advance(5, func() {
		x := w.states[0].X
		if last < 0 && x.X >= 0 {
			crossed = append(crossed, w.time-w.dt*x.X/(x.X-last))
		}
		last = x.X
		if off := x.Sub(vec.New(0, 2, 0)).Len(); math.Abs(off-l) > 1e-6 {
			t.Fatalf("at %g s it is %g m from its hinge", w.time, off)
		}
	})
	if got := (crossed[2] - crossed[0]) / 2; math.Abs(got/want-1) > 0.01 {
		t.Errorf("it swings in %.4f s, want %.4f", got, want)
	}
}

// TestSlider lets a body slide down a slanting rail, on which it does not turn.
func TestSlider(t *testing.T) {
	b := cube(t, vec.New(0, 2, 0), 0.2, 500)
	b.Free.Start.Spin = vec.New(1, 2, 3)
	n := vec.New(1, -1, 0).Unit()
	b.Join(Joint{Kind: "slider", Axis: n})
	w := dry(t, 0.05, b)
	from := w.states[0].X
	w.advance(0.5, nil)
	s := w.states[0]
	if want := from.Add(n.Mul(9.81 / math.Sqrt2 * 0.5 * 0.5 / 2)); s.X.Sub(want).Len() > 0.02 || s.Turn != vec.NoTurn {
		t.Errorf("it is at %v, turned by %v, want %v", s.X, s.Turn, want)
	}
}

// TestMotors turns a wheel against its inertia and lifts a weight.
func TestMotors(t *testing.T) {
	wheel := func() *Body {
		return solid(t, &boundary.Cylinder{Bottom: vec.New(0, 1, 0), Top: vec.New(0, 1, 0.2), Radius: 0.3}, 500)
	}
	inertia := 500 * math.Pi * 0.09 * 0.2 * 0.09 / 2
	hinge := Joint{Kind: "hinge", Point: vec.New(0, 1, 0), Axis: vec.New(0, 0, 1), Motor: true, Speed: 90}
	weak := hinge
	weak.Power = inertia // 1 rad/s²
	lift := Joint{Kind: "slider", Axis: vec.New(0, 1, 0), Motor: true, Pace: 0.5}
	faint := lift
	weight := 500 * 0.008 * 9.81
	faint.Force = weight / 2
	for _, c := range []struct {
		name  string
		body  *Body
		joint Joint
		want  Twist
	}{
		{"turns", wheel(), hinge, Twist{Ang: vec.New(0, 0, math.Pi/2)}},
		{"speeds up", wheel(), weak, Twist{Ang: vec.New(0, 0, 0.5)}},
		{"lifts", cube(t, vec.New(0, 1, 0), 0.2, 500), lift, Twist{Lin: vec.New(0, 0.5, 0)}},
		{"lets down", cube(t, vec.New(0, 4, 0), 0.2, 500), faint, Twist{Lin: vec.New(0, -9.81/4, 0)}},
		{"holds", cube(t, vec.New(0, 4, 0), 0.2, 500), Joint{Kind: "fixed"}, Twist{}},
	} {
		c.body.Join(c.joint)
		w := dry(t, 0.1, c.body)
		w.advance(0.5, nil)
		s := w.states[0]
		if d := (Twist{s.V, s.Spin}).Add(c.want.Mul(-1)); d.Lin.Len() > 0.02 || d.Ang.Len() > 0.02 {
			t.Errorf("%s: at %v m/s and %v rad/s, want %v", c.name, s.V, s.Spin, c.want)
		}
	}
}
