package sim

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/inflow"
	"breakwater/sim/longtest"
	"breakwater/sim/outflow"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// jet is an inflow straight up, of a radius of 4 spacings.
func jet(d float64, parabolic bool) inflow.Inflow {
	return inflow.Inflow{
		Opening: &inflow.Disc{Radius: 4 * d}, Position: vec.New(0.5, 0.3, 0.5), Direction: vec.New(0, 3, 0),
		Speed: 1.5, Parabolic: parabolic, Stop: math.Inf(1),
	}
}

// openings runs f for every kind of opening with both profiles.
func openings(t *testing.T, f func(t *testing.T, in inflow.Inflow)) {
	for _, name := range inflow.Openings.Names() {
		for _, parabolic := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/parabolic=%t", name, parabolic), func(t *testing.T) {
				in := jet(0.02, parabolic)
				in.Opening = registrytest.New(t, &inflow.Openings, name)
				f(t, in)
			})
		}
	}
}

// TestInflow lets a jet run without gravity: the volume is right, the density is right
// from the opening on, and nothing is deflected.
func TestInflow(t *testing.T) {
	openings(t, func(t *testing.T, in inflow.Inflow) {
		const d = 0.02
		w := New(d, 1000)
		in.Start, in.Stop = 0.0123, 0.2
		w.Inflows = []inflow.Inflow{in}
		mustInit(t, w)
		n := w.Nozzles()[0]
		cube := d * d * d
		worst, drift := 0., 0.
		s := registrytest.New(t, &Solvers, "iisph")
		for _, end := range []float64{0.01, 0.05, 0.1, 0.2, 0.25} {
			mustAdvance(t, w, s, end, func(i StepInfo) error {
				worst = max(worst, i.DensityError)
				return nil
			})
			free := 0
			for i, x := range w.X {
				if x.Sub(n.At).Dot(n.Dir) >= 0 {
					free++
				}
				if p, _ := w.buffers.Holding(w.ID[i], w.Time); p == nil {
					drift = max(drift, w.V[i].Sub(n.Dir.Mul(w.V[i].Dot(n.Dir))).Len())
				}
				most := 0.01
				if in.Parabolic { // columns that pass each other do not form a lattice
					most = 0.02
				}
				if e := w.Rho[i]/1000 - 1; e > most {
					t.Errorf("at %g s a particle at %v has %.2f %% too much density", end, x, 100*e)
				}
			}
			got, want := float64(free)*cube, in.Opening.Area()*in.Speed*max(0, min(end, in.Stop)-in.Start)
			if math.Abs(got-want) > 0.01*want+float64(len(n.Columns))*cube/2 {
				t.Errorf("at %g s %g m³ have come in, want %g", end, got, want)
			}
			if got := n.Volume(end); math.Abs(got-want) > 1e-12 {
				t.Errorf("the nozzle says %g m³, want %g", got, want)
			}
		}
		t.Logf("%d columns, layers %.4f spacings, density error at most %.2g, drift %.2g m/s", len(n.Columns), n.Layer/d, worst, drift)
		if worst > 0.01 {
			t.Errorf("mean density error of %.2g", worst)
		}
		most := 1e-6
		if in.Parabolic { // columns that pass each other push
			most = 0.1
		}
		if drift > most*in.Speed {
			t.Errorf("a particle goes aside at %g m/s", drift)
		}
	})
}

