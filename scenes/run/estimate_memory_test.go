package run

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"breakwater/scenes/stage"
	"breakwater/sim/heaptest"
	"breakwater/sim/longtest"
)

// memoryScene, in the environment, is a scene that a process of its own runs to
// measure its memory, and memoryOut the folder.
const (
	memoryScene = "BREAKWATER_TEST_MEMORY"
	memoryOut   = "BREAKWATER_TEST_MEMORY_OUT"
)

// TestEstimateMemory runs scenes, each in a process of its own, and compares the memory
// that these had at their peaks, their files and their steps with the estimates.
func TestEstimateMemory(t *testing.T) {
	if text := os.Getenv(memoryScene); text != "" {
		if err := Run(context.Background(), mustRead(t, text), Options{Out: os.Getenv(memoryOut)}, func(stage.Event) {}); err != nil {
			t.Fatal(err)
		}
		heaptest.LogPeak(t)
		return
	}
	longtest.Only(t)
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("the system does not say what a process had at its peak")
	}
	const (
		small   = "[picture]\nsize = [320, 180]\nquality = \"draft\"\n[video]\nencoder = \"own\"\n"
		draft   = "[picture]\nsize = [960, 540]\nquality = \"draft\"\n[video]\nencoder = \"own\"\n"
		blurred = "[picture]\nsize = [960, 540]\nquality = \"good\"\n[video]\nencoder = \"own\"\n"
	)
	for _, c := range []struct {
		name, text, picture string
		within              float64
	}{
		{"dam-break", "[liquid]\nspacing = 0.05\n[time]\nfps = 4\nduration = 2\n", small, 0.25},
		{"drop", "[liquid]\nspacing = 0.04\n[time]\nfps = 4\nduration = 2\n", small, 0.25},
		{"double-dam-break", "[liquid]\nspacing = 0.055\n[time]\nfps = 4\nduration = 2\n", small, 0.25},
		{"dam-break", "[liquid]\nspacing = 0.05\n[time]\nfps = 4\nduration = 2\n[look]\nkind = \"particles\"\n", small, 0.25},
		// The program and the pictures take most.
		{"still-water", "[liquid]\nspacing = 0.06\n[time]\nfps = 2\n", small, 0.25},
		{"still-water", "[liquid]\nspacing = 0.1\n[time]\nfps = 2\n", draft, 0.25},
		{"droplet", "[liquid]\nspacing = 1e-3\n[time]\nfps = 1\n", blurred, 0.2},
		{"droplet", "[liquid]\nspacing = 0.7e-3\n[time]\nfps = 1\n[look]\nkind = \"particles\"\n", blurred, 0.2},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "extends = \"" + c.name + "\"\n" + c.text + c.picture
			e, _ := estimateOf(t, text)
			folder := t.TempDir()
			off := func(peak float64) float64 {
				t.Logf("%.0f MB estimated, %.0f MB in truth", float64(e.Memory)/1e6, peak/1e6)
				return float64(e.Memory)/peak - 1
			}
			// The peak depends on when the collector runs: where one is too far off, the median of three counts.
			peaks := []float64{peakOf(t, text, folder)}
			if math.Abs(off(peaks[0])) > c.within {
				for range 2 {
					peaks = append(peaks, peakOf(t, text, t.TempDir()))
				}
				slices.Sort(peaks)
				if x := off(peaks[1]); math.Abs(x) > c.within {
					t.Errorf("the estimate of memory is %+.0f %% off", 100*x)
				}
			}
			if !strings.Contains(c.text, "[look]") { // it makes the same files as the first scene
				holdEstimate(t, e, folder)
			}
			if e.DrawTime == 0 || e.FilmTime == 0 {
				t.Errorf("drawing is to take %g s, and the film %g s", e.DrawTime, e.FilmTime)
			}
		})
	}
}

// peakOf runs a scene in a process of its own, into a folder, and returns its peak memory
// in bytes.
func peakOf(t *testing.T, text, folder string) float64 {
	t.Helper()
	peak, _ := heaptest.PeakOf(t, "TestEstimateMemory", memoryScene+"="+text, memoryOut+"="+folder)
	return peak
}
