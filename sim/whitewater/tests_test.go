package whitewater

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// water returns the scene of tests: water, without walls.
func water(spacing float64) Scene {
	return Scene{Spacing: spacing, Rho0: 1000, Viscosity: 1e-6, SurfaceTension: 0.0728, Gravity: vec.New(0, -9.81, 0)}
}

// tank returns water in a box.
func tank(spacing float64, size vec.Vec3) Scene {
	s := water(spacing)
	s.Walls = []Wall{&boundary.Box{Max: size, Inside: true}}
	return s
}

// lattice returns the points of a lattice in a box.
func lattice(box vec.Box, d float64) (x []vec.Vec3) {
	n := box.Size().Mul(1 / d)
	for k := range int(n.Z + 0.5) {
		for j := range int(n.Y + 0.5) {
			for i := range int(n.X + 0.5) {
				x = append(x, box.Min.Add(vec.New(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5).Mul(d)))
			}
		}
	}
	return x
}

// frames returns the frame of particles that move along given paths. Their densities are
// 1000 kg/m³, and 600 for particles of the surface.
func frames(x []vec.Vec3, at func(x vec.Vec3, t float64) (pos, v vec.Vec3), surface func(x vec.Vec3) bool) func(t float64) Frame {
	return func(t float64) Frame {
		s := &particle.Set{}
		for i, x := range x {
			pos, v := at(x, t)
			rho := 1000.
			if surface(x) {
				rho = 850
			}
			s.Add(pos, v, rho, uint32(i))
		}
		s.Round()
		return Frame{t, s}
	}
}

// still is the path of liquid at rest.
func still(x vec.Vec3, t float64) (pos, v vec.Vec3) { return x, vec.Vec3{} }

func never_(vec.Vec3) bool { return false }

// start returns whitewater with the given settings at the first frame.
func start(t testing.TB, set Settings, scene Scene) *Whitewater {
	t.Helper()
	w, err := New(set, scene)
	if err != nil {
		t.Fatal(err)
	}
	w.Start(0)
	return w
}

// run takes steps of dt through the frames.
func run(t testing.TB, w *Whitewater, frame func(t float64) Frame, dt float64, steps int) {
	t.Helper()
	from := w.state.Time
	prev := frame(from)
	for k := range steps {
		next := frame(from + float64(k+1)*dt)
		if err := w.Step(prev, next); err != nil {
			t.Fatal(err)
		}
		prev = next
	}
}

// quiet are settings without sources.
func quiet() Settings {
	s := DefaultSettings()
	s.Sources = nil
	return s
}

// clash returns two blocks of liquid of 0.36 m, of which one runs into the other at the given
// speed, m/s, and stops there. They are three spacings apart at first.
func clash(d, speed float64) func(t float64) Frame {
	const edge = 0.36
	x := lattice(vec.Box{Max: vec.New(2*edge, edge, edge)}, d)
	return frames(x, func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
		gap := 3*d - speed*t
		if x.X < edge || gap <= 0 {
			return x, v
		}
		return x.Add(vec.New(gap, 0, 0)), vec.New(-speed, 0, 0)
	}, func(x vec.Vec3) bool { return math.Abs(x.X-edge) < d })
}

// bytesOf returns the state as a file has it.
func bytesOf(t testing.TB, s *State) []byte {
	t.Helper()
	b, err := s.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) != s.Bytes() {
		t.Fatalf("the state has %d bytes, Bytes says %d", len(b), s.Bytes())
	}
	return slices.Clip(b)
}