// TestInflowUnderWater lets a jet into a tank that is full above the nozzle: the density
// stays constant and nothing explodes.
func TestInflowUnderWater(t *testing.T) {
	longtest.Only(t)
	const d = 0.025
	for _, start := range []float64{0, 0.1} {
		w := New(d, 1000)
		w.Gravity = earth
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(0.7, 2, 0.7), Inside: true}}
		in := jet(d, false)
		in.Position, in.Start = vec.New(0.35, 0.2, 0.35), start
		w.Inflows = []inflow.Inflow{in}
		w.Fill(&shape.Box{Max: vec.New(0.7, 0.4, 0.7)}, vec.Vec3{})
		mustInit(t, w)
		pool := w.Stats()
		top := 0.
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.3, func(i StepInfo) error {
			if i.DensityError > 2e-3 {
				t.Fatalf("at %.3f s the density is %.2g too high", i.Time, i.DensityError)
			}
			top = max(top, i.MaxSpeed)
			return nil
		})
		st := w.Stats()
		t.Logf("start %g: highest speed %.3g m/s, density error %.2g, worst %.2g", start, top, st.MeanError, st.MaxError)
		if st.MaxError > 0.1 { // one particle for a moment
			t.Errorf("a particle has %.2g too much density", st.MaxError)
		}
		if top > 1.6*in.Speed {
			t.Errorf("something moves at %g m/s", top)
		}
		n := w.Nozzles()[0]
		want := n.Volume(0.3)
		if got := float64(st.Particles-pool.Particles) * d * d * d; math.Abs(got-want) > 0.01*want+float64(len(n.Columns))*d*d*d/2 {
			t.Errorf("%g m³ have come in, want %g", got, want)
		}
		// Filled liquid must not get into the buffer.
		for i, x := range w.X {
			if r := x.Sub(n.At); r.Y < -d && r.Y > -2*n.Layer && math.Hypot(r.X, r.Z) < 3*d {
				if p, _ := w.buffers.Holding(w.ID[i], w.Time); p == nil {
					t.Errorf("a particle of the tank is in the nozzle at %v", x)
				}
			}
		}
	}
}

// channel has two inflows, a drain and an open side: all that changes the
// number of particles. Walls may stand in it.
func channel(t testing.TB, d float64, walls ...boundary.Boundary) *World {
	w := New(d, 1000)
	w.Gravity = earth
	w.Walls = append([]boundary.Boundary{&boundary.Box{Max: vec.New(1, 1, 0.4), Inside: true, Open: []string{"x+"}}}, walls...)
	w.Inflows = []inflow.Inflow{
		{Opening: &inflow.Disc{Radius: 2 * d}, Position: vec.New(0.4, 0.5, 0.2), Direction: vec.New(1, -1, 0), Speed: 2, Stop: 0.2},
		{Opening: &inflow.Rectangle{Width: 4 * d, Height: 3 * d}, Position: vec.New(4*d, 0.15, 0.2), Direction: vec.New(1, 0, 0), Speed: 1.3, Parabolic: true, Start: 0.03, Stop: 9},
	}
	w.Outflows = []outflow.Outflow{
		{Region: &outflow.Box{Min: vec.New(0.5, 0, 0.1), Max: vec.New(0.7, 0.05, 0.3)}, Flow: 0.005},
	}
	w.Fill(&shape.Box{Max: vec.New(1, 0.1, 0.4)}, vec.Vec3{})
	mustInit(t, w)
	return w
}

// stirred is a channel with moving walls that have friction: a mesh that turns and a
// block that swings.
func stirred(t testing.TB, d float64) *World {
	paddle := walltest.Mesh(t, mesh.Cuboid(vec.Box{Min: vec.New(0.55, 0.12, 0.1), Max: vec.New(0.8, 0.22, 0.3)}), false)
	return channel(t, d,
		body.New(paddle, body.Motion{Axis: vec.New(0, 0, 1), Center: vec.New(0.67, 0.17, 0.2), Turn: 200}, 0.5),
		body.New(&boundary.Box{Min: vec.New(0.86, 0.02, 0.05), Max: vec.New(0.97, 0.14, 0.2)}, body.Motion{Amplitude: vec.New(0, 0, 0.1), Frequency: 2}, 0.2))
}

// TestSourcesSameBytes runs a channel with all kinds of sources and with moving walls, on
// several threads, and with a stop after each frame. The bytes are the same, and particle
// numbers are unique.
func TestSourcesSameBytes(t *testing.T) {
	t.Run("channel", func(t *testing.T) { sameBytes(t, func() *World { return channel(t, 0.04) }) })
	t.Run("stirred", func(t *testing.T) { sameBytes(t, func() *World { return stirred(t, 0.04) }) })
}

