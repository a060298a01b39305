package gauge

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"breakwater/sim"
	"breakwater/sim/inflow"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// TestGaugesAtRest reads still water: its level, its volume, and the pressure at the
// floor, at a wall and inside. The force on the floor is its weight.
func TestGaugesAtRest(t *testing.T) {
	longtest.Only(t)
	solvers(t, func(t *testing.T, name string) {
		const d, depth, side = 0.025, 0.3, 0.4
		w := filled(t, d, vec.New(side, 1, side), depth)
		line := func(x, z float64) Gauge { return &Level{From: vec.New(x, 0, z), To: vec.New(x, 0.9, z)} }
		box := &VolumeIn{Max: vec.New(side/2, depth/3, side)}
		gauges := []Gauge{
			line(0.21, 0.17), line(0.001, 0.2),
			&PressureAt{At: vec.New(0.2, 0, 0.2)}, &PressureAt{At: vec.New(0, 0.1, 0.2)}, &PressureAt{At: vec.New(0.13, 0.17, 0.22)}, &PressureAt{At: vec.New(0.2, 0.5, 0.2)},
			box,
			&ForceOn{Wall: 1, Side: "y-"}, &ForceOn{Wall: 1, Side: "x+"}, &ForceOn{Wall: 1},
			&VelocityAt{At: vec.New(0.2, 0.1, 0.2)},
		}
		var meters []*Meter
		for _, g := range gauges {
			meters = append(meters, &Meter{Gauge: g, Interval: 0.01})
		}
		observe(w, meters)
		mustAdvance(t, w, registrytest.New(t, &sim.Solvers, name), 0.6, nil)
		mean := make([][]float64, len(gauges)) // over the last half
		for k, m := range meters {
			rows := m.Take()
			if len(rows) != 61 {
				t.Fatalf("%d rows, want 61", len(rows))
			}
			mean[k] = make([]float64, len(m.Gauge.Columns()))
			for i, row := range rows {
				if want := float64(i) * 0.01; row[0] != want || len(row) != 1+len(mean[k]) {
					t.Fatalf("row %d is %v", i, row)
				}
				if i > 30 {
					for c := range mean[k] {
						mean[k][c] += row[1+c] / 30
					}
				}
			}
		}
		rho := 1000 * 9.81
		weight := rho * depth * side * side
		wallForce := rho * depth * depth / 2 * side
		for _, c := range []struct {
			what                  string
			gauge, column         int
			want, within, within2 float64 // the second for wcsph, which is springy
		}{
			{"level", 0, 0, depth, 0.1 * d, 0.3 * d},
			{"level at the wall", 1, 0, depth, 0.1 * d, 0.3 * d},
			{"pressure at the floor", 2, 0, rho * depth, 0.03 * rho * depth, 0.06 * rho * depth},
			{"pressure at the wall", 3, 0, rho * (depth - 0.1), 0.03 * rho * depth, 0.06 * rho * depth},
			{"pressure inside", 4, 0, rho * (depth - 0.17), 0.015 * rho * depth, 0.06 * rho * depth},
			{"pressure of the air", 5, 0, 0, 0, 0},
			{"volume", 6, 0, box.Max.X * box.Max.Y * box.Max.Z, 0.005 * box.Max.X * box.Max.Y * box.Max.Z, 0.02 * box.Max.X * box.Max.Y * box.Max.Z},
			{"force on the floor", 7, 1, -weight, 0.01 * weight, 0.02 * weight},
			{"force on the end", 8, 0, wallForce, 0.03 * wallForce, 0.05 * wallForce},
			{"force on the tank", 9, 1, -weight, 0.01 * weight, 0.02 * weight},
			{"force on the tank along x", 9, 0, 0, 0.01 * weight, 0.02 * weight},
			{"velocity", 10, 1, 0, 0.005, 0.02},
		} {
			most := c.within
			switch {
			case name == "wcsph":
				most = c.within2
			case name == "isph" && (c.what == "volume" || c.what == "velocity"):
				most *= 2 // it circulates slowly, and keeps its densities to 1 %
			}
			got := mean[c.gauge][c.column]
			t.Logf("%s: %.5g, exact %.5g", c.what, got, c.want)
			if !(math.Abs(got-c.want) <= most) {
				t.Errorf("%s is %g, want %g to %g", c.what, got, c.want, most)
			}
		}
	})
}

