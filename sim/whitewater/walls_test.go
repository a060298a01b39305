package whitewater

import (
	"math"
	"strings"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/dice"
	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// plate returns a thin upright plate as a triangle mesh, in the plane x = 0.5.
func plate(thick float64) *mesh.Mesh {
	b := vec.Box{Min: vec.New(0.5, 0, 0), Max: vec.New(0.5+thick, 1, 1)}
	m := &mesh.Mesh{}
	for _, c := range b.Corners() {
		m.Pos = append(m.Pos, c)
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Tri = append(m.Tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// piston is a wall that moves along x.
type piston struct {
	boundary.Box
	x, v float64
}

func (p *piston) Dist(x vec.Vec3) (float64, vec.Vec3) { return p.Box.Dist(x.Sub(vec.New(p.x, 0, 0))) }
func (p *piston) Vel(vec.Vec3) vec.Vec3               { return vec.New(p.v, 0, 0) }
func (p *piston) Beyond(vec.Vec3, float64) bool       { return false }

// turning is a wall that turns about the axis through (0.5, 0.5, 0.5) along z.
type turning struct {
	Wall
	angle, spin float64
}

func (w *turning) turn(x vec.Vec3, angle float64) vec.Vec3 {
	s, c := math.Sincos(angle)
	return vec.New(c*x.X-s*x.Y, s*x.X+c*x.Y, x.Z)
}

func (w *turning) Dist(x vec.Vec3) (float64, vec.Vec3) {
	middle := vec.New(0.5, 0.5, 0.5)
	d, n := w.Wall.Dist(middle.Add(w.turn(x.Sub(middle), -w.angle)))
	return d, w.turn(n, w.angle)
}

func (w *turning) Vel(x vec.Vec3) vec.Vec3 {
	return vec.New(0, 0, w.spin).Cross(x.Sub(vec.New(0.5, 0.5, 0.5)))
}

// TestWalls throws drops, bubbles, foam and mist about within walls of several kinds. None is
// ever behind one.
func TestWalls(t *testing.T) {
	longtest.Only(t)
	const d = 0.05
	room := &boundary.Box{Max: vec.New(1, 1, 1), Inside: true}
	cylinder := &boundary.Cylinder{Bottom: vec.New(0.5, 0, 0.5), Top: vec.New(0.5, 1, 0.5), Radius: 0.5, Inside: true}
	if err := cylinder.Init(kernel.NewCubicSpline(3, kernel.Support(d))); err != nil {
		t.Fatal(err)
	}
	wedge := walltest.Wedge(t, true)
	block := &boundary.Box{Min: vec.New(0.4, 0.1, 0.3), Max: vec.New(0.6, 0.6, 0.7)}
	push := &piston{Box: boundary.Box{Min: vec.New(-1, 0, 0), Max: vec.New(0, 1, 1)}}
	blades := &turning{Wall: walltest.Mesh(t, plate(0.02), false)}
	var crates []Wall
	for i := range 100 {
		at := vec.New(0.1+0.2*float64(i%5), 0.1+0.2*float64(i/5%5), 0.15+0.23*float64(i/25))
		crates = append(crates, &piston{Box: boundary.Box{Min: at.Sub(vec.New(0.04, 0.04, 0.04)), Max: at.Add(vec.New(0.04, 0.04, 0.04))}})
	}
	place := func(t float64, _ []particle.Body) error {
		push.x, push.v = 0.4*(1-math.Cos(8*t)), 3.2*math.Sin(8*t)
		blades.angle, blades.spin = 6*t, 6
		for i, w := range crates {
			p := w.(*piston)
			p.x, p.v = 0.05*math.Sin(20*t+float64(i)), math.Cos(20*t+float64(i))
		}
		return nil
	}
	for _, c := range []struct {
		name          string
		walls, bodies []Wall
	}{
		{"box", []Wall{room}, nil},
		{"cylinder", []Wall{cylinder}, nil},
		{"wedge", []Wall{wedge}, nil},
		{"block in a box", []Wall{room, block}, nil},
		{"sheet of 2 mm in a box", []Wall{room, walltest.Mesh(t, plate(0.002), false)}, nil},
		{"piston at 3 m/s", []Wall{room}, []Wall{push}},
		{"blade of a wheel at one turn per second", []Wall{room}, []Wall{blades}},
		{"100 boxes that move", []Wall{room}, crates},
	} {
		scene := water(d)
		scene.Walls, scene.Bodies, scene.Place = c.walls, c.bodies, place
		if err := place(0, nil); err != nil {
			t.Fatal(err)
		}
		all := append(append([]Wall{}, c.walls...), c.bodies...)
		swirl := frames(lattice(vec.Box{Max: vec.New(1, 0.5, 1)}, d), func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
			v = vec.New(3*math.Sin(9*t+5*x.Z), math.Cos(7*t+4*x.X), 3*math.Cos(8*t+6*x.Y))
			return x, v // it carries its parcels into the walls
		}, never_)
		set := quiet()
		set.FoamLife = 100
		w := start(t, set, scene)
		for k := range 600 {
			q := dice.New(4, uint64(k))
			p := Parcel{
				X: vec.New(q.Float(0), q.Float(1), q.Float(2)), V: inBall(q, 3).Mul(9),
				R: 1e-3 * (0.2 + q.Float(6)), N: 1, Kind: Kind(k % Kinds),
			}
			if gap, _, _ := clearance(all, p.X); gap > p.R {
				w.Add(p)
			}
		}
		left := make(map[uint64]bool) // of the sheet
		for i := range w.Parcels().Len() {
			left[w.Parcels().ID[i]] = w.Parcels().At(i).X < 0.5
		}
		begun := w.Parcels().Len()
		for k := range 12 {
			run(t, w, swirl, 0.02, 1)
			for i := range w.Parcels().Len() {
				p := w.Parcels()
				if gap, _, _ := clearance(all, p.At(i)); gap < -float64(p.R[i]) {
					t.Fatalf("%s: after %d steps a parcel of %v, radius %.2g mm, is %.3g mm behind a wall", c.name, k+1, p.Kind[i].Kind(), 1e3*p.R[i], -1e3*gap)
				}
				if strings.HasPrefix(c.name, "sheet") && left[p.ID[i]] != (p.At(i).X < 0.5) {
					t.Fatalf("%s: after %d steps a parcel of %v has passed through", c.name, k+1, p.Kind[i].Kind())
				}
			}
		}
		if n := w.Parcels().Len(); n < begun/10 {
			t.Errorf("%s: %d parcels of %d are left", c.name, n, begun)
		}
		balance(t, w)
	}
}

// TestLandedUnderBody lets drops fall into liquid, and a block move over the places of some of
// them in the same step. No bubbles come to be in the block.
func TestLandedUnderBody(t *testing.T) {
	const d = 0.05
	block := &piston{Box: boundary.Box{Min: vec.New(-1, 0.2, 0), Max: vec.New(0, 0.9, 1)}}
	scene := tank(d, vec.New(1, 1, 1))
	scene.Bodies = []Wall{block}
	scene.Place = func(t float64, _ []particle.Body) error {
		block.x, block.v = 10*t, 10
		return nil
	}
	w := start(t, quiet(), scene)
	for k := range 400 {
		q := dice.New(6, uint64(k))
		w.Add(Parcel{X: vec.New(0.3+0.6*q.Float(0), 0.5, 0.1+0.8*q.Float(1)), V: vec.New(0, -3, 0), R: 2e-3, N: 1, Kind: Spray})
	}
	pool := lattice(vec.Box{Max: vec.New(1, 0.5, 1)}, d)
	run(t, w, frames(pool, func(x vec.Vec3, _ float64) (pos, v vec.Vec3) { return x, vec.New(4, 0, 0) }, never_), 0.05, 1)
	bubbles := 0
	for i := range w.Parcels().Len() {
		if gap, _ := block.Dist(w.Parcels().At(i)); gap < 0 {
			t.Errorf("a parcel of %v is %.3g mm in the block", w.Parcels().Kind[i].Kind(), -1e3*gap)
		}
		if w.Parcels().Kind[i].Kind() == Bubble {
			bubbles++
		}
	}
	if bubbles == 0 {
		t.Error("no drop has made bubbles")
	}
	balance(t, w)
}

// TestCling puts drops on upright walls, on a floor and on a block that moves away. Drops of 1 mm stay,
// drops of 3 mm run down, drops on the floor stay for good, and drops on the block fall.
func TestCling(t *testing.T) {
	const d = 0.05
	block := &piston{Box: boundary.Box{Min: vec.New(0.4, 0.4, 0.4), Max: vec.New(0.5, 0.9, 0.6)}}
	scene := tank(d, vec.New(1, 1, 1))
	scene.Bodies = []Wall{block}
	scene.Place = func(t float64, _ []particle.Body) error {
		block.x, block.v = -2*t, -2
		return nil
	}
	w := start(t, quiet(), scene)
	for _, p := range []Parcel{
		{X: vec.New(1e-3, 0.8, 0.9), R: 1e-3},
		{X: vec.New(3e-3, 0.8, 0.3), R: 3e-3},
		{X: vec.New(0.7, 1e-3, 0.5), R: 1e-3},
		{X: vec.New(0.5+3e-3, 0.7, 0.5), V: vec.New(-2, 0, 0), R: 3e-3},
	} {
		p.N = 1
		w.Add(p)
	}
	p := w.Parcels()
	for i := range p.Kind {
		p.Kind[i] |= clinging
	}
	empty := func(t float64) Frame { return Frame{t, &particle.Set{}} }
	run(t, w, empty, 0.02, 10)
	at := make(map[uint64]int)
	for i, id := range p.ID {
		at[id] = i
	}
	if len(at) != 4 {
		t.Fatalf("%d drops are left, want 4", len(at))
	}
	if y := p.At(at[0]).Y; math.Abs(y-0.8) > 1e-4 || !p.Kind[at[0]].Clings() {
		t.Errorf("a drop of 1 mm is at y = %g m, want 0.8 m", y)
	}
	if y, want := p.At(at[1]).Y, 0.8-0.2*runDown(3e-3, 9.81, &scene); math.Abs(y-want) > 2e-3 || want > 0.79 || !p.Kind[at[1]].Clings() {
		t.Errorf("a drop of 3 mm is at y = %g m, want %g m", y, want)
	}
	if !p.Kind[at[3]].Clings() || math.Abs(p.At(at[3]).X-(0.5-0.4+3e-3)) > 1e-3 {
		t.Errorf("a drop on a block that moves is at x = %g m, want 0.103 m", p.At(at[3]).X)
	}
	scene.Bodies[0].(*piston).Box.Max.X = 0.45 // the block shrinks
	run(t, w, empty, 0.02, 5)
	for i, id := range p.ID {
		if id == 3 && (p.Kind[i].Clings() || p.Velocity(i).Y > -0.5) {
			t.Errorf("a drop without its wall has the velocity %v m/s", p.Velocity(i))
		}
	}
	run(t, w, empty, 0.05, int(clingTime/0.05)+1)
	if p.Len() != 1 && p.Len() != 2 { // what fell may lie on the floor as well
		t.Errorf("%d drops are left", p.Len())
	}
	for i := range p.ID {
		if y := p.At(i).Y; y > 4e-3 || p.Shown(i) != float64(p.R[i]) {
			t.Errorf("a drop at y = %g m is left, drawn with %g of %g m", y, p.Shown(i), p.R[i])
		}
	}
	balance(t, w)
}
