package solids

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"breakwater/sim/vec"
)

func point(r *rand.Rand, size float64) vec.Vec3 {
	return vec.New(r.Float64()*2-1, r.Float64()*2-1, r.Float64()*2-1).Mul(size)
}

// gem returns the hull of random points, turned and moved.
func gem(t testing.TB, r *rand.Rand, n int) (*Solid, []vec.Vec3) {
	t.Helper()
	var points []vec.Vec3
	for range n {
		points = append(points, point(r, 1))
	}
	s, err := hull(points)
	if err != nil {
		t.Fatal(err)
	}
	c := s.X
	s.X, s.Turn = point(r, 3), vec.Turn(point(r, 2)).Columns()
	s.V, s.Spin = point(r, 1), point(r, 1)
	for i, x := range points {
		points[i] = s.X.Add(s.world(x.Sub(c)))
	}
	return s, points
}

// meets reports whether a ball of radius r at q may be in contact with the body.
func (s *Solid) meets(q vec.Vec3, r float64) bool {
	z := s.zone(r)
	return z.holds(&q)
}

// TestNear compares the search for places in any of some zones with the zones themselves, by
// assembly and by plain Go, also on the rim of a zone and at places that are not numbers.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for n := range 10 {
		var all []zone
		for range n {
			all = append(all, zone{point(r, 3), r.Float64(), false})
		}
		if n > 3 {
			all[1] = zone{vec.Vec3{}, 9, true}
		}
		x := []vec.Vec3{{X: math.NaN()}, {X: 3}, {Y: math.Inf(1)}, {Z: 3.1}}
		for range 200 {
			x = append(x, point(r, 3))
		}
		for k := range all {
			all[k].square = []float64{all[k].square, x[4+k].Sub(all[k].x).Dot(x[4+k].Sub(all[k].x))}[k%2]
		}
		want := []int32{}
		for i := range x {
			if slices.ContainsFunc(all, func(z zone) bool { return z.holds(&x[i]) }) {
				want = append(want, int32(i))
			}
		}
		if n > 3 && (len(want) == 0 || len(want) == len(x)) {
			t.Errorf("%d zones hold %d of %d places", n, len(want), len(x))
		}
		list := make([]int32, len(x))
		if got := near(list, x, group(all)); !slices.Equal(got, want) {
			t.Errorf("%d zones: near are %v, want %v", n, got, want)
		}
		if got := nearGo(list, x, group(all)); !slices.Equal(got, want) {
			t.Errorf("%d zones, plain Go: near are %v, want %v", n, got, want)
		}
	}
}

// TestHull checks that all points are in the hull, at least three on each plane, and
// that the corners of a cube and points inside give its six planes.
func TestHull(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		s, points := gem(t, r, 5+r.IntN(12))
		on := make([]int, len(s.Planes))
		for _, x := range points {
			if d, _ := s.Contact(x); d > 1e-9 {
				t.Errorf("a point is %g outside its hull", d)
			}
			for k, p := range s.Planes {
				if math.Abs(p.Dist(s.local(x))) < 1e-9 {
					on[k]++
				}
			}
			if !s.meets(x, 1e-9) {
				t.Error("a corner is out of the ball around its body")
			}
		}
		if slices.Min(on) < 3 {
			t.Errorf("points on the planes: %v", on)
		}
	}
	var cube []vec.Vec3
	for k := range 8 {
		cube = append(cube, vec.New(float64(k&1), float64(k>>1&1), float64(k>>2)))
	}
	s, err := hull(append(cube, vec.New(0.5, 0.5, 0.5), vec.New(0.2, 0.9, 0.5)))
	if err != nil || len(s.Planes) != 6 {
		t.Errorf("the hull of a cube has %d planes: %v", len(s.Planes), err)
	}
	if _, err := hull(cube[:4]); err == nil {
		t.Error("four corners of a face have a hull with an inside")
	}
}