// TestGaugesOfJet reads a jet without gravity: its velocity equals the nozzle's, and the
// volume in a box grows by the flow.
func TestGaugesOfJet(t *testing.T) {
	const d = 0.02
	w := sim.New(d, 1000)
	in := inflow.Inflow{
		Opening: &inflow.Disc{Radius: 4 * d}, Position: vec.New(0.5, 0.3, 0.5), Direction: vec.New(0, 3, 0),
		Speed: 1.5, Stop: math.Inf(1),
	}
	w.Inflows = []inflow.Inflow{in}
	mustInit(t, w)
	meters := []*Meter{
		{Gauge: &VelocityAt{At: in.Position.Add(vec.New(d, 3*d, 0))}, Interval: 0.005},
		{Gauge: &VolumeIn{Min: in.Position.Sub(vec.New(1, 0, 1)), Max: in.Position.Add(vec.New(1, 5, 1))}, Interval: 0.0123},
	}
	observe(w, meters)
	mustAdvance(t, w, registrytest.New(t, &sim.Solvers, "iisph"), 0.2, nil)
	velocity, volume := meters[0].Take(), meters[1].Take()
	if first := velocity[1]; !math.IsNaN(first[2]) {
		t.Errorf("a velocity of %v where nothing has come", first)
	}
	for _, row := range velocity[20:] {
		if math.Abs(row[2]-1.5) > 0.01 || math.Abs(row[1]) > 0.01 {
			t.Errorf("at %g s the velocity is %v", row[0], row[1:])
		}
	}
	flow := w.Nozzles()[0].Flow
	for _, row := range volume {
		if want := flow * row[0]; math.Abs(row[1]-want) > 0.01*want+flow/1.5*d/4 {
			t.Errorf("at %g s there are %g m³, want %g", row[0], row[1], want)
		}
	}
}

// TestGaugesSameBytes reads gauges on several threads and in a run that is
// resumed after each frame.
func TestGaugesSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const frames = 4
	at := func(frame int) float64 { return float64(frame) / 30 }
	meters := func() (list []*Meter) {
		for i, g := range []Gauge{
			&Level{From: vec.New(0.5, 0, 0.2), To: vec.New(0.5, 0.9, 0.2)}, &PressureAt{At: vec.New(1, 0, 0.2)},
			&VelocityAt{At: vec.New(0.45, 0.02, 0.2)}, &VolumeIn{Min: vec.New(0.4, 0, 0), Max: vec.New(1, 1, 1)}, &ForceOn{Wall: 1},
		} {
			list = append(list, &Meter{Gauge: g, Interval: 0.004 + 0.001*float64(i)})
		}
		return list
	}
	solvers(t, func(t *testing.T, name string) {
		var want string
		for run, threads := range []int{2, 1, 3} {
			if run == 1 && !longtest.On() {
				continue
			}
			runtime.GOMAXPROCS(threads)
			w := dam(t, 0.05)
			list := observe(w, meters())
			s := registrytest.New(t, &sim.Solvers, name)
			got := ""
			var saved particle.Set
			for frame := 1; frame <= frames; frame++ {
				if run == 2 && frame > 1 {
					time, dt := w.Time, w.Dt
					copySet(&saved, &w.Set)
					w = dam(t, 0.05)
					list = observe(w, meters())
					copySet(&w.Set, &saved)
					w.Time, w.Dt = time, dt
					s = registrytest.New(t, &sim.Solvers, name)
				}
				mustAdvance(t, w, s, at(frame), nil)
				for _, m := range list {
					got += fmt.Sprintln(m.Take())
				}
			}
			if run == 0 {
				want = got
			} else if got != want {
				t.Errorf("run %d on %d threads reads\n%s\nwant\n%s", run, threads, got, want)
			}
		}
	})
}

// TestGaugesAtStart checks that the first row has the pressures that the first step
// finds, even if no later row is due in this step. The pressure of the air is 0 in all
// rows.
func TestGaugesAtStart(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		w := filled(t, 0.05, vec.New(0.5, 1, 0.5), 0.4)
		meters := []*Meter{
			{Gauge: &PressureAt{At: vec.New(0.25, 0, 0.25)}, Interval: 1},
			{Gauge: &PressureAt{At: vec.New(0.25, 0.9, 0.25)}, Interval: 1e-4},
			{Gauge: &ForceOn{Wall: 1}, Interval: 1},
			{Gauge: &VelocityAt{At: vec.New(0.25, 0.9, 0.25)}, Interval: 1},
		}
		observe(w, meters)
		mustAdvance(t, w, registrytest.New(t, &sim.Solvers, name), 0.01, nil)
		var first [][]float64
		for i, m := range meters {
			rows := m.Take()
			if len(rows) == 0 || rows[0][0] != 0 {
				t.Fatalf("gauge %d: no row of time 0 in %v", i, rows)
			}
			first = append(first, rows[0])
			for _, row := range rows {
				if i == 1 && row[1] != 0 {
					t.Fatalf("the pressure of the air is %g Pa at %g s", row[1], row[0])
				}
			}
		}
		if p := first[0][1]; name != "wcsph" && !(p > 500 && p < 6000) { // which starts without pressure
			t.Errorf("%g Pa at the floor at first, under 0.4 m of water", p)
		}
		if math.IsNaN(first[0][1]) || math.IsNaN(first[2][2]) {
			t.Errorf("no pressure or force at first: %v", first)
		}
		if !math.IsNaN(first[3][1]) {
			t.Errorf("a velocity of %g m/s in the air", first[3][1])
		}
	})
}
