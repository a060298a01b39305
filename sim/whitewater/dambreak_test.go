package whitewater_test

import (
	"math"
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/force"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/whitewater"
)

// damBreak simulates the shipped dam break in a tank of half its width, whose liquid starts at a
// velocity, and returns its frames.
func damBreak(t *testing.T, d, dt, last float64, v vec.Vec3) (tank *boundary.Box, frames []whitewater.Frame) {
	t.Helper()
	w := sim.New(d, 1000)
	w.Viscosity, w.Gravity = 1e-6, vec.New(0, -9.81, 0)
	tank = &boundary.Box{Max: vec.New(3.2, 4, 0.495), Inside: true}
	w.Walls = []boundary.Boundary{tank}
	w.Forces = []force.Force{&force.XSPH{Rate: 20}}
	w.Fill(&shape.Box{Max: vec.New(1.206, 0.756, 0.495)}, v)
	solver := registrytest.New(t, &sim.Solvers, "iisph")
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	for at := 0.; at <= last+dt/2; at += dt {
		if at > 0 {
			if err := w.Advance(solver, at, func(sim.StepInfo) error { return nil }); err != nil {
				t.Fatal(err)
			}
		} else {
			w.SumDensities()
		}
		w.Round()
		set := &particle.Set{}
		for i := range w.X {
			set.Add(w.X[i], w.V[i], w.Rho[i], w.ID[i])
		}
		frames = append(frames, whitewater.Frame{Time: w.Time, Set: set})
	}
	return tank, frames
}

// instants are when the air of dam breaks is compared, s: before the wave that ran up the far wall
// falls back, when it has plunged, when it has broken, and when it has plunged again.
var instants = [...]float64{1.3, 1.68, 1.82, 2.1}

// totals are what a film of whitewater comes to.
type totals struct {
	air, early float64                // litres caught, and caught before 0.55 s
	by         [len(instants)]float64 // litres caught by the instants
	flying     float64                // mean litres in the air
	foam       float64                // mean area of foam, m²
}

// add adds a share of other to each of the totals.
func (t *totals) add(other *totals, share float64) {
	t.air += share * other.air
	t.early += share * other.early
	for n := range t.by {
		t.by[n] += share * other.by[n]
	}
	t.flying += share * other.flying
	t.foam += share * other.foam
}