func sameBytes(t *testing.T, build func() *World) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	at := func(frame int) float64 { return float64(frame) / 30 }
	solvers(t, func(t *testing.T, name string) {
		frames := 8
		if name == "wcsph" { // which takes short steps
			longtest.Only(t)
			frames = 3
		}
		all := []int{2, 1, 3, 8}
		switch {
		case testing.Short():
			all = all[3:] // for the race detector
		case !longtest.On():
			all = all[1:3]
		}
		want := make([]uint64, frames+1)
		for run, threads := range all {
			runtime.GOMAXPROCS(threads)
			w := build()
			s := registrytest.New(t, &Solvers, name)
			var saved particle.Set
			var added, removed int
			gone, here := map[uint32]int{}, []uint32(nil)
			before := slices.Clone(w.ID)
			for frame := 1; frame <= frames; frame++ {
				if run >= len(all)/2 && frame > 1 { // resumed
					time, dt, surplus := w.Time, w.Dt, w.Surplus
					copySet(&saved, &w.Set)
					w = build()
					w.Attr = nil
					copySet(&w.Set, &saved)
					w.Time, w.Dt, w.Surplus = time, dt, surplus
					s = registrytest.New(t, &Solvers, name)
				}
				mustAdvance(t, w, s, at(frame), func(i StepInfo) error {
					added, removed = added+i.Added, removed+i.Removed
					return nil
				})
				if run == 0 {
					want[frame] = sum(w)
				} else if got := sum(w); got != want[frame] {
					t.Fatalf("%d threads, run %d, frame %d: %x, want %x", threads, run, frame, got, want[frame])
				}
				ids := slices.Clone(w.ID)
				slices.Sort(ids)
				if len(slices.Compact(ids)) != w.Len() {
					t.Fatalf("frame %d: a number is there twice", frame)
				}
				for _, id := range w.ID {
					if last, ok := gone[id]; ok {
						t.Fatalf("frame %d: the number %d of one gone by frame %d is used again", frame, id, last)
					}
				}
				for _, id := range here {
					if _, ok := slices.BinarySearch(ids, id); !ok {
						gone[id] = frame
					}
				}
				here = ids
			}
			if got := len(before) + added - removed; got != w.Len() {
				t.Errorf("%d particles, %d have come and %d gone, %d are left", len(before), added, removed, w.Len())
			}
			if added < 10*frames || removed < 2*frames {
				t.Errorf("only %d have come and %d gone", added, removed)
			}
		}
	})
}

// TestOpenSide lets a block of water run out of a box with one open side. All but a film
// leaves, the particles outside do not disturb the particles inside, and the other sides
// hold the water.
func TestOpenSide(t *testing.T) {
	longtest.NotShort(t)
	for _, side := range []string{"x-", "x+", "z-", "z+"} {
		const d = 0.04
		w := New(d, 1000)
		w.Gravity = earth
		box := &boundary.Box{Max: vec.New(0.4, 1, 0.4), Inside: true, Open: []string{side}}
		w.Walls = []boundary.Boundary{box}
		if side == "z+" { // as a scene's wall that may move
			w.Walls = []boundary.Boundary{body.New(box, body.Motion{}, 0)}
		}
		if side == "x+" {
			w.Walls = []boundary.Boundary{particled(box)}
		}
		w.Fill(&shape.Box{Max: vec.New(0.4, 0.4, 0.4)}, vec.Vec3{})
		mustInit(t, w)
		start, removed := w.Len(), 0
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 1.5, func(i StepInfo) error {
			removed += i.Removed
			if i.DensityError > 2e-3 {
				t.Fatalf("%s: at %.3f s the density is %.2g too high", side, i.Time, i.DensityError)
			}
			for _, x := range w.X {
				if out, _ := (vec.Box{Min: box.Min, Max: box.Max}).Dist(x); out > d || x.Y < 0 {
					t.Fatalf("%s: a particle is at %v", side, x)
				}
			}
			return nil
		})
		if w.Len()+removed != start {
			t.Errorf("%s: %d particles, %d gone, %d left", side, start, removed, w.Len())
		}
		if w.Len() > start/10 {
			t.Errorf("%s: %d of %d are left", side, w.Len(), start)
		}
	}
}

