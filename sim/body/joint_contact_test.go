package body

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestJointedBounce lets bodies on joints collide with obstacles: they part at the
// restitution's share of the speed at which they met.
func TestJointedBounce(t *testing.T) {
	floor := func() boundary.Boundary { return &boundary.Plane{Normal: vec.New(0, 1, 0)} }
	side := func() boundary.Boundary { return &boundary.Plane{Normal: vec.New(-1, 0, 0), Point: vec.New(0.3, 0, 0)} }
	block := func(density float64) *Body { return cube(t, vec.New(-0.1, 0.5, -0.1), 0.2, density) }
	along := func(x, y float64) Joint { return Joint{Kind: "slider", Axis: vec.New(x, y, 0)} }
	thrown := func(b *Body, v vec.Vec3, j Joint) *Body {
		b.Free.Start.V = v
		b.Join(j)
		return b
	}
	bar := func(angle float64) *Body {
		b := rod(t, vec.New(0.5*math.Sin(angle), 2-0.5*math.Cos(angle), 0), 1, angle)
		b.Join(Joint{Kind: "hinge", Point: vec.New(0, 2, 0), Axis: vec.New(0, 0, 1)})
		return b
	}
	for name, world := range map[string]func() ([]boundary.Boundary, vec.Vec3){
		"slider falls": func() ([]boundary.Boundary, vec.Vec3) {
			return []boundary.Boundary{thrown(block(500), vec.Vec3{}, along(0, 1)), floor()}, earth
		},
		"slanting slider falls": func() ([]boundary.Boundary, vec.Vec3) {
			return []boundary.Boundary{thrown(block(500), vec.Vec3{}, along(1, 1)), floor()}, earth
		},
		"slider thrown at a wall": func() ([]boundary.Boundary, vec.Vec3) {
			return []boundary.Boundary{thrown(block(500), vec.New(1, 0, 0), along(1, 0)), side()}, earth
		},
		"slider along the floor": func() ([]boundary.Boundary, vec.Vec3) {
			b := cube(t, vec.New(-0.1, 0, -0.1), 0.2, 500)
			return []boundary.Boundary{thrown(b, vec.New(1, 0, 0), along(1, 0)), floor(), side()}, earth
		},
		"slider at a solid block": func() ([]boundary.Boundary, vec.Vec3) {
			return []boundary.Boundary{thrown(block(500), vec.New(1, 0, 0), along(1, 0)), &boundary.Box{Min: vec.New(0.3, 0, -1), Max: vec.New(0.6, 2, 1)}}, earth
		},
		"wall that comes to a slider": func() ([]boundary.Boundary, vec.Vec3) {
			wall := &Body{Boundary: &boundary.Box{Min: vec.New(0.3, 0, -1), Max: vec.New(0.6, 2, 1)}, Motion: Motion{Velocity: vec.New(-1, 0, 0)}}
			return []boundary.Boundary{thrown(block(500), vec.Vec3{}, along(1, 0)), wall}, vec.Vec3{}
		},
		"bar swings at a wall": func() ([]boundary.Boundary, vec.Vec3) {
			return []boundary.Boundary{bar(-0.8), &boundary.Box{Min: vec.New(0.05, 0, -1), Max: vec.New(0.6, 2, 1)}}, earth
		},
		"flap falls shut": func() ([]boundary.Boundary, vec.Vec3) {
			b := solid(t, &boundary.Box{Min: vec.New(0, 0.2, 0), Max: vec.New(0.4, 0.31, 0.3)}, 500)
			b.Join(Joint{Kind: "hinge", Point: vec.New(0, 0.2, 0), Axis: vec.New(0, 0, 1)})
			return []boundary.Boundary{b, floor()}, earth
		},
		"slider at a free body": func() ([]boundary.Boundary, vec.Vec3) {
			return []boundary.Boundary{thrown(block(500), vec.New(1, 0, 0), along(1, 0)), cube(t, vec.New(0.3, 0.5, -0.1), 0.2, 2000)}, vec.Vec3{}
		},
		"slider at a slider": func() ([]boundary.Boundary, vec.Vec3) {
			return []boundary.Boundary{thrown(block(500), vec.New(1, 0, 0), along(1, 0)), thrown(cube(t, vec.New(0.3, 0.4, -0.1), 0.2, 700), vec.Vec3{}, along(1, 0))}, vec.Vec3{}
		},
		"slider at a fixed body": func() ([]boundary.Boundary, vec.Vec3) {
			return []boundary.Boundary{thrown(block(500), vec.New(1, 0, 0), along(1, 0)), thrown(cube(t, vec.New(0.3, 0.4, -0.1), 0.2, 700), vec.Vec3{}, Joint{Kind: "fixed"})}, earth
		},
		"slider with a load": func() ([]boundary.Boundary, vec.Vec3) {
			b := thrown(block(500), vec.New(1, 0, 0), along(1, 0))
			load := cube(t, vec.New(-0.05, 0.7, -0.05), 0.1, 3000)
			load.Free.Start.V = vec.New(1, 0, 0)
			load.JoinTo(b, Joint{Kind: "fixed"})
			return []boundary.Boundary{b, load, side()}, earth
		},
		"pair on a hinge falls": func() ([]boundary.Boundary, vec.Vec3) {
			a, b := cube(t, vec.New(-0.1, 0.5, -0.1), 0.2, 500), cube(t, vec.New(-0.1, 0.7, -0.1), 0.2, 500)
			b.JoinTo(a, Joint{Kind: "hinge", Point: vec.New(0, 0.7, 0), Axis: vec.New(0, 0, 1)})
			return []boundary.Boundary{a, b, floor()}, earth
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range []float64{0, 0.5, 1} {
				walls, g := world()
				for _, wall := range walls {
					if b, ok := wall.(*Body); ok && b.Free != nil {
						b.Free.Restitution, b.Free.Grip = e, 0
					}
				}
				w := newWorld(t, 0.05, g, walls...)
				start := energyOf(w)
				met, in, out := false, 0., 0.
				last := math.NaN()
				most := math.Inf(-1)
				for k := 1; k <= 200 && !met; k++ {
					w.advance(0.005*float64(k), func() {
						most = max(most, energyOf(w))
						for _, b := range w.states {
							if !b.X.Finite() || !b.V.Finite() || !b.Spin.Finite() {
								t.Fatalf("at %g s a body is at %v and goes at %v", w.time, b.X, b.V)
							}
						}
						pushed := 0.
						for k := range w.contacts {
							pushed += w.contacts[k].rows[0].impulse
						}
						if v := parting(w); pushed > 0 && !met {
							met, in, out = true, last, v
						} else {
							last = v
						}
					})
				}
				if !met {
					t.Fatalf("with e = %g nothing was touched", e)
				}
				if want := -e * in; in >= 0 || math.Abs(out-want) > 0.03*math.Abs(in)+2*g.Len()*w.dt {
					t.Errorf("with e = %g it came at %.4f m/s and left at %.4f, want %.4f", e, -in, out, want)
				}
				moving := false
				for _, wall := range walls {
					b, ok := wall.(*Body)
					moving = moving || ok && b.Free == nil
				}
				if grown := most - start; !moving && grown > 0.02*math.Abs(in)*math.Abs(in)*w.Bodies[0].Free.Mass {
					t.Errorf("with e = %g the energy grew by %g J", e, grown)
				}
			}
		})
	}
}

