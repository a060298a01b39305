package gauge

import (
	"math"
	"testing"

	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// jerkFlow is a flow whose vortons and tracers have the velocities that a test sets.
func jerkFlow() *Gas {
	f := &vortex.Flow{}
	for range 3 {
		f.AddVorton(vec.Vec3{}, vec.New(0, 0, 1), 0.1, 1, vortex.Blend{})
	}
	for range 2 {
		f.AddTracer(vec.Vec3{}, 300, vortex.Blend{})
	}
	return &Gas{Flow: f, Medium: &vortex.Gas{Density: 1, Temperature: 300, HeatCapacity: 1}}
}

// The velocities of vortons follow cubic paths, so their jerk is known. The third step has
// the first reading. A vorton that comes later counts from its own third step on.
func TestJerk(t *testing.T) {
	const dt = 0.125
	g := jerkFlow()
	m := &Meter{Gauge: &Jerk{Of: "vortons"}, Interval: dt}
	for step := 1; step <= 6; step++ {
		m.BeforeGas(g)
		g.Flow.Time, g.Dt = float64(step)*dt, dt
		if step == 4 {
			g.Flow.AddVorton(vec.Vec3{}, vec.Vec3{}, 0.1, 1, vortex.Blend{})
		}
		now := g.Flow.Time
		for i := range g.Flow.Vortons.V {
			g.Flow.Vortons.V[i] = vec.New(float64(i+1)*now*now, 0, now) // jerk 2 (i+1)
		}
		m.AfterGas(g)
	}
	rows := m.Take()
	want := [][2]float64{{math.NaN(), math.NaN()}, {math.NaN(), math.NaN()}, {math.NaN(), math.NaN()}, {4, math.Sqrt(56. / 3)}, {4, math.Sqrt(56. / 3)}, {4, math.Sqrt(56. / 3)}, {5, math.Sqrt(120. / 4)}}
	if len(rows) != len(want) {
		t.Fatalf("rows %v", rows)
	}
	for k, w := range want {
		for c := range w {
			if got := rows[k][c+1]; math.Abs(got-w[c]) > 1e-9 || math.IsNaN(got) != math.IsNaN(w[c]) {
				t.Errorf("at %g s: %v, want %v", rows[k][0], rows[k][1:], w)
			}
		}
	}
}

// A gauge that resumes from the state of a frame has the same bits as one that goes on,
// whichever frame it is, with particles that have been there for no step, one and more.
func TestJerkResumes(t *testing.T) {
	const dt = 1. / 30
	for _, of := range []string{"vortons", "tracers"} {
		for cut := range 7 {
			g := jerkFlow()
			meters := []*Meter{{Gauge: &Jerk{Of: of}, Interval: dt}}
			for step := range 9 {
				if step == cut { // the end of a frame
					s := g.Flow.State(g.Medium)
					meters[0].KeepGas(s)
					meters = append(meters, &Meter{Gauge: &Jerk{Of: of}, Interval: dt})
					meters[1].ResumeGas(s)
				}
				if step == 3 {
					g.Flow.AddVorton(vec.Vec3{}, vec.Vec3{}, 0.1, 1, vortex.Blend{})
					g.Flow.AddTracer(vec.Vec3{}, 300, vortex.Blend{})
				}
				for _, m := range meters {
					m.BeforeGas(g)
				}
				g.Flow.Time, g.Dt = g.Flow.Time+dt, dt
				for _, v := range [][]vec.Vec3{g.Flow.Vortons.V, g.Flow.Tracers.V} {
					for i := range v {
						v[i] = vec.New(math.Sin(float64(step*(i+2))), math.Cos(float64(step+i)), float64(i))
					}
				}
				for _, m := range meters {
					m.AfterGas(g)
				}
			}
			want, got := meters[0].Take(), meters[1].Take()
			if len(got) < 2 || math.IsNaN(got[len(got)-1][1]) {
				t.Fatalf("%s, resumed after step %d: %v", of, cut, got)
			}
			for k, row := range want[len(want)-len(got):] {
				for c, x := range row {
					if math.Float64bits(got[k][c]) != math.Float64bits(x) && !(math.IsNaN(x) && math.IsNaN(got[k][c])) {
						t.Errorf("%s, resumed after step %d: %v, want %v", of, cut, got[k], row)
					}
				}
			}
		}
	}
}
