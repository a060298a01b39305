package heaptest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Resident returns the memory of this process as the system counts it, now and at its
// peak, in bytes. On systems that do not report it, it returns the Go runtime's memory.
func Resident() (now, peak float64) {
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

// peakMark precedes the peak in the output of a process.
const peakMark = "the peak of this process is "

// LogPeak logs the peak memory of this process for PeakOf.
func LogPeak(t testing.TB) {
	t.Helper()
	_, peak := Resident()
	t.Logf("%s%.0f bytes", peakMark, peak)
}

// PeakOf runs a test in a process of its own, with more environment variables ("NAME=value").
// It returns the peak memory of that process in bytes, and its output. The test must call
// LogPeak. If it fails, so does t.
func PeakOf(t testing.TB, test string, env ...string) (peak float64, said string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(program, "-test.run=^"+test+"$", "-test.v")
	run.Env = append(os.Environ(), env...)
	output, err := run.CombinedOutput()
	said = string(output)
	if err != nil {
		t.Fatalf("%s: %v\n%s", test, err, said)
	}
	_, after, _ := strings.Cut(said, peakMark)
	if _, err := fmt.Sscan(after, &peak); err != nil {
		t.Fatalf("%s does not say its peak memory: %v\n%s", test, err, said)
	}
	return peak, said
}