// parting returns the speed at which the first body parts from the body nearest to it,
// m/s.
func parting(w *world) float64 {
	a := w.Bodies[0]
	nearest, v := math.Inf(1), 0.
	for _, wall := range w.walls {
		if b, ok := wall.(*Body); wall == boundary.Boundary(a) || ok && b.Free != nil && joined(a, b) {
			continue
		}
		for _, f := range a.Free.contactPoints {
			x := a.Place(f.at)
			d, n := wall.Dist(x)
			if s := a.Vel(x).Sub(wall.Vel(x)).Dot(n); d-f.radius < nearest && math.Abs(s) > 1e-9 {
				nearest, v = d-f.radius, s
			}
		}
	}
	return v
}

// TestJointedStops drives bodies on joints against fixed obstacles, by motors with and
// without a limit, and checks Coulomb's law for their forces.
func TestJointedStops(t *testing.T) {
	longtest.NotShort(t)
	for name, c := range map[string]struct {
		kind         string
		pace, power  float64
		stop, moving bool
	}{
		"slider":                 {kind: "slider", pace: 1},
		"weak slider":            {kind: "slider", pace: 1, power: 100},
		"fast slider":            {kind: "slider", pace: 8},
		"slider at a block":      {kind: "slider", pace: 1, stop: true},
		"slider at a piston":     {kind: "slider", pace: 1, moving: true},
		"weak slider, piston":    {kind: "slider", pace: 1, power: 100, moving: true},
		"wheel":                  {kind: "hinge", pace: 360},
		"weak wheel":             {kind: "hinge", pace: 360, power: 5},
		"weak wheel at a piston": {kind: "hinge", pace: 360, power: 5, moving: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := solid(t, &boundary.Box{Min: vec.New(-0.1, 0.5, -0.1), Max: vec.New(0.1, 0.6, 0.1)}, 500)
			b.Free.Restitution = 0.3
			j := Joint{Kind: c.kind, Axis: vec.New(1, 0, 0), Motor: true, Pace: c.pace, Force: c.power}
			if c.kind == "hinge" {
				j = Joint{Kind: c.kind, Point: vec.New(0, 0.55, 0), Axis: vec.New(0, 0, 1), Motor: true, Speed: c.pace, Power: c.power}
			}
			b.Join(j)
			wall := &Body{Boundary: &boundary.Box{Min: vec.New(0.2, -1, -1), Max: vec.New(0.4, 2, 1)}}
			if c.kind == "hinge" {
				wall.Boundary = &boundary.Box{Min: vec.New(0.03, 0, -1), Max: vec.New(0.4, 0.4, 1)}
				wall.Boundary.(*boundary.Box).Max.Y = 0.48
			}
			if c.moving {
				wall.Motion.Velocity = vec.New(-0.2, 0, 0)
				if c.kind == "hinge" {
					wall.Motion.Velocity = vec.New(0, 0.02, 0)
				}
			}
			w := newWorld(t, 0.05, earth, &boundary.Plane{Normal: vec.New(0, 1, 0)}, b, wall)
			most := max(c.pace*1.5, 1)
			if c.kind == "hinge" {
				most = c.pace * radians * 0.2
			}
			hit := 0
			w.advance(1, func() {
				if v := b.MaxSpeed(); !(v <= most) {
					t.Fatalf("at %g s it goes at %g m/s", w.time, v)
				}
				for k := range w.contacts {
					if x := &w.contacts[k]; x.limit == 0 && x.rows[0].impulse > 0 {
						hit++
					}
				}
			})
			if hit == 0 {
				t.Error("it met nothing")
			}
			for _, f := range b.Free.contactPoints {
				if d, _ := wall.Dist(b.Place(f.at)); d < -0.3*w.spacing {
					t.Fatalf("it got %g m into the wall", -d)
				}
			}
		})
	}
}

