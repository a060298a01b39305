package whitewater

import (
	"math"
	"runtime"
	"strconv"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/dice"
	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// crowd returns whitewater with n parcels of all kinds in and over moving liquid in a tank, as
// in the shipped dam break, and its frames, which take eight sub-steps each.
func crowd(t testing.TB, n int) (*Whitewater, func(t float64) Frame) {
	const d, speed = 0.018, 6.
	size := vec.New(3.2, 4, 0.99)
	x := lattice(vec.Box{Min: vec.New(0.2, 0, 0), Max: vec.New(2.2, 0.45, 0.99)}, d)
	frame := frames(x, func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
		// To and fro, fast at the frames.
		a := 2 * math.Pi * t / 0.046
		return x.Add(vec.New(speed*0.046/(2*math.Pi)*math.Sin(a), 0, 0)), vec.New(speed*math.Cos(a), 0, 0)
	}, func(x vec.Vec3) bool { return x.Y > 0.43 })
	scene := tank(d, size)
	if err := scene.Walls[0].(*boundary.Box).Init(kernel.NewCubicSpline(3, kernel.Support(d))); err != nil {
		t.Fatal(err)
	}
	w := start(t, quiet(), scene)
	w.set.Most = 1e8
	for k := range n {
		q := dice.New(9, uint64(k))
		p := Parcel{X: vec.New(0.3+1.8*q.Float(0), 0.05+0.35*q.Float(1), 0.05+0.89*q.Float(2)), R: 1e-3 * (0.2 + q.Float(3)), N: 2}
		switch k % 20 {
		case 0:
			p.Kind, p.X.Y = Mist, 0.6+q.Float(1)
		case 1, 2, 3, 4, 5, 6, 7, 8, 9:
			p.Kind, p.X.Y, p.V = Spray, 0.6+q.Float(1), inBall(q, 4).Mul(3)
		case 10, 11, 12, 13, 14:
			p.Kind, p.X.Y = Foam, 0.45
		default:
			p.Kind = Bubble
		}
		w.Add(p)
	}
	return w, frame
}

// BenchmarkStep moves parcels from a frame to the next in eight sub-steps.
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{0, 100_000, 1_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			w, frame := crowd(b, n)
			const dt = 0.023
			prev, next := frame(0), frame(dt)
			if err := w.Step(prev, next); err != nil {
				b.Fatal(err)
			}
			if s := w.substeps(); s != 8 {
				b.Fatalf("%d sub-steps, want 8", s)
			}
			for b.Loop() {
				b.StopTimer()
				w.state.Time = 0
				prev.Time, next.Time = 0, dt
				b.StartTimer()
				if err := w.Step(prev, next); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.Parcels().Len())*float64(b.N)/b.Elapsed().Seconds(), "parcels/s")
		})
	}
}

// TestMemory measures the memory that a million parcels take beside the particles.
func TestMemory(t *testing.T) {
	longtest.Only(t)
	const n = 1_000_000
	w, frame := crowd(t, n)
	prev, next := frame(0), frame(0.023)
	if err := w.Step(prev, next); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	runtime.KeepAlive(w)
	w = nil
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive([]any{prev, next})
	if used := float64(before.HeapAlloc-after.HeapAlloc) / 1e6; used > 150 {
		t.Errorf("%.0f MB for a million parcels, want at most 150", used)
	} else {
		t.Logf("%.0f MB", used)
	}
}
