package inflow

import (
	"math"
	"testing"

	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// TestSuction compares the suction of particles in a falling jet with R²s² + 3νs. It is 0
// behind the opening, in a jet that rises, and where a particle leaves the jet.
func TestSuction(t *testing.T) {
	const at, g, nu, radius = 0.3, 9.81, 1e-3, 0.1
	b, _, err := Open([]Inflow{{Opening: &Disc{Radius: radius}, Direction: vec.New(0, -1, 0), Speed: 2, Stop: math.Inf(1)}}, nil, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	var s particle.Set
	if err := b.Fill(&s, 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Feed(&s, 1000, 0, at); err != nil {
		t.Fatal(err)
	}
	free := 0
	for _, id := range s.ID {
		fallen := at - b.ReleaseTime(id)
		v := vec.New(0, -2-float64(g*fallen), 0)
		got := b.Suction(id, at, v, vec.New(0, -g, 0), nu)
		want := 0.
		if n, _ := b.Holding(id, at); n == nil {
			free++
			rate := g / v.Len()
			want = radius*radius*rate*rate + 3*nu*rate
		}
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("particle %d, %g s after its release: %g m²/s², want %g", id, fallen, got, want)
		}
		if up := b.Suction(id, at, vec.New(0, -2+float64(g*fallen), 0), vec.New(0, g, 0), nu); up != 0 && g*fallen < 2 {
			t.Errorf("particle %d, in a jet that slows down: %g m²/s²", id, up)
		}
		if off := b.Suction(id, at, v.Add(vec.New(v.Len(), 0, 0)), vec.New(0, -g, 0), nu); off != 0 {
			t.Errorf("particle %d beside the jet: %g m²/s²", id, off)
		}
	}
	if free == 0 || free == len(s.ID) {
		t.Errorf("%d of %d particles are free", free, len(s.ID))
	}
}
