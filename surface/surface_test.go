package surface

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// tank is a box that keeps the liquid in. Its share of the kernel is 1 − Π(1 − λ_a) over
// the three nearest planes, as if they were independent. That is exact for one plane, and
// close enough for two and three.
type tank struct {
	box vec.Box
	h   float64
}

func (b tank) Dist(x vec.Vec3) (float64, vec.Vec3) {
	d, n := b.box.Dist(x)
	return -d, n.Neg()
}

func (b tank) Wall(x vec.Vec3) (float64, vec.Vec3) {
	k := kernel.NewCubicSpline(3, b.h)
	one := func(lo, hi float64) (share, slope float64) { // of the two planes across an axis
		s0, g0 := planeShare(k, lo)
		s1, g1 := planeShare(k, hi)
		return s0 + s1, g0 - g1
	}
	lo, hi := x.Sub(b.box.Min), b.box.Max.Sub(x)
	sx, gx := one(lo.X, hi.X)
	sy, gy := one(lo.Y, hi.Y)
	sz, gz := one(lo.Z, hi.Z)
	return 1 - (1-sx)*(1-sy)*(1-sz), vec.New(gx*(1-sy)*(1-sz), gy*(1-sx)*(1-sz), gz*(1-sx)*(1-sy))
}

// planeShare returns ∫ of the marginal beyond a plane at distance d, and its
// derivative by d.
func planeShare(k kernel.Kernel, d float64) (share, slope float64) {
	const steps = 64
	h := k.H()
	if d >= h {
		return 0, 0
	}
	if d <= -h {
		return 1, 0
	}
	step := (h - d) / steps
	for i := range steps {
		share += step * k.Marginal(d+(float64(i)+0.5)*step)
	}
	return share, -k.Marginal(d)
}

// ball is a solid sphere. Its share is the share of the plane nearest to x.
type ball struct {
	c    vec.Vec3
	r, h float64
}

func (b ball) Dist(x vec.Vec3) (float64, vec.Vec3) {
	d := x.Sub(b.c)
	l := d.Len()
	return l - b.r, d.Unit()
}

func (b ball) Wall(x vec.Vec3) (float64, vec.Vec3) {
	d, n := b.Dist(x)
	s, g := planeShare(kernel.NewCubicSpline(3, b.h), d)
	return s, n.Mul(g)
}

