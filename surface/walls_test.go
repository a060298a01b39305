package surface

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// brick is a solid box that stands askew. Its share is the share of the plane nearest to
// x.
type brick struct {
	center, half vec.Vec3
	axes         [3]vec.Vec3 // perpendicular, of unit length
	h            float64
}

func (b brick) Dist(x vec.Vec3) (float64, vec.Vec3) {
	r := x.Sub(b.center)
	d, n := vec.Box{Min: b.half.Neg(), Max: b.half}.Dist(vec.New(r.Dot(b.axes[0]), r.Dot(b.axes[1]), r.Dot(b.axes[2])))
	return d, b.axes[0].Mul(n.X).Add(b.axes[1].Mul(n.Y)).Add(b.axes[2].Mul(n.Z))
}

func (b brick) Wall(x vec.Vec3) (float64, vec.Vec3) {
	d, n := b.Dist(x)
	return shareBehind(d, n, b.h)
}

// shareBehind returns the share of the kernel, and its gradient, behind a plane at the
// distance d with the normal n.
func shareBehind(d float64, n vec.Vec3, h float64) (float64, vec.Vec3) {
	if d >= h {
		return 0, vec.Vec3{}
	}
	s, g := planeShare(kernel.NewCubicSpline(3, h), d)
	return s, n.Mul(g)
}

// askew returns three perpendicular directions.
func askew(rng *rand.Rand) (axes [3]vec.Vec3) {
	any := func() vec.Vec3 { return vec.New(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	axes[0] = any().Unit()
	axes[1] = axes[0].Cross(any()).Unit()
	axes[2] = axes[0].Cross(axes[1])
	return axes
}

// heap is a pool in a tank in which bricks lie across each other and on the
// floor, a few of them almost along the grid.
func heap(seed uint64) Cloud {
	const d = 0.02
	rng := rand.New(rand.NewPCG(seed, 11))
	within := func(r float64) float64 { return r * (2*rng.Float64() - 1) }
	box := vec.Box{Max: vec.New(20*d, 60*d, 14*d)}
	c := Cloud{Spacing: d, Walls: []Wall{tank{box, 2 * d}}}
	for k := range 6 {
		b := brick{half: vec.New(3.2*d, 1.6*d, 1.6*d), axes: askew(rng), h: 2 * d}
		if k%2 == 0 {
			// Along the grid but for a little, as a brick that has slid.
			s, t := math.Sincos(within(0.02))
			b.axes = [3]vec.Vec3{{X: t, Z: s}, {Y: 1}, {X: -s, Z: t}}
		}
		b.center = vec.New(10*d+within(6*d), 2*d+within(1.5*d), 7*d+within(4*d))
		c.Walls = append(c.Walls, b)
	}
	for _, p := range lattice(vec.Box{Max: vec.New(20*d, 6*d, 14*d)}, d, 0.2, seed) {
		near := math.Inf(1)
		for _, w := range c.Walls {
			e, _ := w.Dist(p)
			near = min(near, e)
		}
		if near > 0.3*d {
			c.X = append(c.X, p)
		}
	}
	return c
}

// TestCutStaysOnItsEdge cuts an edge of the grid that runs almost along a wall:
// the vertex must lie between its nodes, not where the line through them meets
// the plane.
func TestCutStaysOnItsEdge(t *testing.T) {
	const cell = 0.01
	a, b := vec.New(0, 0, 0), vec.New(0, cell, 0)
	for _, slope := range []float64{1e-6, 1e-4, 0.01, 0.1, 1, 10} {
		for _, d := range []float64{-0.5, -0.009, 0, 0.005, 0.0099} { // of b, cells
			n := vec.New(1, -slope, 0).Unit()
			f := &field{walls: walls{all: []Wall{plane{b.Sub(n.Mul(d * cell)), n}}, h: 4 * cell}}
			p, h := f.cut(a, b, d*cell, n, cell)
			if away, _ := (vec.Box{Min: a, Max: b}).Dist(p); away > (math.Abs(d)+0.01)*cell {
				t.Errorf("slope %g, node %g cells from the wall: the vertex is at %v, %g cells from its edge", slope, d, p, away/cell)
			}
			if e, _ := f.dist(p); math.Abs(e) > 1e-9 || h.n != 1 {
				t.Errorf("slope %g, node %g cells from the wall: the vertex is %g m from it, with %d holds", slope, d, e, h.n)
			}
		}
	}
}

// plane is a wall through at.
type plane struct{ at, n vec.Vec3 }

func (p plane) Dist(x vec.Vec3) (float64, vec.Vec3)         { return x.Sub(p.at).Dot(p.n), p.n }
func (plane) Wall(vec.Vec3) (share float64, slope vec.Vec3) { return 0, vec.Vec3{} }

// TestHeap meshes liquid among bricks that reach into each other and into the floor. The
// mesh must be valid and contain the liquid, and no edge may be longer than four
// spacings. The search for an edge where three walls meet once went on for ever here.
func TestHeap(t *testing.T) {
	longtest.NotShort(t)
	seeds := uint64(3)
	if longtest.On() {
		seeds = 40
	}
	for seed := range seeds {
		c := heap(seed)
		want := float64(len(c.X)) * c.Spacing * c.Spacing * c.Spacing
		family(t, func(t *testing.T, m Method) {
			got := surfaceOf(t, m, c)
			if l, at := got.Longest(); l > 4*c.Spacing {
				t.Errorf("seed %d: a triangle at %v has a side of %.2f spacings", seed, at, l/c.Spacing)
			}
			if v := got.Volume(); math.Abs(v-want) > 0.02*want {
				t.Errorf("seed %d: %.4f of the particles' volume", seed, v/want)
			}
		})
	}
}

// TestThinWall has liquid in a corner of three plates one spacing thick, at many places
// on the grid. Its mirror images reach through the plates, but no liquid may appear
// beyond them.
func TestThinWall(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	axes := [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	family(t, func(t *testing.T, m Method) {
		for k := range 12 {
			corner := vec.New(float64(k)*0.83*d, float64(k)*0.61*d, float64(k)*0.37*d)
			c := Cloud{X: lattice(vec.Box{Min: corner, Max: corner.Add(vec.New(5*d, 5*d, 5*d))}, d, 0.2, uint64(k)), Spacing: d}
			for a := range axes {
				half := vec.New(6*d, 6*d, 6*d)
				half = half.Sub(axes[a].Mul(5.5 * d))
				center := corner.Add(vec.New(5*d, 5*d, 5*d))
				center = center.Sub(axes[a].Mul(5.5 * d))
				c.Walls = append(c.Walls, brick{center: center, half: half, axes: axes, h: 2 * d})
			}
			got := surfaceOf(t, m, c)
			low := got.Bounds().Min.Sub(corner)
			if min(low.X, low.Y, low.Z) < -0.01*d {
				t.Errorf("the corner is at %v m, and there is liquid at %v m", corner, got.Bounds().Min)
			}
		}
	})
}
