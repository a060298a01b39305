package scenes

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"testing"

	"breakwater/scenes/memory"
	"breakwater/sim"
	"breakwater/sim/heaptest"
	"breakwater/sim/longtest"
)

// soak runs what follows at full length:
//
//	go test ./scenes -run TestSoak -soak -v -timeout 0
var soak = flag.Bool("soak", false, "run the soak tests at full length, which takes some ten minutes")

// soakScene returns the named scene, with about the given number of particles, ready.
func soakScene(t *testing.T, name string, particles float64) (*Scene, *Built) {
	t.Helper()
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	s.Liquid.Spacing = 1e-4 // which bounds what follows
	if s.Liquid.Spacing, err = s.Coarsened(particles); err != nil {
		t.Fatal(err)
	}
	return s, mustBuild(t, s)
}

// TestSoakFrames runs a dam break long after it has come to rest. Memory stays
// as it was in the first half, the volume within 0.5 % of the liquid's, and no
// particle gets lost.
func TestSoakFrames(t *testing.T) {
	longtest.NotShort(t)
	frames, particles, every := 100, 2000., 20
	if *soak {
		frames, particles, every = 2000, 53_000., 100 // whole rows of them: 50,000 or more
	}
	s, b := soakScene(t, "dam-break", particles)
	w := b.World
	n := w.Len()
	volume := float64(n) * s.Liquid.Spacing * s.Liquid.Spacing * s.Liquid.Spacing
	var most [2]float64 // live memory in either half
	var drift float64
	for frame := 1; frame <= frames; frame++ {
		if err := w.Advance(b.Solver, s.Time.At(frame), nil); err != nil {
			t.Fatalf("frame %d: %v", frame, err)
		}
		st := w.Stats()
		drift = max(drift, math.Abs(st.Volume/volume-1))
		if frame%every != 0 {
			continue
		}
		holds(t, b, n)
		used := heaptest.InUse()
		now, peak := heaptest.Resident()
		half := (frame - 1) * 2 / frames
		most[half] = max(most[half], used)
		t.Logf("frame %4d, %6.2f s: %d particles, live %.1f MB, resident %.1f MB, peak %.1f MB, volume %+.3f %%, mean density error %.3f %%",
			frame, w.Time, n, used/1e6, now/1e6, peak/1e6, 100*(st.Volume/volume-1), 100*st.MeanError)
		if t.Failed() {
			t.FailNow()
		}
	}
	if drift > 0.005 {
		t.Errorf("the volume drifts by %.2f %%, want at most 0.5 %%", 100*drift)
	}
	if most[1] > 1.1*most[0] {
		t.Errorf("memory grows from %.1f MB in the first half to %.1f MB in the second", most[0]/1e6, most[1]/1e6)
	}
	runtime.KeepAlive(b)
}

// TestSoakGas runs a flame and a wake for 2,000 frames at full length. As soon as as many
// particles end as begin, memory stays as it is, and all that the gas has stays a number.
func TestSoakGas(t *testing.T) {
	longtest.NotShort(t)
	frames := 300
	if *soak || longtest.On() {
		frames = 2000
	}
	for _, c := range []struct {
		scene string
		set   []string
	}{
		{"article-candle", []string{"source[1].tracers=2000"}},
		{"article-plate-wake", []string{"source[2].tracers=2000", "source[1].vortons=100", "solver.life=4"}}, // steady from 4 s on
	} {
		if c.scene != "article-candle" && frames < 2000 {
			continue
		}
		s, err := Load(c.scene)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Override(Overrides{Set: c.set}); err != nil {
			t.Fatal(err)
		}
		b := mustBuild(t, s)
		var most [2]float64 // live memory in either half
		particles := 0
		for frame := 1; frame <= frames; frame++ {
			if err := b.Flow.Advance(b.GasSolver, &s.Gas.Gas, s.Time.At(frame), nil); err != nil {
				t.Fatalf("%s: frame %d: %v", c.scene, frame, err)
			}
			if frame != frames/2-1 && (frame < frames/2 || frame%(frames/20) != 0) {
				continue
			}
			gasHolds(t, s, b)
			used, half := heaptest.InUse(), 1
			if frame == frames/2-1 {
				half, particles = 0, b.Flow.Vortons.Len()+len(b.Flow.Tracers.X)
			}
			most[half] = max(most[half], used)
			t.Logf("%s: frame %4d: %d vortons, %d tracers, live %.2f MB", c.scene, frame, b.Flow.Vortons.Len(), len(b.Flow.Tracers.X), used/1e6)
		}
		if n := b.Flow.Vortons.Len() + len(b.Flow.Tracers.X); math.Abs(float64(n-particles)) > 0.01*float64(particles) {
			t.Errorf("%s: %d particles became %d", c.scene, particles, n)
		}
		if most[1] > 1.1*most[0] {
			t.Errorf("%s: memory grows from %.2f MB to %.2f MB", c.scene, most[0]/1e6, most[1]/1e6)
		}
		runtime.KeepAlive(b)
	}
}

// soakParticles, in the environment, is how many particles TestSoakLarge simulates in a
// process of its own.
const soakParticles = "BREAKWATER_TEST_SOAK"

// TestSoakLarge takes 20 steps in a process of its own and bounds the memory of that
// process: 2 GB for two million particles. The collector is held to nine tenths of it, as
// the program holds it on a machine that has no more.
func TestSoakLarge(t *testing.T) {
	if n := os.Getenv(soakParticles); n != "" {
		particles, err := strconv.ParseFloat(n, 64)
		if err != nil {
			t.Fatal(err)
		}
		takeSteps(t, particles, 20)
		heaptest.LogPeak(t)
		return
	}
	// 590 bytes per particle by docs/PERFORMANCE.md, and a quarter more for many threads. In
	// all, 39 MB were measured with 2 threads and 45 MB with 32.
	particles, bytes := 40_000., 40_000*1.25*590+memory.Base
	if *soak {
		particles, bytes = 2.05e6, 2e9 // 127³
	} else {
		longtest.Only(t)
	}
	peak, said := heaptest.PeakOf(t, "TestSoakLarge", fmt.Sprintf("%s=%g", soakParticles, particles), fmt.Sprintf("GOMEMLIMIT=%.0f", 0.9*bytes))
	t.Logf("%s", said)
	if peak > bytes {
		t.Errorf("%g particles take %.1f MB, want at most %.1f", particles, peak/1e6, bytes/1e6)
	}
}

// takeSteps takes steps of bench-cube with about the given number of particles.
func takeSteps(t *testing.T, particles float64, most int) {
	s, b := soakScene(t, "bench-cube", particles)
	steps := 0
	err := b.World.Advance(b.Solver, s.Time.At(s.Time.Frames()), func(i sim.StepInfo) error {
		steps++
		now, peak := heaptest.Resident()
		t.Logf("step %2d, %.5f s: %d particles, resident %.1f MB, peak %.1f MB", steps, i.Time, b.World.Len(), now/1e6, peak/1e6)
		if steps == most {
			return errEnough
		}
		return nil
	})
	if err != errEnough {
		t.Fatalf("after %d steps: %v", steps, err)
	}
}

// errEnough ends an Advance that has taken enough steps.
var errEnough = errors.New("enough steps")
