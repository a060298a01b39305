package scenes

import (
	"bufio"
	"errors"
	"flag"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"breakwater/sim"
	"breakwater/sim/heaptest"
	"breakwater/sim/longtest"
	"breakwater/sim/registry"
)

// soak runs what follows at full length:
//
//	go test ./scenes -run TestSoak -soak -v -timeout 0
var soak = flag.Bool("soak", false, "run the soak tests at full length, which takes some ten minutes")

// resident returns the memory of this process as the system counts it, now and at its
// peak, in bytes. On systems that do not report it, it returns the Go runtime's memory.
func resident() (now, peak float64) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.Sys - m.HeapReleased), float64(m.Sys)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// VmHWM:     12345 kB
		f := strings.Fields(lines.Text())
		if len(f) != 3 || f[2] != "kB" {
			continue
		}
		n, _ := strconv.ParseFloat(f[1], 64)
		switch f[0] {
		case "VmRSS:":
			now = n * 1024
		case "VmHWM:":
			peak = n * 1024
		}
	}
	return now, peak
}

// soakScene returns the named scene, with about the given number of particles, ready.
func soakScene(t *testing.T, name string, particles float64) (*Scene, *Built) {
	t.Helper()
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	d := s.Liquid.Spacing * math.Cbrt(float64(b.World.Len())/particles)
	if err := s.Override(Overrides{Spacing: registry.Number(d)}); err != nil {
		t.Fatal(err)
	}
	if b, err = s.Build(); err != nil {
		t.Fatal(err)
	}
	return s, b
}

// TestSoakFrames runs a dam break long after it has come to rest. Memory stays
// as it was in the first half, the volume within 0.5 % of the liquid's, and no
// particle gets lost.
func TestSoakFrames(t *testing.T) {
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
		now, peak := resident()
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

// TestSoakLarge takes 20 steps of two million particles in 2 GB, with the
// collector held to that as the program holds it on a machine that has no more.
func TestSoakLarge(t *testing.T) {
	particles, bytes := 40_000., 2e9/50+baseBytes
	switch {
	case *soak:
		particles, bytes = 2.05e6, 2e9 // 127³
	case !longtest.On():
		t.Skip("the race detector, which short tests run under, takes memory of its own")
	}
	debug.FreeOSMemory()
	// From here on the system counts the peak anew, where it can.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	start, _ := resident()
	if *soak {
		start = 0 // it is all that the process takes that counts
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(0.9*bytes + start)))
	s, b := soakScene(t, "bench-cube", particles)
	steps := 0
	const most = 20
	err := b.World.Advance(b.Solver, s.Time.At(s.Time.Frames()), func(i sim.StepInfo) error {
		steps++
		now, peak := resident()
		t.Logf("step %2d, %.5f s: %d particles, resident %.0f MB, peak %.0f MB", steps, i.Time, b.World.Len(), (now-start)/1e6, (peak-start)/1e6)
		if steps == most {
			return errEnough
		}
		return nil
	})
	if err != errEnough {
		t.Fatalf("after %d steps: %v", steps, err)
	}
	if _, peak := resident(); peak-start > bytes {
		t.Errorf("%d particles take %.0f MB, want at most %.0f", b.World.Len(), (peak-start)/1e6, bytes/1e6)
	}
}

// errEnough ends an Advance that has taken enough steps.
var errEnough = errors.New("enough steps")