// measure makes whitewater of every n-th frame.
func measure(t *testing.T, d float64, tank *boundary.Box, frames []whitewater.Frame, every int, set whitewater.Settings) (sum totals) {
	t.Helper()
	w, err := whitewater.New(set, whitewater.Scene{
		Spacing: d, Rho0: 1000, Viscosity: 1e-6, SurfaceTension: 0.0728, Gravity: vec.New(0, -9.81, 0), Walls: []whitewater.Wall{tank},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(frames[0].Time)
	n := 0.
	for k := every; k < len(frames); k += every {
		if err := w.Step(frames[k-every], frames[k]); err != nil {
			t.Fatal(err)
		}
		if frames[k].Time < 0.55 {
			sum.early = 1e3 * w.Budget().Entrained
		}
		for n, at := range instants {
			if frames[k].Time < at {
				sum.by[n] = 1e3 * w.Budget().Entrained
			}
		}
		sum.flying += 1e3 * float64(len(w.Airborne(nil))) * d * d * d
		p := w.Parcels()
		for i := range p.X {
			if p.Kind[i].Kind() == whitewater.Foam {
				r := p.Shown(i)
				sum.foam += math.Pi * r * r * float64(p.N[i])
			}
		}
		n++
	}
	l, v := w.Budget(), w.Parcels().Volumes()
	sum.air = 1e3 * l.Entrained
	sum.flying /= n
	sum.foam /= n
	if have := v[whitewater.Foam] + v[whitewater.Bubble] + l.Burst + l.AirOut; math.Abs(have/l.Entrained-1) > 1e-6 {
		t.Errorf("%g L of air are there or have left of %g L", 1e3*have, 1e3*l.Entrained)
	}
	if have := v[whitewater.Spray] + v[whitewater.Mist] + l.Landed + l.Clung + l.Evaporated + l.SprayOut; math.Abs(have/l.Sprayed-1) > 1e-6 {
		t.Errorf("%g L of spray are there or have ended of %g L", 1e3*have, 1e3*l.Sprayed)
	}
	return sum
}

// coarse are settings with few parcels for the same volumes.
func coarse() whitewater.Settings {
	s := whitewater.DefaultSettings()
	s.Detail = 4
	return s
}

// TestResolution makes whitewater of the same dam break at several spacings. The air agrees at all
// instants, and what there is before the wave plunges is less than 8 % of the total. As the flow is
// chaotic, each total is the mean of four runs whose first velocities differ by mm/s: those of
// one spacing differ by 12 % from each other.
func TestResolution(t *testing.T) {
	longtest.Only(t)
	const dt, runs = 0.7 / 30, 4
	spacings := []float64{0.048, 0.036, 0.027}
	var all []totals
	for _, d := range spacings {
		var mean totals
		for k := range runs {
			tank, frames := damBreak(t, d, dt, 2.1, vec.New(1e-3*float64(k), 0, 0))
			s := measure(t, d, tank, frames, 1, coarse())
			t.Logf("%g m: %.3g L of air, %.3g L before 0.55 s, %.3g L in the air, %.3g m² of foam", d, s.by, s.early, s.flying, s.foam)
			mean.add(&s, 1./runs)
		}
		all = append(all, mean)
		if mean.early > 1e-3*mean.air { // under drops from the front
			t.Errorf("%g m: %.3g L of air before anything hits the wall", d, mean.early)
		}
		if mean.by[0] > 0.08*mean.air {
			t.Errorf("%g m: %.3g L of air of %.3g L before the wave plunges", d, mean.by[0], mean.air)
		}
	}
	for n, at := range instants[1:] {
		mean := (all[0].by[n+1] + all[1].by[n+1] + all[2].by[n+1]) / 3
		for k, s := range all {
			if math.Abs(s.by[n+1]/mean-1) > 0.15 {
				t.Errorf("%g m: %.4g L of air at %g s, the mean is %.4g", spacings[k], s.by[n+1], at, mean)
			}
		}
	}
}

// TestFrameRate makes whitewater of every frame of a dam break with 120 frames per second of
// film, of every second, and so on.
func TestFrameRate(t *testing.T) {
	longtest.Only(t)
	const d = 0.048
	tank, frames := damBreak(t, d, 0.7/120, 2.1, vec.Vec3{})
	every := []int{1, 2, 4, 5}
	var all []totals
	var air, foam float64
	for _, n := range every {
		s := measure(t, d, tank, frames, n, coarse())
		t.Logf("%d frames per second: %.4g L of air, %.3g L in the air, %.4g m² of foam", 120/n, s.air, s.flying, s.foam)
		all = append(all, s)
		air += s.air / float64(len(every))
		foam += s.foam / float64(len(every))
	}
	for k, s := range all {
		if math.Abs(s.air/air-1) > 0.03 {
			t.Errorf("%d frames per second: %.4g L of air, the mean is %.4g", 120/every[k], s.air, air)
		}
		if math.Abs(s.foam/foam-1) > 0.05 {
			t.Errorf("%d frames per second: %.4g m² of foam on average, the mean is %.4g", 120/every[k], s.foam, foam)
		}
	}
}

// TestSeedsOfDamBreak makes whitewater of one dam break with several seeds.
func TestSeedsOfDamBreak(t *testing.T) {
	longtest.Only(t)
	const d = 0.06
	tank, frames := damBreak(t, d, 0.7/30, 2.1, vec.Vec3{})
	var all []float64
	var mean float64
	for seed := range 10 {
		set := coarse()
		set.Detail, set.Seed = 40, seed
		set.Sources = []string{"entrainment"}
		s := measure(t, d, tank, frames, 1, set)
		all = append(all, s.air)
		mean += s.air / 10
	}
	for seed, air := range all {
		if math.Abs(air/mean-1) > 0.02 {
			t.Errorf("seed %d: %.4g L of air, the mean is %.4g", seed, air, mean)
		}
	}
}