func TestBadPlanes(t *testing.T) {
	x, y, z := vec.New(1, 0, 0), vec.New(0, 1, 0), vec.New(0, 0, 1)
	for name, planes := range map[string][]Plane{
		"none": nil, "slab": {{x, 1}, {x.Neg(), 1}}, "gutter": {{x, 1}, {x.Neg(), 1}, {y, 1}, {y.Neg(), 1}},
		"open box": {{x, 1}, {x.Neg(), 1}, {y, 1}, {y.Neg(), 1}, {z, 1}}, "centre outside": {{x, -1}, {x.Neg(), 1}, {y, 1}, {y.Neg(), 1}, {z, 1}, {z.Neg(), 1}},
	} {
		if _, err := New(vec.Vec3{}, planes); err == nil {
			t.Errorf("%s: taken for a body", name)
		}
	}
}

// TestContact compares distances with those by the planes as they are in the
// world, and near faces, with the distance that a ball has by bisection.
func TestContact(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		s, _ := gem(t, r, 6)
		for range 20 {
			q := s.X.Add(point(r, 2))
			want, at := math.Inf(-1), 0
			for k, p := range s.Planes {
				n := s.world(p.N)
				if d := n.Dot(q) - (p.D + n.Dot(s.X)); d > want {
					want, at = d, k
				}
			}
			d, k := s.Contact(q)
			if math.Abs(d-want) > 1e-12 || k != at {
				t.Fatalf("%g by plane %d, want %g by %d", d, k, want, at)
			}
			x, n := s.Point(q, d, k)
			if on := s.Planes[k].Dist(s.local(x)); math.Abs(on) > 1e-9 || math.Abs(n.Len()-1) > 1e-9 {
				t.Fatalf("the contact point is %g off its plane", on)
			}
			for _, radius := range []float64{0, 0.1, 0.5} {
				last := int32(r.IntN(len(s.Planes)))
				if apart := s.Apart(q, radius, &last); apart != (want >= radius) {
					t.Fatalf("apart %v at %g with a radius of %g", apart, want, radius)
				} else if apart && s.Planes[last].Dist(s.local(q)) < radius {
					t.Fatal("the plane that is remembered does not part them")
				}
				// Off an edge the planes are nearer than the body.
				if !s.meets(q, radius) && want < 0 {
					t.Fatal("the ball around it hides a touch")
				}
				s.Hole = true
				if !s.meets(q, radius) && -want < radius {
					t.Fatal("the ball in a hole hides a touch")
				}
				s.Hole = false
			}
		}
	}
	ball := NewBall(vec.New(1, 2, 3), 0.5)
	if d, _ := ball.Contact(vec.New(1, 2, 5)); d != 1.5 {
		t.Errorf("%g from a ball, want 1.5", d)
	}
}

// TestCollision checks for the plane through which a ball came, if any.
func TestCollision(t *testing.T) {
	box := NewBox(vec.Vec3{}, vec.New(1.5, 0.8, 5))
	q := vec.New(1.3, 0.45, 0)
	for _, c := range []struct {
		v    vec.Vec3
		want float64
	}{
		{vec.New(0.75, -1, 0), -0.35}, // through the top, although the side is nearer
		{vec.New(-1, -1, 0), -0.2},    // both count, the side is nearer
		{vec.New(1, 1, 0), -1.25},     // from below
		{vec.New(1, 1, 1), -1.25},     // and from behind, which is farther
	} {
		if d, _ := box.collision(q, c.v, 0.1); math.Abs(d-c.want) > 1e-12 {
			t.Errorf("with %v: %g, want %g", c.v, d, c.want)
		}
	}
	// Beyond all planes, as a point can be only for a half-space, all count.
	half := &Solid{Planes: []Plane{{vec.New(0, 1, 0), 0}}, Turn: vec.NoTurn.Columns()}
	if d, k := half.collision(vec.New(0, -0.2, 0), vec.New(0, 1, 0), 0.1); d != -0.2 || k != 0 {
		t.Errorf("what leaves a half-space: %g from plane %d, want -0.2", d, k)
	}
	if d, _ := box.collision(vec.New(1.7, 0, 0), vec.New(-1, 0, 0), 0.1); !math.IsInf(d, 1) {
		t.Errorf("%g although a plane is between", d)
	}
}

