package body

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// rod returns a bar along y of the given length with its middle at x, turned by
// an angle about z.
func rod(t testing.TB, x vec.Vec3, long, angle float64) *Body {
	b := solid(t, &boundary.Box{Min: vec.New(-0.05, -long/2, -0.05), Max: vec.New(0.05, long/2, 0.05)}, 800)
	b.Free.Start.X, b.Free.Start.Turn = x, vec.Turn(vec.New(0, 0, angle))
	b.PutAtStart()
	return b
}

// chain returns rods below each other from an anchor, each held by a hinge, that
// hang at the angles.
func chain(t testing.TB, anchor vec.Vec3, long float64, angles ...float64) (list []*Body) {
	at := anchor
	for k, angle := range angles {
		sin, cos := math.Sincos(angle)
		way := vec.New(sin, -cos, 0)
		b := rod(t, at.Add(way.Mul(long/2)), long, angle)
		hinge := Joint{Kind: "hinge", Point: at, Axis: vec.New(0, 0, 1)}
		if k == 0 {
			b.Join(hinge)
		} else {
			b.JoinTo(list[k-1], hinge)
		}
		list, at = append(list, b), at.Add(way.Mul(long))
	}
	return list
}

// energyOf returns the bodies' energy, J.
func energyOf(w *world) (e float64) {
	for _, b := range w.Bodies {
		m := b.Momentum()
		e += m.Lin.Dot(b.pose.velocity)/2 + m.Ang.Dot(b.pose.spin)/2 - b.Free.Mass*w.gravity.Dot(b.Free.Center())
	}
	return e
}

// TestDoublePendulum swings two bars, one at the end of the other, and compares
// them with Lagrange's equations
//
//	(I + ¼l² + l²) α̈ + ½l² (β̈ cos(α−β) + β̇² sin(α−β)) = −³⁄₂ g l sin α
//	(I + ¼l²) β̈ + ½l² (α̈ cos(α−β) − α̇² sin(α−β)) = −½ g l sin β
//
// as solved by Runge and Kutta's method in steps a twentieth as long.
func TestDoublePendulum(t *testing.T) {
	longtest.NotShort(t)
	const l, alpha, beta = 1., 0.9, -0.4
	w := dry(t, 0.005, chain(t, vec.New(0, 3, 0), l, alpha, beta)...)
	before := energyOf(w)
	swing := w.Bodies[0].Free.Mass * 9.81 * l
	inertia := (l*l + 0.01) / 12 // over the mass
	rate := func(y [4]float64) [4]float64 {
		a, b, da, db := y[0], y[1], y[2], y[3]
		sin, cos := math.Sincos(a - b)
		m11, m12, m22 := inertia+l*l/4+l*l, l*l/2*cos, inertia+l*l/4
		f1 := -l*l/2*db*db*sin - 1.5*9.81*l*math.Sin(a)
		f2 := l*l/2*da*da*sin - 0.5*9.81*l*math.Sin(b)
		det := m11*m22 - m12*m12
		return [4]float64{da, db, (f1*m22 - f2*m12) / det, (m11*f2 - m12*f1) / det}
	}
	y, now := [4]float64{alpha, beta}, 0.
	worst, off, apart := 0., 0., 0.
	w.advance(3, func() {
		const parts = 20
		h := (w.time - now) / parts
		for range parts {
			along := func(k [4]float64, f float64) (z [4]float64) {
				for d := range z {
					z[d] = y[d] + f*k[d]
				}
				return z
			}
			k1 := rate(y)
			k2 := rate(along(k1, h/2))
			k3 := rate(along(k2, h/2))
			k4 := rate(along(k3, h))
			for d := range y {
				y[d] += h / 6 * (k1[d] + 2*k2[d] + 2*k3[d] + k4[d])
			}
		}
		now = w.time
		worst = max(worst, math.Abs(energyOf(w)-before)/swing)
		a, b := w.states[0], w.states[1]
		sin, cos := math.Sincos(y[0])
		sin2, cos2 := math.Sincos(y[1])
		off = max(off, b.X.Sub(vec.New(l*sin+l/2*sin2, 3-l*cos-l/2*cos2, 0)).Len())
		end, begin := w.Bodies[0].Place(vec.New(0, -l/2, 0)), w.Bodies[1].Place(vec.New(0, l/2, 0))
		apart = max(apart, end.Sub(begin).Len(), math.Abs(a.X.Z)+math.Abs(b.X.Z))
	})
	t.Logf("energy off by %.2g m g l, place by %.3g m, the hinge by %.2g m", worst, off, apart)
	if worst > 0.01 || off > 0.03 || apart > 1e-6 {
		t.Errorf("after 3 s its energy was off by %.2g m g l, its place by %.3g m, its hinge by %.2g m", worst, off, apart)
	}
}

