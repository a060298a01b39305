package inflow

import (
	"fmt"
	"math"
	"testing"

	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// TestReleaseTime compares the release times of particles from a nozzle with their
// distances from the opening. A particle from the start has the time 0.
func TestReleaseTime(t *testing.T) {
	for _, name := range Openings.Names() {
		for _, parabolic := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/parabolic=%t", name, parabolic), func(t *testing.T) { releaseTimes(t, name, parabolic) })
		}
	}
}

func releaseTimes(t *testing.T, name string, parabolic bool) {
	const now = 0.1
	opening := registrytest.New(t, &Openings, name)
	b, _, err := Open([]Inflow{{
		Opening: opening, Direction: vec.New(0, 3, 0), Speed: 1.5, Parabolic: parabolic, Start: 0.0123, Stop: math.Inf(1),
	}}, nil, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	var s particle.Set
	s.Add(vec.New(1, 1, 1), vec.Vec3{}, 1000, 7)
	if err := b.Fill(&s, 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Feed(&s, 1000, 0, now); err != nil {
		t.Fatal(err)
	}
	free := 0
	for k, id := range s.ID {
		want := 0.
		n, c, layer := b.Column(id)
		if (n == nil) != (k == 0) {
			t.Fatalf("particle %d: nozzle %v", id, n)
		}
		if n != nil {
			want = now - n.distance(c, layer, now)/c.Speed
		}
		if got := b.ReleaseTime(id); math.Abs(got-want) > 1e-9 {
			t.Fatalf("particle %d is released at %g s, want %g", id, got, want)
		}
		if want > 0 && want < now {
			free++
		}
	}
	if free == 0 {
		t.Error("none has come out")
	}
}