// TestJointedFriction holds friction at bodies on joints to μ times the force that
// presses them together.
func TestJointedFriction(t *testing.T) {
	const mu = 0.3
	t.Run("block on a driven table", func(t *testing.T) {
		table := solid(t, &boundary.Box{Min: vec.New(-1, 0.4, -0.3), Max: vec.New(1, 0.5, 0.3)}, 500)
		table.Join(Joint{Kind: "slider", Axis: vec.New(1, 0, 0.4), Motor: true, Pace: 2})
		block := cube(t, vec.New(-0.1, 0.5, -0.1), 0.2, 500)
		block.Free.Grip, table.Free.Grip = mu, mu
		w := dry(t, 0.05, table, block)
		w.advance(0.3, nil)
		v := w.states[1].V
		if want := vec.New(1, 0, 0.4).Unit().Mul(mu * 9.81 * 0.3); v.Sub(want).Len() > 0.03*want.Len() {
			t.Errorf("the block goes at %v, want %v", v, want)
		}
	})
	t.Run("brake on a wheel", func(t *testing.T) {
		const r, spin = 0.3, 8.
		wheel := solid(t, &boundary.Sphere{Center: vec.New(0, 1, 0), Radius: r}, 2000)
		wheel.Free.Start.Spin = vec.New(0, 0, spin)
		wheel.Join(Joint{Kind: "hinge", Point: vec.New(0, 1, 0), Axis: vec.New(0, 0, 1)})
		brake := cube(t, vec.New(-0.1, 1+r, -0.1), 0.2, 3000)
		brake.Join(Joint{Kind: "slider", Axis: vec.New(0, 1, 0)})
		wheel.Free.Grip, brake.Free.Grip = mu, mu
		w := dry(t, 0.05, wheel, brake)
		w.advance(0.2, nil)
		inertia := 0.4 * wheel.Free.Mass * r * r
		want := spin - mu*brake.Free.Mass*9.81*r/inertia*0.2
		if got := w.states[0].Spin.Z; math.Abs(got-want) > 0.03*(spin-want) {
			t.Errorf("the wheel turns at %g rad/s, want %g", got, want)
		}
		w.advance(3.5, nil)
		if got := w.states[0].Spin.Len(); got > 1e-3 {
			t.Errorf("the brake does not hold it: it turns at %g rad/s", got)
		}
	})
	t.Run("sled of two", func(t *testing.T) {
		a, b := cube(t, vec.New(0, 0, 0), 0.2, 500), cube(t, vec.New(0, 0.2, 0), 0.2, 200)
		b.JoinTo(a, Joint{Kind: "fixed"})
		for _, x := range []*Body{a, b} {
			x.Free.Start.V, x.Free.Grip = vec.New(1, 0, 0.7), mu
			x.PutAtStart()
		}
		w := dry(t, 0.05, a, b)
		w.advance(0.2, nil)
		v, from := w.states[0].V, vec.New(1, 0, 0.7)
		if want := from.Sub(from.Unit().Mul(mu * 9.81 * 0.2)); v.Sub(want).Len() > 0.03*mu*9.81*0.2 {
			t.Errorf("the sled goes at %v, want %v", v, want)
		}
	})
}
