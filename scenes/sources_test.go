package scenes

import "testing"

// channelScene is a channel that liquid enters through the lower half of its end.
const channelScene = `
[time]
duration = 0.5
fps = 10
[liquid]
spacing = 0.05
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [2, 0.6, 0.4]
open = ["x+"]
friction = 1
[[inflow]]
kind = "rectangle"
width = 0.4
height = 0.3
position = [0, 0.15, 0.2]
direction = [1, 0, 0]
speed = 2
`

// TestChannel checks that an opening in a side of the tank is valid and that its pipe
// is not drawn. The surface must be closed off there as at the rest of the side.
func TestChannel(t *testing.T) {
	b, err := mustRead(t, channelScene).Build()
	if err != nil {
		t.Fatal(err)
	}
	if n := b.World.Nozzles(); len(n) != 1 || !n[0].Flush || len(n[0].Columns) != 8*6 {
		t.Fatalf("nozzles %v", n)
	}
	if len(b.Obstacles) != 0 || len(b.Solids) != 1 || b.Tank == nil {
		t.Errorf("%d obstacles, %d solids for the surface, tank %v; expected the tank alone", len(b.Obstacles), len(b.Solids), b.Tank)
	}
	if err := b.World.Advance(b.Solver, 0.3, nil); err != nil {
		t.Fatal(err)
	}
	in := 0
	for _, x := range b.World.X {
		if x.X > 0 {
			in++
		}
	}
	const d = 0.05
	if got, want := float64(in)*d*d*d, 0.4*0.3*2*0.3; got < 0.98*want || got > 1.02*want {
		t.Errorf("%g m³ have come in, want %g", got, want)
	}
}