// TestChain lets a chain of rods with lead at its end swing in all directions: it
// stays together and keeps its energy.
func TestChain(t *testing.T) {
	list := chain(t, vec.New(0, 3, 0), 0.3, 1, 1, 1, 1, 1)
	end := list[len(list)-1].Free.Start.X.Add(vec.New(0.15*math.Sin(1)+0.1, -0.15*math.Cos(1), 0))
	ball := solid(t, &boundary.Sphere{Center: end, Radius: 0.1}, 11000)
	// Across the others, so that the chain leaves its plane.
	ball.JoinTo(list[len(list)-1], Joint{Kind: "hinge", Point: end.Sub(vec.New(0.1, 0, 0)), Axis: vec.New(1, 0, 0)})
	ball.Free.Start.V = vec.New(0, 0, 1)
	ball.Free.Start.Spin = vec.New(10, 0, 0)
	w := dry(t, 0.02, append(list, ball)...)
	// Speeds that violate the link are gone after a step.
	w.advance(0.01, nil)
	before, worst := energyOf(w), 0.
	deep := ball.Free.Mass * 9.81 * 0.7 // that it falls
	w.advance(2, func() {
		worst = max(worst, math.Abs(energyOf(w)-before)/deep)
		for _, g := range w.linkages {
			for _, x := range g.constraints {
				if math.Abs(x.off) > 1e-6 {
					t.Fatalf("at %g s a link is off by %g m", w.time, x.off)
				}
			}
		}
	})
	t.Logf("energy off by %.2g of what the ball gives", worst)
	if worst > 0.02 {
		t.Errorf("its energy is off by %.2g of what the ball gives", worst)
	}
}

