package run

import (
	"context"
	"math"
	"os"
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
		blurred = "[picture]\nsize = [960, 540]\nquality = \"good\"\n[video]\nencoder = \"own\"\n"
	)
	const within = 0.25
	for _, c := range []struct{ name, text, picture string }{
		{"dam-break", "[liquid]\nspacing = 0.05\n[time]\nfps = 4\nduration = 2\n", small},
		{"drop", "[liquid]\nspacing = 0.04\n[time]\nfps = 4\nduration = 2\n", small},
		{"double-dam-break", "[liquid]\nspacing = 0.055\n[time]\nfps = 4\nduration = 2\n", small},
		{"dam-break", "[liquid]\nspacing = 0.05\n[time]\nfps = 4\nduration = 2\n[look]\nkind = \"particles\"\n", small},
		// The program and the pictures take most.
		{"still-water", "[liquid]\nspacing = 0.06\n[time]\nfps = 2\n", small},
		{"droplet", "[liquid]\nspacing = 1e-3\n[time]\nfps = 1\n", blurred},
		{"droplet", "[liquid]\nspacing = 0.7e-3\n[time]\nfps = 1\n[look]\nkind = \"particles\"\n", blurred},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "extends = \"" + c.name + "\"\n" + c.text + c.picture
			e, _ := estimateOf(t, text)
			folder := t.TempDir()
			// The peak depends on when the collector runs: one of three must agree.
			peak := peakOf(t, text, folder)
			agrees := func() bool { return math.Abs(float64(e.Memory)/peak-1) <= within }
			for again := 0; again < 2 && !agrees(); again++ {
				t.Logf("%.0f MB estimated, %.0f MB in truth", float64(e.Memory)/1e6, peak/1e6)
				peak = peakOf(t, text, t.TempDir())
			}
			t.Logf("%.0f MB estimated, %.0f MB in truth", float64(e.Memory)/1e6, peak/1e6)
			if !agrees() {
				t.Errorf("%.0f MB estimated, %.0f MB in truth", float64(e.Memory)/1e6, peak/1e6)
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