// cloud returns n particles around two balls and a plate. A fifth of the particles are in
// contact with one: the article's scene of its figure 6.
func cloud(n int) (*Tracers, []*Solid) {
	r := rand.New(rand.NewPCG(3, 3))
	t := &Tracers{Radius: 0.02, Mass: 1e-3}
	for range n {
		t.X = append(t.X, vec.New(-0.7+1.5*r.Float64(), -0.6+1.2*r.Float64(), 0.3+2.2*r.Float64()))
		t.V = append(t.V, vec.New(0, 0, 1).Add(point(r, 0.5)))
	}
	box := NewBox(vec.New(0, 0, 1), vec.New(0.5, 0.25, 0.05))
	box.Turn, box.Spin = vec.Turn(vec.New(0, 0.3, 0.1)).Columns(), vec.New(0.01, 0.02, 0)
	return t, []*Solid{NewBall(vec.New(0, 0, 0.5), 0.2), NewBall(vec.New(0.2, 0, 2), 0.5), box}
}

// TestCollide checks that the bodies gain the momentum that particles lose, that all
// particles are outside, and that the bits are the same on any number of threads.
// Unordered sums must agree up to rounding.
func TestCollide(t *testing.T) {
	var want []Push
	var at []vec.Vec3
	for _, threads := range []int{1, 2, 3, 8} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			c, solids := cloud(20000)
			before := slices.Clone(c.V)
			sums := c.Collide(solids)
			if want == nil {
				want, at = sums, c.X
				var lost, given vec.Vec3
				for i, v := range before {
					lost = lost.Add(v.Sub(c.V[i]).Mul(c.Mass))
				}
				for k := range sums {
					given = given.Add(sums[k].Lin)
				}
				if lost.Sub(given).Len() > 1e-12*given.Len() || given.Len() == 0 {
					t.Errorf("particles lost %v N s, bodies got %v", lost, given)
				}
				for i, x := range c.X {
					for _, s := range solids {
						if s.Embedded(x) {
							t.Fatalf("particle %d is in a body", i)
						}
					}
				}
			}
			if !slices.Equal(sums, want) || !slices.Equal(c.X, at) {
				t.Errorf("%d threads give other bits", threads)
			}
			c, solids = cloud(20000)
			for k, p := range c.CollideAsItComes(solids) {
				if p.Hits != want[k].Hits || p.Lin.Sub(want[k].Lin).Len() > 1e-12*want[k].Lin.Len() {
					t.Errorf("as it comes %+v, want %+v", p, want[k])
				}
			}
		}()
	}
}

// TestHole keeps particles in a turning box, in corners too.
func TestHole(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	box := NewBox(vec.New(1, 2, 3), vec.New(1, 0.5, 0.7))
	box.Hole = true
	c := &Tracers{Radius: 0.05, Mass: 1}
	for len(c.X) < 1000 {
		if x := box.X.Add(point(r, 1.5)); !box.Embedded(x) {
			c.X, c.V = append(c.X, x), append(c.V, point(r, 3))
		}
	}
	const dt = 0.01
	for step := range 100 {
		box.Turn = vec.Turn(vec.New(0, 0, dt*float64(step))).Columns()
		box.Spin = vec.New(0, 0, 1)
		for i := range c.X {
			c.X[i] = c.X[i].Add(c.V[i].Mul(dt))
		}
		c.Collide([]*Solid{box})
		for i, x := range c.X {
			if d, _ := box.Contact(x); d > -0.9*c.Radius {
				t.Fatalf("step %d: particle %d is %g from the wall", step, i, -d)
			}
		}
	}
}

func BenchmarkCollide(b *testing.B) {
	c, solids := cloud(50000)
	x, v := slices.Clone(c.X), slices.Clone(c.V)
	for name, collide := range map[string]func([]*Solid) []Push{"tree": c.Collide, "as it comes": c.CollideAsItComes} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				copy(c.X, x)
				copy(c.V, v)
				collide(solids)
			}
		})
	}
}