// lattice fills box with particles of spacing d.
func lattice(box vec.Box, d float64, jitter float64, seed uint64) (x []vec.Vec3) {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := box.Size().Mul(1 / d)
	for k := range int(math.Round(n.Z)) {
		for j := range int(math.Round(n.Y)) {
			for i := range int(math.Round(n.X)) {
				p := vec.New(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5)
				p = p.Add(vec.New(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Mul(2 * jitter))
				x = append(x, box.Min.Add(p.Mul(d)))
			}
		}
	}
	return x
}

// splash is a pool with waves, a crown and droplets in a tank of 2 × 1 × 1 m,
// about n particles, with velocities.
func splash(n int) Cloud {
	d := 1 / math.Round(math.Cbrt(float64(n)/0.62)) // the walls are whole spacings apart
	box := vec.Box{Max: vec.New(2, 1, 1)}
	inside := func(p vec.Vec3) bool {
		pool := p.Y < 0.25+0.03*math.Sin(9*p.X+2*p.Z)+0.015*math.Sin(17*p.Z-5*p.X)
		a := math.Atan2(p.Z-0.5, p.X-0.6)
		r := math.Hypot(p.X-0.6, p.Z-0.5)
		up := math.Max(0, p.Y-0.2)
		crown := math.Abs(r-0.18-0.25*math.Pow(up, 1.3)) < max(1.5*d, 0.03*(1-1.1*up)) && p.Y > 0.2 && p.Y < 0.5+0.05*math.Sin(11*a)
		tongue := math.Abs(math.Hypot(p.X-1.6, p.Y-0.25)-0.3) < 0.05*(1-0.6*math.Atan2(p.Y-0.25, p.X-1.6)/math.Pi) && p.Y > 0.25 && p.X > 1.35+0.05*math.Sin(12*p.Z)
		return pool || crown || tongue
	}
	c := Cloud{Spacing: d, Walls: []Wall{tank{box, 2 * d}}}
	for _, p := range lattice(box, d, 0.15, 7) {
		if inside(p) && box.Grow(-d/4).Contains(p) {
			c.X = append(c.X, p)
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 30 {
		center := vec.New(0.1+1.8*rng.Float64(), 0.6+0.3*rng.Float64(), 0.1+0.8*rng.Float64())
		radius := d * math.Cbrt(3/(4*math.Pi)*math.Exp(4*rng.Float64()))
		for _, p := range lattice(vec.Box{Min: center.Sub(vec.New(4*d, 4*d, 4*d)), Max: center.Add(vec.New(4*d, 4*d, 4*d))}, d, 0.15, 3) {
			if p.Sub(center).Len() < radius {
				c.X = append(c.X, p)
			}
		}
	}
	for _, p := range c.X {
		c.V = append(c.V, vec.New(math.Sin(3*p.Z)+p.X, 1.5-2*p.Y, math.Cos(5*p.X)))
	}
	return c
}

// fewer returns n at full length, and otherwise half of it.
func fewer(n int) int {
	if longtest.On() {
		return n
	}
	return n / 2
}

// family calls f with every method at its defaults.
func family(t *testing.T, f func(t *testing.T, m Method)) {
	for _, e := range Methods.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			m, err := e.New(registry.None)
			if err != nil {
				t.Fatal(err)
			}
			f(t, m)
		})
	}
}

// surfaceOf meshes c and fails if the mesh is not sound.
func surfaceOf(t *testing.T, m Method, c Cloud) *mesh.Mesh {
	t.Helper()
	dst := new(mesh.Mesh)
	if err := m.Surface(dst, c); err != nil {
		t.Fatal(err)
	}
	if err := dst.Check(); err != nil {
		t.Fatal(err)
	}
	if len(dst.Nrm) != len(dst.Pos) {
		t.Errorf("%d normals for %d vertices", len(dst.Nrm), len(dst.Pos))
	}
	for v, n := range dst.Nrm {
		if math.Abs(n.Len()-1) > 1e-9 {
			t.Fatalf("normal %v of vertex %d is not of unit length", n, v)
		}
	}
	if len(c.V) > 0 && len(dst.Vel) != len(dst.Pos) {
		t.Errorf("%d velocities for %d vertices", len(dst.Vel), len(dst.Pos))
	}
	return dst
}

func TestShapes(t *testing.T) {
	longtest.Only(t)
	const d = 0.02
	far := vec.New(1e6, -3e5, 2e6)
	rng := rand.New(rand.NewPCG(9, 9))
	random := func(n int, size float64) (x []vec.Vec3) {
		for range n {
			x = append(x, vec.New(rng.Float64(), rng.Float64(), rng.Float64()).Mul(size*d))
		}
		return x
	}
	box := vec.Box{Max: vec.New(15*d, 12*d, 10*d)}
	block := lattice(box, d, 0, 1)
	for _, c := range []struct {
		name string
		x    []vec.Vec3
		tol  float64 // relative, of the volume; 0 if it means nothing
	}{
		{"nothing", nil, 0},
		{"lone particle", []vec.Vec3{{X: 1, Y: 2, Z: 3}}, 0.02},
		{"lone particle far away", []vec.Vec3{far}, 0.02},
		{"two that touch", []vec.Vec3{{}, {X: d}}, 0.02},
		{"one twice", []vec.Vec3{{}, {}}, 0},
		{"drops far apart", []vec.Vec3{{}, {X: 500}, {Y: -700, Z: 1000}}, 0.02},
		{"block", block, 0.02},
		{"jittered block", lattice(box, d, 0.2, 2), 0.02},
		{"block far away", lattice(vec.Box{Min: far, Max: far.Add(box.Max)}, d, 0.2, 3), 0.02},
		{"loose cloud", random(400, 20), 0},
		{"sponge", random(2000, 14), 0},
		{"dense cloud", random(3000, 8), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			family(t, func(t *testing.T, m Method) {
				got := surfaceOf(t, m, Cloud{X: c.x, Spacing: d})
				want := float64(len(c.x)) * d * d * d
				if v := got.Volume(); len(c.x) == 0 && len(got.Pos) > 0 || c.tol > 0 && math.Abs(v-want) > c.tol*want {
					t.Errorf("volume: got %g, want %g", v, want)
				}
			})
		})
	}
}

