package sim

import (
	"errors"
	"strings"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestFullTank lets pistons press on water in a closed tank, and on water that has room.
// A failure for want of room says so, and other failures do not.
func TestFullTank(t *testing.T) {
	const d = 0.1
	run := func(depth, push float64) error {
		w := New(d, 1000)
		w.Gravity = earth
		piston := body.New(&boundary.Box{Min: vec.New(0.8, 0, 0), Max: vec.New(1.2, 0.8, 0.8)}, body.Motion{Velocity: vec.New(-0.5, 0, 0)}, 0)
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(0.8, 0.8, 0.8), Inside: true}, piston}
		w.Fill(&shape.Box{Max: vec.New(0.8, depth, 0.8)}, vec.Vec3{})
		mustInit(t, w)
		return w.Advance(registrytest.New(t, &Solvers, "iisph"), 0.5, func(StepInfo) error {
			if push > 0 && w.Time > 0.1 {
				w.V[0] = vec.New(push, 0, 0)
			}
			return nil
		})
	}
	for _, c := range []struct {
		name        string
		depth, push float64
		full        bool
	}{
		{"full", 0.8, 0, true},
		{"thrown", 0.4, 1e3, false},
	} {
		err := run(c.depth, c.push)
		var u *Unstable
		if !errors.As(err, &u) {
			t.Errorf("%s: got %v", c.name, err)
			continue
		}
		if got := strings.Contains(u.Error(), "the tank is full"); got != c.full {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	if err := run(0.4, 0); err != nil {
		t.Errorf("with room: got %v", err)
	}
}
