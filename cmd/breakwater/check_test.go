package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"breakwater/scenes/estimate"
	"breakwater/sim/longtest"
)

// large is a scene of n³ particles.
func large(t *testing.T, n int) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "large.toml")
	text := fmt.Sprintf("[liquid]\nspacing = %g\n[[wall]]\nkind = \"box\"\nmax = [3, 3, 3]\n[[fluid]]\nkind = \"box\"\nmax = [1, 1, 1]\n", 1/float64(n))
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestCheckStops checks a scene when the program is being stopped: nothing is
// printed, however far the check gets.
func TestCheckStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var stdout, stderr bytes.Buffer
	for range 3 { // the check may be done first
		stdout.Reset()
		stderr.Reset()
		code := execute(ctx, []string{"check", large(t, 300)}, &stdout, &stderr)
		if code == exitFailed && strings.Contains(stderr.String(), "interrupted") && stdout.Len() == 0 {
			return
		}
	}
	t.Errorf("said %q, %q", stdout.String(), stderr.String())
}

// TestCheckTells checks a scene that writes much: what takes most of the disk is
// named with a way to have less, and the time with its stages. The film is so short
// that its rehearsal ends long before the minute is over on any machine.
func TestCheckTells(t *testing.T) {
	longtest.NotShort(t)
	var stdout, stderr bytes.Buffer
	if code := execute(context.Background(), []string{"check", "dam-break", "--set", "time.duration=0.1", "--trial", "1m"}, &stdout, &stderr); code != exitDone {
		t.Fatalf("exit status %d: %s", code, stderr.String())
	}
	for _, want := range []string{`surface as plymesh `, `mesh as obj `, "on this machine with ", ": sim ", ", mesh ", ", draw ", ", video "} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is not in\n%s", want, stdout.String())
		}
	}
	stdout.Reset()
	if code := execute(context.Background(), []string{"check", "dam-break", "--trial=-1s"}, &stdout, &stderr); code != exitUsage {
		t.Errorf("a trial of less than no time: exit status %d", code)
	}
}

// TestCheckWords checks the words for what a rehearsal found.
func TestCheckWords(t *testing.T) {
	for parcels, want := range map[int]string{
		0: "hardly any parcels", 1: "about 1 parcel per frame", 42: "about 42 parcels per frame", 114: "about 110 parcels per frame",
		996: "about 1000 parcels per frame", 15_600: "about 16000 parcels per frame",
	} {
		if got := meanParcels(estimate.Estimate{Rehearsed: true, Parcels: parcels}); got != want {
			t.Errorf("%d parcels: it says %q, want %q", parcels, got, want)
		}
	}
	for share, want := range map[float64]string{0: "less than 1 %", 0.004: "less than 1 %", 0.256: "25 %", 0.999: "99 %"} {
		if got := percentReached(share); got != want {
			t.Errorf("%g of the film: it says %q, want %q", share, got, want)
		}
	}
	second, minute := time.Second, time.Minute
	for trial, want := range map[*time.Duration]bool{nil: true, &minute: true, &second: false} {
		c := checkCommand{Trial: trial}
		if got := c.rehearsing(); strings.Contains(got, "--trial=1s ") != want {
			t.Errorf("--trial %v: it says %q", trial, got)
		}
	}
}

// TestSpan writes times as they are known.
func TestSpan(t *testing.T) {
	for seconds, want := range map[float64]string{0: "unknown", 0.123: "0.12 s", 47.3: "47 s"} {
		if got := span(seconds); got != want {
			t.Errorf("%g s are %q, want %q", seconds, got, want)
		}
	}
}