// TestWall fills the bottom of a tank whose walls lie between the nodes of the grid. The
// liquid must lie flat on every wall that it touches, into the edges and corners. Its
// surface must be flat and at the height that the volume gives. Its outline must be a
// box.
func TestWall(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	low := vec.New(0.0137, -0.0071, 0.0029)
	high := low.Add(vec.New(16*d, 20*d, 12*d))
	c := Cloud{Spacing: d, Walls: []Wall{tank{vec.Box{Min: low, Max: high}, 2 * d}}}
	top := low.Y + 8*d
	c.X = lattice(vec.Box{Min: low, Max: vec.New(high.X, top, high.Z)}, d, 0, 1)
	family(t, func(t *testing.T, m Method) {
		got := surfaceOf(t, m, c)
		want := vec.Box{Min: low, Max: vec.New(high.X, top, high.Z)}
		var wet float64
		for _, tri := range got.Tri {
			a, b, c := got.Pos[tri[0]], got.Pos[tri[1]], got.Pos[tri[2]]
			n := b.Sub(a).Cross(c.Sub(a))
			if n.Unit().Y > 0.5 {
				continue // the free surface
			}
			wet += n.Len() / 2
			for _, p := range [...]vec.Vec3{a, b, c} {
				if e, _ := want.Dist(p); p.Y < top-d && math.Abs(e) > 0.01*d {
					t.Fatalf("%v, of a face under a wall, is %.3g spacings off it", p, e/d)
				}
			}
		}
		s := want.Size()
		if dry := s.X*s.Z + 2*(s.X+s.Z)*s.Y; math.Abs(wet-dry) > 0.02*dry {
			t.Errorf("area under walls: got %g, want %g", wet, dry)
		}
		for v, p := range got.Pos {
			if e := math.Abs(p.Y - top); got.Nrm[v].Y > 0.5 && e > 0.05*d {
				t.Errorf("surface at %v is %.3g spacings off its height", p, e/d)
			}
			if !want.Grow(0.05 * d).Contains(p) {
				t.Errorf("vertex %v lies outside of %v", p, want)
			}
		}
		if v, w := got.Volume(), want.Volume(); math.Abs(v-w) > 0.01*w {
			t.Errorf("volume: got %g, want %g", v, w)
		}
	})
}

// TestWallKeepsItsDistance puts a drop before a wall, near but not at it, and
// one against it.
func TestWallKeepsItsDistance(t *testing.T) {
	const d = 0.02
	w := tank{vec.Box{Max: vec.New(1, 1, 1)}, 2 * d}
	family(t, func(t *testing.T, m Method) {
		for _, c := range []struct {
			gap     float64 // of the particle from the wall, spacings
			touches bool
		}{{0.5, true}, {1.1, false}} {
			got := surfaceOf(t, m, Cloud{X: []vec.Vec3{{X: 0.5, Y: c.gap * d, Z: 0.5}}, Spacing: d, Walls: []Wall{w}})
			low := got.Bounds().Min.Y
			if low < 0 || (low < 0.01*d) != c.touches {
				t.Errorf("a drop %g spacings from the floor reaches down to %.3g spacings", c.gap, low/d)
			}
		}
	})
}