// TestDuct fills a duct through an opening of its whole width, without gravity.
func TestDuct(t *testing.T) {
	longtest.NotShort(t)
	const d, speed = 0.04, 1.
	w := New(d, 1000)
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(0.24, 0.2, 1), Inside: true, Open: []string{"z-"}}}
	w.Inflows = []inflow.Inflow{{
		Opening: &inflow.Rectangle{Width: 0.24, Height: 0.2}, Position: vec.New(0.12, 0.1, 1), Direction: vec.New(0, 0, -1),
		Speed: speed, Stop: math.Inf(1),
	}}
	mustInit(t, w)
	mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 2, func(i StepInfo) error {
		if i.DensityError > 2e-3 {
			t.Fatalf("at %.3f s the density is %.2g too high", i.Time, i.DensityError)
		}
		return nil
	})
	inside := 0
	for i, x := range w.X {
		if x.Z > 1 {
			continue
		}
		inside++
		if off := w.V[i].Sub(vec.New(0, 0, -speed)).Len(); off > 0.05*speed {
			t.Errorf("a velocity of %v at %v", w.V[i], x)
		}
		if e := w.Rho[i]/1000 - 1; x.Z > 0.1 && math.Abs(e) > 0.03 {
			t.Errorf("the density is %.3f of that at rest at %v", 1+e, x)
		}
	}
	if got := float64(inside) * d * d * d; math.Abs(got/(0.24*0.2*(1+d))-1) > 0.03 {
		t.Errorf("%g m³ in the duct and a spacing beyond, want %g", got, 0.24*0.2*(1+d))
	}
}

// TestDrain takes a litre per second from the middle of a tank's floor, and then all
// liquid that reaches it.
func TestDrain(t *testing.T) {
	longtest.NotShort(t)
	const d, flow = 0.03, 0.01
	w := tank(t, d, vec.New(0.6, 1, 0.6), 0.3)
	region := &outflow.Box{Min: vec.New(0.2, 0, 0.2), Max: vec.New(0.4, 0.1, 0.4)}
	w.Outflows = []outflow.Outflow{{Region: region, Flow: flow}}
	removed := 0
	count := func(i StepInfo) error {
		removed += i.Removed
		if i.DensityError > 2e-3 {
			t.Fatalf("at %.3f s the density is %.2g too high", i.Time, i.DensityError)
		}
		return nil
	}
	s := registrytest.New(t, &Solvers, "iisph")
	mustAdvance(t, w, s, 0.5, count)
	if got, want := float64(removed)*d*d*d, flow*0.5; math.Abs(got-want) > 1.01*d*d*d {
		t.Errorf("%g m³ have gone in 0.5 s, want %g", got, want)
	}
	w.Outflows[0].Flow = 0
	mustAdvance(t, w, s, 0.6, count)
	for _, x := range w.X {
		if region.Depth(x) > 0 {
			t.Fatalf("there is a particle in the drain, at %v", x)
		}
	}
}

// TestEmptyAtFirst runs a world with nothing in it until its inflow starts, and
// one that a plane empties.
func TestEmptyAtFirst(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		w := New(0.05, 1000)
		w.Gravity = earth
		w.Outflows = []outflow.Outflow{{Region: &outflow.Plane{Point: vec.New(0, -1, 0), Direction: vec.New(0, -1, 0)}}}
		s := registrytest.New(t, &Solvers, name)
		mustInit(t, w)
		mustAdvance(t, w, s, 0.1, nil)
		w.Add(vec.New(0, 0, 0), vec.Vec3{}, 1000, 0)
		mustAdvance(t, w, s, 0.4, nil)
		if w.Len() != 1 {
			t.Fatalf("%d particles after 0.3 s of fall", w.Len())
		}
		mustAdvance(t, w, s, 0.7, nil)
		if w.Len() != 0 {
			t.Errorf("%d particles, which should be beyond the plane", w.Len())
		}
	})
}