// TestLinkedMomentum lets pairs of bodies tumble in empty space, with a motor between
// them. They keep their momentum and angular momentum, and the motor its speed.
func TestLinkedMomentum(t *testing.T) {
	for name, j := range map[string]Joint{
		"hinge":       {Kind: "hinge", Point: vec.New(0.25, 0.1, 0), Axis: vec.New(1, 1, 0)},
		"hinge motor": {Kind: "hinge", Point: vec.New(0.25, 0.1, 0), Axis: vec.New(1, 1, 0), Motor: true, Speed: 90},
		"slider":      {Kind: "slider", Axis: vec.New(1, 1, 0)},
		"rail motor":  {Kind: "slider", Axis: vec.New(1, 1, 0), Motor: true, Pace: 0.2},
		"fixed":       {Kind: "fixed"},
	} {
		t.Run(name, func(t *testing.T) {
			a := solid(t, &boundary.Box{Min: vec.New(0.3, -0.2, -0.1), Max: vec.New(0.6, 0.3, 0.1)}, 300)
			b := solid(t, &boundary.Box{Min: vec.New(-0.2, -0.1, -0.3), Max: vec.New(0.2, 0.1, 0.2)}, 1000)
			b.Free.Start.Turn = vec.Turn(vec.New(0.3, 0.2, 0))
			a.Free.Start.V, a.Free.Start.Spin, b.Free.Start.Spin = vec.New(0.1, 0.3, 0), vec.New(1, 2, 1), vec.New(0, 0, -1)
			a.PutAtStart()
			b.PutAtStart()
			a.JoinTo(b, j)
			w := newWorld(t, 0.05, vec.Vec3{}, a, b)
			total := func() (sum Twist) {
				for _, b := range w.Bodies {
					m := b.Momentum()
					sum = sum.Add(Wrench(b.Free.Center(), m.Lin)).Add(Twist{Ang: m.Ang})
				}
				return sum
			}
			before, start := total(), b.Momentum()
			w.advance(1, nil)
			given := b.Momentum().Add(start.Mul(-1))
			if lost := total().Add(before.Mul(-1)); !(lost.Lin.Len() < 1e-4*given.Lin.Len()) || !(lost.Ang.Len() < 1e-4*given.Ang.Len()) {
				t.Errorf("of %g N s and %g N m s exchanged, %g and %g are lost", given.Lin.Len(), given.Ang.Len(), lost.Lin.Len(), lost.Ang.Len())
			}
			n := b.pose.rotate(a.Free.link.axes[1][0])
			turn := a.pose.spin.Sub(b.pose.spin)
			slip := a.pose.velocity.Sub(b.Vel(a.Free.Center()))
			switch j.Kind {
			case "hinge":
				if off := turn.Cross(n).Len(); off > 1e-5 {
					t.Errorf("it turns at %g rad/s across its hinge", off)
				}
			default:
				off := turn.Len() + slip.Cross(n).Len()
				if j.Kind == "fixed" {
					off += slip.Len()
				}
				if off > 1e-5 {
					t.Errorf("it moves at %g as its joint does not let it", off)
				}
			}
			if j.Motor {
				if got, want := turn.Dot(n)+slip.Dot(n), j.Speed*radians+j.Pace; j.Kind == "slider" && math.Abs(got-want) > 0.01*want {
					t.Errorf("its motor keeps %g m/s, want %g", got, want)
				} else if got := turn.Dot(n); j.Kind == "hinge" && math.Abs(got-want) > 0.01*want {
					t.Errorf("its motor keeps %g rad/s, want %g", got, want)
				}
			}
		})
	}
}

// TestFrame flexes a frame of four bars, whose hinges say more than once that it
// stays in its plane, as it tumbles in empty space.
func TestFrame(t *testing.T) {
	var list []*Body
	corner := func(k int) vec.Vec3 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 2)
		return vec.New(cos, sin, 0)
	}
	for k := range 4 {
		way := corner(k + 1).Sub(corner(k))
		list = append(list, rod(t, corner(k).Lerp(corner(k+1), 0.5), way.Len(), math.Atan2(way.X, -way.Y)))
	}
	spin := vec.New(0.5, 0.2, 1)
	for k, b := range list {
		b.JoinTo(list[(k+1)%4], Joint{Kind: "hinge", Point: corner(k + 1), Axis: vec.New(0, 0, 1)})
		b.Free.Start.Spin = spin.Add(vec.New(0, 0, 0.8).Mul(float64(1 - k%2*2))) // turn by turn: it flexes
		b.Free.Start.V = spin.Cross(b.Free.Start.X)
		b.PutAtStart()
	}
	var walls []boundary.Boundary
	for _, b := range list {
		walls = append(walls, b)
	}
	w := newWorld(t, 0.05, vec.Vec3{}, walls...)
	w.advance(0.01, nil)
	energy, narrow := energyOf(w), math.Inf(1)
	w.advance(1.5, func() {
		for _, g := range w.linkages {
			for _, x := range g.constraints {
				if math.Abs(x.off) > 1e-6 {
					t.Fatalf("at %g s a hinge is off by %g m", w.time, x.off)
				}
			}
		}
		a, b := list[0].Place(vec.New(0, -math.Sqrt2/2, 0)), list[2].Place(vec.New(0, -math.Sqrt2/2, 0))
		narrow = min(narrow, a.Sub(b).Len())
	})
	if e := energyOf(w); math.Abs(e/energy-1) > 0.01 || narrow > 1.7 {
		t.Errorf("its energy went from %g to %g J, and its corners came as near as %g m", energy, e, narrow)
	}
}