// TestBall drowns a solid sphere: the liquid must lie on all of it, and only
// there and at the outside of the block may it have a surface.
func TestBall(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	box := vec.Box{Max: vec.New(16*d, 16*d, 16*d)}
	b := ball{box.Center().Add(vec.New(0.003, 0.001, -0.002)), 4.5 * d, 2 * d}
	c := Cloud{Spacing: d, Walls: []Wall{b}}
	for _, p := range lattice(box, d, 0.1, 4) {
		e, n := b.Dist(p)
		if e > 0 { // the nearest ones, too near for a lattice, move to half a spacing
			c.X = append(c.X, p.Add(n.Mul(max(0, d/2-e))))
		}
	}
	family(t, func(t *testing.T, m Method) {
		got := surfaceOf(t, m, c)
		of, pieces := got.Components()
		if len(pieces) != 2 {
			t.Fatalf("got %d pieces, want the block and the ball", len(pieces))
		}
		inner := 0
		if pieces[1].Volume < 0 {
			inner = 1
		}
		if v, want := -pieces[inner].Volume, 4*math.Pi/3*b.r*b.r*b.r; math.Abs(v-want) > 0.03*want {
			t.Errorf("volume of the hole: got %g, want %g", v, want)
		}
		on, all := 0, 0
		for v, p := range got.Pos {
			if int(of[v]) != inner {
				continue
			}
			all++
			e, n := b.Dist(p)
			if e < -0.01*d {
				t.Fatalf("vertex %v is %.3g spacings inside the ball", p, -e/d)
			}
			if e < 1e-6*d && got.Nrm[v].Dot(n) < -0.99 {
				on++
			}
		}
		// A lattice does not fit a ball: here and there it leaves a gap.
		if on < all*97/100 {
			t.Errorf("%d of %d vertices lie on the ball", on, all)
		}
	})
}

// ballInBox returns a cloud of n random particles in a tank with a ball in it, some
// of them behind the walls, and the tank.
func ballInBox(seed uint64, n int) (c Cloud, box vec.Box) {
	const d = 0.02
	rng := rand.New(rand.NewPCG(seed, 8))
	at := vec.New(rng.Float64(), rng.Float64(), rng.Float64())
	box = vec.Box{Min: at, Max: at.Add(vec.New(8*d, 9*d, 7*d))}
	c = Cloud{Spacing: d, Walls: []Wall{tank{box, 2 * d}, ball{box.Center(), 2 * d, 2 * d}}}
	for range n {
		s := box.Size()
		c.X = append(c.X, box.Min.Add(vec.New(s.X*(1.1*rng.Float64()-0.05), s.Y*rng.Float64(), s.Z*rng.Float64())))
	}
	return c, box
}

func TestRandomCloudsInTanks(t *testing.T) {
	longtest.Only(t)
	family(t, func(t *testing.T, m Method) {
		for seed := range uint64(20) {
			c, box := ballInBox(seed, 20+40*int(seed))
			for _, p := range surfaceOf(t, m, c).Pos {
				if !box.Grow(0.01 * c.Spacing).Contains(p) {
					t.Fatalf("seed %d: vertex %v lies outside of %v", seed, p, box)
				}
			}
		}
	})
}

// TestVolume meshes a splash, and froth: a pool in which every twelfth particle is
// missing, so that its field is the field of a larger pool.
func TestVolume(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	box := vec.Box{Max: vec.New(24*d, 12*d, 16*d)}
	froth := Cloud{Spacing: d, Walls: []Wall{tank{vec.Box{Min: box.Min, Max: vec.New(box.Max.X, 1, box.Max.Z)}, 2 * d}}}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, p := range lattice(box, d, 0.2, 1) {
		if rng.IntN(12) > 0 {
			froth.X = append(froth.X, p)
		}
	}
	for name, c := range map[string]Cloud{"splash": splash(fewer(8000)), "froth": froth} {
		t.Run(name, func(t *testing.T) {
			family(t, func(t *testing.T, m Method) {
				got := surfaceOf(t, m, c)
				want := float64(len(c.X)) * math.Pow(c.Spacing, 3)
				if v := got.Volume(); math.Abs(v-want) > 0.01*want {
					t.Errorf("volume: got %.5g, want %.5g", v, want)
				}
			})
		})
	}
}

// TestVelocity gives all particles one velocity, and then a linear field.
func TestVelocity(t *testing.T) {
	longtest.NotShort(t)
	c := splash(fewer(4000))
	family(t, func(t *testing.T, m Method) {
		for i := range c.V {
			c.V[i] = vec.New(3, -2, 1)
		}
		got := surfaceOf(t, m, c)
		for v, u := range got.Vel {
			if u.Sub(c.V[0]).Len() > 1e-6 {
				t.Fatalf("vertex %d moves with %v in a liquid that moves with %v", v, u, c.V[0])
			}
		}
		for i, x := range c.X {
			c.V[i] = vec.New(x.Y, -x.X, 0)
		}
		got = surfaceOf(t, m, c)
		for v, p := range got.Pos {
			if e := got.Vel[v].Sub(vec.New(p.Y, -p.X, 0)).Len(); e > 2.5*c.Spacing {
				t.Fatalf("velocity at %v is off by %g", p, e)
			}
		}
	})
}

func TestSameForAnyThreads(t *testing.T) {
	c := splash(fewer(6000))
	family(t, func(t *testing.T, m Method) { sameForAnyThreads(t, m, c) })
}

func sameForAnyThreads(t *testing.T, m Method, c Cloud) {
	t.Helper()
	var want *mesh.Mesh
	for n := range longtest.OnThreads() {
		got := surfaceOf(t, m, c)
		if want == nil {
			want = got
		}
		if !slices.Equal(got.Pos, want.Pos) || !slices.Equal(got.Nrm, want.Nrm) || !slices.Equal(got.Vel, want.Vel) || !slices.Equal(got.Tri, want.Tri) {
			t.Errorf("%d threads give another mesh than one", n)
		}
	}
}

func TestBadClouds(t *testing.T) {
	bad := func(x vec.Vec3) []vec.Vec3 { return []vec.Vec3{{}, {X: 1}, x} }
	family(t, func(t *testing.T, m Method) {
		for _, c := range []struct {
			cloud Cloud
			want  string
		}{
			{Cloud{X: bad(vec.New(0, math.NaN(), 0)), Spacing: 0.1}, "particle 2"},
			{Cloud{X: bad(vec.New(0, 0, math.Inf(-1))), Spacing: 0.1}, "particle 2"},
			{Cloud{X: bad(vec.New(1, 0, 0)), V: bad(vec.New(math.NaN(), 0, 0)), Spacing: 0.1}, "velocity"},
			{Cloud{X: bad(vec.New(1e15, 0, 0)), Spacing: 0.1}, "particle 2, at [1e+15, 0, 0], is the farthest"},
			{Cloud{X: bad(vec.New(1, 0, 0)), V: bad(vec.Vec3{})[1:], Spacing: 0.1}, "2 velocities for 3 particles"},
			{Cloud{X: bad(vec.New(1, 0, 0)), Rho: []float64{1, 1}, Rho0: 1, Spacing: 0.1}, "2 densities for 3 particles"},
			{Cloud{X: bad(vec.New(1, 0, 0)), Rho: []float64{1, 0, 1}, Rho0: 1, Spacing: 0.1}, "particle 1"},
			{Cloud{X: bad(vec.New(1, 0, 0)), Rho: []float64{1, 1, 1}, Spacing: 0.1}, "particle 0"},
			{Cloud{X: bad(vec.New(1, 0, 0))}, "spacing 0"},
			{Cloud{X: bad(vec.New(1, 0, 0)), Spacing: math.NaN()}, "spacing NaN"},
		} {
			err := m.Surface(new(mesh.Mesh), c.cloud)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		}
	})
}
